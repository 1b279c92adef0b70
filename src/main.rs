//! The program: parse, dispatch, exit code.

use std::process::ExitCode;

use clap::Parser;
use greatness::cli::{self, Arguments, Outcome};

/// Millions of small texts and lists are made and dropped on all cores; with the system's allocator grouping
/// a million games takes a third longer.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    let arguments = match Arguments::try_parse() {
        Ok(arguments) => arguments,
        Err(error) => {
            // Nothing can be done where even this cannot be printed.
            let _ = error.print();
            return if error.use_stderr() { ExitCode::FAILURE } else { ExitCode::SUCCESS };
        }
    };
    match cli::run(arguments) {
        Ok(Outcome::Done) => ExitCode::SUCCESS,
        Ok(Outcome::DoneWithUnreadInput) => ExitCode::from(2),
        Err(error) if cli::is_broken_pipe(&error) => ExitCode::SUCCESS,
        Err(error) => {
            cli::fail(&error);
            ExitCode::FAILURE
        }
    }
}
