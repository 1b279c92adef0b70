//! Errors of publishing an archive.

use std::io;

use thiserror::Error;

use crate::archive::ExportError;

/// An error of publishing an archive. The old archive is unchanged.
#[derive(Debug, Error)]
pub enum PublishError {
    /// The folder has other contents, which would be lost.
    #[error(
        "{0} is not empty and is not an archive of this program; name another folder, or empty this \
         one yourself"
    )]
    Foreign(String),
    /// The target cannot be replaced by another folder.
    #[error("{path} {why}")]
    Unfit {
        /// The target.
        path: String,
        /// The reason, and what to do.
        why: &'static str,
    },
    /// The folder that is being written cannot be locked, so two runs could write to it.
    #[error(
        "{path}: cannot lock a folder next to it: {error}; write the archive to another disk and copy it"
    )]
    Lock {
        /// The target.
        path: String,
        /// The reason.
        error: io::Error,
    },
    /// A file or folder cannot be written.
    #[error("{path}: cannot be written: {error}")]
    Write {
        /// The file or folder.
        path: String,
        /// The reason.
        error: io::Error,
    },
    /// An export cannot be written.
    #[error(transparent)]
    Export(#[from] ExportError),
    /// A template is malformed.
    #[error("a page cannot be rendered: {0}")]
    Template(#[from] tera::Error),
}
