//! Publishes an archive by exchanging complete folders.
//!
//! A build writes to a new folder, links the files that did not change, and then exchanges the new
//! folder for the old one. On Linux the exchange is atomic, if the file system supports that.

use std::collections::BTreeSet;
use std::fs::{self, OpenOptions};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use walkdir::WalkDir;

use super::errors::PublishError;
use super::exchange::{MANIFEST, clear, swap};
use super::size::ArchiveSize;
use super::unfinished::{CreatedFolder, UNFINISHED, UnfinishedArchives, begun, failed};
use archive::content_hash;

/// A folder that is being written next to the one that it will replace.
#[derive(Debug)]
pub(super) struct Folder {
    new: CreatedFolder,
    /// The build's record of unfinished folders, which lists this one until it is published.
    unfinished: UnfinishedArchives,
    /// The folder that the new one will replace, with links resolved.
    old: PathBuf,
    /// Whether that folder existed at the beginning.
    has_old: bool,
    /// Number of files that were written, new or changed.
    written: AtomicUsize,
    /// Number of files that did not change.
    kept: AtomicUsize,
    /// Every file that belongs to the new archive, relative to its folder.
    files: Mutex<BTreeSet<String>>,
    /// The folders inside it that were created for files.
    made: Mutex<BTreeSet<String>>,
    /// Held until the archive is published, so that other builds do not remove the folder.
    lock: Option<fs::File>,
    is_published: bool,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Published {
    pub pages: usize,
    /// Number of files that were written, new or changed.
    pub written: usize,
    /// Number of files that did not change.
    pub kept: usize,
    pub size: ArchiveSize,
    /// Foreign files that could not be moved to the new archive. They are still in the old folder,
    /// next to the new one.
    pub left: Vec<PathBuf>,
    /// The old archive, if it could not be removed, for example because another user owns it.
    pub old: Option<PathBuf>,
}

impl Folder {
    /// Begins a new folder, and clears what earlier builds left next to the archive.
    ///
    /// Folders of builds that are still running are locked and stay. Two builds at once do not
    /// conflict, since each writes to its own folder.
    ///
    /// # Errors
    ///
    /// Returns an error if the folder cannot be created, marked or locked.
    pub fn begin(out: &Path, unfinished: &UnfinishedArchives) -> Result<Folder, PublishError> {
        // If the archive's path is a link, exchange the link's target.
        let old = out.canonicalize().unwrap_or_else(|_| out.to_owned());
        clear(&old);
        let (new, lock) = begun(&old, unfinished)?;
        let (written, kept) = (AtomicUsize::new(0), AtomicUsize::new(0));
        Ok(Folder {
            new,
            unfinished: unfinished.clone(),
            has_old: old.is_dir(),
            old,
            written,
            kept,
            files: Mutex::default(),
            made: Mutex::default(),
            lock: Some(lock),
            is_published: false,
        })
    }

    /// Adds a file, relative to the folder, to the list of the archive's own files.
    fn owns(&self, path: String) {
        if let Ok(mut files) = self.files.lock() {
            files.insert(path);
        }
    }

    /// The place of a file, whose folder is created with its first file.
    fn place_of(&self, path: &str) -> Result<PathBuf, PublishError> {
        if let Some((part, _)) = path.rsplit_once('/')
            && let Ok(mut made) = self.made.lock()
            && !made.contains(part)
        {
            self.make(part)?;
            made.insert(part.to_owned());
        }
        Ok(self.new.path.join(path))
    }

    /// Creates a folder inside the archive. The folder of the archive itself is never created
    /// again, because a build that is stopped removes it.
    pub fn make(&self, part: &str) -> Result<PathBuf, PublishError> {
        let mut path = self.new.path.clone();
        for name in Path::new(part) {
            path.push(name);
            match fs::create_dir(&path) {
                Err(error) if error.kind() != io::ErrorKind::AlreadyExists => {
                    return Err(failed(&path)(error));
                }
                _ => {}
            }
        }
        Ok(path)
    }

