//! Checks a Parquet file before polars decodes it.
//!
//! Polars trusts the counts and sizes that a file states. A wrong one makes it panic, return other
//! values, or request more memory than the machine has, which ends the process. Files that
//! Greatness wrote carry a [digest] of their bytes. Files of other programs have none, so
//! their page headers are checked instead.

use std::fs::{self, File};
use std::io;
use std::path::Path;

use polars::error::PolarsError;
use thiserror::Error;

mod digest;
mod pages;

pub(crate) use digest::{seal, unsealed};

/// Why a file must not be decoded.
#[derive(Debug, Error)]
pub(crate) enum Unsound {
    /// It cannot be read.
    #[error(transparent)]
    Read(#[from] io::Error),
    /// Its metadata cannot be parsed.
    #[error(transparent)]
    Metadata(#[from] PolarsError),
    /// Its bytes or its page headers are wrong.
    #[error("{0}")]
    Damaged(String),
}

/// Checks the digest of a file that Greatness wrote, or the page headers of any other file.
///
/// # Errors
///
/// When the file cannot be read, when its bytes differ from those that were written, or when its
/// page headers contradict its metadata.
pub(crate) fn check(path: &Path) -> Result<(), Unsound> {
    // A pipe can be read only once.
    if !fs::metadata(path)?.is_file() {
        return Ok(());
    }
    let mut file = File::open(path)?;
    if digest::matches(&mut file)? == Some(false) {
        return Err(Unsound::Damaged("its bytes are not those that were written".to_owned()));
    }
    // A digest shows damage. It is no signature: any program can compute it.
    pages::check(&mut file)
}
