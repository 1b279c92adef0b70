//! Finds input files in folders and by patterns.

use std::io::Read;
use std::path::{Path, PathBuf};

use chess_databases::Format;
use serde::Deserialize;
use walkdir::WalkDir;

use super::diagnostic::{Diagnostic, DiagnosticKind};
use super::limits::Limits;
use super::member::Content;
use super::open::{STANDARD_INPUT, for_each_member};
use super::results_form::ResultsForm;
use super::text::{HEAD, plain};

/// The kind of input to look for in a folder. A file that the user names is always used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wanted {
    /// Game collections, databases, tournament reports and crosstables.
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
            Wanted::Games => &[".pgn", ".txt", ".parquet", ".trf", ".trfx", ".csv", ".tsv"],
            Wanted::Ratings => &[".csv", ".tsv", ".txt", ".xml"],
            Wanted::Spelling => &[".ssp"],
            Wanted::Aliases | Wanted::Decisions => &[".toml"],
            Wanted::Tables => &[".csv"],
        }
    }

    /// The endings of files that a folder's walk opens, for messages. Of tables, only crosstables
    /// are games.
    fn endings_in_words(self) -> String {
        match self {
            Wanted::Games => {
                let named = self.endings().iter().filter(|ending| !CROSSTABLES.contains(ending));
                let named = named.map(|ending| (*ending).to_owned());
                let databases = Format::ENDINGS.iter().map(|ending| format!(".{ending}"));
                named.chain(databases).collect::<Vec<_>>().join(", ")
            }
            _ => self.endings().join(", "),
        }
    }

    /// Returns whether the name of a file suits the kind of input: by its ending, packed or not, or
    /// as an archive of games or lists. A packed file whose name does not show its kind
    /// (`linares.xz`) may contain games; its content decides.
    fn matches(self, path: &Path) -> bool {
        if self == Wanted::Games && Format::of_main_file(path).is_some() {
            return true;
        }
        let name = path.file_name().unwrap_or_default().to_string_lossy().to_ascii_lowercase();
        let unpacked =
            PACKED.iter().find_map(|ending| name.strip_suffix(ending)).unwrap_or(name.as_str());
        let may_be_packed = matches!(self, Wanted::Games | Wanted::Ratings);
        let archive = may_be_packed && ARCHIVES.iter().any(|end| unpacked.ends_with(end));
        let is_unnamed = unpacked.len() < name.len() && !unpacked.contains('.');
        let is_wanted = archive
            || (is_unnamed && self == Wanted::Games)
            || self.endings().iter().any(|ending| unpacked.ends_with(ending));
        let is_doubtful =
            self == Wanted::Games && CROSSTABLES.iter().any(|end| unpacked.ends_with(end));
        is_wanted && (!is_doubtful || is_crosstable(path))
    }
}

/// The endings of crosstables. Most files with these endings hold something else, so that only
/// those with the header of a crosstable are games.
const CROSSTABLES: [&str; 2] = [".csv", ".tsv"];

