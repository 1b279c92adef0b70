//! `greatness ratings`: the lists of a rating system, computed from games.

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::PathBuf;

use anyhow::{Context, bail};
use clap::Args;

use super::Outcome;
use super::build::report;
use super::progress::Terminal;
use crate::archive::{Reading, Settings, write_rating_lists};
use crate::source::Severity;
use crate::systems::simultaneous::Encounters;
use crate::systems::{Results, System};

/// Compute the lists of a rating system from games: chessmetrics, elo, elo-historical or pra.
///
/// All games that count for ratings are taken, whether they belong to an event or not. The lists are
/// those of the system's own intervals: Chessmetrics by month, Elo by half year, historical Elo by half
/// decade, the PRA by year.
#[derive(Debug, Args)]
pub(super) struct Ratings {
    /// The system: chessmetrics, elo, elo-historical or pra
    #[arg(value_name = "SYSTEM")]
    system: System,
    /// Game collection, or folder of them; may be given several times [default: the bundled results before
    /// 1971]
    #[arg(long, value_name = "PATH")]
    pgn: Vec<PathBuf>,
    /// Spelling file of SCID (.ssp): other spellings of names; may be given several times
    #[arg(long, value_name = "FILE")]
    spelling: Vec<PathBuf>,
    /// File to write, as CSV or, if its name ends so, as Parquet [default: CSV on standard output]
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
}

impl Ratings {
    pub fn run(self) -> anyhow::Result<Outcome> {
        let mut settings = Settings::default();
        settings.input.pgn.clone_from(&self.pgn);
        settings.input.spelling.clone_from(&self.spelling);
        if settings.input.pgn.is_empty() {
            let data = super::bundled_data();
            let results = data.join("results");
            if !results.is_dir() {
                bail!(
                    "no games: --pgn gives some; the bundled results are not at {}",
                    results.display()
                );
            }
            settings.input.pgn.push(results);
            settings.input.aliases.push(data.join("players"));
        }
        let mut diagnostics = Vec::new();
        let reading = Reading::read(&settings, &Terminal::new(), &mut diagnostics)?;
        report(&diagnostics);
        let results = Results::of(&reading.table, &reading.rows, &reading.players);
        tell_components(&results);
        let lists = self.system.lists(&results);
        let lines: usize = lists.iter().map(|list| list.ratings.len()).sum();
        match &self.out {
            Some(path) => {
                let is_parquet = path.extension().is_some_and(|ending| ending == "parquet");
                let mut file = BufWriter::new(
                    File::create(path)
                        .with_context(|| format!("cannot write {}", path.display()))?,
                );
                write_rating_lists(&results, &lists, &mut file, is_parquet)?;
                file.flush()?;
                println!("{} lists with {lines} ratings in {}", lists.len(), path.display());
            }
            None => {
                let mut out = BufWriter::new(io::stdout().lock());
                write_rating_lists(&results, &lists, &mut out, false)?;
                out.flush()?;
                eprintln!("{} lists with {lines} ratings", lists.len());
            }
        }
        let unread = diagnostics.iter().any(|diagnostic| diagnostic.severity == Severity::Error);
        Ok(if unread { Outcome::DoneWithUnreadInput } else { Outcome::Done })
    }
}

/// Who cannot be compared with the others at all is told, and no reason to refuse.
fn tell_components(results: &Results) {
    let games: Vec<(u32, u32, f64, f64)> =
        results.games.iter().map(|game| (game.white, game.black, game.score, 1.0)).collect();
    let components = Encounters::of(results.players.len(), &games).components();
    let apart: usize = components.iter().skip(1).map(Vec::len).sum();
    eprintln!(
        "{} games of {} players; {apart} of them, in {} groups, never met any of the others",
        results.games.len(),
        results.players.len(),
        components.len().saturating_sub(1)
    );
}
