//! Implements `greatness build`: reads collections, analyses events and publishes the archive.

use std::path::{Path, PathBuf};
use std::time::Instant;

use anyhow::{Context, bail};
use clap::Args;

use super::CommandOutcome;
use super::inputs::{
    ConfigArguments, KnowledgeArguments, NameArguments, add_spelling, separate_spelling,
};
use super::logging;
use super::output::{counted, outln};
use super::progress::Terminal;
use crate::archive::{
    self, Archive, BuildCache, BuildInputs, CacheKind, Settings, WorkAmount, WorkFolder, timed,
};
use crate::site;
use crate::source::{Diagnostic, Wanted, find};

/// Read game collections, analyse every event and write the archive
///
/// Without arguments, the command reads the bundled data and writes into reports/archive.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  greatness build my-collection --out my-archive
  greatness build games.pgn lists.zip --decisions decisions.toml --out my-archive")]
pub(super) struct BuildArguments {
    /// Game collections, or folders of them, as with --pgn. A SCID spelling file (.ssp) is read as
    /// with --spelling
    #[arg(value_name = "PATH")]
    paths: Vec<PathBuf>,
    /// Game collection, or folder of them; may be given several times [default: the bundled games]
    #[arg(long, value_name = "PATH")]
    pgn: Vec<PathBuf>,
    #[command(flatten)]
    config: ConfigArguments,
    #[command(flatten)]
    names: NameArguments,
    #[command(flatten)]
    knowledge: KnowledgeArguments,
    /// Reuse work from a folder that a cluster or an earlier build left. Its games replace the
    /// collections. Its computed ratings and analyses of events are used where they fit these
    /// settings; the rest is computed now
    #[arg(long, value_name = "DIR", conflicts_with_all = ["pgn", "paths"])]
    from: Option<PathBuf>,
    /// Folder of the archive [default: reports/archive]
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Replace the archive in that folder even if it was made from other games
    #[arg(long)]
    replace: bool,
    /// Do not flush files to the disk before the new archive replaces the old one. This is faster,
    /// but a power failure soon afterwards may destroy files
    #[arg(long)]
    no_sync: bool,
    /// Compute everything, and keep no work for the next build. Otherwise DIR.cache next to the
    /// archive's folder holds the work that the next build can reuse. You can delete it at any time
    #[arg(long)]
    no_cache: bool,
    /// Write nothing and fail if any input cannot be read
    #[arg(long)]
    strict: bool,
    /// Check settings, decisions and the target, print what would be read and where the archive
    /// would be written, then stop
    #[arg(long)]
    dry_run: bool,
}

/// Makes an interrupted build remove its unfinished files. The published archive stays.
fn stop_cleanly(unfinished: site::UnfinishedArchives, out: &Path) {
    let message = if out.join("index.html").is_file() {
        "stopped; the archive that was published before is unchanged"
    } else {
        "stopped; nothing was written"
    };
    // If the handler cannot be set, an interrupted build leaves its files to the next one, which
    // removes them.
    let _ = ctrlc::set_handler(move || {
        unfinished.abandon();
        logging::say(message);
        std::process::exit(super::STOPPED);
    });
}

