//! Implements the analysis of games with an engine.

use std::path::PathBuf;

use anyhow::bail;
use clap::Args;
use thiserror::Error;

use super::super::build::report;
use super::super::inputs::{ConfigArguments, NameArguments};
use super::super::logging;
use super::super::output::{counted, refuse_input, write_atomically};
use super::super::progress::Terminal;
use super::super::{CommandOutcome, bundled_data};
use super::engine::{EngineFlags, ask, engine_answers};
use super::results::ResultsArguments;
use super::selection::{ChosenGames, SelectionArguments};
use crate::archive::{Selected, Settings};
use crate::intrinsic::{
    AnsweredGame, FIRST_MOVE, GameTurns, Terms, TurnTable, collect, hash, jobs,
};
use crate::parquet::write_turns;
use crate::pgn::ReadOptions;
use crate::source::{Diagnostic, Wanted, find, is_read_once};

/// The flags of an analysis.
#[derive(Debug, Args)]
pub(super) struct RunArguments {
    /// Game collections with moves, or folders of them: PGN, SCID (.si4, .si5) and ChessBase (.cbh)
    /// databases
    #[arg(long, value_name = "PATH", required = true, num_args = 1..)]
    pgn: Vec<PathBuf>,
    #[command(flatten)]
    config: ConfigArguments,
    #[command(flatten)]
    names: NameArguments,
    #[command(flatten)]
    engine: EngineFlags,
    #[command(flatten)]
    selection: SelectionArguments,
    /// Table of turns to write, which a build reads through `[input] intrinsic`
    #[arg(long, value_name = "FILE", default_value = "turns.parquet")]
    out: PathBuf,
    #[command(flatten)]
    results: ResultsArguments,
    /// Analyse only the I-th of N parts of the positions, to share the work among N machines. The
    /// subcommand `merge` joins their caches
    #[arg(long, value_name = "I/N", value_parser = shard)]
    shard: Option<(u64, u64)>,
}

/// A text that names no part of the positions.
#[derive(Debug, Error)]
#[error("{0} is not a part; write it like 2/5, from 1/5 to 5/5")]
struct NotAShard(String);

/// Reads a part such as `2/5`.
fn shard(text: &str) -> Result<(u64, u64), NotAShard> {
    let numbers: Option<(u64, u64)> = text
        .split_once('/')
        .and_then(|(part, parts)| Some((part.parse().ok()?, parts.parse().ok()?)));
    numbers
        .filter(|(part, parts)| (1..=*parts).contains(part))
        .ok_or_else(|| NotAShard(text.to_owned()))
}

impl RunArguments {
    pub fn run(self) -> anyhow::Result<CommandOutcome> {
        self.engine.check_engine()?;
        let mut settings = self.settings()?;
        let calibrations = self.results.calibrations(&mut settings)?;
        refuse_input(&self.out, &settings)?;
        let mut diagnostics = Vec::new();
        let games = Selected::read(&settings.input, &Terminal::new(), &mut diagnostics)?;
        let grouped = games.group(settings.events, &mut diagnostics);
        report(&diagnostics);
        let chosen = self.selection.choose(&grouped)?;
        let table = &grouped.games.table;
        let files = find(&settings.input.pgn, Wanted::Games, &mut Vec::new());
        let options = ReadOptions { limits: settings.input.limits, ..ReadOptions::default() };
        let games_turns = collect(&chosen.games, table, &files, options, FIRST_MOVE);
        say_amount(&chosen, &games_turns)?;
        if let Some((part, parts)) = self.shard {
            let mut jobs = jobs(&games_turns);
            jobs.retain(|job| hash(job.position.bytes()) % parts == part - 1);
            // The other machines have the rest, so nothing can be rated yet.
            let (_, is_whole) = ask(&self.engine, &jobs)?;
            return Ok(outcome(&diagnostics, is_whole));
        }
        let (key, answers, is_whole) =
            engine_answers(&self.engine, &games_turns, &Terms::default())?;
        let answered = games_turns.iter().zip(answers);
        let answered = answered.map(|(game, answers)| AnsweredGame::new(game, answers)).collect();
        let turns = TurnTable { engine: key.clone(), games: answered };
        write_atomically(&self.out, |path| Ok(write_turns(&turns, path)?))?;
        let calibration = self.results.calibration(calibrations, &key);
        let rows = games_turns.iter().map(|game| game.game.row);
        let answered: Vec<(usize, &AnsweredGame)> = rows.zip(&turns.games).collect();
        self.results.print(&answered, table, &chosen, &calibration)?;
        self.results.print_path(&self.out);
        Ok(outcome(&diagnostics, is_whole))
    }

    /// The settings, after checks that need no games.
    fn settings(&self) -> anyhow::Result<Settings> {
        let mut settings = self.config.settings(&self.pgn)?;
        self.names.overrule(&mut settings);
        let settings = settings.with_bundled_data(&bundled_data()?)?;
        if let Some(path) = settings.input.pgn.iter().find(|path| is_read_once(path)) {
            bail!(
                "{} can be read only once, but the moves are read after the games; give a file",
                path.display()
            );
        }
        self.engine.refuse_cache(&self.out)?;
        Ok(settings)
    }
}

/// Reports how many games and turns there are.
///
/// # Errors
///
/// Fails if no game has moves.
fn say_amount(chosen: &ChosenGames, games: &[GameTurns]) -> anyhow::Result<()> {
    if games.is_empty() {
        bail!(
            "none of the {} has moves, so there is nothing to rate; give a collection with moves",
            counted(chosen.games.len(), "game")
        );
    }
    let turns: usize = games.iter().map(|game| game.turns.len() + game.illegal).sum();
    let of_events = match chosen.events {
        Some(events) => format!(" of {}", counted(events, "event")),
        None => String::new(),
    };
    let without = match chosen.games.len() - games.len() {
        0 => String::new(),
        1 => "; 1 more game has no moves".into(),
        without => format!("; {without} more games have no moves"),
    };
    logging::say(&format!(
        "{}{of_events}, {}{without}",
        counted(games.len(), "game"),
        counted(turns, "turn")
    ));
    Ok(())
}

/// The outcome of an analysis, which is incomplete if a position has no answer.
pub(super) fn outcome(diagnostics: &[Diagnostic], is_whole: bool) -> CommandOutcome {
    if is_whole {
        CommandOutcome::from_findings(diagnostics)
    } else {
        CommandOutcome::DoneWithUnreadInput
    }
}
