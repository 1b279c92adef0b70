//! Walking folders.

use std::path::{Path, PathBuf};

use serde::Deserialize;
use walkdir::WalkDir;

use super::diagnostic::{Diagnostic, DiagnosticKind};
use super::open::STANDARD_INPUT;

/// What to look for in a folder. A file that is named itself is always taken.
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
    /// Tables of how people, places and events are called.
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

    /// Whether a file's name promises what is wanted: by its ending, packed or not, or as an archive
    /// of games or lists.
    fn matches(self, path: &Path) -> bool {
        let name = path.file_name().unwrap_or_default().to_string_lossy().to_ascii_lowercase();
        let unpacked =
            PACKED.iter().find_map(|ending| name.strip_suffix(ending)).unwrap_or(name.as_str());
        let may_be_packed = matches!(self, Wanted::Games | Wanted::Ratings);
        let archive = may_be_packed && ARCHIVES.iter().any(|end| unpacked.ends_with(end));
        archive || self.endings().iter().any(|ending| unpacked.ends_with(ending))
    }
}

/// The file by which a folder is known to be an archive of this program.
pub const ARCHIVE_MARK: &str = "greatness-archive.json";

/// The program that the mark of an archive names.
pub const PROGRAM: &str = "greatness";

/// Whether a folder is an archive of this program: a file of that name alone does not make it one.
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

/// Endings of files that may hold games and are not read, and what to do.
const FOREIGN: [(&[&str], &str); 3] = [
    (
        &[".rar", ".lz4", ".z"],
        "is packed in a way that is not read here; unpack it, or pack it as zip, 7z, xz or zstd",
    ),
    (&[".cbh", ".cbv", ".cbf"], "is a ChessBase database; export its games as PGN"),
    (&[".si3", ".si4", ".si5"], "is a Scid database; export its games as PGN"),
];

/// What is to be told of a thing in a folder that is passed over.
fn passed_over(entry: &walkdir::DirEntry, wanted: Wanted) -> Option<&'static str> {
    let kind = entry.file_type();
    if kind.is_dir() || wanted != Wanted::Games {
        return None;
    }
    if !kind.is_file() {
        return Some("is no file; a pipe or a device is read where it is named itself");
    }
    let name = entry.file_name().to_string_lossy().to_ascii_lowercase();
    let found = FOREIGN.iter().find(|(endings, _)| endings.iter().any(|end| name.ends_with(end)));
    found.map(|(_, told)| *told)
}

/// The files behind the given paths, folders walked and patterns (`*`, `?`, `[...]`) expanded, in the
/// order of the paths and by name within a folder. What cannot be found or walked becomes a
/// diagnostic.
pub fn find(paths: &[PathBuf], wanted: Wanted, diagnostics: &mut Vec<Diagnostic>) -> Vec<PathBuf> {
    let mut files = Vec::new();
    for path in paths {
        if path.is_dir() {
            let before = files.len();
            let mut entries = WalkDir::new(path).follow_links(true).sort_by_file_name().into_iter();
            while let Some(entry) = entries.next() {
                match entry {
                    // What an archive holds came from the collections beside it.
                    Ok(entry) if entry.depth() > 0 && is_archive(entry.path()) => {
                        entries.skip_current_dir();
                        diagnostics.push(Diagnostic::note(
                            entry.path().display().to_string(),
                            0,
                            DiagnosticKind::Unreadable,
                            "an archive of this program, and no input; name its files to read them",
                        ));
                    }
                    Ok(entry) if entry.file_type().is_file() && wanted.matches(entry.path()) => {
                        files.push(entry.into_path());
                    }
                    Ok(entry) => {
                        if let Some(told) = passed_over(&entry, wanted) {
                            let name = entry.path().display().to_string();
                            let kind = DiagnosticKind::Unreadable;
                            diagnostics.push(Diagnostic::warning(name, 0, kind, told));
                        }
                    }
                    Err(error) => diagnostics.push(Diagnostic::error(
                        error.path().unwrap_or(path).display().to_string(),
                        0,
                        DiagnosticKind::Unreadable,
                        format!("cannot be walked: {error}"),
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

/// The files that a pattern names, by name; `None` where the path is no pattern.
fn expand(path: &Path) -> Option<Vec<PathBuf>> {
    let pattern = path.to_str()?;
    if !pattern.contains(['*', '?', '[']) {
        return None;
    }
    // `glob` gives them in the order of their names.
    Some(glob::glob(pattern).ok()?.flatten().filter(|file| file.is_file()).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folders_are_walked_for_what_is_wanted_and_patterns_expanded() {
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
        let told = names(root.clone(), Wanted::Games);
        assert_eq!(told[..4], ["a.PGN.gz", "b.pgn", "h.pgn.xz", "i.txz"]);
        assert_eq!(told[6..].len(), 3, "{told:?}");
        assert!(told[6].contains("not read here") && told[7].contains("ChessBase"), "{told:?}");
        assert_eq!(names(root.clone(), Wanted::Ratings).len(), 4);
        assert_eq!(names(root.join("*.xyz"), Wanted::Games), ["no file matches this pattern"]);
        assert_eq!(names(root.join("gone.pgn"), Wanted::Games), ["no such file or folder"]);
    }
}