/// Returns whether a file, packed or not, begins with the header of a crosstable.
fn is_crosstable(path: &Path) -> bool {
    let mut form = None;
    for_each_member(path, Limits::default(), &|_| (), |member| {
        let Ok(mut member) = member else { return };
        let mut stream: Box<dyn Read> = match &mut member.content {
            Content::File(file) => Box::new(&mut **file),
            Content::Stream(stream) => Box::new(&mut **stream),
        };
        if let Ok((_, text)) = plain(&mut stream) {
            let mut head = Vec::new();
            // A header that can be read suffices.
            let _ = text.take(HEAD as u64).read_to_end(&mut head);
            form = form.or(ResultsForm::detect(&head));
        }
    });
    form == Some(ResultsForm::Crosstable)
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

const PACKED: [&str; 6] = [".gz", ".bz2", ".zst", ".zstd", ".xz", ".lz"];

const ARCHIVES: [&str; 7] = [".tar", ".tgz", ".tbz2", ".txz", ".tzst", ".zip", ".7z"];

/// Endings of packed files that may contain games but cannot be read.
const FOREIGN_PACKED: [&str; 3] = [".rar", ".lz4", ".z"];

/// Endings of databases that cannot be read, with advice.
const FOREIGN_DATABASES: [(&[&str], &str); 4] = [
    (&[".cbv", ".cbz"], "it is a packed ChessBase database; unpack it with ChessBase"),
    (
        &[".cbf"],
        "it is a database of ChessBase 5 or earlier; convert it to .cbh with ChessBase, or export \
         its games as PGN",
    ),
    (
        &[".2cbh"],
        "it is a database in the newer format of ChessBase 17; save it as .cbh, or export its \
         games as PGN",
    ),
    (
        &[".si3"],
        "it is a database of SCID 3; open it with SCID, which makes a newer one, or export its \
         games as PGN",
    ),
];

/// Returns why a file cannot be read, if its name shows that it is a database, or a part of one,
/// that cannot.
pub(crate) fn unreadable(path: &Path) -> Option<&'static str> {
    let name = path.file_name().unwrap_or_default().to_string_lossy().to_ascii_lowercase();
    let foreign =
        FOREIGN_DATABASES.iter().find(|(endings, _)| endings.iter().any(|end| name.ends_with(end)));
    if let Some((_, advice)) = foreign {
        return Some(advice);
    }
    Format::is_part(path)
        .then_some("it belongs to a database; name the main file, .si4, .si5 or .cbh, instead")
}

/// Returns the warning about an entry of a folder that is skipped, if it may contain games.
fn skipped_warning(entry: &walkdir::DirEntry, wanted: Wanted) -> Option<String> {
    let kind = entry.file_type();
    if kind.is_dir() || wanted != Wanted::Games {
        return None;
    }
    if !kind.is_file() {
        return Some("is not a regular file; name a pipe or device itself to read it".to_owned());
    }
    let name = entry.file_name().to_string_lossy().to_ascii_lowercase();
    if FOREIGN_PACKED.iter().any(|ending| name.ends_with(ending)) {
        let message = "is packed in a format that cannot be read; unpack it, or pack it as zip, \
                       7z, xz or zstd";
        return Some(message.to_owned());
    }
    unreadable(entry.path()).map(|reason| format!("is skipped: {reason}"))
}

/// The number of skipped files that one note names, so that it fits on a few lines.
const NAMED: usize = 5;

/// Notes the files of a folder that are not input by their names, so that none is skipped silently.
fn skipped_note(folder: &Path, skipped: &[String], wanted: Wanted) -> Diagnostic {
    let (count, verb) = match skipped.len() {
        1 => ("1 file is".to_owned(), "its name does"),
        count => (format!("{count} files are"), "their names do"),
    };
    let more = match skipped.len().saturating_sub(NAMED) {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    let message = format!(
        "{count} skipped, because {verb} not end in {} or the ending of a packed file, or a table \
         is not a crosstable: {}{more}; name a file itself to read it",
        wanted.endings_in_words(),
        skipped[..skipped.len().min(NAMED)].join(", "),
    );
    Diagnostic::note(folder.display().to_string(), 0, DiagnosticKind::Unreadable, message)
}

/// The message about a folder that has no input.
fn no_file(wanted: Wanted) -> String {
    let crosstable = if wanted == Wanted::Games { ", and no table is a crosstable" } else { "" };
    format!("no file in this folder ends in {}{crosstable}", wanted.endings_in_words())
}

/// The finding about an entry of a folder that cannot be walked. A link that loses no file is no
/// error.
fn unwalked(folder: &Path, error: &walkdir::Error) -> Diagnostic {
    let path = error.path().unwrap_or(folder);
    let (name, kind) = (path.display().to_string(), DiagnosticKind::Unreadable);
    if error.loop_ancestor().is_some() {
        let message = "is a link to a folder that contains it, whose files are read once";
        return Diagnostic::note(name, 0, kind, message);
    }
    if path.is_symlink() && !path.exists() {
        return Diagnostic::warning(name, 0, kind, "is a link to nothing; correct or remove it");
    }
    let reason = error.io_error().map_or_else(|| error.to_string(), ToString::to_string);
    Diagnostic::error(name, 0, kind, format!("cannot be read: {reason}"))
}

/// Number of folders within folders that are walked. Judged: no collection is as deep, and links
/// that lead in a circle over several file systems are.
const DEEPEST: usize = 64;

/// Returns why a folder is not walked, if it is not.
fn not_walked(root: &Path, entry: &walkdir::DirEntry) -> Option<&'static str> {
    if !entry.file_type().is_dir() {
        return None;
    }
    if entry.depth() == DEEPEST {
        return Some("is too deep; name it itself to read it");
    }
    (entry.path_is_symlink() && entry.depth() > 0 && !is_on_one_disk(root, entry.path())).then_some(
        "is a link to another file system, which is not followed; name the folder itself to read it",
    )
}

