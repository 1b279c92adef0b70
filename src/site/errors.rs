//! Why nothing was published.

use std::io;

use thiserror::Error;

use crate::archive::ExportError;

/// Why nothing was published; the old archive stands.
#[derive(Debug, Error)]
pub enum PublishError {
    /// The folder holds something else, which would be lost.
    #[error(
        "{0} is not empty and holds no archive of this program; give another folder, or empty this \
         one yourself"
    )]
    Foreign(String),
    /// The target cannot be exchanged for another folder.
    #[error("{path} {why}")]
    Unfit {
        /// The target.
        path: String,
        /// Why, and what to do.
        why: &'static str,
    },
    /// The folder that is being written cannot be locked, so that two runs could write to it.
    #[error(
        "{path}: a folder next to it cannot be locked: {error}; write the archive to another disk, and copy it from there"
    )]
    Lock {
        /// The target.
        path: String,
        /// Why.
        error: io::Error,
    },
    /// A file or folder cannot be written.
    #[error("{path}: cannot be written: {error}")]
    Write {
        /// The file or folder.
        path: String,
        /// Why.
        error: io::Error,
    },
    /// An export cannot be written.
    #[error(transparent)]
    Export(#[from] ExportError),
    /// A template is at fault.
    #[error("a page cannot be rendered: {0}")]
    Template(#[from] tera::Error),
}
