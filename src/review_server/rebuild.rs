//! Rebuilds the archive at the desk's request.

use std::fmt::Display;
use std::io;
use std::process::{Command, Stdio};
use std::sync::{Mutex, PoisonError};

use serde::Serialize;
use thiserror::Error;

/// The command that rebuilds the archive of the desk.
#[derive(Clone, Debug)]
pub struct RebuildCommand {
    /// The program and its arguments.
    pub words: Vec<String>,
    /// Why the desk cannot run the command, if it cannot: then the administrator runs it.
    pub refusal: Option<String>,
}

/// What a rebuild is doing.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(tag = "state", content = "message", rename_all = "snake_case")]
pub enum RebuildState {
    /// None was started.
    #[default]
    Idle,
    /// It is running.
    Running,
    /// It is done, and the desk shows the new archive.
    Done,
    /// It failed, with the reason. The archive is unchanged.
    Failed(String),
}

/// The command and its state, for the page.
#[derive(Clone, Debug, Serialize)]
pub struct RebuildAnswer {
    /// The command, as one types it.
    command: String,
    /// Why the desk cannot run it, if it cannot.
    refusal: Option<String>,
    #[serde(flatten)]
    state: RebuildState,
}

/// A rebuild that failed.
#[derive(Debug, Error)]
enum RebuildError {
    /// The program cannot be started.
    #[error("{program} cannot be started: {error}")]
    Start {
        /// The program.
        program: String,
        /// Why.
        error: io::Error,
    },
    /// The build refused something; the text is the end of its messages.
    #[error("{0}")]
    Refused(String),
}

/// Runs the command, one run at a time.
#[derive(Debug)]
pub(super) struct Rebuild {
    command: RebuildCommand,
    state: Mutex<RebuildState>,
}

/// The part of the messages of a failed build that is shown: its end has the reason.
const SHOWN: usize = 2000;

impl Rebuild {
    pub fn new(command: RebuildCommand) -> Rebuild {
        Rebuild { command, state: Mutex::default() }
    }

    pub fn answer(&self) -> RebuildAnswer {
        let state = self.state.lock().unwrap_or_else(PoisonError::into_inner).clone();
        let command = self.command.words.iter().map(|word| quoted(word)).collect::<Vec<_>>();
        let refusal = self.command.refusal.clone();
        RebuildAnswer { command: command.join(" "), refusal, state }
    }

    /// Marks the rebuild as running. Returns whether it was not running already, and may run.
    pub fn begin(&self) -> bool {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        if *state == RebuildState::Running || self.command.refusal.is_some() {
            return false;
        }
        *state = RebuildState::Running;
        true
    }

    /// Runs the command to its end, and then `then`, which shows the new archive.
    pub fn run<E: Display>(&self, then: impl FnOnce() -> Result<(), E>) {
        let state = match (self.outcome(), then) {
            (Err(error), _) => RebuildState::Failed(error.to_string()),
            (Ok(()), then) => match then() {
                Ok(()) => RebuildState::Done,
                Err(error) => RebuildState::Failed(error.to_string()),
            },
        };
        *self.state.lock().unwrap_or_else(PoisonError::into_inner) = state;
    }

    /// Runs the command. The build is another process, so its memory is freed when it ends.
    fn outcome(&self) -> Result<(), RebuildError> {
        let [program, arguments @ ..] = &self.command.words[..] else { return Ok(()) };
        let output = Command::new(program).args(arguments).stdin(Stdio::null()).output();
        let output =
            output.map_err(|error| RebuildError::Start { program: program.clone(), error })?;
        // Some inputs may be unreadable; the archive was written all the same.
        const DONE: [i32; 2] = [0, 2];
        if output.status.code().is_some_and(|code| DONE.contains(&code)) {
            return Ok(());
        }
        let text = String::from_utf8_lossy(&output.stderr);
        let skipped = text.trim().chars().count().saturating_sub(SHOWN);
        Err(RebuildError::Refused(text.trim().chars().skip(skipped).collect()))
    }
}

/// A word of a command, quoted for a shell where it needs to be.
fn quoted(word: &str) -> String {
    let is_plain = |c: char| c.is_alphanumeric() || "-_./:=,+@".contains(c);
    match !word.is_empty() && word.chars().all(is_plain) {
        true => word.to_owned(),
        false => format!("'{}'", word.replace('\'', "'\\''")),
    }
}