impl BuildArguments {
    /// Runs the command.
    ///
    /// # Errors
    ///
    /// Fails if the settings or the target are invalid, if the archive cannot be built or written,
    /// or, with `--strict`, if an input cannot be read.
    pub fn run(self) -> anyhow::Result<CommandOutcome> {
        let start = Instant::now();
        let settings = self.settings()?;
        let out = settings.output.directory.clone();
        refuse_missing(&settings)?;
        site::check_target(&out)?;
        check_outside("the archive", &out, &settings.input.pgn)?;
        if !self.replace {
            refuse_other_games(&settings, &out)?;
        }
        if self.dry_run {
            return dry_run(&settings);
        }
        let unfinished = site::UnfinishedArchives::default();
        stop_cleanly(unfinished.clone(), &out);
        let progress = Terminal::new();
        let cache = settings.output.cache.then(|| BuildCache::next_to(&out));
        let archive = archive::build_reusing(settings, cache.as_ref(), &progress)?;
        report(&archive.findings.diagnostics);
        if !self.replace {
            refuse_unknown_games(&archive, &out)?;
        }
        if self.strict && archive.has_unread_input() {
            bail!(
                "nothing was written: some inputs could not be read (see above), and --strict was given"
            );
        }
        let events = WorkAmount::Steps(archive.records.len() as u64);
        let published = timed(&progress, "write the archive", events, || {
            let published = site::publish(&archive, &out, &unfinished, cache.as_ref(), &progress);
            let pages = cache.as_ref().map(|cache| cache.used(CacheKind::Page));
            let summary = match published {
                Ok(_) => format!("done{}", pages.unwrap_or_default().words()),
                Err(_) => "failed".to_owned(),
            };
            (published, summary)
        });
        if let Some(cache) = cache {
            keep(cache);
        }
        let published =
            published.with_context(|| format!("cannot write the archive to {}", out.display()))?;
        summary(&archive);
        outln!("{}", out.join("index.html").display());
        for left in &published.left {
            logging::warn(&format!(
                "cannot move {} into the new archive; it stays where it is",
                left.display()
            ));
        }
        if let Some(old) = &published.old {
            logging::warn(&format!(
                "cannot remove the previous archive, which may belong to another user; it is now in {}",
                old.display()
            ));
        }
        logging::say(&format!(
            "{} in {:.1} s; {} written, {} unchanged",
            counted(published.pages, "page"),
            start.elapsed().as_secs_f64(),
            counted(published.written, "file"),
            published.kept
        ));
        logging::say(&size_text(&published.size));
        Ok(if archive.has_unread_input() {
            CommandOutcome::DoneWithUnreadInput
        } else {
            CommandOutcome::Done
        })
    }

    /// Merges the settings file and the arguments, which take precedence.
    fn settings(&self) -> anyhow::Result<Settings> {
        let (spelling, mut games) = separate_spelling(&self.paths);
        games.extend(self.pgn.iter().cloned());
        if let Some(from) = &self.from {
            games.push(WorkFolder::at(from).games());
        }
        let mut settings = self.config.settings(&games)?;
        settings.input.from.clone_from(&self.from);
        self.names.overrule(&mut settings);
        self.knowledge.overrule(&mut settings);
        add_spelling(&mut settings, spelling);
        if let Some(out) = &self.out {
            settings.output.directory.clone_from(out);
        }
        settings.site.sync &= !self.no_sync;
        settings.output.cache &= !self.no_cache;
        if settings.input.pgn.is_empty() {
            logging::say("no games were given; reading the bundled games");
        }
        Ok(settings.with_bundled_data(&super::bundled_data()?)?)
    }
}

/// Says how large an archive is, and which free hosts take it.
fn size_text(size: &site::ArchiveSize) -> String {
    let (largest, bytes) = &size.largest;
    let hosts = match &size.hosts()[..] {
        [] => "too large for the free hosts that the guide names".to_owned(),
        hosts => format!("fits {}", hosts.join(" and ")),
    };
    format!(
        "{}, {}; the largest, {largest}, has {}; {hosts}",
        counted(size.files, "file"),
        megabytes(size.bytes),
        megabytes(*bytes)
    )
}

fn megabytes(bytes: u64) -> String {
    format!("{:.1} MB", bytes as f64 / 1e6)
}

/// Keeps the work of the build for the next one.
fn keep(cache: BuildCache) {
    let path = cache.file().display().to_string();
    if let Err(error) = cache.keep() {
        logging::warn(&format!(
            "cannot keep the work of this build in {path}, so that the next one will compute everything: {error}"
        ));
    }
}

/// Refuses inputs that do not exist, before anything is read.
fn refuse_missing(settings: &Settings) -> anyhow::Result<()> {
    let missing = settings.input.missing();
    let missing: Vec<String> = missing.iter().map(|path| path.display().to_string()).collect();
    match &missing[..] {
        [] => Ok(()),
        [path] => bail!("{path}: no such file or folder; nothing was read or written"),
        paths => bail!(
            "{} inputs do not exist, so nothing was read or written: {}",
            paths.len(),
            paths.join(", ")
        ),
    }
}

/// Refuses to replace an archive of the user's games by one that has none of them.
fn refuse_other_games(settings: &Settings, out: &Path) -> anyhow::Result<()> {
    let Some(old) = BuildInputs::read(out) else { return Ok(()) };
    let new = BuildInputs::from_settings(settings);
    let bundled = Settings::default().with_bundled_data(&super::bundled_data()?)?;
    // Archives of earlier versions do not say whether their games are bundled.
    let may_be_bundled =
        old.sample.is_empty() && old.games() == BuildInputs::from_settings(&bundled).games();
    if old.games().is_empty()
        || old.has_bundled_games
        || may_be_bundled
        || !new.has_bundled_games && old.games().iter().any(|file| new.games().contains(file))
    {
        return Ok(());
    }
    bail!(
        "{} is an archive of {}, and this build would read none of that; give the same games, \
         another folder with --out, or --replace",
        out.display(),
        old.games().join(", ")
    )
}

