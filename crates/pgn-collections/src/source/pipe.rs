//! Inputs that are no files: pipes, process substitutions, devices.

use std::fs::{self, File};
use std::io::{self, Cursor, Read};
use std::path::Path;
use std::time::{Duration, Instant};

/// How long somebody may take to begin writing into a pipe.
const PATIENCE: Duration = Duration::from_secs(if cfg!(test) { 2 } else { 10 });

/// How often it is looked whether he does.
const STEP: Duration = Duration::from_millis(20);

/// Whether a path is something that can be read only from beginning to end.
pub(super) fn is_one(path: &Path) -> bool {
    fs::metadata(path).is_ok_and(|metadata| !metadata.is_file() && !metadata.is_dir())
}

/// Opens it. A pipe into which nobody writes is an error, not an eternity.
///
/// # Errors
///
/// Where it cannot be opened, or nobody writes.
#[cfg(target_os = "linux")]
pub(super) fn open(path: &Path) -> io::Result<Box<dyn Read>> {
    use rustix::fs::{Mode, OFlags, fcntl_setfl, open};
    use std::os::unix::fs::FileTypeExt;

    let pipe = open(path, OFlags::RDONLY | OFlags::NONBLOCK | OFlags::CLOEXEC, Mode::empty())?;
    let mut pipe = File::from(pipe);
    let began = Instant::now();
    let mut first = [0];
    // A device has nobody who writes; and what a shell gives as a path it has opened for writing before.
    let is_waited_for = fs::metadata(path).is_ok_and(|found| found.file_type().is_fifo())
        && !["/dev/fd", "/proc"].iter().any(|given| path.starts_with(given));
    // Of a pipe that nobody has open for writing a read gives the end; of one into which somebody is about to write, that it
    // would have to wait.
    let head = loop {
        match pipe.read(&mut first) {
            Ok(0) if !is_waited_for => break Vec::new(),
            Ok(0) if began.elapsed() < PATIENCE => std::thread::sleep(STEP),
            Ok(0) => {
                let message = format!("nobody has written into it for {PATIENCE:?}");
                return Err(io::Error::new(io::ErrorKind::TimedOut, message));
            }
            Ok(_) => break first.to_vec(),
            Err(error) if error.kind() == io::ErrorKind::WouldBlock => break Vec::new(),
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    };
    fcntl_setfl(&pipe, OFlags::RDONLY)?;
    Ok(Box::new(Cursor::new(head).chain(pipe)))
}

/// As above, without a look whether somebody writes.
#[cfg(not(target_os = "linux"))]
pub(super) fn open(path: &Path) -> io::Result<Box<dyn Read>> {
    Ok(Box::new(File::open(path)?))
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;
    use std::io::Write;

    fn pipe(folder: &Path) -> std::path::PathBuf {
        let path = folder.join("games.pgn");
        let made = std::process::Command::new("mkfifo").arg(&path).status().expect("mkfifo starts");
        assert!(made.success());
        path
    }

    #[test]
    fn what_is_written_into_a_pipe_is_read_however_slowly() {
        let folder = tempfile::tempdir().unwrap();
        let path = pipe(folder.path());
        assert!(is_one(&path) && !is_one(folder.path()));
        let writer = {
            let path = path.clone();
            std::thread::spawn(move || {
                std::thread::sleep(Duration::from_millis(60));
                let mut pipe = fs::OpenOptions::new().write(true).open(path).unwrap();
                for part in ["[Event ", "\"A\"]"] {
                    std::thread::sleep(Duration::from_millis(60));
                    pipe.write_all(part.as_bytes()).unwrap();
                }
            })
        };
        let mut text = String::new();
        open(&path).unwrap().read_to_string(&mut text).unwrap();
        writer.join().unwrap();
        assert_eq!(text, "[Event \"A\"]");
    }

    #[test]
    fn a_pipe_into_which_nobody_writes_is_an_error() {
        let folder = tempfile::tempdir().unwrap();
        let error = open(&pipe(folder.path())).err().unwrap();
        assert!(error.to_string().contains("nobody has written"), "{error}");
    }
}
