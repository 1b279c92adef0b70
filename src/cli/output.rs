//! Writes the output of commands: lines on standard output, and files.

use std::fmt::Arguments;
use std::fs::TryLockError;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};

use anyhow::{Context, bail};
use tempfile::NamedTempFile;

use super::logging;
use crate::archive::Settings;
pub(super) use crate::archive::counted;
use crate::source::{Wanted, find};

/// Whether a line could not be written, for example because the disk is full.
static FAILED: AtomicBool = AtomicBool::new(false);

/// Prints a line on standard output. A closed reader (`| head`) does not stop the work. Any other
/// failure makes the program fail at its end.
pub(super) fn print(line: Arguments<'_>) {
    if let Err(error) = writeln!(io::stdout().lock(), "{}", logging::harmless(&line.to_string()))
        && error.kind() != io::ErrorKind::BrokenPipe
        && !FAILED.swap(true, Ordering::Relaxed)
    {
        logging::fail(&anyhow::Error::new(error).context("cannot write to standard output"));
    }
}

/// Prints a line as `println!` does, but without its panic where the reader has closed.
macro_rules! outln {
    ($($parts:tt)*) => {
        $crate::cli::output::print(format_args!($($parts)*))
    };
}
pub(super) use outln;

/// Whether all lines reached standard output, or its reader closed.
pub(super) fn is_whole() -> bool {
    !FAILED.load(Ordering::Relaxed)
}

/// Writes a file under a temporary name and renames it when it is complete. A failure leaves the
/// previous file unchanged.
///
/// # Errors
///
/// Returns an error if the file cannot be written, or if `write` fails.
pub(super) fn write_atomically<T>(
    path: &Path,
    write: impl FnOnce(&Path) -> anyhow::Result<T>,
) -> anyhow::Result<T> {
    write_and_rename(path, write).with_context(|| format!("cannot write {}", path.display()))
}

/// Does the work of [`write_atomically`]. Its errors do not name the file.
fn write_and_rename<T>(
    path: &Path,
    write: impl FnOnce(&Path) -> anyhow::Result<T>,
) -> anyhow::Result<T> {
    let real = path.canonicalize().unwrap_or_else(|_| path.to_owned());
    if real.exists() && !real.is_file() {
        // The target is a device or a pipe.
        return write(path);
    }
    if real.is_symlink() {
        bail!("it is a link, and its target does not exist");
    }
    let folder = match real.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    };
    if !folder.is_dir() {
        bail!("there is no folder {}", folder.display());
    }
    clear_unfinished(folder);
    let mut temporary = tempfile::Builder::new();
    temporary.prefix(UNFINISHED);
    #[cfg(unix)]
    let permissions = {
        use std::os::unix::fs::PermissionsExt;
        // The mode of the previous file, or that of any new file.
        real.metadata().map_or(std::fs::Permissions::from_mode(0o666), |found| found.permissions())
    };
    #[cfg(unix)]
    temporary.permissions(permissions);
    // The temporary name in the error would mean nothing to the user.
    let temporary = create_locked(|| temporary.tempfile_in(folder))
        .map_err(|error| io::Error::from(error.kind()))?;
    let _begun = UnfinishedFile::at(temporary.path());
    let written = write(temporary.path())?;
    temporary.persist(&real).map_err(|failed| failed.error)?;
    Ok(written)
}

/// The beginning of the names of unfinished files; six letters or digits follow.
const UNFINISHED: &str = ".greatness-unfinished-";

/// Creates a file that stays locked while it is open. The lock shows other processes that the file
/// is in use.
fn create_locked(create: impl Fn() -> io::Result<NamedTempFile>) -> io::Result<NamedTempFile> {
    loop {
        let file = create()?;
        match file.as_file().try_lock() {
            // Another process may have removed the file as a leftover before it was locked.
            Ok(()) if file.path().exists() => return Ok(file),
            Ok(()) | Err(TryLockError::WouldBlock) => {}
            // On a file system without locks, leftovers are never removed either.
            Err(TryLockError::Error(_)) => return Ok(file),
        }
    }
}

/// Removes the unfinished files in a folder whose processes were killed: those with such a name
/// that no process has locked.
fn clear_unfinished(folder: &Path) {
    let Ok(entries) = std::fs::read_dir(folder) else { return };
    for entry in entries.flatten() {
        let name = entry.file_name();
        let letters = name.to_str().and_then(|name| name.strip_prefix(UNFINISHED));
        let is_ours = letters.is_some_and(|letters| {
            letters.len() == 6 && letters.bytes().all(|letter| letter.is_ascii_alphanumeric())
        });
        if !is_ours || !entry.file_type().is_ok_and(|sort| sort.is_file()) {
            continue;
        }
        if let Ok(file) = std::fs::File::open(entry.path())
            && file.try_lock().is_ok()
        {
            let _ = std::fs::remove_file(entry.path());
        }
    }
}

/// The unfinished files of this process.
static BEGUN: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

/// An unfinished file. It is removed where the program is stopped.
struct UnfinishedFile(PathBuf);

impl UnfinishedFile {
    fn at(path: &Path) -> UnfinishedFile {
        // A command that has its own signal handler has already set it.
        let _ = ctrlc::try_set_handler(|| {
            abandon();
            logging::say("stopped; the output file is unchanged");
            std::process::exit(super::STOPPED);
        });
        if let Ok(mut begun) = BEGUN.lock() {
            begun.push(path.to_owned());
        }
        UnfinishedFile(path.to_owned())
    }
}

