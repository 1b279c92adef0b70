//! Settings and helpers that all experiments share.

use rayon::prelude::*;

use crate::laboratory::contestant::Contestant;
use crate::laboratory::errors::PlanError;
use crate::laboratory::plan::Plan;
use crate::laboratory::population::{PLAYERS, Population};
use crate::laboratory::report::{mean_and_deviation, quantile};

/// Settings of an experiment.
#[derive(Clone, Copy, Debug)]
pub struct ExperimentSetup {
    /// Number of players of a population. Experiments on single events do not use it.
    pub players: usize,
    /// Number of runs, which differ in their random results. `None` for the experiment's default.
    pub runs: Option<u32>,
    /// Seed of all random generators.
    pub seed: u64,
}

impl Default for ExperimentSetup {
    fn default() -> ExperimentSetup {
        ExperimentSetup { players: PLAYERS, runs: None, seed: 1 }
    }
}

impl ExperimentSetup {
    /// A plan for these systems and the standard population.
    pub(super) fn plan(&self, systems: Vec<Contestant>) -> Plan {
        let (players, seed) = (self.players, self.seed);
        Plan { players, seed, ..Plan::new(Population::Standard, systems) }
    }

    /// The results of all runs, by their number from 1.
    pub(super) fn results<T: Send>(&self, of_run: impl Fn(u64) -> T + Sync + Send) -> Vec<T> {
        let numbers: Vec<u64> = (1..=u64::from(self.runs.unwrap_or(1))).collect();
        numbers.into_par_iter().map(of_run).collect()
    }
}

pub(super) fn contestants(words: &[&str]) -> Result<Vec<Contestant>, PlanError> {
    words.iter().map(|word| Contestant::named(word)).collect()
}

pub(super) fn mean(values: &[f64]) -> f64 {
    mean_and_deviation(values).0
}

/// The mean over runs of one of their results.
pub(super) fn mean_result<const N: usize>(runs: &[[f64; N]], place: usize) -> f64 {
    mean(&runs.iter().map(|run| run[place]).collect::<Vec<_>>())
}

pub(super) fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    quantile(&values, 0.5)
}
