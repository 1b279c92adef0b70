//! `greatness build`: the whole run.

use std::path::PathBuf;
use std::time::Instant;

use anyhow::{Context, bail};
use clap::Args;

use super::Outcome;
use super::inputs::{Config, Knowledge, Names, add_spelling, part_spelling};
use super::progress::Terminal;
use crate::archive::{self, Amount, Archive, Settings, timed};
use crate::site;
use crate::source::{Diagnostic, Severity};

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
    /// Folder of the archive [default: reports/archive]
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Fail when an input cannot be read, before anything is written
    #[arg(long)]
    strict: bool,
}

/// How many findings are printed; all are in `diagnostics.csv`.
const SHOWN: usize = 20;

impl Build {
    pub fn run(self) -> anyhow::Result<Outcome> {
        let start = Instant::now();
        let settings = self.settings()?;
        let out = settings.output.directory.clone();
        site::check_target(&out)?;
        let progress = Terminal::new();
        let archive = archive::build(settings, &progress)?;
        report(&archive.diagnostics);
        if self.strict && archive.has_unread_input() {
            bail!(
                "inputs could not be read (see above), and --strict was given; nothing was written"
            );
        }
        let events = Amount::Steps(archive.records.len() as u64);
        let published = timed(&progress, "write the archive", events, || {
            let published = site::publish(&archive, &out, &progress);
            let summary = if published.is_ok() { "done" } else { "failed" };
            (published, summary.to_owned())
        })
        .with_context(|| format!("the archive cannot be written to {}", out.display()))?;
        summary(&archive);
        println!("{}", out.join("index.html").display());
        eprintln!(
            "{} pages in {:.1} s; {} files written, {} as they were",
            published.pages,
            start.elapsed().as_secs_f64(),
            published.written,
            published.kept
        );
        Ok(if archive.has_unread_input() { Outcome::DoneWithUnreadInput } else { Outcome::Done })
    }

    fn settings(&self) -> anyhow::Result<Settings> {
        let (spelling, mut games) = part_spelling(&self.paths);
        games.extend(self.pgn.iter().cloned());
        let mut settings = self.config.settings(&games)?;
        self.names.overrule(&mut settings);
        self.knowledge.overrule(&mut settings);
        add_spelling(&mut settings, spelling);
        if let Some(out) = &self.out {
            settings.output.directory.clone_from(out);
        }
        if settings.input.pgn.is_empty() {
            eprintln!("no games are named: those that come with the program");
        }
        Ok(settings.with_bundled_data(&super::bundled_data())?)
    }
}

/// Prints what is wrong with the inputs: all errors, and the first of everything else.
pub(super) fn report(diagnostics: &[Diagnostic]) {
    let (errors, rest): (Vec<_>, Vec<_>) = diagnostics
        .iter()
        .filter(|diagnostic| diagnostic.severity != Severity::Note)
        .partition(|diagnostic| diagnostic.severity == Severity::Error);
    for diagnostic in errors {
        eprintln!("error: {diagnostic}");
    }
    for diagnostic in rest.iter().take(SHOWN) {
        eprintln!("warning: {diagnostic}");
    }
    if rest.len() > SHOWN {
        eprintln!(
            "... and {} warnings more, all in data/diagnostics.csv of the archive",
            rest.len() - SHOWN
        );
    }
}

fn summary(archive: &Archive) {
    let counts = &archive.counts;
    eprintln!(
        "{} games read = {} in events + {} set aside",
        counts.seen,
        counts.used,
        counts.set_aside_total()
    );
    for (reason, games) in &counts.set_aside {
        eprintln!("  {games:>8}  {reason}");
    }
    if !counts.add_up() {
        eprintln!("warning: these counts do not add up; please report this as a fault");
    }
}
