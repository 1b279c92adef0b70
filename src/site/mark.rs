//! The file by which a folder is known to be an archive of ours.

use serde::Serialize;

use crate::archive::Counts;
use crate::source::{ARCHIVE_MARK, PROGRAM};

pub(super) use crate::source::is_archive;

/// Its name.
pub(super) const MARK: &str = ARCHIVE_MARK;

/// What it says.
#[derive(Serialize)]
struct MarkFile<'a> {
    program: &'a str,
    version: &'a str,
    counts: &'a Counts,
}

/// Its text, for an archive of so many games.
pub(super) fn text(counts: &Counts) -> String {
    let said = MarkFile { program: PROGRAM, version: env!("CARGO_PKG_VERSION"), counts };
    // A struct of numbers and names always serializes.
    serde_json::to_string_pretty(&said).expect("texts and numbers always serialize")
}
