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

/// Number of right-hand sides that are solved at once: as many numbers as fit in a cache line.
pub(super) const LANES: usize = 8;

/// Maximum number of iterations. A safeguard: fits and variances take 3 to 80.
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
    let pieces: Vec<f64> = (0..length.div_ceil(PIECE))
        .into_par_iter()
        .map(|piece| part(piece * PIECE..((piece + 1) * PIECE).min(length)))
        .collect();
    pieces.into_iter().sum()
}

/// Writes each element of `out`, and sums what `write` returns for them, in an order that does not
/// depend on the number of threads.
fn sums_while_writing<const N: usize>(
    out: &mut [[f64; N]],
    write: impl Fn(usize, &mut [f64; N]) -> [f64; N] + Sync,
) -> [f64; N] {
    let pieces: Vec<[f64; N]> = out
        .par_chunks_mut(PIECE)
        .enumerate()
        .map(|(piece, out)| {
            let mut sums = [0.0; N];
            for (place, out) in out.iter_mut().enumerate() {
                let parts = write(piece * PIECE + place, out);
                for (sum, part) in sums.iter_mut().zip(parts) {
                    *sum += part;
                }
            }
            sums
        })
        .collect();
    let mut sums = [0.0; N];
    for piece in pieces {
        for (sum, part) in sums.iter_mut().zip(piece) {
            *sum += part;
        }
    }
    sums
}

/// One vector plus multiples of another.
#[inline(always)]
fn plus<const N: usize>(one: [f64; N], times: [f64; N], other: &[f64; N]) -> [f64; N] {
    std::array::from_fn(|lane| one[lane] + times[lane] * other[lane])
}

/// One vector less a multiple of another.
#[inline(always)]
fn less<const N: usize>(one: [f64; N], times: f64, other: &[f64; N]) -> [f64; N] {
    std::array::from_fn(|lane| one[lane] - times * other[lane])
}

/// One vector divided by another, where the iteration goes on; 0 elsewhere.
#[inline(always)]
fn quotients<const N: usize>(goes_on: &[bool; N], one: &[f64; N], other: &[f64; N]) -> [f64; N] {
    let mut quotients = [0.0; N];
    for lane in 0..N {
        if goes_on[lane] {
            quotients[lane] = one[lane] / other[lane];
        }
    }
    quotients
}

impl Curvature {
    /// The curvature of a history with this diagonal and this information of each coupling.
    pub fn new(history: &History, diagonal: Vec<f64>, of_coupling: Vec<f64>) -> Curvature {
        let sides = history.couplings.sides().par_iter().with_min_len(PIECE);
        let of_seat = sides.map(|side| of_coupling[(side / 2) as usize]).collect();
        let chains = Chains::factored(&diagonal, &history.precision, &history.next);
        let levels = Levels::new(history, &diagonal, &of_coupling);
        Curvature { diagonal, of_coupling, of_seat, chains, levels }
    }

    /// Writes the product of the matrix and several vectors to `out`. Returns the products of the
    /// vectors and `out`.
    fn times<const N: usize>(
        &self,
        history: &History,
        vectors: &[[f64; N]],
        out: &mut [[f64; N]],
    ) -> [f64; N] {
        let (couplings, precision) = (&history.couplings, &history.precision);
        sums_while_writing(out, |node, out| {
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
            std::array::from_fn(|lane| vectors[node][lane] * sum[lane])
        })
    }

    /// Writes the preconditioned residuals to `conditioned`. Returns the products of `rest` and
    /// `conditioned`.
    fn precondition<const N: usize>(
        &self,
        rest: &[[f64; N]],
        conditioned: &mut [[f64; N]],
    ) -> [f64; N] {
        self.chains.solve(rest, conditioned);
        let correction = self.levels.correction(rest);
        let numbers = self.levels.numbers();
        sums_while_writing(conditioned, |node, conditioned| {
            let level = &correction[numbers[node] as usize];
            std::array::from_fn(|lane| {
                conditioned[lane] += level[lane];
                rest[node][lane] * conditioned[lane]
            })
        })
    }

    /// Solves for a right-hand side, until the norm of the residual (in the preconditioner's
    /// metric) falls by the factor `exactness`. Returns the solution and the number of iterations.
    pub fn solve(&self, history: &History, right: &[f64], exactness: f64) -> (Vec<f64>, usize) {
        let all: Vec<usize> = (0..right.len()).collect();
        let right = right.iter().map(|own| [*own]).collect();
        let (solution, iterations) = self.solve_lanes(history, right, &all, exactness);
        (solution.into_iter().map(|[own]| own).collect(), iterations)
    }

    /// Solves for several right-hand sides, and returns the wanted unknowns; see
    /// [`Curvature::solve`].
    pub fn solve_lanes<const N: usize>(
        &self,
        history: &History,
        right: Vec<[f64; N]>,
        wanted: &[usize],
        exactness: f64,
    ) -> (Vec<[f64; N]>, usize) {
        let mut solution = vec![[0.0; N]; wanted.len()];
        let mut rest = right;
        let mut conditioned = vec![[0.0; N]; rest.len()];
        let mut length = self.precondition(&rest, &mut conditioned);
        let mut direction = conditioned.clone();
        let enough = length.map(|length| exactness * exactness * length);
        let mut ahead = vec![[0.0; N]; rest.len()];
        // Converged solutions stay unchanged.
        let mut goes_on = length.map(|length| length > 0.0);
        for iteration in 1..=MOST_ITERATIONS {
            if !goes_on.contains(&true) {
                return (solution, iteration - 1);
            }
            let along = self.times(history, &direction, &mut ahead);
            let step = quotients(&goes_on, &length, &along);
            let of_wanted = solution.par_iter_mut().zip(wanted).with_min_len(PIECE);
            of_wanted
                .for_each(|(solution, node)| *solution = plus(*solution, step, &direction[*node]));
            let of_all = rest.par_iter_mut().zip(&ahead).with_min_len(PIECE);
            of_all.for_each(|(rest, ahead)| *rest = plus(*rest, step.map(|step| -step), ahead));
            let next = self.precondition(&rest, &mut conditioned);
            for lane in 0..N {
                goes_on[lane] &= next[lane] >= enough[lane];
            }
            let part = quotients(&goes_on, &next, &length);
            let of_all = direction.par_iter_mut().zip(&conditioned).with_min_len(PIECE);
            of_all.for_each(|(direction, conditioned)| {
                *direction = plus(*conditioned, part, direction)
            });
            length = next;
        }
        (solution, MOST_ITERATIONS)
    }
}
