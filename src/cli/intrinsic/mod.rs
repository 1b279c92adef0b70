//! Implements `greatness intrinsic`: measures the quality of moves with an engine.

mod calibrate;
mod engine;
mod merge;
mod pace;
mod results;
mod run;
mod selection;

use clap::{Args, Subcommand};

use super::CommandOutcome;

/// Have an engine evaluate the moves of games, and rate the players by them
///
/// By default each event and its players are rated. Any other set of games is rated in the same
/// way: all games of a player (`--player`), against one opponent (`--opponent`), in a period
/// (`--from`, `--to`), or of whole files (`--by together`), by year or by band of ratings (`--by`).
///
/// A UCI engine of your own (`--engine stockfish`) analyses every position from move 9 on. Its
/// answers are kept in a cache. If the process is stopped or killed, the same command continues
/// where it was, and nothing is analysed twice. The result is a table of turns, which a build reads
/// through `[input] intrinsic` in greatness.toml. A build itself never starts an engine.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  greatness intrinsic --pgn games.pgn --engine stockfish
  greatness intrinsic --pgn games.pgn --by together --format csv")]
#[command(args_conflicts_with_subcommands = true, subcommand_negates_reqs = true)]
pub(in crate::cli) struct IntrinsicArguments {
    #[command(subcommand)]
    command: Option<IntrinsicCommand>,
    #[command(flatten)]
    run: run::RunArguments,
}

#[derive(Debug, Subcommand)]
enum IntrinsicCommand {
    Calibrate(calibrate::CalibrateArguments),
    Merge(merge::MergeArguments),
}

impl IntrinsicArguments {
    pub fn run(self) -> anyhow::Result<CommandOutcome> {
        match self.command {
            None => self.run.run(),
            Some(IntrinsicCommand::Calibrate(calibrate)) => calibrate.run(),
            Some(IntrinsicCommand::Merge(merge)) => merge.run(),
        }
    }
}
