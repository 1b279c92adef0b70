//! What a run tells while it works.

use std::time::{Duration, Instant};

/// How much work a step is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WorkAmount {
    /// Nobody knows.
    Unknown,
    /// So many things of a kind.
    Steps(u64),
    /// So many bytes of files.
    Bytes(u64),
}

/// Hears of the steps of a run. The library prints nothing itself.
pub trait Progress: Sync {
    /// A step begins.
    fn begin(&self, name: &str, amount: WorkAmount);
    /// Some units are done.
    fn advance(&self, units: u64);
    /// The step is over.
    fn end(&self, name: &str, took: Duration, summary: &str);
}

/// Hears nothing.
#[derive(Clone, Copy, Debug, Default)]
pub struct Silent;

impl Progress for Silent {
    fn begin(&self, _: &str, _: WorkAmount) {}
    fn advance(&self, _: u64) {}
    fn end(&self, _: &str, _: Duration, _: &str) {}
}

/// Runs a step and tells how long it took.
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
