//! Rebuilds the archive at the desk's request.

use std::fmt::Display;
use std::io::{self, BufRead, BufReader};
use std::process::{Child, Command, Stdio};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use serde::{Deserialize, Serialize};
use thiserror::Error;

/// The command that rebuilds the archive of the desk.
#[derive(Clone, Debug)]
pub struct RebuildCommand {
    /// The program and its arguments.
    pub words: Vec<String>,
    /// Why the desk cannot run the command, if it cannot: then the administrator runs it.
    pub refusal: Option<String>,
    /// The build that runs, if any.
    pub running: RunningBuild,
}

/// A build that a desk started. Clones are about the same build.
#[derive(Clone, Debug, Default)]
pub struct RunningBuild(Arc<Mutex<Option<Child>>>);

impl RunningBuild {
    /// Stops the build, if one runs. The archive stays as it was.
    pub fn stop(&self) {
        if let Some(child) = self.child().as_mut() {
            // A build that has just ended cannot be stopped, nor need be.
            let _ = child.kill();
        }
    }

    fn child(&self) -> MutexGuard<'_, Option<Child>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// What a rebuild is doing.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(tag = "state", content = "message", rename_all = "snake_case")]
pub enum RebuildState {
    /// None was started.
    #[default]
    Idle,
    /// It is running. The text says which step, how much of it is done and how long it will take.
    Running(String),
    /// It is done, and the desk shows the new archive. The texts are the warnings of the build.
    Done(Vec<String>),
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
    /// Whether the file of decisions is newer than the archive.
    is_due: bool,
    #[serde(flatten)]
    state: RebuildState,
}

#[derive(Debug, Error)]
enum RebuildError {
    #[error("{program} cannot be started: {error}")]
    Start { program: String, error: io::Error },
    /// The build refused something; the text has its errors, one a line.
    #[error("{0}")]
    Refused(String),
    /// The build ended without an error message.
    #[error("it was stopped")]
    Stopped,
}

/// Runs the command, one run at a time.
#[derive(Debug)]
pub(super) struct Rebuild {
    command: RebuildCommand,
    state: Mutex<RebuildState>,
}

/// A message of a build, as `--log json` writes it.
#[derive(Deserialize)]
struct BuildMessage {
    level: String,
    message: String,
    file: Option<String>,
    line: Option<u64>,
}

impl BuildMessage {
    /// The message with its file and line, as a terminal shows it.
    fn text(self) -> String {
        match (self.file, self.line) {
            (None, _) => self.message,
            (Some(file), None) => format!("{file}: {}", self.message),
            (Some(file), Some(line)) => format!("{file}:{line}: {}", self.message),
        }
    }
}

impl Rebuild {
    pub fn new(command: RebuildCommand) -> Rebuild {
        Rebuild { command, state: Mutex::default() }
    }

    pub fn answer(&self, is_due: bool) -> RebuildAnswer {
        let state = self.state.lock().unwrap_or_else(PoisonError::into_inner).clone();
        let command = self.command.words.iter().map(|word| quoted(word)).collect::<Vec<_>>();
        let refusal = self.command.refusal.clone();
        RebuildAnswer { command: command.join(" "), refusal, is_due, state }
    }

    /// Marks the rebuild as running. Returns whether it was not running already, and may run.
    pub fn begin(&self) -> bool {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        if matches!(*state, RebuildState::Running(_)) || self.command.refusal.is_some() {
            return false;
        }
        *state = RebuildState::Running(String::new());
        true
    }

    /// Runs the command to its end, and then `then`, which shows the new archive.
    pub fn run<E: Display>(&self, then: impl FnOnce() -> Result<(), E>) {
        let state = match self.outcome() {
            Err(error) => RebuildState::Failed(error.to_string()),
            Ok(warnings) => match then() {
                Ok(()) => RebuildState::Done(warnings),
                Err(error) => RebuildState::Failed(error.to_string()),
            },
        };
        self.set(state);
    }

    /// Runs the command and returns its warnings. The build is another process, so its memory is
    /// freed when it ends.
    fn outcome(&self) -> Result<Vec<String>, RebuildError> {
        let [program, arguments @ ..] = &self.command.words[..] else { return Ok(Vec::new()) };
        let mut child = Command::new(program)
            .args(arguments)
            .args(["--log", "json"])
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .map_err(|error| RebuildError::Start { program: program.clone(), error })?;
        let messages = child.stderr.take();
        *self.command.running.child() = Some(child);
        let (mut warnings, mut errors) = (Vec::new(), Vec::new());
        for line in messages.into_iter().flat_map(|pipe| BufReader::new(pipe).lines()) {
            let Ok(line) = line else { continue };
            match serde_json::from_str::<BuildMessage>(&line) {
                Ok(message) => match message.level.as_str() {
                    "progress" => self.set(RebuildState::Running(message.message)),
                    "warning" => warnings.push(message.text()),
                    "error" => errors.push(message.text()),
                    _ => {}
                },
                // A panic, or an error of the command line.
                Err(_) => errors.push(line),
            }
        }
        let ended = self.command.running.child().take().map(|mut child| child.wait());
        let ended = ended
            .transpose()
            .map_err(|error| RebuildError::Start { program: program.clone(), error })?;
        match ended.and_then(|status| status.code()) {
            // With the code 2 some inputs are unreadable, but the archive was written.
            Some(0 | 2) => Ok(errors.into_iter().chain(warnings).collect()),
            _ if errors.is_empty() => Err(RebuildError::Stopped),
            _ => Err(RebuildError::Refused(errors.join("\n"))),
        }
    }

    fn set(&self, state: RebuildState) {
        *self.state.lock().unwrap_or_else(PoisonError::into_inner) = state;
    }
}

/// A word of a command, quoted for a shell where it needs to be.
fn quoted(word: &str) -> String {
    let is_plain = word.chars().all(|c| c.is_alphanumeric() || "-_./:=,+@".contains(c));
    if is_plain && !word.is_empty() {
        word.to_owned()
    } else {
        format!("'{}'", word.replace('\'', "'\\''"))
    }
}
