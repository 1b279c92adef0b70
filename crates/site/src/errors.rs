//! Errors of publishing an archive.

use std::io;

use thiserror::Error;

use archive::ExportError;

/// An error of publishing an archive. The old archive is unchanged.
#[derive(Debug, Error)]
pub enum PublishError {
    /// The folder has other contents, which would be lost.
    #[error(
        "{0} is not empty and is not an archive of this program; name another folder, or empty this \
         one yourself"
    )]
    Foreign(String),
    #[error("{path} {why}")]
    Unfit {
        path: String,
        /// The reason, and what to do.
        why: &'static str,
    },
    /// The folder that is being written cannot be locked, so two runs could write to it.
    #[error(
        "{path}: cannot lock a folder next to it: {error}; write the archive to another disk and copy it"
    )]
    Lock { path: String, error: io::Error },
    #[error("{path}: cannot be written: {error}")]
    Write { path: String, error: io::Error },
    #[error(transparent)]
    Export(#[from] ExportError),
    #[error("a page cannot be rendered: {0}")]
    Template(#[from] tera::Error),
}
