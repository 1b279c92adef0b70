//! A system call that fails, by the injection of `strace`.

use std::process::{Command, Stdio};

use rand::RngExt;
use rand_pcg::Pcg64Mcg;

/// The calls by which a build reads and writes files.
const CALLS: [&str; 15] = [
    "openat",
    "read",
    "write",
    "pwrite64",
    "rename",
    "renameat2",
    "mkdir",
    "unlink",
    "fsync",
    "fdatasync",
    "ftruncate",
    "statx",
    "getdents64",
    "copy_file_range",
    "linkat",
];

/// What a full or broken disk, another user's folder, and a busy machine answer.
const ERRORS: [&str; 5] = ["ENOSPC", "EIO", "EACCES", "EMFILE", "EINTR"];

/// The system call of a thread that fails, once or from then on.
#[derive(Clone, Copy, Debug)]
pub struct Fault {
    call: &'static str,
    error: &'static str,
    /// The number of the call, from 1.
    number: u16,
    /// Whether all later calls fail too.
    remains: bool,
}

impl Fault {
    pub fn random(random: &mut Pcg64Mcg) -> Fault {
        // A small build makes hundreds of some calls and few of others.
        let most = 1 << random.random_range(1..11);
        let error = ERRORS[random.random_range(0..ERRORS.len())];
        Fault {
            call: CALLS[random.random_range(0..CALLS.len())],
            error,
            number: random.random_range(1..=most),
            // A call that was interrupted is made again, for ever if it always is.
            remains: error != "EINTR" && random.random(),
        }
    }

    /// Whether no message can be written from then on.
    pub fn silences(self) -> bool {
        self.call == "write" && self.remains
    }

    /// The words of a shell that run the following command with this fault. The messages of
    /// `strace` itself are dropped.
    pub fn prefix(self) -> String {
        let Fault { call, error, number, remains } = self;
        let more = if remains { "+" } else { "" };
        format!(
            "exec strace -f -qq -o /dev/null -e trace={call} -e signal=none \
             -e inject={call}:error={error}:when={number}{more} "
        )
    }
}

/// Whether `strace` is installed and may trace.
pub fn can_be_injected() -> bool {
    let tried = Command::new("strace")
        .args(["-f", "-qq", "-o", "/dev/null", "true"])
        .stderr(Stdio::null())
        .status();
    tried.is_ok_and(|status| status.success())
}