    /// Writes a file at `path`, relative to the folder.
    ///
    /// If the old archive has the file with the same bytes, that file is linked instead, and so
    /// keeps its times.
    ///
    /// # Errors
    ///
    /// Returns an error if the file cannot be written, or exists already.
    pub fn save(&self, path: &str, bytes: &[u8]) -> Result<(), PublishError> {
        self.owns(path.to_owned());
        let new = self.place_of(path)?;
        if self.has_old {
            let old = self.old.join(path);
            // If the disk does not support hard links, write the file again.
            if is_same(&old, bytes) && fs::hard_link(&old, &new).is_ok() {
                self.kept.fetch_add(1, Ordering::Relaxed);
                return Ok(());
            }
        }
        self.written.fetch_add(1, Ordering::Relaxed);
        // Never overwrite: an existing file may be linked to the published archive.
        let created = OpenOptions::new().write(true).create_new(true).open(&new);
        created.and_then(|mut file| file.write_all(bytes)).map_err(failed(&new))
    }

    /// Links a file of the old archive, at the same path, if its content has this hash. Returns
    /// whether it did.
    pub fn keep(&self, path: &str, content: u64) -> bool {
        let Ok(new) = self.place_of(path) else { return false };
        let old = self.old.join(path);
        let is_kept = self.has_old
            && fs::read(&old).is_ok_and(|bytes| content_hash(&bytes) == content)
            && fs::hard_link(&old, &new).is_ok();
        if is_kept {
            self.owns(path.to_owned());
            self.kept.fetch_add(1, Ordering::Relaxed);
        }
        is_kept
    }

    /// Adds the files that another part of the program wrote to a folder of the archive.
    ///
    /// Files that did not change are replaced by links, as in [`save`](Folder::save).
    ///
    /// # Errors
    ///
    /// Returns an error if the folder cannot be listed.
    pub fn settle(&self, part: &str) -> Result<(), PublishError> {
        let folder = self.new.path.join(part);
        let entries = fs::read_dir(&folder).map_err(failed(&folder))?;
        for entry in entries {
            let path = entry.map_err(failed(&folder))?.path();
            if !path.is_file() {
                continue;
            }
            let name = path.file_name().unwrap_or_default();
            self.owns(format!("{part}/{}", name.to_string_lossy()));
            let old = self.old.join(part).join(name);
            // Link under another name first. If the disk has no hard links, the new file stays.
            let linked = folder.join("linked.tmp");
            let is_kept = self.has_old
                && fs::read(&path).is_ok_and(|bytes| is_same(&old, &bytes))
                && fs::hard_link(&old, &linked).is_ok()
                && replaced(&linked, &path);
            let counter = if is_kept { &self.kept } else { &self.written };
            counter.fetch_add(1, Ordering::Relaxed);
        }
        Ok(())
    }

    /// Waits until all files are on the disk.
    pub fn sync(&self) -> Result<(), PublishError> {
        let is_small = self.written.load(Ordering::Relaxed) <= SYNCED_ONE_BY_ONE;
        let sync = if is_small { sync_written } else { sync_all };
        sync(&self.new.path).map_err(failed(&self.new.path))
    }

