//! Why there is no archive.

use std::path::Path;

use thiserror::Error;

use crate::decisions::DecisionError;
use crate::tournament::EventError;

/// Why there is no archive.
#[derive(Debug, Error)]
pub enum BuildError {
    /// Not a single game.
    #[error("no games: {} (of {files} files found)", first.as_deref().unwrap_or("the inputs hold none"))]
    NoGames {
        /// How many files were found.
        files: usize,
        /// The first thing that went wrong, if anything did.
        first: Option<String>,
    },
    /// An input that can be read only once, where the moves are wanted too.
    #[error(
        "{path} can be read only once, and the moves for the board are read after the games; name a file, or leave `[site] games` out"
    )]
    ReadOnce {
        /// The input.
        path: String,
    },
    /// An event that the app refuses; a fault of the program, not of the input.
    #[error("the event {id} cannot be analysed: {error}")]
    Event {
        /// Its identifier.
        id: String,
        /// Why.
        error: EventError,
    },
    /// A folder of work that was done before, and cannot be read.
    #[error(transparent)]
    Work(#[from] WorkError),
    /// Others who help, and could not.
    #[error("{0}")]
    Helpers(String),
    /// A decision that cannot be carried out: to build without it would be to overrule it.
    #[error(transparent)]
    Decision(#[from] DecisionError),
}

/// A folder of work that cannot be written or read.
#[derive(Debug, Error)]
#[error("{path}: {reason}")]
pub struct WorkError {
    /// The file.
    pub path: String,
    /// Why.
    pub reason: String,
}

impl WorkError {
    /// Of a file.
    pub(crate) fn at(path: &Path) -> impl Fn(&dyn std::fmt::Display) -> WorkError {
        let path = path.display().to_string();
        move |reason| WorkError { path: path.clone(), reason: reason.to_string() }
    }
}
