//! Helpers of the benchmarks: measuring times, and their median.

use std::time::{Duration, Instant};

/// The time that some work takes.
pub fn timed(work: impl FnOnce()) -> Duration {
    let start = Instant::now();
    work();
    start.elapsed()
}

/// The median; of an even number of times the upper one.
pub fn median(mut times: Vec<Duration>) -> Duration {
    times.sort_unstable();
    times[times.len() / 2]
}
