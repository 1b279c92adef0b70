//! Implements `greatness ingest`: reads collections and writes the game table.

mod game_filter;
mod pgn_output;

use std::path::{Path, PathBuf};

use anyhow::bail;
use clap::Args;

use super::CommandOutcome;
use super::build::{check_outside, report};
use super::inputs::ConfigArguments;
use super::output::{counted, outln, refuse_input, refuse_same, write_atomically};
use super::progress::Terminal;
use crate::archive::{GamesRead, Input};
use crate::games::GameTable;
use crate::parquet::write_parquet;
use crate::tables::write_games_csv;

use game_filter::{ChosenGames, FilterArguments};
use pgn_output::write_pgn;

/// Read collections and write their games as Parquet, CSV or PGN
///
/// Later commands can read the Parquet file instead of the collections, which is faster. It
/// contains all games, including those that other commands set aside, unless flags choose some. The
/// guide explains the columns. PGN has the tags that the program reads and the main lines, without
/// comments and variations.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  greatness ingest my-collection --out games.parquet --min-elo 2600
  greatness ingest my-base.si4 --out my-base.pgn")]
pub(super) struct IngestArguments {
    /// Game collections, or folders of them; - for standard input. PGN, tables of results, SCID
    /// (.si4, .si5) and ChessBase (.cbh) databases
    #[arg(value_name = "PATH", required = true)]
    paths: Vec<PathBuf>,
    #[command(flatten)]
    config: ConfigArguments,
    /// File to write; its name ends in .parquet, .csv or .pgn; may be given several times
    #[arg(long, value_name = "FILE", required = true)]
    out: Vec<PathBuf>,
    #[command(flatten)]
    filter: FilterArguments,
}

impl IngestArguments {
    pub fn run(self) -> anyhow::Result<CommandOutcome> {
        let formats: Vec<OutputFormat> =
            self.out.iter().map(|out| OutputFormat::from_path(out)).collect::<Result<_, _>>()?;
        self.filter.check()?;
        let settings = self.config.settings(&self.paths)?;
        for (place, (out, format)) in self.out.iter().zip(&formats).enumerate() {
            // A collection must never be overwritten.
            refuse_input(out, &settings)?;
            if matches!(format, OutputFormat::Parquet | OutputFormat::Pgn) {
                // The next command would read the games from it, too.
                check_outside("the table", out, &settings.input.pgn)?;
            }
            for other in &self.out[..place] {
                refuse_same(out, other, "given twice")?;
            }
        }
        let mut diagnostics = Vec::new();
        let read =
            GamesRead::read_with_details(&settings.input, &Terminal::new(), &mut diagnostics)?;
        report(&diagnostics);
        let mut table = read.table;
        let chosen = self.filter.is_given().then(|| self.filter.choose(&table));
        if let Some(chosen) = &chosen {
            table.keep(&chosen.rows);
        }
        for (out, format) in self.out.iter().zip(formats) {
            write_atomically(out, |temporary| format.write(&table, &settings.input, temporary))?;
            outln!("{} in {}", counted(table.len(), "game"), out.display());
        }
        if let Some(ChosenGames { read, rows, left_out }) = chosen {
            let written = rows.len();
            outln!(
                "{} read = {written} written + {} left out",
                counted(read, "game"),
                read - written
            );
            for (reason, games) in left_out {
                outln!("{games} left out: {reason}");
            }
        }
        Ok(CommandOutcome::from_findings(&diagnostics))
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum OutputFormat {
    Csv,
    Parquet,
    Pgn,
}

impl OutputFormat {
    /// The format of a file, by its ending.
    fn from_path(out: &Path) -> anyhow::Result<OutputFormat> {
        let ending = out.extension().and_then(|ending| ending.to_str()).unwrap_or_default();
        match ending.to_ascii_lowercase().as_str() {
            "csv" => Ok(OutputFormat::Csv),
            "parquet" => Ok(OutputFormat::Parquet),
            "pgn" => Ok(OutputFormat::Pgn),
            _ => bail!("{}: unknown file type; end it in .parquet, .csv or .pgn", out.display()),
        }
    }

    fn write(self, table: &GameTable, input: &Input, path: &Path) -> anyhow::Result<()> {
        match self {
            OutputFormat::Csv => write_games_csv(table, path)?,
            OutputFormat::Parquet => write_parquet(table, path)?,
            OutputFormat::Pgn => write_pgn(table, input, path)?,
        }
        Ok(())
    }
}
