//! Implements the commands, one file each.

mod build;
mod bundled_data;
mod check;
mod checks;
mod compare;
mod completions;
mod data;
mod event;
mod first_list;
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
#[cfg(feature = "server")]
mod serve;
mod simulate;

use std::io;
use std::sync::Arc;

use anyhow::Context;
use clap::{Parser, Subcommand};

pub use build::report;
pub use bundled_data::bundled_data;
pub use inputs::{ConfigArguments, KnowledgeArguments, NameArguments};
pub use logging::fail;
pub use progress::Terminal;

use crate::source::{Diagnostic, Severity};

/// Why a command of the manual is missing, for the help of a program without it.
#[cfg(not(feature = "server"))]
const WITHOUT_SERVER: &str =
    "This program has no command `serve`: it was compiled without the feature `server`.";

/// The history of chess performance
///
/// Greatness reads collections of games, finds every tournament and match in them, runs the
/// Tournament App on each, and publishes the Greatness Archive.
///
/// Exit codes: 0 success; 1 failure; 2 success, but some inputs could not be read (all are listed).
#[derive(Debug, Parser)]
#[command(name = "greatness", version, about, long_about, max_term_width = 100)]
#[cfg_attr(not(feature = "server"), command(after_help = WITHOUT_SERVER))]
pub struct Arguments {
    #[command(flatten)]
    voice: logging::Voice,
    /// Number of threads [default: one for each core]
    #[arg(
        long,
        global = true,
        help_heading = logging::GLOBAL,
        value_name = "NUMBER",
        value_parser = threads
    )]
    threads: Option<usize>,
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    Build(build::BuildArguments),
    Event(event::EventArguments),
    Ingest(ingest::IngestArguments),
    Check(check::CheckArguments),
    #[cfg(feature = "server")]
    Serve(serve::ServeArguments),
    Ratings(ratings::RatingsArguments),
    Compare(compare::CompareArguments),
    Data(data::DataArguments),
    Simulate(simulate::SimulateArguments),
    Performance(performance::PerformanceArguments),
    Forecast(forecast::ForecastArguments),
    Norm(norm::NormArguments),
    Intrinsic(Box<intrinsic::IntrinsicArguments>),
    Init(init::InitArguments),
    Completions(completions::CompletionsArguments),
    Manual(manual::ManualArguments),
}

/// The result of a command that did not fail.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CommandOutcome {
    Done,
    /// Some inputs could not be read; all of them were listed.
    DoneWithUnreadInput,
}

impl CommandOutcome {
    /// The outcome of a command that read inputs with these findings.
    fn from_findings(diagnostics: &[Diagnostic]) -> CommandOutcome {
        if diagnostics.iter().any(|found| found.severity == Severity::Error) {
            CommandOutcome::DoneWithUnreadInput
        } else {
            CommandOutcome::Done
        }
    }
}

/// The exit code of a program that was stopped, by a key or by a signal: that of shells, 128 and
/// the number of the signal `SIGINT`.
const STOPPED: i32 = 130;

/// The largest number of threads: no machine has more cores, and each thread costs memory.
const MOST_THREADS: usize = 1024;

fn threads(text: &str) -> anyhow::Result<usize> {
    let number = text.parse().ok().filter(|number| (1..=MOST_THREADS).contains(number));
    number
        .with_context(|| format!("give a number from 1 to {MOST_THREADS}, best one for each core"))
}

/// Runs a command.
///
/// # Errors
///
/// Returns an error if the command fails. The message says what happened, where, and what to do.
pub fn run(arguments: Arguments) -> anyhow::Result<CommandOutcome> {
    arguments.voice.set();
    #[cfg(unix)]
    report_files_too_large();
    if let Some(threads) = arguments.threads {
        // Measured: a thousand threads on two cores take ten times as long as two.
        let cores = std::thread::available_parallelism().map_or(1, |cores| cores.get());
        rayon::ThreadPoolBuilder::new()
            .num_threads(threads.min(4 * cores))
            .build_global()
            .context("cannot start the threads of --threads")?;
    }
    let outcome = match arguments.command {
        Command::Build(build) => build.run(),
        Command::Event(event) => event.run(),
        Command::Ingest(ingest) => ingest.run(),
        Command::Check(check) => check.run(),
        #[cfg(feature = "server")]
        Command::Serve(serve) => serve.run(),
        Command::Ratings(ratings) => ratings.run(),
        Command::Compare(compare) => compare.run(),
        Command::Data(data) => data.run(),
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
        // The failure was reported when it happened.
        anyhow::bail!("the output is incomplete; free disk space and run the command again");
    }
    Ok(outcome)
}

/// Makes writing beyond the limit of `ulimit -f` an error. Without a handler the signal ends the
/// program without a message.
#[cfg(unix)]
fn report_files_too_large() {
    // If the handler cannot be set, the program still works.
    let _ = signal_hook::flag::register(signal_hook::consts::signal::SIGXFSZ, Arc::default());
}

/// Whether an error only means that the reader of the output has closed it.
pub fn is_broken_pipe(error: &anyhow::Error) -> bool {
    error
        .chain()
        .filter_map(|cause| cause.downcast_ref::<io::Error>())
        .any(|cause| cause.kind() == io::ErrorKind::BrokenPipe)
}
