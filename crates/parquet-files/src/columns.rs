//! The columns of Parquet files as the values of this project, and the error for files that are no
//! such table.

use polars::prelude::{DataFrame, PolarsError};
use thiserror::Error;

/// The file is not Parquet, lacks a column, or has a column of another type; or polars cannot
/// encode a table.
#[derive(Debug, Error)]
#[error(transparent)]
pub struct FormatError(#[from] PolarsError);

impl From<FormatError> for std::io::Error {
    fn from(FormatError(error): FormatError) -> Self {
        match error {
            PolarsError::IO { error, .. } => std::io::Error::new(error.kind(), error),
            error => std::io::Error::other(error),
        }
    }
}

/// Returns the texts of a column. `None` is null.
pub(crate) fn texts<'f>(
    frame: &'f DataFrame,
    name: &str,
) -> Result<Vec<Option<&'f str>>, FormatError> {
    Ok(frame.column(name)?.str()?.iter().collect())
}

/// Returns the 64-bit numbers of a column. `None` is null.
pub(crate) fn hashes(frame: &DataFrame, name: &str) -> Result<Vec<Option<u64>>, FormatError> {
    Ok(frame.column(name)?.u64()?.iter().collect())
}
