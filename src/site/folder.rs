//! The folder of an archive: written aside, what did not change taken over, swapped in as a whole.

use std::fs;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};

use super::publish::PublishError;

/// A folder that is being written beside the one that it will replace.
#[derive(Debug)]
pub(super) struct Folder {
    new: PathBuf,
    old: PathBuf,
    has_old: bool,
    written: AtomicUsize,
    kept: AtomicUsize,
}

/// What became of the files.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Published {
    /// Pages of the site.
    pub pages: usize,
    /// Files that were written, new or changed.
    pub written: usize,
    /// Files that are as they were.
    pub kept: usize,
}

impl Folder {
    /// Begins a new folder; what an earlier run left of one is removed.
    pub fn begin(out: &Path) -> Result<Folder, PublishError> {
        let new = beside(out, "new");
        remove(&new)?;
        make(&new)?;
        let (written, kept) = (AtomicUsize::new(0), AtomicUsize::new(0));
        Ok(Folder { new, old: out.to_owned(), has_old: out.is_dir(), written, kept })
    }

    /// A folder inside of it.
    pub fn make(&self, part: &str) -> Result<PathBuf, PublishError> {
        let path = self.new.join(part);
        make(&path)?;
        Ok(path)
    }

    /// Writes a file. One that is there already, byte for byte, is the same file on the disk afterwards, with
    /// its times.
    pub fn save(&self, path: &str, bytes: &[u8]) -> Result<(), PublishError> {
        let new = self.new.join(path);
        if self.has_old {
            let old = self.old.join(path);
            // Where a disk has no links, the file is written again.
            if is_same(&old, bytes) && fs::hard_link(&old, &new).is_ok() {
                self.kept.fetch_add(1, Ordering::Relaxed);
                return Ok(());
            }
        }
        self.written.fetch_add(1, Ordering::Relaxed);
        fs::write(&new, bytes).map_err(failed(&new))
    }

    /// Takes over what another part of the program wrote into a folder inside, file by file.
    pub fn settle(&self, part: &str) -> Result<(), PublishError> {
        let folder = self.new.join(part);
        let entries = fs::read_dir(&folder).map_err(failed(&folder))?;
        for entry in entries {
            let path = entry.map_err(failed(&folder))?.path();
            if !path.is_file() {
                continue;
            }
            let name = path.file_name().unwrap_or_default();
            let old = self.old.join(part).join(name);
            let is_kept = self.has_old
                && fs::read(&path).is_ok_and(|bytes| is_same(&old, &bytes))
                && fs::remove_file(&path).and_then(|()| fs::hard_link(&old, &path)).is_ok();
            let counter = if is_kept { &self.kept } else { &self.written };
            counter.fetch_add(1, Ordering::Relaxed);
        }
        Ok(())
    }

    /// Puts the new folder in the place of the old one.
    pub fn swap(self, pages: usize) -> Result<Published, PublishError> {
        swap(&self.new, &self.old)?;
        Ok(Published { pages, written: self.written.into_inner(), kept: self.kept.into_inner() })
    }
}

/// Whether a file holds just these bytes.
fn is_same(path: &Path, bytes: &[u8]) -> bool {
    let Ok(mut file) = fs::File::open(path) else { return false };
    let is_as_long =
        file.metadata().is_ok_and(|found| found.is_file() && found.len() == bytes.len() as u64);
    if !is_as_long {
        return false;
    }
    let mut piece = [0; 16 * 1024];
    let mut rest = bytes;
    loop {
        match file.read(&mut piece) {
            Ok(0) => return rest.is_empty(),
            Ok(read) if rest.starts_with(&piece[..read]) => rest = &rest[read..],
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            _ => return false,
        }
    }
}

/// At no moment is there no archive in its place, where the system can exchange two folders.
fn swap(new: &Path, out: &Path) -> Result<(), PublishError> {
    if let Some(parent) = out.parent().filter(|parent| !parent.as_os_str().is_empty()) {
        make(parent)?;
    }
    if !out.exists() {
        return rename(new, out);
    }
    if exchange(new, out).is_ok() {
        return remove(new);
    }
    let old = beside(out, "old");
    remove(&old)?;
    rename(out, &old)?;
    if let Err(error) = rename(new, out) {
        // What was published before goes back to its place.
        rename(&old, out)?;
        return Err(error);
    }
    remove(&old)
}

#[cfg(target_os = "linux")]
fn exchange(new: &Path, out: &Path) -> io::Result<()> {
    use rustix::fs::{CWD, RenameFlags, renameat_with};
    Ok(renameat_with(CWD, new, CWD, out, RenameFlags::EXCHANGE)?)
}

#[cfg(not(target_os = "linux"))]
fn exchange(_: &Path, _: &Path) -> io::Result<()> {
    Err(io::ErrorKind::Unsupported.into())
}

/// `archive.new` beside `archive`.
fn beside(out: &Path, suffix: &str) -> PathBuf {
    // `.` and `reports/..` have no name of their own.
    let out = match out.file_name() {
        Some(_) => out.to_owned(),
        None => out.canonicalize().unwrap_or_else(|_| out.to_owned()),
    };
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

fn rename(from: &Path, to: &Path) -> Result<(), PublishError> {
    fs::rename(from, to).map_err(failed(to))
}

/// Removes a folder of ours that an earlier run left.
fn remove(folder: &Path) -> Result<(), PublishError> {
    match fs::remove_dir_all(folder) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(failed(folder)(error)),
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn publish(out: &Path, files: &[(&str, &str)]) -> Published {
        let folder = Folder::begin(out).unwrap();
        folder.make("events").unwrap();
        for (path, text) in files {
            folder.save(path, text.as_bytes()).unwrap();
        }
        folder.swap(files.len()).unwrap()
    }

    #[test]
    fn the_new_archive_takes_the_place_of_the_old_one_with_what_did_not_change() {
        let parent = tempfile::tempdir().unwrap();
        let out = parent.path().join("archive");
        let first =
            publish(&out, &[("index.html", "one"), ("events/a.html", "a"), ("gone.html", "x")]);
        assert_eq!((first.written, first.kept), (3, 0));
        let time = fs::metadata(out.join("events/a.html")).unwrap().modified().unwrap();
        let second = publish(&out, &[("index.html", "two"), ("events/a.html", "a")]);
        assert_eq!((second.written, second.kept), (1, 1));
        assert_eq!(fs::read_to_string(out.join("index.html")).unwrap(), "two");
        assert_eq!(fs::metadata(out.join("events/a.html")).unwrap().modified().unwrap(), time);
        assert!(!out.join("gone.html").exists());
        assert_eq!(fs::read_dir(parent.path()).unwrap().count(), 1, "nothing is left beside it");
    }

    #[test]
    fn a_run_that_does_not_end_leaves_what_was_published() {
        let parent = tempfile::tempdir().unwrap();
        let out = parent.path().join("archive");
        publish(&out, &[("index.html", "one")]);
        let folder = Folder::begin(&out).unwrap();
        folder.save("index.html", b"half").unwrap();
        drop(folder);
        assert_eq!(fs::read_to_string(out.join("index.html")).unwrap(), "one");
        publish(&out, &[("index.html", "three")]);
        assert_eq!(fs::read_to_string(out.join("index.html")).unwrap(), "three");
        assert_eq!(fs::read_dir(parent.path()).unwrap().count(), 1);
    }
}
