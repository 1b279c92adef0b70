//! Finds input files in folders and by patterns.

use std::path::{Path, PathBuf};

use serde::Deserialize;
use walkdir::WalkDir;

use super::diagnostic::{Diagnostic, DiagnosticKind};
use super::open::STANDARD_INPUT;

/// The kind of input to look for in a folder. A file that the user names is always used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wanted {
    /// Game collections.
    Games,
    /// Rating lists.
    Ratings,
    /// Files of aliases.
    Aliases,
    /// Spelling files.
    Spelling,
    /// Files of decisions.
    Decisions,
    /// Tables of names of people, places and events.
    Tables,
}

impl Wanted {
    fn endings(self) -> &'static [&'static str] {
        match self {
            Wanted::Games => &[".pgn", ".txt", ".parquet"],
            Wanted::Ratings => &[".csv", ".tsv", ".txt", ".xml"],
            Wanted::Spelling => &[".ssp"],
            Wanted::Aliases | Wanted::Decisions => &[".toml"],
            Wanted::Tables => &[".csv"],
        }
    }

    /// Returns whether the name of a file suits the kind of input: by its ending, packed or not, or
    /// as an archive of games or lists.
    fn matches(self, path: &Path) -> bool {
        let name = path.file_name().unwrap_or_default().to_string_lossy().to_ascii_lowercase();
        let unpacked =
            PACKED.iter().find_map(|ending| name.strip_suffix(ending)).unwrap_or(name.as_str());
        let may_be_packed = matches!(self, Wanted::Games | Wanted::Ratings);
        let archive = may_be_packed && ARCHIVES.iter().any(|end| unpacked.ends_with(end));
        archive || self.endings().iter().any(|ending| unpacked.ends_with(ending))
    }
}

/// The file that marks a folder as an archive of this program.
pub const ARCHIVE_MARK: &str = "greatness-archive.json";

/// The name of the program in the mark of an archive.
pub const PROGRAM: &str = "greatness";

/// Returns whether a folder is an archive of this program. The marking file must have the expected
/// content.
pub fn is_archive(folder: &Path) -> bool {
    #[derive(Deserialize)]
    struct ArchiveMarker {
        program: String,
        version: String,
        counts: serde_json::Map<String, serde_json::Value>,
    }
    let mark = std::fs::read_to_string(folder.join(ARCHIVE_MARK)).unwrap_or_default();
    serde_json::from_str(&mark).is_ok_and(|mark: ArchiveMarker| {
        mark.program == PROGRAM && !mark.version.is_empty() && !mark.counts.is_empty()
    })
}

/// Endings of packed files.
const PACKED: [&str; 6] = [".gz", ".bz2", ".zst", ".zstd", ".xz", ".lz"];

/// Endings of archives.
const ARCHIVES: [&str; 7] = [".tar", ".tgz", ".tbz2", ".txz", ".tzst", ".zip", ".7z"];

/// Endings of files that may contain games but cannot be read, with advice.
const FOREIGN: [(&[&str], &str); 3] = [
    (
        &[".rar", ".lz4", ".z"],
        "is packed in a format that cannot be read; unpack it, or pack it as zip, 7z, xz or zstd",
    ),
    (&[".cbh", ".cbv", ".cbf"], "is a ChessBase database; export its games as PGN"),
    (&[".si3", ".si4", ".si5"], "is a Scid database; export its games as PGN"),
];

/// Returns the warning about an entry of a folder that is skipped, if it may contain games.
fn skipped_warning(entry: &walkdir::DirEntry, wanted: Wanted) -> Option<&'static str> {
    let kind = entry.file_type();
    if kind.is_dir() || wanted != Wanted::Games {
        return None;
    }
    if !kind.is_file() {
        return Some("is not a regular file; name a pipe or device itself to read it");
    }
    let name = entry.file_name().to_string_lossy().to_ascii_lowercase();
    let found = FOREIGN.iter().find(|(endings, _)| endings.iter().any(|end| name.ends_with(end)));
    found.map(|(_, advice)| *advice)
}

