//! The file by which a folder is known to be an archive of ours.

use std::fs;
use std::path::Path;

use serde::{Deserialize, Serialize};

use crate::archive::Counts;
use crate::source::ARCHIVE_MARK;

/// Its name.
pub(super) const MARK: &str = ARCHIVE_MARK;

/// What it says.
#[derive(Serialize)]
struct Said<'a> {
    program: &'a str,
    version: &'a str,
    counts: &'a Counts,
}

/// What of that must be there.
#[derive(Deserialize)]
struct Read {
    program: String,
    version: String,
    counts: serde_json::Map<String, serde_json::Value>,
}

/// Its text, for an archive of so many games.
pub(super) fn text(counts: &Counts) -> String {
    let said = Said { program: env!("CARGO_PKG_NAME"), version: env!("CARGO_PKG_VERSION"), counts };
    // A struct of numbers and names always serializes.
    serde_json::to_string_pretty(&said).expect("texts and numbers always serialize")
}

/// Whether a folder is an archive of ours: a file of that name alone does not make it one.
pub(super) fn is_archive(folder: &Path) -> bool {
    let text = fs::read_to_string(folder.join(MARK)).unwrap_or_default();
    serde_json::from_str(&text).is_ok_and(|mark: Read| {
        mark.program == env!("CARGO_PKG_NAME")
            && !mark.version.is_empty()
            && !mark.counts.is_empty()
    })
}
