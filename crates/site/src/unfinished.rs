//! Folders that a build is writing: how they are created, marked, locked and recorded.

use std::fs;
use std::hash::{BuildHasher, Hasher, RandomState};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::errors::PublishError;

#[derive(Clone, Debug)]
pub(super) struct CreatedFolder {
    pub path: PathBuf,
    /// Distinguishes it from a folder that takes its path later.
    identity: Option<Identity>,
}

impl CreatedFolder {
    /// Creates a folder with a unique name next to another.
    fn next_to(out: &Path) -> Result<CreatedFolder, PublishError> {
        if let Some(parent) = out.parent().filter(|parent| !parent.as_os_str().is_empty()) {
            make(parent)?;
        }
        for _ in 0..TRIES {
            let path = sibling(out, &format!("new-{}", random_suffix()));
            match fs::create_dir(&path) {
                Ok(()) => return Ok(CreatedFolder { identity: identity(&path), path }),
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
                Err(error) => return Err(failed(&path)(error)),
            }
        }
        Err(failed(out)(io::ErrorKind::AlreadyExists.into()))
    }

    /// Gives the folder another name of its kind, so that other threads can no longer write to it.
    fn moved(self) -> CreatedFolder {
        let path = self.path.with_extension(format!("new-{}", random_suffix()));
        let is_own = identity(&self.path) == self.identity;
        if is_own && fs::rename(&self.path, &path).is_ok() {
            return CreatedFolder { path, ..self };
        }
        self
    }

    /// Removes the folder, if it is still the one at its path.
    pub fn remove(&self) -> io::Result<()> {
        if identity(&self.path) == self.identity {
            remove_unfinished(&self.path)
        } else {
            Err(io::ErrorKind::NotFound.into())
        }
    }
}

/// The device and inode numbers of a folder; zeros on systems other than Unix.
type Identity = (u64, u64);

/// Returns the identity of a folder; `None` of anything else. Links are not followed.
#[cfg(unix)]
fn identity(folder: &Path) -> Option<Identity> {
    use std::os::unix::fs::MetadataExt;
    let found = folder.symlink_metadata().ok().filter(fs::Metadata::is_dir)?;
    Some((found.dev(), found.ino()))
}

/// Returns zeros for a folder; `None` for anything else. Links are not followed.
#[cfg(not(unix))]
fn identity(folder: &Path) -> Option<Identity> {
    folder.symlink_metadata().ok().filter(fs::Metadata::is_dir).map(|_| (0, 0))
}

/// The number of random names to try. In practice the first one is free.
const TRIES: usize = 16;

/// The length (hexadecimal digits) of the suffix in the name of a folder that is being written or
/// was replaced.
pub(super) const SUFFIX: usize = 16;

/// Returns a random suffix, so that builds in different containers or machines use different names.
pub(super) fn random_suffix() -> String {
    format!("{:016x}", RandomState::new().build_hasher().finish())
}

/// The folders that a build is writing and has not published yet.
///
/// Clones share the same record: the build keeps one, and the handler of the signal that stops the
/// build keeps another.
#[derive(Clone, Debug, Default)]
pub struct UnfinishedArchives(Arc<Mutex<Unfinished>>);

/// The shared record of [`UnfinishedArchives`].
#[derive(Debug, Default)]
pub(super) struct Unfinished {
    folders: Vec<CreatedFolder>,
    /// Whether [`UnfinishedArchives::abandon`] was called.
    is_abandoned: bool,
}

impl UnfinishedArchives {
    /// Removes every folder that the build has not published. The caller must then end the process.
    ///
    /// From then on, any thread that would publish or drop a folder of this build waits until the
    /// process exits. So no partial archive is published, and no error about the removed files is
    /// reported.
    pub fn abandon(&self) {
        let mut unfinished = self.lock();
        unfinished.is_abandoned = true;
        for folder in unfinished.folders.drain(..) {
            // If it cannot be removed, the next build removes it.
            let _ = folder.moved().remove();
        }
    }

    /// Records a folder as unfinished.
    fn add(&self, folder: CreatedFolder) {
        self.access().folders.push(folder);
    }

    /// Removes a folder from the record: it is published, or no longer exists.
    pub(super) fn forget(&self, folder: &Path) {
        self.access().forget(folder);
    }

    /// Locks the record. Never returns once the build is abandoned.
    pub(super) fn access(&self) -> MutexGuard<'_, Unfinished> {
        let unfinished = self.lock();
        if unfinished.is_abandoned {
            drop(unfinished);
            loop {
                std::thread::park();
            }
        }
        unfinished
    }

    /// Locks the record, even if the build is abandoned.
    fn lock(&self) -> MutexGuard<'_, Unfinished> {
        // The record is always consistent, even if a thread that held the lock panicked.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Unfinished {
    /// Removes a folder from the record.
    pub fn forget(&mut self, folder: &Path) {
        self.folders.retain(|other| other.path != folder);
    }
}

