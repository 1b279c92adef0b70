//! Writing the site: aside first, then swapped in.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use rayon::prelude::*;
use serde::Serialize;
use thiserror::Error;

use super::pages::{self, Site};
use super::templates::{STYLE, render, templates};
use crate::archive::{Archive, ExportError, Progress, write_exports};

/// The file by which a folder is known to be an archive of ours.
const MARK: &str = "greatness-archive.json";

/// Why nothing was published; the old archive stands.
#[derive(Debug, Error)]
pub enum PublishError {
    /// The folder holds something else, which would be lost.
    #[error(
        "{0} is not empty and holds no archive of this program; give another folder, or empty this \
         one yourself"
    )]
    Foreign(String),
    /// A file or folder cannot be written.
    #[error("{path}: cannot be written: {error}")]
    Write {
        /// The file or folder.
        path: String,
        /// Why.
        error: io::Error,
    },
    /// An export cannot be written.
    #[error(transparent)]
    Export(#[from] ExportError),
    /// A template is at fault.
    #[error("a page cannot be rendered: {0}")]
    Template(#[from] tera::Error),
}

/// What the mark says.
#[derive(Serialize)]
struct Mark<'a> {
    program: &'a str,
    version: &'a str,
    counts: &'a crate::archive::Counts,
}

/// Checks, before any work, that a folder may be replaced by an archive: it does not exist, is
/// empty, or is an archive of ours.
///
/// # Errors
///
/// Where it is anything else.
pub fn check_target(out: &Path) -> Result<(), PublishError> {
    let foreign = || PublishError::Foreign(out.display().to_string());
    match fs::read_dir(out) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        Err(error) => Err(PublishError::Write { path: out.display().to_string(), error }),
        Ok(mut entries) => {
            if entries.next().is_none() || out.join(MARK).is_file() {
                Ok(())
            } else {
                Err(foreign())
            }
        }
    }
}

/// Writes pages and exports and swaps them in; how many pages.
///
/// All is written to a folder beside the target first: a run that is killed, or fails, leaves the
/// archive that was published before whole.
///
/// # Errors
///
/// Where something cannot be written, or the target is not ours to replace.
pub fn publish(
    archive: &Archive,
    out: &Path,
    progress: &dyn Progress,
) -> Result<usize, PublishError> {
    check_target(out)?;
    let new = beside(out, "new");
    remove(&new)?;
    let pages = write(archive, &new, progress)?;
    swap(&new, out)?;
    Ok(pages)
}

fn write(archive: &Archive, folder: &Path, progress: &dyn Progress) -> Result<usize, PublishError> {
    for part in ["data", "events", "players"] {
        make(&folder.join(part))?;
    }
    write_exports(archive, &folder.join("data"))?;
    save(&folder.join("style.css"), STYLE)?;
    let mark = Mark {
        program: env!("CARGO_PKG_NAME"),
        version: env!("CARGO_PKG_VERSION"),
        counts: &archive.counts,
    };
    // A struct of numbers and names always serializes.
    save(&folder.join(MARK), &serde_json::to_string_pretty(&mark).unwrap_or_default())?;

    let tera = templates()?;
    let site = Site::of(archive);
    let write = |path: String, html: Result<String, tera::Error>| -> Result<(), PublishError> {
        save(&folder.join(path), &html?)
    };
    write("index.html".into(), render(&tera, "front.html", &pages::front(&site)))?;
    write("greatness.html".into(), render(&tera, "greatness.html", &pages::greatness(&site)))?;
    write("tournaments.html".into(), render(&tera, "strength.html", &pages::strength(&site)))?;
    write("events.html".into(), render(&tera, "events.html", &pages::events(&site)))?;
    write("players.html".into(), render(&tera, "players.html", &pages::players(&site)))?;
    write("review.html".into(), render(&tera, "review.html", &pages::review(&site)))?;
    archive.records.par_iter().enumerate().try_for_each(|(index, record)| {
        let html = render(&tera, "event.html", &pages::event(&site, index));
        write(format!("events/{}.html", record.event.id), html)?;
        progress.advance(1);
        Ok::<(), PublishError>(())
    })?;
    archive.player_rows.par_iter().try_for_each(|row| {
        let html = render(&tera, "player.html", &pages::player(&site, row));
        write(format!("players/{}.html", archive.players.get(row.player).id), html)
    })?;
    Ok(6 + archive.records.len() + archive.player_rows.len())
}

/// Puts the new folder in the place of the old one.
fn swap(new: &Path, out: &Path) -> Result<(), PublishError> {
    if let Some(parent) = out.parent().filter(|parent| !parent.as_os_str().is_empty()) {
        make(parent)?;
    }
    let old = beside(out, "old");
    remove(&old)?;
    if out.exists() {
        rename(out, &old)?;
    }
    if let Err(error) = rename(new, out) {
        // What was published before goes back to its place.
        if old.exists() {
            rename(&old, out)?;
        }
        return Err(error);
    }
    remove(&old)
}

/// `archive.new` beside `archive`.
fn beside(out: &Path, suffix: &str) -> PathBuf {
    let mut name = out.file_name().unwrap_or_default().to_os_string();
    name.push(".");
    name.push(suffix);
    out.with_file_name(name)
}

fn failed(path: &Path) -> impl FnOnce(io::Error) -> PublishError {
    let path = path.display().to_string();
    move |error| PublishError::Write { path, error }
}

fn make(folder: &Path) -> Result<(), PublishError> {
    fs::create_dir_all(folder).map_err(failed(folder))
}

fn save(path: &Path, text: &str) -> Result<(), PublishError> {
    fs::write(path, text).map_err(failed(path))
}

fn rename(from: &Path, to: &Path) -> Result<(), PublishError> {
    fs::rename(from, to).map_err(failed(to))
}

/// Removes a folder of ours that an earlier run left.
fn remove(folder: &Path) -> Result<(), PublishError> {
    match fs::remove_dir_all(folder) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => {
            Err(PublishError::Write { path: folder.display().to_string(), error })
        }
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_with_something_else_in_it_is_never_replaced() {
        let folder = tempfile::tempdir().unwrap();
        assert!(check_target(folder.path()).is_ok(), "empty");
        assert!(check_target(&folder.path().join("new")).is_ok(), "not there");
        fs::write(folder.path().join("thesis.txt"), "years of work").unwrap();
        assert!(matches!(check_target(folder.path()), Err(PublishError::Foreign(_))));
        fs::write(folder.path().join(MARK), "{}").unwrap();
        assert!(check_target(folder.path()).is_ok(), "an archive of ours");
    }

    #[test]
    fn the_new_archive_takes_the_place_of_the_old_one() {
        let folder = tempfile::tempdir().unwrap();
        let out = folder.path().join("archive");
        for (path, text) in [(out.clone(), "old"), (beside(&out, "new"), "new")] {
            make(&path).unwrap();
            save(&path.join("index.html"), text).unwrap();
        }
        swap(&beside(&out, "new"), &out).unwrap();
        assert_eq!(fs::read_to_string(out.join("index.html")).unwrap(), "new");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    }
}
