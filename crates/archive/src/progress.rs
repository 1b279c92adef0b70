//! Reports the progress of a build.

use std::time::{Duration, Instant};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WorkAmount {
    Unknown,
    /// A number of items.
    Steps(u64),
    /// A number of bytes.
    Bytes(u64),
}

/// Receives the progress of a build. The library prints nothing itself.
pub trait Progress: Sync {
    fn begin(&self, name: &str, amount: WorkAmount);
    /// Some units are done.
    fn advance(&self, units: u64);
    /// A part of the current step is done. Parts that run in parallel overlap.
    fn part(&self, name: &str, took: Duration);
    fn end(&self, name: &str, took: Duration, summary: &str);
}

/// Ignores all progress.
#[derive(Clone, Copy, Debug, Default)]
pub struct Silent;

impl Progress for Silent {
    fn begin(&self, _: &str, _: WorkAmount) {}
    fn advance(&self, _: u64) {}
    fn part(&self, _: &str, _: Duration) {}
    fn end(&self, _: &str, _: Duration, _: &str) {}
}

/// Writes a number with its noun, in the singular or the plural: `1 game`, `2 games`.
pub fn counted(count: usize, noun: &str) -> String {
    match count {
        1 => format!("1 {noun}"),
        // Nouns of chess and statistics: `match` is the only one with another plural.
        count if noun.ends_with("match") => format!("{count} {noun}es"),
        count => format!("{count} {noun}s"),
    }
}

/// Runs a step and reports how long it took.
pub fn timed<T>(
    progress: &dyn Progress,
    name: &str,
    amount: WorkAmount,
    step: impl FnOnce() -> (T, String),
) -> T {
    progress.begin(name, amount);
    let start = Instant::now();
    let (result, summary) = step();
    progress.end(name, start.elapsed(), &summary);
    result
}
