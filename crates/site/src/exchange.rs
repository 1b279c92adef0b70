//! Exchanges a new archive for the old one, and clears what earlier builds left next to it.

use std::collections::BTreeSet;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use walkdir::WalkDir;

use super::errors::PublishError;
use super::mark;
use super::unfinished::{
    SUFFIX, UNFINISHED, UNFINISHED_TEXT, failed, is_barely_begun, is_unfinished, lock, make,
    random_suffix, remove_unfinished, sibling,
};

/// The name of the list of the archive's own files. All other files in its folder are foreign.
pub(super) const MANIFEST: &str = "greatness-archive.files";

/// Exchanges the new folder for the old one, moves foreign files to it, and removes the old one.
///
/// If the system supports atomic exchange, there is an archive at the target at every moment.
///
/// Returns the foreign files that could not be moved, and the old archive if it could not be
/// removed.
pub(super) fn swap(
    new: &Path,
    out: &Path,
) -> Result<(Vec<PathBuf>, Option<PathBuf>), PublishError> {
    if let Some(parent) = out.parent().filter(|parent| !parent.as_os_str().is_empty()) {
        make(parent)?;
    }
    // The rename fails if another build publishes its archive there in the meantime.
    if !out.exists() && fs::rename(new, out).is_ok() {
        return Ok((Vec::new(), None));
    }
    let old = match exchange(new, out) {
        Ok(()) => new.to_owned(),
        Err(_) => {
            let old = sibling(out, &format!("old-{}", random_suffix()));
            rename(out, &old)?;
            if let Err(error) = rename(new, out) {
                // Restore the old archive.
                rename(&old, out)?;
                return Err(error);
            }
            old
        }
    };
    // The new archive is published, even if the old one cannot be removed.
    let left = keep_foreign(&old, out);
    let mut not_removed = None;
    if left.is_empty() {
        let _ = fs::write(old.join(UNFINISHED), UNFINISHED_TEXT);
        if remove_unfinished(&old).is_err() {
            not_removed = Some(old);
        }
    }
    Ok((left, not_removed))
}

/// Removes the folders of builds that were killed: unfinished folders, and archives that were
/// being exchanged or had been replaced.
///
/// Foreign files in such an archive move back to the published one. If there is no published
/// archive, a complete one takes its place. Folders that cannot be removed stay, and do no harm.
pub(super) fn clear(out: &Path) {
    for left in left_behind(out) {
        // Locking fails if the build is still running. It also keeps other builds from clearing the
        // folder at the same time.
        let Ok(_lock) = lock(&left) else { continue };
        let is_whole = mark::is_archive(&left) && !is_unfinished(&left);
        if is_whole && !out.exists() {
            let _ = fs::rename(&left, out);
            continue;
        }
        if is_barely_begun(&left) {
            // Removes at most the beginning of a mark, even if other files appear now.
            let _ = fs::remove_file(left.join(UNFINISHED));
            let _ = fs::remove_dir(&left);
        } else if !is_whole || keep_foreign(&left, out).is_empty() {
            let _ = remove_unfinished(&left);
        }
    }
}

/// Whether a folder is an archive that may be replaced. It must have the list of its files, since
/// foreign files cannot be recognised without it.
pub(super) fn may_be_replaced(folder: &Path) -> bool {
    mark::is_archive(folder) && folder.join(MANIFEST).is_file()
}

/// The files of an archive, relative to its folder; `None` without a list.
fn manifest(folder: &Path) -> Option<BTreeSet<String>> {
    let text = fs::read_to_string(folder.join(MANIFEST)).ok()?;
    Some(text.lines().map(str::to_owned).collect())
}

/// Moves foreign files from the old folder to the new one: a `CNAME`, a `.git`, notes next to our
/// tables. If the new archive has a file of that name, `.kept` is appended to the foreign file's
/// name.
///
/// Returns the files that could not be moved.
fn keep_foreign(old: &Path, out: &Path) -> Vec<PathBuf> {
    // Without the list, any file may be foreign, so all stay where they are.
    let Some(ours) = manifest(old) else { return vec![old.to_owned()] };
    // Compare paths, not texts, because separators differ between systems.
    let ours: BTreeSet<&Path> = ours.iter().map(Path::new).collect();
    let folders: BTreeSet<&Path> = ours.iter().flat_map(|file| file.ancestors().skip(1)).collect();
    let mut left = Vec::new();
    let mut entries = WalkDir::new(old).min_depth(1).into_iter();
    while let Some(entry) = entries.next() {
        let entry = match entry {
            Ok(entry) => entry,
            Err(error) => {
                left.extend(error.path().map(Path::to_owned));
                continue;
            }
        };
        let Ok(path) = entry.path().strip_prefix(old) else { continue };
        let is_folder = entry.file_type().is_dir();
        if is_folder && folders.contains(path) {
            continue;
        }
        if ours.contains(path) || path == Path::new(UNFINISHED) {
            continue;
        }
        // A folder without files of ours moves as a whole, unless the new archive has it already.
        let mut place = out.join(path);
        if is_folder && place.is_dir() {
            continue;
        }
        while place.symlink_metadata().is_ok() {
            place.as_mut_os_string().push(".kept");
        }
        let made = place.parent().is_none_or(|parent| fs::create_dir_all(parent).is_ok());
        if !made || fs::rename(entry.path(), &place).is_err() {
            left.push(entry.path().to_owned());
        }
        if is_folder {
            entries.skip_current_dir();
        }
    }
    left
}

/// Lists the folders that builds left next to an archive: unfinished ones and replaced archives.
/// Links are not followed.
fn left_behind(out: &Path) -> Vec<PathBuf> {
    let (Some(parent), Some(name)) = (out.parent(), out.file_name()) else { return Vec::new() };
    let parent = if parent.as_os_str().is_empty() { Path::new(".") } else { parent };
    let entries = fs::read_dir(parent).into_iter().flatten().flatten();
    let name = name.to_string_lossy().into_owned();
    entries
        .filter(|entry| {
            let other = entry.file_name().to_string_lossy().into_owned();
            let suffix = other
                .strip_prefix(&format!("{name}.new-"))
                .or_else(|| other.strip_prefix(&format!("{name}.old-")));
            let is_ours = suffix.is_some_and(|suffix| {
                suffix.len() == SUFFIX && suffix.bytes().all(|byte| byte.is_ascii_hexdigit())
            });
            is_ours
                && entry.file_type().is_ok_and(|kind| kind.is_dir())
                && (is_unfinished(&entry.path())
                    || mark::is_archive(&entry.path())
                    || is_barely_begun(&entry.path()))
        })
        .map(|entry| entry.path())
        .collect()
}

/// Exchanges two folders atomically.
#[cfg(target_os = "linux")]
fn exchange(new: &Path, out: &Path) -> io::Result<()> {
    use rustix::fs::{CWD, RenameFlags, renameat_with};
    Ok(renameat_with(CWD, new, CWD, out, RenameFlags::EXCHANGE)?)
}

/// Fails: other systems have no atomic exchange.
#[cfg(not(target_os = "linux"))]
fn exchange(_: &Path, _: &Path) -> io::Result<()> {
    Err(io::ErrorKind::Unsupported.into())
}

fn rename(from: &Path, to: &Path) -> Result<(), PublishError> {
    fs::rename(from, to).map_err(failed(to))
}