    /// Publishes the archive: writes the list of its files, and exchanges the new folder for the
    /// old one. `pages` is the number of pages.
    ///
    /// # Errors
    ///
    /// Returns an error if the list cannot be written, the mark cannot be removed, or a folder
    /// cannot be renamed. The old archive then stays, unless restoring it fails too.
    pub fn swap(mut self, pages: usize) -> Result<Published, PublishError> {
        self.owns(MANIFEST.to_owned());
        let files = self.files.lock().map(|files| files.clone()).unwrap_or_default();
        let manifest = files.iter().fold(String::new(), |text, path| text + path + "\n");
        self.save(MANIFEST, manifest.as_bytes())?;
        let size =
            ArchiveSize::of_files(&self.new.path, files.iter()).map_err(failed(&self.new.path))?;
        let mark = self.new.path.join(UNFINISHED);
        {
            // From here on, a stopped build must not remove the folder: it is complete, and may be
            // the published archive.
            let mut unfinished = self.unfinished.access();
            fs::remove_file(&mark).map_err(failed(&mark))?;
            unfinished.forget(&self.new.path);
        }
        // Systems other than Unix may be unable to rename an open folder.
        #[cfg(not(unix))]
        drop(self.lock.take());
        let (left, old) = swap(&self.new.path, &self.old)?;
        self.is_published = true;
        drop(self.lock.take());
        // An error here does no harm: if a power cut undoes the exchange, the old archive is still
        // complete.
        let _ = self.old.parent().map(sync_folder);
        let [written, kept] =
            [&self.written, &self.kept].map(|counter| counter.load(Ordering::Relaxed));
        Ok(Published { pages, written, kept, size, left, old })
    }
}

/// Gives a link the place of a file. If that fails, the file stays, and the link is removed.
fn replaced(link: &Path, file: &Path) -> bool {
    let is_replaced = fs::rename(link, file).is_ok();
    if !is_replaced {
        let _ = fs::remove_file(link);
    }
    is_replaced
}

/// Removes the folder of a build that failed.
impl Drop for Folder {
    fn drop(&mut self) {
        if !self.is_published {
            let _ = self.new.remove();
        }
        self.unfinished.forget(&self.new.path);
    }
}

/// Most written files that are flushed one by one. Measured: flushing one takes some milliseconds,
/// flushing a file system a second or more if other programs write to it.
const SYNCED_ONE_BY_ONE: usize = 1000;

/// Flushes the files in a folder that this build wrote, and the folders. Files of the old archive
/// have a second link, and are on the disk.
fn sync_written(folder: &Path) -> io::Result<()> {
    for entry in WalkDir::new(folder) {
        let entry = entry?;
        if entry.file_type().is_dir() {
            sync_folder(entry.path())?;
        } else if !is_linked(&entry.metadata()?) {
            fs::File::open(entry.path())?.sync_all()?;
        }
    }
    Ok(())
}

#[cfg(unix)]
fn is_linked(found: &fs::Metadata) -> bool {
    std::os::unix::fs::MetadataExt::nlink(found) > 1
}

#[cfg(not(unix))]
fn is_linked(_: &fs::Metadata) -> bool {
    false
}

/// Flushes the file system that contains a folder.
#[cfg(target_os = "linux")]
fn sync_all(folder: &Path) -> io::Result<()> {
    Ok(rustix::fs::syncfs(fs::File::open(folder)?)?)
}

/// Flushes every file in a folder.
#[cfg(not(target_os = "linux"))]
fn sync_all(folder: &Path) -> io::Result<()> {
    for entry in WalkDir::new(folder) {
        let entry = entry?;
        if entry.file_type().is_file() {
            fs::File::open(entry.path())?.sync_all()?;
        }
    }
    Ok(())
}

/// Flushes a folder's list of entries.
fn sync_folder(folder: &Path) -> io::Result<()> {
    let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
    fs::File::open(folder)?.sync_all()
}

/// Whether a file consists of exactly these bytes.
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mark;
    use crate::unfinished::{UNFINISHED_TEXT, lock};
    use archive::GameCounts;

    fn publish(out: &Path, files: &[(&str, &str)]) -> Published {
        let folder = Folder::begin(out, &UnfinishedArchives::default()).unwrap();
        for (path, text) in files {
            folder.save(path, text.as_bytes()).unwrap();
        }
        folder.save(mark::MARK, mark::text(&GameCounts::default()).as_bytes()).unwrap();
        folder.swap(files.len()).unwrap()
    }

    #[test]
    fn a_new_archive_replaces_the_old_one_and_keeps_unchanged_files() {
        let parent = tempfile::tempdir().unwrap();
        let out = parent.path().join("archive");
        let first =
            publish(&out, &[("index.html", "one"), ("events/a.html", "a"), ("gone.html", "x")]);
        assert_eq!((first.written, first.kept), (5, 0));
        let time = fs::metadata(out.join("events/a.html")).unwrap().modified().unwrap();
        let second = publish(&out, &[("index.html", "two"), ("events/a.html", "a")]);
        assert_eq!((second.written, second.kept), (2, 2));
        assert_eq!(fs::read_to_string(out.join("index.html")).unwrap(), "two");
        assert_eq!(fs::metadata(out.join("events/a.html")).unwrap().modified().unwrap(), time);
        assert!(!out.join("gone.html").exists());
        assert_eq!(fs::read_dir(parent.path()).unwrap().count(), 1, "nothing is left next to it");
    }

    #[test]
    fn a_link_that_cannot_take_the_place_of_a_file_is_removed() {
        let folder = tempfile::tempdir().unwrap();
        let [link, file] = ["linked.tmp", "file"].map(|name| folder.path().join(name));
        fs::write(&link, "old").unwrap();
        fs::create_dir_all(file.join("not a file")).unwrap();
        assert!(!replaced(&link, &file));
        assert!(!link.exists() && file.is_dir());
    }

    #[test]
    fn foreign_files_in_the_archive_and_next_to_it_stay() {
        let parent = tempfile::tempdir().unwrap();
        let out = parent.path().join("archive");
        publish(&out, &[("index.html", "one"), ("old.html", "ours")]);
        fs::write(out.join("CNAME"), "example.org").unwrap();
        fs::create_dir(parent.path().join("archive.new")).unwrap();
        publish(&out, &[("index.html", "two")]);
        assert_eq!(fs::read_to_string(out.join("CNAME")).unwrap(), "example.org");
        assert!(!out.join("old.html").exists());
        assert!(parent.path().join("archive.new").is_dir());
    }

