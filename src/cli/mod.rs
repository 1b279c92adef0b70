//! The commands, one file each.

mod build;
mod bundle;
mod check;
mod checks;
mod compare;
mod event;
mod forecast;
mod ingest;
mod init;
mod inputs;
mod intrinsic;
mod norm;
mod performance;
mod progress;
mod ratings;
mod serve;
mod simulate;

use std::io;
use std::path::PathBuf;

use clap::{Parser, Subcommand};

/// The history of chess performance.
///
/// Reads collections of games, works out every tournament and match in them, runs the Tournament
/// App on each, and publishes the Greatness Archive.
///
/// Exit codes: 0 done; 1 failed; 2 done, but with inputs that could not be read (all are listed).
#[derive(Debug, Parser)]
#[command(name = "greatness", version, about, long_about, max_term_width = 100)]
pub struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    Build(build::Build),
    Event(event::Event),
    Ingest(ingest::Ingest),
    Check(check::Check),
    #[command(hide = true)]
    Bundle(bundle::Bundle),
    Serve(serve::Serve),
    Ratings(ratings::Ratings),
    Compare(compare::Compare),
    Simulate(simulate::Simulate),
    Performance(performance::Performance),
    Forecast(forecast::Forecast),
    Norm(norm::Norm),
    Intrinsic(Box<intrinsic::Intrinsic>),
    Init(init::Init),
}

/// How a command ended that did not fail.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// All of it.
    Done,
    /// With inputs that could not be read, all of which were listed.
    DoneWithUnreadInput,
}

/// Runs a command.
///
/// # Errors
///
/// Where it fails; the message says what, where, and what to do.
pub fn run(arguments: Arguments) -> anyhow::Result<Outcome> {
    match arguments.command {
        Command::Build(build) => build.run(),
        Command::Event(event) => event.run(),
        Command::Ingest(ingest) => ingest.run(),
        Command::Check(check) => check.run(),
        Command::Bundle(bundle) => bundle.run(),
        Command::Serve(serve) => serve.run(),
        Command::Ratings(ratings) => ratings.run(),
        Command::Compare(compare) => compare.run(),
        Command::Simulate(simulate) => simulate.run(),
        Command::Performance(performance) => performance.run(),
        Command::Forecast(forecast) => forecast.run(),
        Command::Norm(norm) => norm.run(),
        Command::Intrinsic(intrinsic) => intrinsic.run(),
        Command::Init(init) => init.run(),
    }
}

/// Whether a failure only means that nobody reads our output any more.
pub fn is_broken_pipe(error: &anyhow::Error) -> bool {
    error
        .chain()
        .filter_map(|cause| cause.downcast_ref::<io::Error>())
        .any(|cause| cause.kind() == io::ErrorKind::BrokenPipe)
}

/// The bundled data: where the program was built, or else `data` here, if that is ours and not somebody's own.
fn bundled_data() -> PathBuf {
    let built = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("data");
    let here = PathBuf::from("data");
    let is_ours = |data: &PathBuf| {
        data.join("games").is_dir() && data.join("decisions").join("bundled.toml").is_file()
    };
    [&here, &built].into_iter().find(|data| is_ours(data)).unwrap_or(&built).clone()
}
