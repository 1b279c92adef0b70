//! `greatness intrinsic`: how good the moves were, by an engine.

mod calibrate;
mod pace;
mod run;

use clap::{Args, Subcommand};

use super::Outcome;

/// Have an engine value the moves of events, and rate them by that.
///
/// Every position of the games from move 9 on is given to a UCI engine of your own (`--engine stockfish`). What it says is kept in a cache, so that a run that
/// was stopped or killed goes on where it was, and nothing is analysed twice. The result is a table of turns, which `[input] intrinsic` of
/// greatness.toml gives to a build: builds themselves start no engine.
#[derive(Debug, Args)]
#[command(args_conflicts_with_subcommands = true, subcommand_negates_reqs = true)]
pub(in crate::cli) struct Intrinsic {
    #[command(subcommand)]
    command: Option<Command>,
    #[command(flatten)]
    run: run::Run,
}

#[derive(Debug, Subcommand)]
enum Command {
    Calibrate(calibrate::Calibrate),
    Merge(run::Merge),
}

impl Intrinsic {
    pub fn run(self) -> anyhow::Result<Outcome> {
        match self.command {
            None => self.run.run(),
            Some(Command::Calibrate(calibrate)) => calibrate.run(),
            Some(Command::Merge(merge)) => merge.run(),
        }
    }
}
