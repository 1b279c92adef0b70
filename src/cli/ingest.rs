//! `greatness ingest`: reading only.

use std::path::PathBuf;

use anyhow::bail;
use clap::Args;

use super::Outcome;
use super::build::report;
use super::inputs::Config;
use super::output::{put, refuse_input, tell};
use super::progress::Terminal;
use crate::archive::GamesRead;
use crate::source::Severity;
use crate::tables::{write_csv, write_parquet};

/// Read collections and write the game table as Parquet, or as CSV.
///
/// Later runs may read a Parquet file in place of the collections, which is faster. All games are in it,
/// those too that other commands set aside.
#[derive(Debug, Args)]
pub(super) struct Ingest {
    /// Game collections, or folders of them; - for standard input
    #[arg(value_name = "PATH", required = true)]
    paths: Vec<PathBuf>,
    #[command(flatten)]
    config: Config,
    /// The file to write: Parquet, or CSV where its name ends in .csv
    #[arg(long, value_name = "FILE", required = true)]
    out: PathBuf,
}

impl Ingest {
    pub fn run(self) -> anyhow::Result<Outcome> {
        let ending = self.out.extension().and_then(|ending| ending.to_str()).unwrap_or_default();
        let is_csv = ending.eq_ignore_ascii_case("csv");
        if !is_csv && !ending.eq_ignore_ascii_case("parquet") {
            bail!("{}: its name says no form; end it in .parquet or .csv", self.out.display());
        }
        let settings = self.config.settings(&self.paths)?;
        // A collection is never what is written.
        refuse_input(&self.out, &settings)?;
        let mut diagnostics = Vec::new();
        let read = GamesRead::read(&settings, &Terminal::new(), &mut diagnostics)?;
        report(&diagnostics);
        put(&self.out, |beside| {
            match is_csv {
                true => write_csv(&read.table, beside)?,
                false => write_parquet(&read.table, beside)?,
            }
            Ok(())
        })?;
        tell!("{} games in {}", read.table.len(), self.out.display());
        let unread = diagnostics.iter().any(|diagnostic| diagnostic.severity == Severity::Error);
        Ok(if unread { Outcome::DoneWithUnreadInput } else { Outcome::Done })
    }
}
