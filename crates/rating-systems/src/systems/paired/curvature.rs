//! The negative second derivatives of the log posterior, and the solution of equations with them.
//!
//! The solver is conjugate gradients, preconditioned by the players' chains and by the levels of
//! periods. It solves several right-hand sides at once, so that each pass over the games serves all
//! of them. Source: M. Hestenes and E. Stiefel, *Methods of conjugate gradients for solving linear
//! systems* (1952).

use rayon::prelude::*;

use super::chains::Chains;
use super::couplings::PIECE;
use super::history::{History, NONE};
use super::levels::Levels;

/// Number of right-hand sides that are solved at once.
pub(super) const LANES: usize = 8;

/// Maximum number of iterations.
const MOST_ITERATIONS: usize = 2000;

/// The negative second derivatives of the log posterior.
#[derive(Clone, Debug)]
pub(super) struct Curvature {
    diagonal: Vec<f64>,
    /// Negative second derivative of each coupling: a game's information or a link's precision.
    pub of_coupling: Vec<f64>,
    /// The same by seat.
    of_seat: Vec<f64>,
    /// The factored chains of the players.
    pub chains: Chains,
    levels: Levels,
}

/// A sum in an order that does not depend on the number of threads.
pub(super) fn sum(length: usize, part: impl Fn(std::ops::Range<usize>) -> f64 + Sync) -> f64 {
    let [sum] = sums(length, |range| [part(range)]);
    sum
}

/// Several such sums at once.
fn sums<const N: usize>(
    length: usize,
    part: impl Fn(std::ops::Range<usize>) -> [f64; N] + Sync,
) -> [f64; N] {
    let pieces: Vec<[f64; N]> = (0..length.div_ceil(PIECE))
        .into_par_iter()
        .map(|piece| part(piece * PIECE..((piece + 1) * PIECE).min(length)))
        .collect();
    let mut sums = [0.0; N];
    for piece in pieces {
        for (sum, part) in sums.iter_mut().zip(piece) {
            *sum += part;
        }
    }
    sums
}

fn products<const N: usize>(a: &[[f64; N]], b: &[[f64; N]]) -> [f64; N] {
    sums(a.len(), |range| {
        let mut sums = [0.0; N];
        for (a, b) in a[range.clone()].iter().zip(&b[range]) {
            for lane in 0..N {
                sums[lane] += a[lane] * b[lane];
            }
        }
        sums
    })
}

/// `one - times * other`.
#[inline(always)]
fn less<const N: usize>(one: [f64; N], times: f64, other: &[f64; N]) -> [f64; N] {
    std::array::from_fn(|lane| one[lane] - times * other[lane])
}

impl Curvature {
    /// The curvature of a history with this diagonal and this information of each coupling.
    pub fn of(history: &History, diagonal: Vec<f64>, of_coupling: Vec<f64>) -> Curvature {
        let sides = history.couplings.sides().par_iter().with_min_len(PIECE);
        let of_seat = sides.map(|side| of_coupling[(side / 2) as usize]).collect();
        let chains = Chains::factored(&diagonal, &history.precision, &history.next);
        let levels = Levels::of(history, &diagonal, &of_coupling);
        Curvature { diagonal, of_coupling, of_seat, chains, levels }
    }

    /// The product of the matrix and several vectors, written to `out`.
    fn times<const N: usize>(&self, history: &History, vectors: &[[f64; N]], out: &mut [[f64; N]]) {
        let (couplings, precision) = (&history.couplings, &history.precision);
        out.par_iter_mut().enumerate().with_min_len(PIECE / 4).for_each(|(node, out)| {
            let mut sum = vectors[node].map(|own| self.diagonal[node] * own);
            if history.next[node] != NONE {
                sum = less(sum, precision[node], &vectors[history.next[node] as usize]);
            }
            if history.before[node] != NONE {
                let before = history.before[node] as usize;
                sum = less(sum, precision[before], &vectors[before]);
            }
            let places = couplings.places(node);
            let seats = couplings.others()[places.clone()].iter().zip(&self.of_seat[places]);
            for (other, information) in seats {
                sum = less(sum, *information, &vectors[*other as usize]);
            }
            *out = sum;
        });
    }

    /// Solves for a right-hand side, until the norm of the residual (in the preconditioner's
    /// metric) falls by the factor `exactness`. Returns the solution and the number of iterations.
    pub fn solve(&self, history: &History, right: &[f64], exactness: f64) -> (Vec<f64>, usize) {
        let right = right.iter().map(|own| [*own]).collect();
        let (solution, iterations) = self.solve_lanes(history, right, exactness);
        (solution.into_iter().map(|[own]| own).collect(), iterations)
    }

    /// Solves for several right-hand sides; see [`Curvature::solve`].
    pub fn solve_lanes<const N: usize>(
        &self,
        history: &History,
        right: Vec<[f64; N]>,
        exactness: f64,
    ) -> (Vec<[f64; N]>, usize) {
        let mut solution = vec![[0.0; N]; right.len()];
        let mut rest = right;
        let mut near = rest.clone();
        self.chains.solve(&mut near);
        self.levels.add(&rest, &mut near);
        let mut direction = near.clone();
        let mut length = products(&rest, &near);
        let enough = length.map(|length| exactness * exactness * length);
        let mut ahead = vec![[0.0; N]; rest.len()];
        // Converged solutions stay unchanged.
        let mut goes_on = length.map(|length| length > 0.0);
        for iteration in 1..=MOST_ITERATIONS {
            if !goes_on.contains(&true) {
                return (solution, iteration - 1);
            }
            self.times(history, &direction, &mut ahead);
            let along = products(&direction, &ahead);
            let step: [f64; N] = std::array::from_fn(|lane| match goes_on[lane] {
                true => length[lane] / along[lane],
                false => 0.0,
            });
            solution
                .par_iter_mut()
                .zip(&mut rest)
                .zip(direction.par_iter().zip(&ahead))
                .with_min_len(PIECE)
                .for_each(|((solution, rest), (direction, ahead))| {
                    for lane in 0..N {
                        solution[lane] += step[lane] * direction[lane];
                        rest[lane] -= step[lane] * ahead[lane];
                    }
                });
            near.copy_from_slice(&rest);
            self.chains.solve(&mut near);
            self.levels.add(&rest, &mut near);
            let next = products(&rest, &near);
            for lane in 0..N {
                goes_on[lane] &= next[lane] >= enough[lane];
            }
            let part: [f64; N] = std::array::from_fn(|lane| match goes_on[lane] {
                true => next[lane] / length[lane],
                false => 0.0,
            });
            direction.par_iter_mut().zip(&near).with_min_len(PIECE).for_each(
                |(direction, near)| {
                    for lane in 0..N {
                        direction[lane] = near[lane] + part[lane] * direction[lane];
                    }
                },
            );
            length = next;
        }
        (solution, MOST_ITERATIONS)
    }
}
