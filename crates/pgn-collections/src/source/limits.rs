//! Limits that protect against decompression bombs.

use std::cell::Cell;
use std::io::{self, Read};

use serde::{Deserialize, Serialize};

/// Number of bytes that any input may unpack to, regardless of its size. Judged: small files of
/// repeated text pack well, and any machine can hold this much.
const ALWAYS_ALLOWED: u64 = 64 << 20;

/// Limits of unpacking an input.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Limits {
    /// Largest ratio of unpacked to packed size. 64 MiB are always allowed.
    ///
    /// Results without moves shrink to a fiftieth, so ordinary collections stay far below.
    pub ratio: u64,
    /// Largest size of a single member (MiB).
    pub member_mib: u64,
    /// Largest size of inputs that must be held in memory as a whole (MiB): rating lists, archives
    /// within archives.
    pub whole_mib: u64,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits { ratio: 1000, member_mib: 16 << 10, whole_mib: 1 << 10 }
    }
}

impl Limits {
    /// Returns the number of bytes that a packed file may unpack to, all members and layers
    /// together.
    ///
    /// `packed` is the size of the file (bytes).
    pub fn budget(self, packed: u64) -> u64 {
        packed.saturating_mul(self.ratio).max(ALWAYS_ALLOWED)
    }

    /// Wraps a reader so that it fails if a member is too large.
    pub(super) fn bounded<R: Read>(self, inner: R) -> Bounded<R> {
        Bounded::new(inner, self.member_mib, "member_mib")
    }

    /// Wraps the reader of an input that is held in memory as a whole, like
    /// [`bounded`](Limits::bounded).
    pub(super) fn whole<R: Read>(self, inner: R) -> Bounded<R> {
        if self.whole_mib < self.member_mib {
            Bounded::new(inner, self.whole_mib, "whole_mib")
        } else {
            self.bounded(inner)
        }
    }
}

/// A reader of one member that fails beyond a size.
#[derive(Debug)]
pub(super) struct Bounded<R> {
    inner: R,
    left: u64,
    most: u64,
    /// The setting that limits the size.
    setting: &'static str,
}

impl<R> Bounded<R> {
    fn new(inner: R, mib: u64, setting: &'static str) -> Bounded<R> {
        Bounded { inner, left: mib.saturating_mul(1 << 20), most: mib, setting }
    }
}

impl<R: Read> Read for Bounded<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.inner.read(buffer)?;
        match self.left.checked_sub(read as u64) {
            Some(left) => {
                self.left = left;
                Ok(read)
            }
            None => Err(io::Error::other(format!(
                "is larger than {} MiB; if you trust the file, raise input.limits.{}",
                self.most, self.setting
            ))),
        }
    }
}

/// A reader that deducts the bytes read from a budget, which all layers of one file share.
#[derive(Debug)]
pub(super) struct Budgeted<'a, R> {
    inner: R,
    left: &'a Cell<u64>,
}

impl<'a, R> Budgeted<'a, R> {
    pub fn new(inner: R, left: &'a Cell<u64>) -> Budgeted<'a, R> {
        Budgeted { inner, left }
    }
}

impl<R: Read> Read for Budgeted<'_, R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.inner.read(buffer)?;
        match self.left.get().checked_sub(read as u64) {
            Some(left) => {
                self.left.set(left);
                Ok(read)
            }
            None => {
                // Smaller reads must fail too.
                self.left.set(0);
                Err(io::Error::other(
                    "unpacks to more than the limit; if you trust the file, raise input.limits.ratio",
                ))
            }
        }
    }
}
