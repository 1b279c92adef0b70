//! Walking folders.

use std::path::{Path, PathBuf};

use walkdir::WalkDir;

use super::diagnostic::{Diagnostic, DiagnosticKind};

/// What to look for in a folder. A file that is named itself is always taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wanted {
    /// Game collections.
    Games,
    /// Rating lists.
    Ratings,
    /// Files of aliases.
    Aliases,
    /// Files of decisions.
    Decisions,
}

impl Wanted {
    fn endings(self) -> &'static [&'static str] {
        match self {
            Wanted::Games => &[".pgn", ".pgn.zst", ".tar", ".tar.zst"],
            Wanted::Ratings => &[".csv", ".tsv", ".csv.zst", ".tsv.zst"],
            Wanted::Aliases | Wanted::Decisions => &[".toml"],
        }
    }

    fn matches(self, path: &Path) -> bool {
        let name = path.file_name().unwrap_or_default().to_string_lossy().to_ascii_lowercase();
        self.endings().iter().any(|ending| name.ends_with(ending))
    }
}

/// The files behind the given paths, folders walked, in the order of the paths and by name within
/// a folder. What cannot be found or walked becomes a diagnostic.
pub fn find(paths: &[PathBuf], wanted: Wanted, diagnostics: &mut Vec<Diagnostic>) -> Vec<PathBuf> {
    let mut files = Vec::new();
    for path in paths {
        if path.is_dir() {
            let before = files.len();
            for entry in WalkDir::new(path).follow_links(true).sort_by_file_name() {
                match entry {
                    Ok(entry) if entry.file_type().is_file() && wanted.matches(entry.path()) => {
                        files.push(entry.into_path());
                    }
                    Ok(_) => {}
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
        } else if path.exists() {
            files.push(path.clone());
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
