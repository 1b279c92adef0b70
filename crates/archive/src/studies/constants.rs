//! How the results of the fit test depend on its constant.
//!
//! Source: Tony Berard, *The Performance Rating Algorithm (PRA) and the Tournament App*, chooses
//! 2500 because it is 50 squared and because constants from 2200 to 2600 classify all of his events
//! alike. The counts by constant are ours.

use crate::record::EventRecord;
use crate::record::status::Status;
use crate::studies::published_strengths::PublishedStrength;
use tournament_app::fit_test::DENOMINATOR;

/// The smallest and the largest constant that are tried, and the step. Judged: the paper's 2200 to
/// 2600 is in the middle.
const SMALLEST: u32 = 1000;
const LARGEST: u32 = 4000;
const STEP: usize = 100;

/// The constants with which the tests of some events neither fail nor are too close.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ConstantIntervals {
    intervals: Vec<(f64, f64)>,
}

/// The results of the tests with one constant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ConstantCounts {
    pub constant: u32,
    pub passed: usize,
    pub failed: usize,
    pub too_close: usize,
}

impl ConstantIntervals {
    /// The intervals of the ranked events, with their ratings as they were found.
    pub fn of_events(records: &[EventRecord]) -> ConstantIntervals {
        let ranked = records.iter().filter(|record| record.status == Status::Listed);
        let tests = ranked.map(|record| &record.analysis.before.fit_test);
        let intervals = tests.filter_map(|test| test.constant_low.zip(test.constant_high));
        ConstantIntervals { intervals: intervals.collect() }
    }

    /// The intervals that the paper prints.
    pub fn published(rows: &[PublishedStrength]) -> ConstantIntervals {
        ConstantIntervals { intervals: rows.iter().filter_map(|row| row.interval).collect() }
    }

    /// The number of events.
    pub fn len(&self) -> usize {
        self.intervals.len()
    }

    pub fn is_empty(&self) -> bool {
        self.intervals.is_empty()
    }

    /// The counts for each constant that is tried, the smallest first.
    pub fn counts(&self) -> Vec<ConstantCounts> {
        (SMALLEST..=LARGEST).step_by(STEP).map(|constant| self.counts_with(constant)).collect()
    }

    fn counts_with(&self, constant: u32) -> ConstantCounts {
        let value = f64::from(constant);
        let failed = self.intervals.iter().filter(|(low, _)| value < *low).count();
        let too_close = self.intervals.iter().filter(|(_, high)| value > *high).count();
        let passed = self.len() - failed - too_close;
        ConstantCounts { constant, passed, failed, too_close }
    }

    /// The widest range around 2500 in which no event changes between passing and failing.
    pub fn unchanged(&self) -> Option<(f64, f64)> {
        let lows = self.intervals.iter().map(|(low, _)| *low);
        let below = lows.clone().filter(|low| *low <= DENOMINATOR).max_by(f64::total_cmp)?;
        let above = lows.filter(|low| *low > DENOMINATOR).min_by(f64::total_cmp)?;
        Some((below, above))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_event_fails_below_its_interval_and_is_too_close_above() {
        let intervals = vec![(1000.0, 2400.0), (2200.0, 9000.0), (2600.0, 9000.0)];
        let all = ConstantIntervals { intervals };
        let at_2500 = all.counts_with(2500);
        assert_eq!((at_2500.passed, at_2500.failed, at_2500.too_close), (1, 1, 1));
        assert_eq!(all.unchanged(), Some((2200.0, 2600.0)));
        assert_eq!(all.counts().len(), 31);
    }
}
