//! The program: parse, dispatch, exit code.

use std::process::ExitCode;

use clap::Parser;
use greatness::cli::{self, Arguments, Outcome};

fn main() -> ExitCode {
    match cli::run(Arguments::parse()) {
        Ok(Outcome::Done) => ExitCode::SUCCESS,
        Ok(Outcome::DoneWithUnreadInput) => ExitCode::from(2),
        Err(error) if cli::is_broken_pipe(&error) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("greatness: {error:#}");
            ExitCode::FAILURE
        }
    }
}
