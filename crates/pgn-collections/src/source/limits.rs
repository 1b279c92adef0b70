//! Limits against archives that unpack to more than is sensible.

use std::cell::Cell;
use std::io::{self, Read};

use serde::{Deserialize, Serialize};

/// Bytes that any input may unpack to, however small it is.
const ALWAYS_ALLOWED: u64 = 64 << 20;

/// How far an input may unpack.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Limits {
    /// Times its own size that a packed file may unpack to (but 64 MiB are always allowed). Results
    /// without moves shrink to a fiftieth, so ordinary collections stay far below.
    pub ratio: u64,
    /// Size of a single member (MiB).
    pub member_mib: u64,
    /// Size of what must be held in memory as a whole (MiB): lists of ratings, archives inside of archives.
    pub whole_mib: u64,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits { ratio: 1000, member_mib: 16 << 10, whole_mib: 1 << 10 }
    }
}

impl Limits {
    /// Bytes that a packed file of this size may unpack to, all members and layers together.
    pub fn budget(self, packed: u64) -> u64 {
        packed.saturating_mul(self.ratio).max(ALWAYS_ALLOWED)
    }

    /// A reader that fails where a member is larger than is sensible.
    pub(super) fn bounded<R: Read>(self, inner: R) -> Bounded<R> {
        Bounded::new(inner, self.member_mib, "member_mib")
    }

    /// The same for what is held as a whole.
    pub(super) fn whole<R: Read>(self, inner: R) -> Bounded<R> {
        match self.whole_mib < self.member_mib {
            true => Bounded::new(inner, self.whole_mib, "whole_mib"),
            false => self.bounded(inner),
        }
    }
}

/// A reader of one member.
#[derive(Debug)]
pub(super) struct Bounded<R> {
    inner: R,
    left: u64,
    most: u64,
    /// The setting that says so.
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
                "is larger than {} MiB; raise input.limits.{} if it is no bomb",
                self.most, self.setting
            ))),
        }
    }
}

/// A reader that takes what it gives from a budget shared by all layers of one file.
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
                // Nothing more of it, also in smaller pieces.
                self.left.set(0);
                Err(io::Error::other(
                    "unpacks to more than the limit; raise input.limits.ratio if it is no bomb",
                ))
            }
        }
    }
}
