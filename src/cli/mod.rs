//! The commands, one file each.

mod build;
mod check;
mod checks;
mod compare;
mod completions;
mod data;
mod event;
mod forecast;
mod ingest;
mod init;
mod inputs;
mod intrinsic;
mod logging;
mod manual;
mod norm;
mod output;
mod performance;
mod progress;
mod ratings;
mod serve;
mod simulate;

use std::io;
use std::num::NonZeroUsize;

use anyhow::Context;
use clap::{Parser, Subcommand};

pub use build::report;
pub use data::bundled_data;
pub use inputs::{Config, Knowledge, Names};
pub use logging::fail;
pub use progress::Terminal;

/// The history of chess performance.
///
/// Reads collections of games, works out every tournament and match in them, runs the Tournament
/// App on each, and publishes the Greatness Archive.
///
/// Exit codes: 0 done; 1 failed; 2 done, but with inputs that could not be read (all are listed).
#[derive(Debug, Parser)]
#[command(name = "greatness", version, about, long_about, max_term_width = 100)]
pub struct Arguments {
    #[command(flatten)]
    voice: logging::Voice,
    /// Threads to work with [default: one for each core]
    #[arg(long, global = true, value_name = "NUMBER")]
    threads: Option<NonZeroUsize>,
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    Build(build::Build),
    Event(event::Event),
    Ingest(ingest::Ingest),
    Check(check::Check),
    Serve(serve::Serve),
    Ratings(ratings::Ratings),
    Compare(compare::Compare),
    Simulate(simulate::Simulate),
    Performance(performance::Performance),
    Forecast(forecast::Forecast),
    Norm(norm::Norm),
    Intrinsic(Box<intrinsic::Intrinsic>),
    Init(init::Init),
    Completions(completions::Completions),
    Manual(manual::Manual),
}

/// How a command ended that did not fail.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// All of it.
    Done,
    /// With inputs that could not be read, all of which were listed.
    DoneWithUnreadInput,
}

/// What a program ends with that was told to stop, by a key or by the system.
const STOPPED: i32 = 130;

/// Threads beyond which no machine has cores, and each costs memory.
const MOST_THREADS: usize = 1024;

/// Runs a command.
///
/// # Errors
///
/// Where it fails; the message says what, where, and what to do.
pub fn run(arguments: Arguments) -> anyhow::Result<Outcome> {
    arguments.voice.set();
    if let Some(threads) = arguments.threads {
        if threads.get() > MOST_THREADS {
            anyhow::bail!(
                "--threads {threads}: at most {MOST_THREADS}; more than one for each core gain nothing"
            );
        }
        rayon::ThreadPoolBuilder::new()
            .num_threads(threads.get())
            .build_global()
            .context("--threads cannot be set")?;
    }
    let outcome = match arguments.command {
        Command::Build(build) => build.run(),
        Command::Event(event) => event.run(),
        Command::Ingest(ingest) => ingest.run(),
        Command::Check(check) => check.run(),
        Command::Serve(serve) => serve.run(),
        Command::Ratings(ratings) => ratings.run(),
        Command::Compare(compare) => compare.run(),
        Command::Simulate(simulate) => simulate.run(),
        Command::Performance(performance) => performance.run(),
        Command::Forecast(forecast) => forecast.run(),
        Command::Norm(norm) => norm.run(),
        Command::Intrinsic(intrinsic) => intrinsic.run(),
        Command::Init(init) => init.run(),
        Command::Completions(completions) => completions.run(),
        Command::Manual(manual) => manual.run(),
    }?;
    if !output::is_whole() {
        // Which was said when it happened.
        anyhow::bail!("not all of the output was written");
    }
    Ok(outcome)
}

/// Whether a failure only means that nobody reads our output any more.
pub fn is_broken_pipe(error: &anyhow::Error) -> bool {
    error
        .chain()
        .filter_map(|cause| cause.downcast_ref::<io::Error>())
        .any(|cause| cause.kind() == io::ErrorKind::BrokenPipe)
}
