//! The file that marks a folder as an archive of this program.

use serde::Serialize;

use archive::GameCounts;
use pgn_collections::source::{ARCHIVE_MARK, PROGRAM};

pub(super) use pgn_collections::source::is_archive;

pub(super) const MARK: &str = ARCHIVE_MARK;

#[derive(Serialize)]
struct MarkFile<'a> {
    program: &'a str,
    version: &'a str,
    counts: &'a GameCounts,
}

pub(super) fn text(counts: &GameCounts) -> String {
    let contents = MarkFile { program: PROGRAM, version: env!("CARGO_PKG_VERSION"), counts };
    serde_json::to_string_pretty(&contents).expect("texts and numbers always serialize")
}
