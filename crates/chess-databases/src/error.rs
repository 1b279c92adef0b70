//! Errors about databases, and faults of their games.

use std::io;

use thiserror::Error;

/// Why a database cannot be read.
#[derive(Debug, Error)]
pub enum DatabaseError {
    /// A file of the database cannot be read.
    #[error("{0} cannot be read: {1}")]
    Read(String, #[source] io::Error),
    /// A file without which no game can be read is missing.
    #[error("lacks its file {0}, which belongs next to it")]
    Missing(String),
    /// A file is not what its name says.
    #[error("{0} is damaged: {1}")]
    Damaged(String, String),
    /// A file is larger than the limit.
    #[error("{0} has {1} MiB, more than the limit; if you trust it, raise input.limits.whole_mib")]
    TooLarge(String, u64),
}

/// A fault of a database that does not prevent reading it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// Number of the game, from 1; 0 is the whole database.
    pub game: u32,
    /// The fault in one sentence.
    pub message: String,
}

impl Fault {
    /// Creates a fault of the whole database.
    pub(crate) fn of_database(message: String) -> Fault {
        Fault { game: 0, message }
    }
}
