//! Builds the Greatness Archive on a cluster.
//!
//! The library's modules do the work. Apache DataFusion Ballista distributes it.

mod build;
mod collections;
mod events;
mod executors;
mod functions;
mod intrinsic;
mod parquet;
mod positions;
mod processes;
mod receipt;
mod requests;
mod session;
mod stage;
mod store;
mod systems;
mod watch;
mod work;

use std::process::ExitCode;

use clap::{Parser, Subcommand};

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// The Greatness Archive on a cluster
///
/// A scheduler distributes work, executors do it, and `build` and `intrinsic` request it.
///
/// Exit codes: 0 success; 1 failure; 2 success, but some inputs could not be read or some positions
/// have no answer.
#[derive(Debug, Parser)]
#[command(name = "greatness-cluster", version, max_term_width = 100)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    Scheduler(processes::Scheduler),
    Executor(processes::Executor),
    Build(Box<build::Build>),
    Intrinsic(Box<intrinsic::Intrinsic>),
}

fn runtime() -> std::io::Result<tokio::runtime::Runtime> {
    tokio::runtime::Builder::new_multi_thread().enable_all().build()
}

/// Runs a command. Returns whether everything was done.
fn run(command: Command) -> anyhow::Result<bool> {
    match command {
        Command::Scheduler(scheduler) => runtime()?.block_on(scheduler.run()).map(|()| true),
        Command::Executor(executor) => runtime()?.block_on(executor.run()).map(|()| true),
        Command::Build(build) => build.run(),
        Command::Intrinsic(intrinsic) => intrinsic.run(),
    }
}

fn main() -> ExitCode {
    match run(Arguments::parse().command) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::from(2),
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::FAILURE
        }
    }
}
