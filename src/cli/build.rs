//! `greatness build`: the whole run.

use std::path::PathBuf;
use std::time::Instant;

use anyhow::{Context, bail};
use clap::Args;

use super::Outcome;
use super::inputs::{Config, Knowledge, Names, add_spelling, part_spelling};
use super::logging;
use super::output::tell;
use super::progress::Terminal;
use crate::archive::{self, Amount, Archive, Settings, WorkFolder, timed};
use crate::site;
use crate::source::{Diagnostic, Severity, Wanted, find};

/// Read collections, analyse every event, write the archive.
///
/// Without arguments on the bundled data, into reports/archive.
#[derive(Debug, Args)]
pub(super) struct Build {
    /// Game collections, or folders of them, as with --pgn; a spelling file of SCID (.ssp) is taken as one
    #[arg(value_name = "PATH")]
    paths: Vec<PathBuf>,
    /// Game collection, or folder of them; may be given several times [default: the bundled games]
    #[arg(long, value_name = "PATH")]
    pgn: Vec<PathBuf>,
    #[command(flatten)]
    config: Config,
    #[command(flatten)]
    names: Names,
    #[command(flatten)]
    knowledge: Knowledge,
    /// Take what was done of this run before from a folder, as a cluster leaves it: its games in place of collections, ratings that
    /// were computed, analyses of events; what is not there, or was done otherwise, is done here
    #[arg(long, value_name = "DIR", conflicts_with_all = ["pgn", "paths"])]
    from: Option<PathBuf>,
    /// Folder of the archive [default: reports/archive]
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Do not wait for the disk before the new archive takes the place of the old one: faster, but a power cut soon after may cost
    /// files
    #[arg(long)]
    no_sync: bool,
    /// Fail when an input cannot be read, before anything is written
    #[arg(long)]
    strict: bool,
    /// Say what would be read and where the archive would be written, check settings, decisions and the target, and do no more
    #[arg(long)]
    dry_run: bool,
}

/// Hears of what asks to stop: nothing half-written stays, and what was published does.
fn stop_cleanly(unfinished: site::UnfinishedArchives) {
    // Without it the program ends at once, and the next run clears up.
    let _ = ctrlc::set_handler(move || {
        unfinished.abandon();
        logging::say("stopped; what was published before stands as it was");
        std::process::exit(super::STOPPED);
    });
}

impl Build {
    pub fn run(self) -> anyhow::Result<Outcome> {
        let start = Instant::now();
        let settings = self.settings()?;
        let out = settings.output.directory.clone();
        site::check_target(&out)?;
        if self.dry_run {
            return dry_run(&settings);
        }
        let unfinished = site::UnfinishedArchives::default();
        stop_cleanly(unfinished.clone());
        let progress = Terminal::new();
        let archive = archive::build(settings, &progress)?;
        report(&archive.findings.diagnostics);
        if self.strict && archive.has_unread_input() {
            bail!(
                "inputs could not be read (see above), and --strict was given; nothing was written"
            );
        }
        let events = Amount::Steps(archive.records.len() as u64);
        let published = timed(&progress, "write the archive", events, || {
            let published = site::publish(&archive, &out, &unfinished, &progress);
            let summary = if published.is_ok() { "done" } else { "failed" };
            (published, summary.to_owned())
        })
        .with_context(|| format!("the archive cannot be written to {}", out.display()))?;
        summary(&archive);
        tell!("{}", out.join("index.html").display());
        for left in &published.left {
            logging::say(&format!(
                "warning: {} was in the archive before and could not be moved into the new one; it is still there",
                left.display()
            ));
        }
        if let Some(old) = &published.old {
            logging::say(&format!(
                "warning: the archive that was there before cannot be removed (it may be another user's) and lies in {}",
                old.display()
            ));
        }
        logging::say(&format!(
            "{} pages in {:.1} s; {} files written, {} as they were",
            published.pages,
            start.elapsed().as_secs_f64(),
            published.written,
            published.kept
        ));
        Ok(if archive.has_unread_input() { Outcome::DoneWithUnreadInput } else { Outcome::Done })
    }

    fn settings(&self) -> anyhow::Result<Settings> {
        let (spelling, mut games) = part_spelling(&self.paths);
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
        if settings.input.pgn.is_empty() {
            logging::say("no games are named: those that come with the program");
        }
        Ok(settings.with_bundled_data(&super::bundled_data()?)?)
    }
}

/// Says what is wrong with the inputs.
pub fn report(diagnostics: &[Diagnostic]) {
    logging::findings(diagnostics);
}

fn summary(archive: &Archive) {
    let counts = &archive.counts;
    logging::say(&format!(
        "{} games read = {} in events + {} set aside",
        counts.seen,
        counts.used,
        counts.set_aside_total()
    ));
    for (reason, games) in &counts.set_aside {
        logging::say(&format!("  {games:>8}  {reason}"));
    }
    if !counts.add_up() {
        logging::say("warning: these counts do not add up; please report this as a fault");
    }
}

/// What a run would read and write.
fn dry_run(settings: &Settings) -> anyhow::Result<Outcome> {
    let decisions = archive::read_decisions(settings)?;
    let mut diagnostics = Vec::new();
    let input = &settings.input;
    let files = |paths: &[PathBuf], wanted, diagnostics: &mut Vec<Diagnostic>| {
        let found = find(paths, wanted, diagnostics);
        let bytes: u64 =
            found.iter().filter_map(|file| file.metadata().ok()).map(|of| of.len()).sum();
        (found, bytes)
    };
    let (games, bytes) = files(&input.pgn, Wanted::Games, &mut diagnostics);
    let (ratings, _) = files(&input.ratings, Wanted::Ratings, &mut diagnostics);
    let megabytes = bytes as f64 / 1e6;
    let mut text = format!("games: {} files, {megabytes:.1} MB\n", games.len());
    for file in &games {
        text.push_str(&format!("  {}\n", file.display()));
    }
    text.push_str(&format!("rating lists: {} files\n", ratings.len()));
    for file in &ratings {
        text.push_str(&format!("  {}\n", file.display()));
    }
    text.push_str(&format!(
        "decisions: {} events, {} rules\narchive: {}\n",
        decisions.len(),
        decisions.rules().len(),
        settings.output.directory.display()
    ));
    std::io::Write::write_all(&mut std::io::stdout().lock(), text.as_bytes())?;
    report(&diagnostics);
    let unread = diagnostics.iter().any(|found| found.severity == Severity::Error);
    Ok(if unread { Outcome::DoneWithUnreadInput } else { Outcome::Done })
}
