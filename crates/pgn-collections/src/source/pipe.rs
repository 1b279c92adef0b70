//! Reads inputs that are not regular files: pipes, process substitutions, devices.

use std::fs::{self, File};
use std::io::{self, Cursor, Read};
use std::path::Path;
use std::time::{Duration, Instant};

/// How long to wait for another process to begin writing to a pipe. Judged: a slow program starts
/// within this time, and a user who named the wrong pipe does not wait for ever.
const PATIENCE: Duration = Duration::from_secs(if cfg!(test) { 2 } else { 10 });

/// The interval of checking whether another process writes.
const STEP: Duration = Duration::from_millis(20);

/// Returns whether a path can be read only from beginning to end.
pub(super) fn is_one(path: &Path) -> bool {
    fs::metadata(path).is_ok_and(|metadata| !metadata.is_file() && !metadata.is_dir())
}

/// Opens a pipe or a device. Waits at most [`PATIENCE`] for a process to write to a pipe.
///
/// # Errors
///
/// Returns an error if the path cannot be opened, or no process writes to the pipe.
#[cfg(target_os = "linux")]
pub(super) fn open(path: &Path) -> io::Result<Box<dyn Read>> {
    use rustix::fs::{Mode, OFlags, fcntl_setfl, open};
    use std::os::unix::fs::FileTypeExt;

    let pipe = open(path, OFlags::RDONLY | OFlags::NONBLOCK | OFlags::CLOEXEC, Mode::empty())?;
    let mut pipe = File::from(pipe);
    let began = Instant::now();
    let mut first = [0];
    // A device has no writing process. A path from a shell was already opened for writing.
    let is_waited_for = fs::metadata(path).is_ok_and(|found| found.file_type().is_fifo())
        && !["/dev/fd", "/proc"].iter().any(|given| path.starts_with(given));
    // Reading a pipe that no process has open for writing returns its end. If a process has it open
    // but did not write yet, reading would block.
    let head = loop {
        match pipe.read(&mut first) {
            Ok(0) if !is_waited_for => break Vec::new(),
            Ok(0) if began.elapsed() < PATIENCE => std::thread::sleep(STEP),
            Ok(0) => {
                let message = format!("no process has written to it for {PATIENCE:?}");
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

/// Opens a pipe or a device. It does not check whether a process writes.
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
    fn a_pipe_is_read_even_if_the_writer_is_slow() {
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
    fn a_pipe_without_a_writing_process_is_an_error() {
        let folder = tempfile::tempdir().unwrap();
        let error = open(&pipe(folder.path())).err().unwrap();
        assert!(error.to_string().contains("no process has written"), "{error}");
    }
}