    #[test]
    fn foreign_files_stay_in_every_folder_under_any_name() {
        let parent = tempfile::tempdir().unwrap();
        let out = parent.path().join("archive");
        publish(&out, &[("index.html", "one"), ("events/a.html", "a")]);
        let foreign =
            ["google1234.html", "events/my-notes.csv", "notes/deep/a.txt", ".git/HEAD", "new.html"];
        for path in foreign {
            fs::create_dir_all(out.join(path).parent().unwrap()).unwrap();
            fs::write(out.join(path), path).unwrap();
        }
        publish(&out, &[("index.html", "two"), ("new.html", "ours")]);
        for path in &foreign[..4] {
            assert_eq!(fs::read_to_string(out.join(path)).unwrap(), *path);
        }
        assert_eq!(fs::read_to_string(out.join("new.html")).unwrap(), "ours");
        assert_eq!(fs::read_to_string(out.join("new.html.kept")).unwrap(), "new.html");
        assert!(!out.join("events/a.html").exists(), "our old file is gone");
    }

    #[test]
    fn a_killed_exchange_is_cleared_and_foreign_files_are_restored() {
        let parent = tempfile::tempdir().unwrap();
        let out = parent.path().join("archive");
        publish(&out, &[("index.html", "one")]);
        fs::write(out.join("CNAME"), "example.org").unwrap();
        // Simulate a process that was killed right after the exchange.
        let left = parent.path().join("archive.new-00000000ffffffff");
        fs::rename(&out, &left).unwrap();
        publish(&out, &[("index.html", "two")]);
        assert_eq!(fs::read_to_string(out.join("CNAME")).unwrap(), "example.org");
        assert_eq!(fs::read_dir(parent.path()).unwrap().count(), 1);
    }

    #[test]
    fn the_folder_of_another_running_build_stays() {
        let parent = tempfile::tempdir().unwrap();
        let out = parent.path().join("archive");
        let other = parent.path().join("archive.new-00000000ffffffff");
        fs::create_dir(&other).unwrap();
        fs::write(other.join(UNFINISHED), UNFINISHED_TEXT).unwrap();
        let held = lock(&other).unwrap();
        publish(&out, &[("index.html", "one")]);
        assert!(other.is_dir(), "the run has not ended");
        drop(held);
        publish(&out, &[("index.html", "two")]);
        assert!(!other.exists(), "the run has ended, and its folder is cleared");
    }

    #[test]
    fn foreign_folders_are_neither_changed_nor_removed_under_any_name() {
        let parent = tempfile::tempdir().unwrap();
        let out = parent.path().join("archive");
        let names = ["archive.new-1", "archive.new-00000000ffffffff", "archive.old-2024"];
        let theirs = names.map(|name| parent.path().join(name));
        for folder in &theirs {
            fs::create_dir(folder).unwrap();
            fs::write(folder.join(UNFINISHED), "a novel").unwrap();
        }
        publish(&out, &[("index.html", "one")]);
        for folder in &theirs {
            assert_eq!(fs::read_to_string(folder.join(UNFINISHED)).unwrap(), "a novel");
        }
        assert_eq!(fs::read_dir(parent.path()).unwrap().count(), 4);
    }

    #[test]
    fn a_folder_that_was_not_yet_marked_is_cleared() {
        let parent = tempfile::tempdir().unwrap();
        let out = parent.path().join("archive");
        let begun = ["archive.new-00000000ffffffff", "archive.new-00000000eeeeeeee"];
        for name in begun {
            fs::create_dir(parent.path().join(name)).unwrap();
        }
        fs::write(parent.path().join(begun[1]).join(UNFINISHED), &UNFINISHED_TEXT[..9]).unwrap();
        publish(&out, &[("index.html", "one")]);
        assert_eq!(fs::read_dir(parent.path()).unwrap().count(), 1);
    }

