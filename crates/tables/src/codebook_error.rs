//! The errors of the codebook.

use thiserror::Error;

/// An error in the program's own files.
#[derive(Debug, Error)]
pub enum CodebookError {
    /// A file cannot be read.
    #[error("{file}: {error}")]
    Damaged {
        /// The file.
        file: &'static str,
        /// The first fault.
        error: Box<toml::de::Error>,
    },
    /// A table, or a column of a table, has no definition.
    #[error("the codebook does not define {0}")]
    Undefined(String),
}
