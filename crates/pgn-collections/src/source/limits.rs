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
    /// Largest ratio of unpacked to packed size. 64 MiB are always allowed. A game counts as a
    /// thousand bytes more than its text.
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

    /// Returns the number of bytes that a pipe may unpack to before its first byte was read.
    pub(super) fn of_pipe(self) -> Budget {
        Budget::new(ALWAYS_ALLOWED)
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

/// What a game costs in memory beyond its text (bytes). Measured: a build takes between one and two
/// kilobytes a game.
const GAME: u64 = 1000;

/// The number of bytes that a packed file may still unpack to. All its layers and members share it.
#[derive(Debug)]
pub(crate) struct Budget(Cell<u64>);

impl Budget {
    pub fn new(bytes: u64) -> Budget {
        Budget(Cell::new(bytes))
    }

    pub fn is_used_up(&self) -> bool {
        self.0.get() == 0
    }

    fn add(&self, bytes: u64) {
        self.0.set(self.0.get().saturating_add(bytes));
    }

    fn deduct(&self, bytes: u64) -> io::Result<()> {
        // Smaller amounts must fail too, so nothing is left after the first failure.
        let left = self.0.get().checked_sub(bytes);
        self.0.set(left.unwrap_or(0));
        match left {
            Some(_) => Ok(()),
            None => Err(io::Error::other(
                "unpacks to more than the limit; if you trust the file, raise input.limits.ratio",
            )),
        }
    }

    /// Returns the number of games that the budget still pays.
    pub fn games_left(&self) -> u64 {
        self.0.get() / GAME
    }

    /// Deducts what games cost in memory.
    ///
    /// # Errors
    ///
    /// Returns an error if the budget does not suffice.
    pub fn deduct_games(&self, games: u64) -> io::Result<()> {
        self.deduct(games.saturating_mul(GAME))
    }
}

/// A reader of packed bytes from a pipe, whose size is unknown: each byte adds to the budget.
pub(super) struct PackedPipe<'a, R> {
    pub inner: R,
    pub ratio: u64,
    pub budget: &'a Budget,
}

impl<R: Read> Read for PackedPipe<'_, R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.inner.read(buffer)?;
        self.budget.add((read as u64).saturating_mul(self.ratio));
        Ok(read)
    }
}

/// A reader that deducts the bytes read from a budget.
#[derive(Debug)]
pub(super) struct Budgeted<'a, R> {
    inner: R,
    budget: &'a Budget,
}

impl<'a, R> Budgeted<'a, R> {
    pub fn new(inner: R, budget: &'a Budget) -> Budgeted<'a, R> {
        Budgeted { inner, budget }
    }
}

impl<R: Read> Read for Budgeted<'_, R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.inner.read(buffer)?;
        self.budget.deduct(read as u64)?;
        Ok(read)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn games_cost_more_than_their_text() {
        let budget = Budget::new(Limits::default().budget(3352));
        assert!(budget.deduct_games(60_000).is_ok());
        assert!(budget.deduct_games(60_000).is_err());
        assert!(budget.is_used_up());
    }

    #[test]
    fn each_byte_of_a_pipe_adds_to_its_budget() {
        let limits = Limits { ratio: 10, ..Limits::default() };
        let budget = limits.of_pipe();
        let mut pipe = PackedPipe { inner: &[0; 100][..], ratio: limits.ratio, budget: &budget };
        io::copy(&mut pipe, &mut io::sink()).unwrap();
        assert!(budget.deduct(ALWAYS_ALLOWED + 1000).is_ok());
        assert!(budget.deduct(1).is_err());
    }
}