    #[cfg(unix)]
    #[test]
    fn the_target_of_a_link_with_such_a_name_stays() {
        let parent = tempfile::tempdir().unwrap();
        let (out, elsewhere) = (parent.path().join("archive"), tempfile::tempdir().unwrap());
        fs::write(elsewhere.path().join(UNFINISHED), UNFINISHED_TEXT).unwrap();
        let link = parent.path().join("archive.new-00000000ffffffff");
        std::os::unix::fs::symlink(elsewhere.path(), &link).unwrap();
        publish(&out, &[("index.html", "one")]);
        assert!(elsewhere.path().join(UNFINISHED).is_file());
        assert!(link.symlink_metadata().unwrap().is_symlink());
    }

    #[test]
    fn a_folder_that_took_the_place_of_ours_is_not_removed() {
        let parent = tempfile::tempdir().unwrap();
        let folder =
            Folder::begin(&parent.path().join("archive"), &UnfinishedArchives::default()).unwrap();
        let (path, moved) = (folder.new.path.clone(), parent.path().join("moved"));
        fs::rename(&path, &moved).unwrap();
        fs::create_dir(&path).unwrap();
        fs::write(path.join("theirs"), "").unwrap();
        drop(folder);
        assert!(path.join("theirs").is_file());
    }

    #[test]
    fn archives_written_at_the_same_time_are_each_complete() {
        let parent = tempfile::tempdir().unwrap();
        let out = parent.path().join("archive");
        std::thread::scope(|scope| {
            for writer in 0..4 {
                let out = &out;
                scope.spawn(move || {
                    for turn in 0..25 {
                        let text = format!("{writer} {turn}");
                        publish(out, &[("index.html", &text), ("events/a.html", &text)]);
                        let _ = fs::read_to_string(out.join("index.html")).unwrap();
                    }
                });
            }
        });
        let of = |file: &str| fs::read_to_string(out.join(file)).unwrap();
        assert_eq!(of("index.html"), of("events/a.html"));
        assert_eq!(of(MANIFEST).lines().count(), 4);
        assert_eq!(fs::read_dir(parent.path()).unwrap().count(), 1, "nothing is left next to it");
    }

    #[test]
    fn a_run_that_fails_leaves_nothing_on_the_disk() {
        let parent = tempfile::tempdir().unwrap();
        let folder =
            Folder::begin(&parent.path().join("archive"), &UnfinishedArchives::default()).unwrap();
        folder.save("index.html", b"half").unwrap();
        drop(folder);
        assert_eq!(fs::read_dir(parent.path()).unwrap().count(), 0);
    }

    #[test]
    fn an_abandoned_run_leaves_nothing_and_publishes_nothing() {
        let parent = tempfile::tempdir().unwrap();
        let out = parent.path().join("archive");
        let unfinished = UnfinishedArchives::default();
        let folder = Folder::begin(&out, &unfinished).unwrap();
        folder.save("index.html", b"half").unwrap();
        unfinished.abandon();
        assert_eq!(fs::read_dir(parent.path()).unwrap().count(), 0);
        let (sender, receiver) = std::sync::mpsc::channel();
        std::thread::spawn(move || {
            drop(folder);
            let _ = sender.send(());
        });
        let wait = std::time::Duration::from_millis(200);
        assert!(receiver.recv_timeout(wait).is_err(), "waits until the process exits");
    }

    #[cfg(unix)]
    #[test]
    fn a_link_to_the_archive_stays_a_link() {
        let parent = tempfile::tempdir().unwrap();
        let (real, link) = (parent.path().join("real"), parent.path().join("link"));
        publish(&real, &[("index.html", "one")]);
        std::os::unix::fs::symlink(&real, &link).unwrap();
        publish(&link, &[("index.html", "two")]);
        assert!(link.symlink_metadata().unwrap().is_symlink());
        assert_eq!(fs::read_to_string(real.join("index.html")).unwrap(), "two");
    }

    #[test]
    fn a_killed_run_leaves_the_published_archive() {
        let parent = tempfile::tempdir().unwrap();
        let out = parent.path().join("archive");
        publish(&out, &[("index.html", "one")]);
        let mut folder = Folder::begin(&out, &UnfinishedArchives::default()).unwrap();
        folder.save("index.html", b"half").unwrap();
        assert!(folder.save("index.html", b"twice").is_err(), "no file is overwritten");
        // Simulate a killed process.
        drop(folder.lock.take());
        std::mem::forget(folder);
        assert_eq!(fs::read_to_string(out.join("index.html")).unwrap(), "one");
        publish(&out, &[("index.html", "three")]);
        assert_eq!(fs::read_to_string(out.join("index.html")).unwrap(), "three");
        assert_eq!(fs::read_dir(parent.path()).unwrap().count(), 1);
    }
}