impl Drop for UnfinishedFile {
    fn drop(&mut self) {
        if let Ok(mut begun) = BEGUN.lock() {
            begun.retain(|path| *path != self.0);
        }
    }
}

/// Removes the unfinished files. The process must end afterwards.
pub(super) fn abandon() {
    if let Ok(mut begun) = BEGUN.lock() {
        for path in begun.drain(..) {
            let _ = std::fs::remove_file(path);
        }
    }
}

/// Refuses an output file that is another file of the command, under any of its names.
///
/// # Errors
///
/// Returns an error if the output is that file.
pub(super) fn refuse_same(out: &Path, other: &Path, what: &str) -> anyhow::Result<()> {
    if canonical(out).is_some_and(|path| Some(path) == canonical(other)) {
        bail!("{} is {what}; give another file for --out", out.display());
    }
    Ok(())
}

/// The canonical path of a file. One that does not exist yet is identified by its folder.
fn canonical(path: &Path) -> Option<PathBuf> {
    if let Ok(path) = path.canonicalize() {
        return Some(path);
    }
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    let folder = folder.unwrap_or(Path::new(".")).canonicalize().ok()?;
    Some(folder.join(path.file_name()?))
}

/// Refuses an output file that is one of the inputs.
///
/// # Errors
///
/// Returns an error if the output is one of them.
pub(super) fn refuse_input(out: &Path, settings: &Settings) -> anyhow::Result<()> {
    let Ok(target) = out.canonicalize() else { return Ok(()) };
    let input = &settings.input;
    let mut inputs = find(&input.pgn, Wanted::Games, &mut Vec::new());
    for ratings in [&input.ratings, &input.leaders] {
        inputs.extend(find(ratings, Wanted::Ratings, &mut Vec::new()));
    }
    // Of the other inputs, only the paths that are named themselves.
    let named = [
        &input.aliases,
        &input.names,
        &input.spelling,
        &input.decisions,
        &input.places,
        &input.series,
        &input.history,
        &input.results,
        &input.published,
        &input.intrinsic,
        &input.calibration,
    ];
    inputs.extend(named.into_iter().flatten().cloned());
    if inputs.iter().any(|input| input.canonicalize().is_ok_and(|input| input == target)) {
        bail!("{} is an input; give another file for --out", out.display());
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn a_file_under_two_names_is_refused_even_if_it_does_not_exist_yet() {
        let folder = tempfile::tempdir().unwrap();
        let (out, same) = (folder.path().join("a.redb"), folder.path().join("./a.redb"));
        assert!(refuse_same(&out, &same, "the cache").is_err());
        assert!(refuse_same(&out, &folder.path().join("b.redb"), "the cache").is_ok());
        std::fs::write(&out, "").unwrap();
        let refused = refuse_same(&same, &out, "the cache").unwrap_err().to_string();
        assert!(refused.ends_with("is the cache; give another file for --out"), "{refused}");
    }

    #[test]
    fn a_failure_leaves_the_previous_file_unchanged() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("games.csv");
        fs::write(&path, "before").expect("written");
        let failed: anyhow::Result<()> = write_atomically(&path, |temporary| {
            fs::write(temporary, "half")?;
            bail!("the disk is full")
        });
        assert!(failed.is_err());
        assert_eq!(fs::read_to_string(&path).expect("a text"), "before");
        write_atomically(&path, |temporary| Ok(fs::write(temporary, "after")?)).expect("written");
        assert_eq!(fs::read_to_string(&path).expect("a text"), "after");
        assert_eq!(fs::read_dir(folder.path()).expect("a folder").count(), 1);
    }

    #[test]
    fn only_the_leftovers_of_killed_processes_are_removed() {
        let folder = tempfile::tempdir().expect("a folder");
        let names =
            ["unfinished-aB3dE6", "unfinished-zzzzzz", "unfinished-notes", "unfinished-a-b-c-"];
        let files = names.map(|name| folder.path().join(format!(".greatness-{name}")));
        files.iter().for_each(|file| fs::write(file, "half").expect("written"));
        // Another process writes the second.
        let other = fs::File::open(&files[1]).expect("open");
        other.lock().expect("locked");
        let out = folder.path().join("out.csv");
        write_atomically(&out, |temporary| Ok(fs::write(temporary, "whole")?)).expect("written");
        let stays = files.each_ref().map(|file| file.exists());
        assert_eq!(stays, [false, true, true, true]);
    }

    #[cfg(unix)]
    #[test]
    fn links_and_devices_are_written_through() {
        let folder = tempfile::tempdir().expect("a folder");
        let (real, link) = (folder.path().join("real.csv"), folder.path().join("link.csv"));
        fs::write(&real, "before").expect("written");
        std::os::unix::fs::symlink(&real, &link).expect("linked");
        write_atomically(&link, |temporary| Ok(fs::write(temporary, "after")?)).expect("written");
        assert!(link.is_symlink() && fs::read_to_string(&real).expect("a text") == "after");
        write_atomically(Path::new("/dev/null"), |path| Ok(fs::write(path, "x")?))
            .expect("written");
        assert!(!Path::new("/dev/null").is_file());
    }
}
