//! Defines the errors of a build.

use std::path::Path;

use thiserror::Error;

use crate::decisions::DecisionError;
use crate::progress::counted;
use tournament_app::EventError;

/// A reason for which no archive can be built.
#[derive(Debug, Error)]
pub enum BuildError {
    #[error(
        "no games: {}; give PGN files, plain or packed, or folders of them",
        first.as_deref().unwrap_or("the inputs contain no files of games")
    )]
    NoFiles {
        /// The first finding, if there is any.
        first: Option<String>,
    },
    #[error(
        "no games in {}; give PGN files, plain or packed, or folders of them{}",
        counted(*files, "file"),
        first.as_ref().map(|first| format!(" (first finding: {first})")).unwrap_or_default()
    )]
    NoGames {
        /// The number of files that were found.
        files: usize,
        /// The first finding, if there is any.
        first: Option<String>,
    },
    /// An input can be read only once, but the moves are needed too.
    #[error(
        "{path} can be read only once, but the moves for the board are read after the games; give a file, or leave out `[site] games`"
    )]
    ReadOnce { path: String },
    /// The app refuses an event: a bug of the program, not of the input.
    #[error("the event {id} cannot be analysed: {error}")]
    Event { id: String, error: EventError },
    /// A work folder cannot be read.
    #[error(transparent)]
    Work(#[from] WorkError),
    #[error("{0}")]
    Helpers(String),
    /// A decision cannot be carried out. A build without it would overrule it.
    #[error(transparent)]
    Decision(#[from] DecisionError),
}

/// A work folder that cannot be written or read.
#[derive(Debug, Error)]
#[error("{path}: {reason}")]
pub struct WorkError {
    pub path: String,
    pub reason: String,
}

impl WorkError {
    /// The error for a file.
    pub fn at(path: &Path) -> impl Fn(&dyn std::fmt::Display) -> WorkError {
        let path = path.display().to_string();
        move |reason| WorkError { path: path.clone(), reason: reason.to_string() }
    }
}
