//! Implements `greatness ingest`: reads collections and writes the game table.

use std::path::PathBuf;

use anyhow::bail;
use clap::Args;

use super::CommandOutcome;
use super::build::{check_outside, report};
use super::inputs::ConfigArguments;
use super::output::{counted, put, refuse_input, tell};
use super::progress::Terminal;
use crate::archive::GamesRead;
use crate::source::Severity;
use crate::tables::{write_csv, write_parquet};

/// Read collections and write the game table as Parquet or CSV
///
/// Later commands can read the Parquet file instead of the collections, which is faster. It
/// contains all games, including those that other commands set aside.
#[derive(Debug, Args)]
pub(super) struct IngestArguments {
    /// Game collections, or folders of them; - for standard input
    #[arg(value_name = "PATH", required = true)]
    paths: Vec<PathBuf>,
    #[command(flatten)]
    config: ConfigArguments,
    /// File to write, as Parquet or CSV; its name ends in .parquet or .csv
    #[arg(long, value_name = "FILE", required = true)]
    out: PathBuf,
}

impl IngestArguments {
    pub fn run(self) -> anyhow::Result<CommandOutcome> {
        let ending = self.out.extension().and_then(|ending| ending.to_str()).unwrap_or_default();
        let is_csv = ending.eq_ignore_ascii_case("csv");
        if !is_csv && !ending.eq_ignore_ascii_case("parquet") {
            bail!("{}: unknown file type; end it in .parquet or .csv", self.out.display());
        }
        let settings = self.config.settings(&self.paths)?;
        // A collection must never be overwritten.
        refuse_input(&self.out, &settings)?;
        if !is_csv {
            // The next command would read the games from it, too.
            check_outside("the table", &self.out, &settings.input.pgn)?;
        }
        let mut diagnostics = Vec::new();
        let read = GamesRead::read(&settings, &Terminal::new(), &mut diagnostics)?;
        report(&diagnostics);
        put(&self.out, |temporary| {
            match is_csv {
                true => write_csv(&read.table, temporary)?,
                false => write_parquet(&read.table, temporary)?,
            }
            Ok(())
        })?;
        tell!("{} in {}", counted(read.table.len(), "game"), self.out.display());
        let unread = diagnostics.iter().any(|diagnostic| diagnostic.severity == Severity::Error);
        Ok(if unread { CommandOutcome::DoneWithUnreadInput } else { CommandOutcome::Done })
    }
}
