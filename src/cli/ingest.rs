//! `greatness ingest`: reading only.

use std::path::PathBuf;

use anyhow::Context;
use clap::Args;

use super::Outcome;
use super::build::report;
use super::inputs::Config;
use super::progress::Terminal;
use crate::archive::GamesRead;
use crate::games::write_parquet;
use crate::source::Severity;

/// Read collections and write the game table as Parquet.
///
/// Later runs may read that file in place of the collections, which is faster. All games are in it,
/// those too that other commands set aside.
#[derive(Debug, Args)]
pub(super) struct Ingest {
    /// Game collections, or folders of them; - for standard input
    #[arg(value_name = "PATH", required = true)]
    paths: Vec<PathBuf>,
    #[command(flatten)]
    config: Config,
    /// The Parquet file to write
    #[arg(long, value_name = "FILE", required = true)]
    out: PathBuf,
}

impl Ingest {
    pub fn run(self) -> anyhow::Result<Outcome> {
        let settings = self.config.settings(&self.paths)?;
        let mut diagnostics = Vec::new();
        let read = GamesRead::read(&settings, &Terminal::new(), &mut diagnostics)?;
        report(&diagnostics);
        write_parquet(&read.table, &self.out)
            .with_context(|| format!("cannot write {}", self.out.display()))?;
        println!("{} games in {}", read.table.len(), self.out.display());
        let unread = diagnostics.iter().any(|diagnostic| diagnostic.severity == Severity::Error);
        Ok(if unread { Outcome::DoneWithUnreadInput } else { Outcome::Done })
    }
}