/// Removes an unfinished folder, its mark last. If the removal is interrupted, the remainder is
/// still marked as unfinished.
pub(super) fn remove_unfinished(folder: &Path) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        if entry.file_name() == UNFINISHED {
            continue;
        }
        if entry.file_type()?.is_dir() {
            fs::remove_dir_all(entry.path())?;
        } else {
            fs::remove_file(entry.path())?;
        }
    }
    fs::remove_dir_all(folder)
}

/// How often a folder is begun, should other builds clear it before it is marked. Judged: two
/// builds that start at the same moment are rare, and three are rarer still.
const ATTEMPTS: usize = 3;

/// Creates, locks and marks a folder next to the archive.
pub(super) fn begun(
    old: &Path,
    unfinished: &UnfinishedArchives,
) -> Result<(CreatedFolder, fs::File), PublishError> {
    for attempt in 1.. {
        let new = CreatedFolder::next_to(old)?;
        unfinished.add(new.clone());
        // Lock the folder before marking it: no build removes a locked folder.
        let locked = lock(&new.path).and_then(|lock| {
            fs::write(new.path.join(UNFINISHED), UNFINISHED_TEXT)?;
            Ok(lock)
        });
        match locked {
            Ok(lock) => return Ok((new, lock)),
            Err(error) => {
                let _ = new.remove();
                unfinished.forget(&new.path);
                if attempt == ATTEMPTS {
                    return Err(PublishError::Lock { path: old.display().to_string(), error });
                }
            }
        }
    }
    unreachable!("the last attempt returns")
}

/// Whether a folder has the mark of an archive that is being written, or that was replaced.
pub(super) fn is_unfinished(folder: &Path) -> bool {
    fs::read(folder.join(UNFINISHED)).is_ok_and(|text| text == UNFINISHED_TEXT)
}

/// Whether a folder is as a build leaves it that is killed before it has marked its folder, or
/// after it has removed all else: empty, or with the beginning of a mark alone.
pub(super) fn is_barely_begun(folder: &Path) -> bool {
    let Ok(entries) = fs::read_dir(folder) else { return false };
    for entry in entries {
        let Ok(entry) = entry else { return false };
        let is_part_of_mark = entry.file_name() == UNFINISHED
            && fs::read(entry.path()).is_ok_and(|text| {
                text.len() < UNFINISHED_TEXT.len() && UNFINISHED_TEXT.starts_with(&text)
            });
        if !is_part_of_mark {
            return false;
        }
    }
    true
}

/// Locks a folder. Fails if another build holds the lock, or if the disk does not support locks.
#[cfg(unix)]
pub(super) fn lock(folder: &Path) -> io::Result<fs::File> {
    let file = fs::File::open(folder)?;
    file.try_lock().map_err(io::Error::from)?;
    Ok(file)
}

/// Locks the mark of a folder, on systems that cannot lock folders.
#[cfg(not(unix))]
pub(super) fn lock(folder: &Path) -> io::Result<fs::File> {
    let mut options = fs::OpenOptions::new();
    let file = options.write(true).create(true).truncate(false).open(folder.join(UNFINISHED))?;
    file.try_lock().map_err(io::Error::from)?;
    Ok(file)
}

/// The name of the mark in a folder that is not yet, or no longer, an archive.
pub(super) const UNFINISHED: &str = "unfinished";

/// The text of the mark, which distinguishes it from other files of that name.
pub(super) const UNFINISHED_TEXT: &[u8] =
    b"An archive that Greatness is writing, or that it replaced.\n";

/// Returns a path next to `out`: `archive.new-17` for `archive` and `new-17`.
pub(super) fn sibling(out: &Path, suffix: &str) -> PathBuf {
    let mut name = out.file_name().unwrap_or_default().to_os_string();
    name.push(".");
    name.push(suffix);
    out.with_file_name(name)
}

/// Returns a function that turns an I/O error into a [`PublishError`] about `path`.
pub(super) fn failed(path: &Path) -> impl FnOnce(io::Error) -> PublishError {
    let path = path.display().to_string();
    move |error| PublishError::Write { path, error }
}

/// Creates a folder and its parents, unless they exist.
pub(super) fn make(folder: &Path) -> Result<(), PublishError> {
    fs::create_dir_all(folder).map_err(failed(folder))
}
