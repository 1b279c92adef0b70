//! What a run tells while it works.

use std::time::Duration;

/// Hears of the steps of a run. The library prints nothing itself.
pub trait Progress: Sync {
    /// A step begins; `total` units of work where that is known.
    fn begin(&self, name: &str, total: Option<u64>);
    /// Some units are done.
    fn advance(&self, units: u64);
    /// The step is over.
    fn end(&self, name: &str, took: Duration, summary: &str);
}

/// Hears nothing.
#[derive(Clone, Copy, Debug, Default)]
pub struct Silent;

impl Progress for Silent {
    fn begin(&self, _: &str, _: Option<u64>) {}
    fn advance(&self, _: u64) {}
    fn end(&self, _: &str, _: Duration, _: &str) {}
}
