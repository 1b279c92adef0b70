//! What all experiments share.

use crate::laboratory::contestant::Contestant;
use crate::laboratory::population::PLAYERS;
use crate::laboratory::report::{mean_and_deviation, quantile};

/// With how many players, how often.
#[derive(Clone, Copy, Debug)]
pub struct Setup {
    /// How many players.
    pub players: usize,
    /// How often, each time with other results; the experiment's own number where it is `None`.
    pub runs: Option<u32>,
    /// What all chance comes from.
    pub seed: u64,
}

impl Default for Setup {
    fn default() -> Setup {
        Setup { players: PLAYERS, runs: None, seed: 1 }
    }
}

impl Setup {
    pub(super) fn run_numbers(&self) -> std::ops::Range<u64> {
        1..u64::from(self.runs.unwrap_or(1)) + 1
    }
}

/// A system that is certain to be there.
pub(super) fn contestants(words: &[&str]) -> Result<Vec<Contestant>, String> {
    words.iter().map(|word| Contestant::named(word)).collect()
}

pub(super) fn mean(values: &[f64]) -> f64 {
    mean_and_deviation(values).0
}

/// The median of values.
pub(super) fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    quantile(&values, 0.5)
}
