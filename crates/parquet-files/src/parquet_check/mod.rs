//! Checks a Parquet file before polars decodes it.
//!
//! Polars trusts the counts and sizes that a file states. A wrong one makes it panic, return wrong
//! values, or request more memory than the machine has, which ends the process. So the page
//! headers of every file are checked. Files that Greatness wrote also carry a [digest] of their
//! bytes, which is checked first.

use std::fs::{self, File};
use std::io;
use std::path::Path;

use polars::prelude::PolarsError;
use thiserror::Error;

mod digest;
mod pages;

pub(crate) use digest::{seal, unsealed};

/// The reason why a file must not be decoded.
#[derive(Debug, Error)]
pub(crate) enum Unsound {
    #[error(transparent)]
    Read(#[from] io::Error),
    #[error(transparent)]
    Metadata(#[from] PolarsError),
    /// The bytes do not match the digest, or the page headers contradict the metadata.
    #[error("{0}")]
    Damaged(String),
}

/// Checks the digest of a file, if it has one, and then its page headers.
///
/// Only regular files are checked. A pipe, for example, is accepted unchecked.
///
/// # Errors
///
/// Returns an error if the file or its metadata cannot be read, if its bytes do not match its
/// digest, or if its page headers contradict its metadata.
pub(crate) fn check(path: &Path) -> Result<(), Unsound> {
    // A pipe can be read only once, so checking it would consume it.
    if !fs::metadata(path)?.is_file() {
        return Ok(());
    }
    let mut file = File::open(path)?;
    if digest::matches(&mut file)? == Some(false) {
        return Err(Unsound::Damaged("its bytes are not those that were written".to_owned()));
    }
    // A digest detects damage but not forgery, since any program can compute it. So the page
    // headers of a file with a digest are checked, too.
    pages::check(&mut file)
}