/// Refuses to replace an archive of the user's games if the files of the same names have none of
/// them.
fn refuse_unknown_games(archive: &Archive, out: &Path) -> anyhow::Result<()> {
    let Some(old) = BuildInputs::read(out) else { return Ok(()) };
    if old.has_bundled_games || old.has_games_of(&archive.table) {
        return Ok(());
    }
    bail!(
        "nothing was written: {} is an archive of {}, and none of its games was read from the files \
         of these names now; give the same games, another folder with --out, or --replace",
        out.display(),
        old.games().join(", ")
    )
}

/// Checks that the output, `what`, does not lie in a folder of games, which should stay as it is: a
/// table there would be read with the games from which it was made.
pub(super) fn check_outside(what: &str, out: &Path, games: &[PathBuf]) -> anyhow::Result<()> {
    // The output may not exist yet, but one of its parent folders does.
    let absolute = std::path::absolute(out).unwrap_or_else(|_| out.to_owned());
    let existing = absolute.ancestors().find_map(|folder| folder.canonicalize().ok());
    for collection in games.iter().filter(|collection| collection.is_dir()) {
        let folder = collection.canonicalize().ok();
        if folder.zip(existing.as_ref()).is_some_and(|(folder, out)| out.starts_with(folder)) {
            bail!(
                "{what} would be in {}, a folder of games; give --out a path outside of it",
                collection.display()
            );
        }
    }
    Ok(())
}

pub fn report(diagnostics: &[Diagnostic]) {
    logging::findings(diagnostics);
}

/// Prints how many games were read, used and set aside.
fn summary(archive: &Archive) {
    let counts = &archive.counts;
    logging::say(&format!(
        "{} read = {} in events + {} set aside",
        counted(counts.seen, "game"),
        counts.used,
        counts.set_aside_total()
    ));
    for (reason, games) in &counts.set_aside {
        logging::say(&format!("  {games:>8}  {reason}"));
    }
    if !counts.add_up() {
        logging::warn("these counts do not add up; please report this as a bug");
    }
}

/// Checks the settings and decisions, and prints what a build would read and where it would write.
fn dry_run(settings: &Settings) -> anyhow::Result<CommandOutcome> {
    let decisions = archive::read_decisions(&settings.input)?;
    let mut diagnostics = Vec::new();
    let input = &settings.input;
    let games = find(&input.pgn, Wanted::Games, &mut diagnostics);
    if games.is_empty() {
        let first = diagnostics.first().map(ToString::to_string);
        return Err(archive::BuildError::NoFiles { first }.into());
    }
    archive::check_names(&settings.input, &mut diagnostics);
    diagnostics.extend(archive::check_decisions(&decisions)?);
    let ratings = find(&input.ratings, Wanted::Ratings, &mut diagnostics);
    let sizes = games.iter().filter_map(|file| file.metadata().ok()).map(|file| file.len());
    let megabytes = sizes.sum::<u64>() as f64 / 1e6;
    let mut text = format!("games: {}, {megabytes:.1} MB\n", counted(games.len(), "file"));
    for file in &games {
        text.push_str(&format!("  {}\n", file.display()));
    }
    text.push_str(&format!("rating lists: {}\n", counted(ratings.len(), "file")));
    for file in &ratings {
        text.push_str(&format!("  {}\n", file.display()));
    }
    text.push_str(&format!(
        "decisions: {}, {}\n",
        counted(decisions.len(), "event"),
        counted(decisions.rules().len(), "rule"),
    ));
    for file in decisions.files() {
        text.push_str(&format!("  {}: {}\n", file.file, file.words()));
    }
    if !decisions.is_empty() {
        text.push_str(
            "  (whether their events and players exist is known when the games are read)\n",
        );
    }
    text.push_str(&format!("archive: {}\n", settings.output.directory.display()));
    std::io::Write::write_all(&mut std::io::stdout().lock(), text.as_bytes())?;
    report(&diagnostics);
    Ok(CommandOutcome::from_findings(&diagnostics))
}
