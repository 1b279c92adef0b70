//! Samples of strengths from the posterior.

use rand::SeedableRng;
use rand_distr::{Distribution, StandardNormal};
use rand_pcg::Pcg64;
use rayon::prelude::*;

use super::couplings::PIECE;
use super::curvature::LANES;
use super::fit::StrengthFit;
use super::history::{History, NONE};
use crate::systems::logistic::{NATURAL, logistic};

/// Relative accuracy of posterior samples. Judged: far below their scatter, and half the digits of
/// the `f32` that stores them.
const SAMPLE_ACCURACY: f64 = 1e-4;

/// Memory (bytes) for the posterior samples that are computed in parallel: 1 GiB. Judged: with half
/// of it, large histories would use fewer threads.
const SAMPLE_MEMORY: usize = 1 << 30;

/// Number of vectors that the solver keeps for each group of right-hand sides.
const SOLUTION_VECTORS: usize = 6;

impl StrengthFit {
    /// Draws `count` samples from the posterior, as deviations (points) from the fitted strengths
    /// of the wanted nodes.
    ///
    /// For each sample, every game, link, step and prior adds a normal variable, with its
    /// information as the variance, to the right-hand side. The solution is a sample. Equal seeds
    /// give equal samples.
    pub fn samples(
        &self,
        history: &History,
        wanted: &[usize],
        count: usize,
        seed: u64,
    ) -> Vec<Vec<f32>> {
        let numbers: Vec<usize> = (0..count).collect();
        // Solve groups of samples in parallel, because some parts of one solution are sequential.
        // Memory limits the number of groups.
        let of_one = history.len().max(1) * LANES * size_of::<f64>() * SOLUTION_VECTORS;
        let at_once = (SAMPLE_MEMORY / of_one).clamp(1, count.max(1)) * LANES;
        let samples = numbers.chunks(at_once).flat_map(|together| {
            together
                .par_chunks(LANES)
                .map(|numbers| self.group_of_samples(history, wanted, seed, numbers))
                .collect::<Vec<Vec<Vec<f32>>>>()
        });
        samples.flatten().collect()
    }

    /// The samples of these numbers, at most [`LANES`], which are solved at once.
    fn group_of_samples(
        &self,
        history: &History,
        wanted: &[usize],
        seed: u64,
        numbers: &[usize],
    ) -> Vec<Vec<f32>> {
        let disturbed: Vec<Vec<f64>> = numbers
            .par_iter()
            .map(|number| self.disturbed_right_side(history, seed, *number))
            .collect();
        let right = (0..history.len())
            .into_par_iter()
            .with_min_len(PIECE)
            .map(|node| {
                std::array::from_fn(|lane| disturbed.get(lane).map_or(0.0, |one| one[node]))
            })
            .collect();
        drop(disturbed);
        let (solution, _) =
            self.curvature.solve_lanes::<LANES>(history, right, wanted, SAMPLE_ACCURACY);
        (0..numbers.len())
            .map(|lane| solution.iter().map(|node| (node[lane] / NATURAL) as f32).collect())
            .collect()
    }

    /// The right-hand side for one sample: the sum of each term's normal variable, by node.
    fn disturbed_right_side(&self, history: &History, seed: u64, number: usize) -> Vec<f64> {
        let own = seed ^ (number as u64).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        let mut random = Pcg64::seed_from_u64(own);
        let mut right: Vec<f64> = history
            .prior_precision
            .iter()
            .map(|precision| sample_normal(&mut random, *precision))
            .collect();
        for (place, &next) in history.next.iter().enumerate() {
            if next != NONE {
                let drawn = sample_normal(&mut random, history.precision[place]);
                right[next as usize] += drawn;
                right[place] -= drawn;
            }
            if history.model.drawn_first && history.before[place] == NONE {
                let even = logistic(self.strengths[place]);
                right[place] += sample_normal(&mut random, even * (1.0 - even));
            }
        }
        let pairs = history.edges.iter().map(|edge| (edge.white, edge.black));
        let pairs = pairs.chain(history.links.iter().copied());
        for ((a, b), information) in pairs.zip(&self.curvature.of_coupling) {
            let drawn = sample_normal(&mut random, *information);
            right[a as usize] += drawn;
            right[b as usize] -= drawn;
        }
        right
    }
}

/// Samples a normal variable with mean zero and this variance.
fn sample_normal(random: &mut Pcg64, variance: f64) -> f64 {
    let standard: f64 = StandardNormal.sample(random);
    variance.sqrt() * standard
}