/// Finds the files of the given paths. Walks folders and expands patterns (`*`, `?`, `[...]`).
///
/// The files are in the order of the paths, and by name within a folder. Paths that cannot be found
/// or walked become diagnostics.
pub fn find(paths: &[PathBuf], wanted: Wanted, diagnostics: &mut Vec<Diagnostic>) -> Vec<PathBuf> {
    let mut files = Vec::new();
    for path in paths {
        if path.is_dir() {
            let before = files.len();
            let mut entries = WalkDir::new(path).follow_links(true).sort_by_file_name().into_iter();
            while let Some(entry) = entries.next() {
                match entry {
                    // The games of an archive came from the collections next to it.
                    Ok(entry) if entry.depth() > 0 && is_archive(entry.path()) => {
                        entries.skip_current_dir();
                        diagnostics.push(Diagnostic::note(
                            entry.path().display().to_string(),
                            0,
                            DiagnosticKind::Unreadable,
                            "an archive of this program is not an input; name its files to read them",
                        ));
                    }
                    Ok(entry) if entry.file_type().is_file() && wanted.matches(entry.path()) => {
                        files.push(entry.into_path());
                    }
                    Ok(entry) => {
                        if let Some(message) = skipped_warning(&entry, wanted) {
                            let name = entry.path().display().to_string();
                            let kind = DiagnosticKind::Unreadable;
                            diagnostics.push(Diagnostic::warning(name, 0, kind, message));
                        }
                    }
                    Err(error) => diagnostics.push(Diagnostic::error(
                        error.path().unwrap_or(path).display().to_string(),
                        0,
                        DiagnosticKind::Unreadable,
                        format!("cannot be read as a folder: {error}"),
                    )),
                }
            }
            if files.len() == before {
                diagnostics.push(Diagnostic::warning(
                    path.display().to_string(),
                    0,
                    DiagnosticKind::Unreadable,
                    format!("no file in this folder ends in {}", wanted.endings().join(", ")),
                ));
            }
        } else if path.exists() || path.as_os_str() == STANDARD_INPUT {
            files.push(path.clone());
        } else if let Some(matching) = expand(path) {
            if matching.is_empty() {
                diagnostics.push(Diagnostic::error(
                    path.display().to_string(),
                    0,
                    DiagnosticKind::Unreadable,
                    "no file matches this pattern",
                ));
            }
            files.extend(matching);
        } else {
            diagnostics.push(Diagnostic::error(
                path.display().to_string(),
                0,
                DiagnosticKind::Unreadable,
                "no such file or folder",
            ));
        }
    }
    files
}

/// Returns the files that match a pattern, sorted by name, or `None` if the path is not a pattern.
fn expand(path: &Path) -> Option<Vec<PathBuf>> {
    let pattern = path.to_str()?;
    if !pattern.contains(['*', '?', '[']) {
        return None;
    }
    // `glob` returns the files in the order of their names.
    Some(glob::glob(pattern).ok()?.flatten().filter(|file| file.is_file()).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folders_are_searched_by_kind_and_patterns_expanded() {
        let folder = tempfile::tempdir().unwrap();
        for name in ["b.pgn", "a.PGN.gz", "notes.md", "sub/c.txt", "sub/d.zip", "list.csv"] {
            let path = folder.path().join(name);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, "").unwrap();
        }
        let names = |path: PathBuf, wanted| -> Vec<String> {
            let mut diagnostics = Vec::new();
            let found = find(&[path], wanted, &mut diagnostics);
            let mut names: Vec<String> = found
                .iter()
                .map(|file| file.file_name().unwrap().to_string_lossy().into_owned())
                .collect();
            names.extend(diagnostics.iter().map(|diagnostic| diagnostic.message.clone()));
            names
        };
        let root = folder.path().to_path_buf();
        assert_eq!(names(root.clone(), Wanted::Games), ["a.PGN.gz", "b.pgn", "c.txt", "d.zip"]);
        assert_eq!(names(root.clone(), Wanted::Ratings), ["list.csv", "c.txt", "d.zip"]);
        assert_eq!(names(root.join("*.pgn"), Wanted::Games), ["b.pgn"]);
        for name in ["e.rar", "f.cbh", "g.pgn.lz4", "h.pgn.xz", "i.txz"] {
            std::fs::write(root.join(name), "").unwrap();
        }
        let found = names(root.clone(), Wanted::Games);
        assert_eq!(found[..4], ["a.PGN.gz", "b.pgn", "h.pgn.xz", "i.txz"]);
        assert_eq!(found[6..].len(), 3, "{found:?}");
        assert!(found[6].contains("cannot be read") && found[7].contains("ChessBase"), "{found:?}");
        assert_eq!(names(root.clone(), Wanted::Ratings).len(), 4);
        assert_eq!(names(root.join("*.xyz"), Wanted::Games), ["no file matches this pattern"]);
        assert_eq!(names(root.join("gone.pgn"), Wanted::Games), ["no such file or folder"]);
    }
}
