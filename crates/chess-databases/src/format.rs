//! The formats of databases, by the endings of their files.

use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};

use crate::error::DatabaseError;
use crate::record_file::name;

/// The format of a database.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// SCID 4: `.si4`, with `.sn4` and `.sg4`.
    Scid4,
    /// SCID 5: `.si5`, with `.sn5` and `.sg5`.
    Scid5,
    /// ChessBase: `.cbh`, with `.cbp`, `.cbt` and others.
    ChessBase,
}

/// The endings of the files that belong to a ChessBase database but are no input. Some of them the
/// program does not read: annotations, search boosters, media.
const CHESSBASE_PARTS: [&str; 26] = [
    "cba", "cbb", "cbc", "cbd", "cbe", "cbg", "cbgi", "cbi", "cbj", "cbl", "cbm", "cbp", "cbs",
    "cbt", "cbtt", "cib", "cit", "cka", "cki", "cko", "cpa", "cpi", "cpo", "flags", "ini", "ctg",
];

impl Format {
    /// The endings of the main files, without the point.
    pub const ENDINGS: [&str; 3] = ["si4", "si5", "cbh"];

    /// Returns the format of a database, by the name of its main file.
    pub fn of_main_file(path: &Path) -> Option<Format> {
        match ending(path).as_str() {
            "si4" => Some(Format::Scid4),
            "si5" => Some(Format::Scid5),
            "cbh" => Some(Format::ChessBase),
            _ => None,
        }
    }

    /// Returns whether a file belongs to a database whose main file is in the same folder.
    pub fn is_part(path: &Path) -> bool {
        let main = match ending(path).as_str() {
            "sn4" | "sg4" | "stc" => "si4",
            "sn5" | "sg5" => "si5",
            ending if CHESSBASE_PARTS.contains(&ending) => "cbh",
            _ => return false,
        };
        sibling(path, main).is_some()
    }
}

fn ending(path: &Path) -> String {
    path.extension().unwrap_or_default().to_string_lossy().to_ascii_lowercase()
}

/// Finds the file in the same folder whose name differs only in its ending. Databases from other
/// systems may have endings in capitals.
pub(crate) fn sibling(path: &Path, ending: &str) -> Option<PathBuf> {
    let usual = path.with_extension(ending);
    if usual.is_file() {
        return Some(usual);
    }
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    let entries = fs::read_dir(folder.unwrap_or(Path::new("."))).ok()?;
    let paths = entries.filter_map(|entry| Some(entry.ok()?.path()));
    let mut found = paths.filter(|other| {
        let has_ending =
            other.extension().is_some_and(|other| other.eq_ignore_ascii_case(OsStr::new(ending)));
        has_ending && other.file_stem() == path.file_stem()
    });
    found.next()
}

/// Finds a file without which no game can be read.
pub(crate) fn required(path: &Path, ending: &str) -> Result<PathBuf, DatabaseError> {
    let missing = || DatabaseError::Missing(name(&path.with_extension(ending)));
    sibling(path, ending).ok_or_else(missing)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_belong_to_a_main_file_of_the_same_name() {
        let folder = tempfile::tempdir().unwrap();
        for name in ["a.si4", "a.SN4", "b.cbh", "b.cbtt", "c.cbg", "b.ini"] {
            fs::write(folder.path().join(name), "").unwrap();
        }
        let is_part = |name: &str| Format::is_part(&folder.path().join(name));
        assert!(is_part("a.SN4") && is_part("b.cbtt") && is_part("b.ini"));
        assert!(!is_part("c.cbg") && !is_part("a.si4") && !is_part("notes.ini"));
        assert_eq!(Format::of_main_file(Path::new("x/B.CBH")), Some(Format::ChessBase));
        assert_eq!(Format::of_main_file(Path::new("x/b.cbg")), None);
        let found = sibling(&folder.path().join("a.si4"), "sn4");
        assert_eq!(found, Some(folder.path().join("a.SN4")));
    }
}