/// Returns whether two paths are on one file system.
fn is_on_one_disk(one: &Path, other: &Path) -> bool {
    #[cfg(unix)]
    {
        use std::os::unix::fs::MetadataExt;
        let disk = |path: &Path| path.metadata().map(|found| found.dev()).ok();
        disk(one) == disk(other)
    }
    #[cfg(not(unix))]
    {
        let _ = (one, other);
        true
    }
}

/// Finds the files of the given paths. Walks folders and expands patterns (`*`, `?`, `[...]`).
///
/// The files are in the order of the paths, and by name within a folder. Paths that cannot be found
/// or walked become diagnostics.
pub fn find(paths: &[PathBuf], wanted: Wanted, diagnostics: &mut Vec<Diagnostic>) -> Vec<PathBuf> {
    let mut files = Vec::new();
    for path in paths {
        if path.is_dir() {
            let (before, mut skipped) = (files.len(), Vec::new());
            let mut entries = WalkDir::new(path)
                .follow_links(true)
                .max_depth(DEEPEST)
                .sort_by_file_name()
                .into_iter();
            while let Some(entry) = entries.next() {
                match entry {
                    Ok(entry) if let Some(why) = not_walked(path, &entry) => {
                        entries.skip_current_dir();
                        let name = entry.path().display().to_string();
                        let kind = DiagnosticKind::Unreadable;
                        diagnostics.push(Diagnostic::warning(name, 0, kind, why));
                    }
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
                    // The main file of a database stands for all its files.
                    Ok(entry) if wanted == Wanted::Games && Format::is_part(entry.path()) => {}
                    Ok(entry) => {
                        if let Some(message) = skipped_warning(&entry, wanted) {
                            let name = entry.path().display().to_string();
                            let kind = DiagnosticKind::Unreadable;
                            diagnostics.push(Diagnostic::warning(name, 0, kind, message));
                        } else if entry.file_type().is_file() && wanted == Wanted::Games {
                            let name = entry.path().strip_prefix(path).unwrap_or(entry.path());
                            skipped.push(name.display().to_string());
                        }
                    }
                    Err(error) => diagnostics.push(unwalked(path, &error)),
                }
            }
            if files.len() == before {
                diagnostics.push(Diagnostic::warning(
                    path.display().to_string(),
                    0,
                    DiagnosticKind::Unreadable,
                    no_file(wanted),
                ));
            }
            if !skipped.is_empty() {
                diagnostics.push(skipped_note(path, &skipped, wanted));
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

/// Returns whether a path names nothing: no file or folder, and no pattern that matches a file.
pub fn is_missing(path: &Path) -> bool {
    let is_there = path.exists() || path.as_os_str() == STANDARD_INPUT;
    !is_there && expand(path).is_none_or(|matching| matching.is_empty())
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

    /// The names of the files found in a folder or by a pattern, then the messages.
    fn names(path: PathBuf, wanted: Wanted) -> Vec<String> {
        let mut diagnostics = Vec::new();
        let found = find(&[path], wanted, &mut diagnostics);
        let mut names: Vec<String> = found
            .iter()
            .map(|file| file.file_name().unwrap().to_string_lossy().into_owned())
            .collect();
        names.extend(diagnostics.iter().map(|diagnostic| diagnostic.message.to_string()));
        names
    }

    #[test]
    fn folders_are_searched_by_kind_and_patterns_expanded() {
        let folder = tempfile::tempdir().unwrap();
        for name in ["b.pgn", "a.PGN.gz", "sub/c.txt", "sub/d.zip"] {
            let path = folder.path().join(name);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, "").unwrap();
        }
        let root = folder.path().to_path_buf();
        assert_eq!(names(root.clone(), Wanted::Games), ["a.PGN.gz", "b.pgn", "c.txt", "d.zip"]);
        std::fs::write(root.join("list.csv"), "").unwrap();
        assert_eq!(names(root.clone(), Wanted::Ratings), ["list.csv", "c.txt", "d.zip"]);
        assert_eq!(names(root.join("*.pgn"), Wanted::Games), ["b.pgn"]);
        std::fs::write(root.join("sub/x.csv"), "Player;Opponent;Round;Colour;Result\n").unwrap();
        std::fs::write(root.join("sub/y.trf"), "").unwrap();
        std::fs::write(root.join("sub/z.tsv"), "Player\tOpponent\tRound\tColour\tResult\n")
            .unwrap();
        assert_eq!(
            names(root.join("sub"), Wanted::Games),
            ["c.txt", "d.zip", "x.csv", "y.trf", "z.tsv"],
            "a table is a crosstable if its header is one"
        );
        std::fs::remove_file(root.join("sub/x.csv")).unwrap();
        std::fs::remove_file(root.join("sub/z.tsv")).unwrap();
        std::fs::remove_file(root.join("sub/y.trf")).unwrap();
        for name in ["e.rar", "f.cbv", "g.pgn.lz4", "h.pgn.xz", "i.txz"] {
            std::fs::write(root.join(name), "").unwrap();
        }
        let found = names(root.clone(), Wanted::Games);
        assert_eq!(found[..4], ["a.PGN.gz", "b.pgn", "h.pgn.xz", "i.txz"]);
        assert_eq!(found[6..].len(), 4, "{found:?}");
        assert!(found[6].contains("cannot be read") && found[7].contains("ChessBase"), "{found:?}");
        assert_eq!(names(root.clone(), Wanted::Ratings).len(), 4);
        assert_eq!(names(root.join("*.xyz"), Wanted::Games), ["no file matches this pattern"]);
        assert_eq!(names(root.join("gone.pgn"), Wanted::Games), ["no such file or folder"]);
        assert!(is_missing(&root.join("*.xyz")) && is_missing(&root.join("gone.pgn")));
        assert!(!is_missing(&root.join("*.pgn")) && !is_missing(&root));
    }

    #[cfg(unix)]
    #[test]
    fn links_that_lose_no_file_are_no_errors() {
        use crate::source::Severity;
        use std::os::unix::fs::symlink;
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("a.pgn"), "").unwrap();
        symlink(folder.path(), folder.path().join("up")).unwrap();
        symlink("gone.pgn", folder.path().join("nowhere.pgn")).unwrap();
        let mut found = Vec::new();
        assert_eq!(find(&[folder.path().to_path_buf()], Wanted::Games, &mut found).len(), 1);
        let mut messages: Vec<(Severity, &str)> =
            found.iter().map(|one| (one.severity, one.message.as_str())).collect();
        messages.sort_unstable();
        let expected = [
            (Severity::Warning, "is a link to nothing; correct or remove it"),
            (Severity::Note, "is a link to a folder that contains it, whose files are read once"),
        ];
        assert_eq!(messages, expected);
    }

    #[test]
    fn no_file_of_a_folder_is_skipped_without_a_word() {
        let folder = tempfile::tempdir().unwrap();
        for name in ["linares.xz", "D.GZ", "list.csv.gz", "notes.md", "mannheim"] {
            std::fs::write(folder.path().join(name), "").unwrap();
        }
        let mut found = Vec::new();
        let files = find(&[folder.path().to_path_buf()], Wanted::Games, &mut found);
        let names: Vec<_> = files.iter().filter_map(|file| file.file_name()).collect();
        assert_eq!(names, ["D.GZ", "linares.xz"], "their content decides");
        let messages: Vec<&str> = found.iter().map(|one| one.message.as_str()).collect();
        assert_eq!(
            messages,
            ["3 files are skipped, because their names do not end in .pgn, .txt, .parquet, .trf, \
              .trfx, .si4, .si5, .cbh or the ending of a packed file, or a table is not a crosstable: \
              list.csv.gz, mannheim, notes.md; name a file itself to read it"]
        );
    }
}
