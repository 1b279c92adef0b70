//! Tridiagonal systems of equations: chains of unknowns, each tied to the next. The unknowns may
//! have any order in which the next one has a higher index.
//!
//! Neighbouring unknowns that are not tied to each other form a wave, for example those of a year.
//! The unknowns of a wave are solved in parallel, and the waves one after another.

use std::ops::Range;

use rayon::prelude::*;

use super::couplings::PIECE;
use super::history::NONE;

/// The factored form of a symmetric positive definite matrix of chains.
#[derive(Clone, Debug, Default)]
pub struct Chains {
    /// The next unknown of the chain; [`NONE`] for its last.
    next: Vec<u32>,
    /// The previous unknown of the chain; [`NONE`] for its first.
    before: Vec<u32>,
    /// The tie to the next unknown, divided by the pivot.
    part: Vec<f64>,
    /// The reciprocals of the pivots.
    inverse: Vec<f64>,
    /// The unknowns that are solved in parallel.
    waves: Vec<Range<usize>>,
}

impl Chains {
    /// Factors the matrix with this diagonal. The off-diagonal elements are the negative ties to
    /// the next unknowns.
    pub fn factored(diagonal: &[f64], tie: &[f64], next: &[u32]) -> Chains {
        let mut pivot = diagonal.to_vec();
        let mut part = vec![0.0; pivot.len()];
        let mut before = vec![NONE; pivot.len()];
        for place in 0..pivot.len() {
            if next[place] != NONE {
                part[place] = tie[place] / pivot[place];
                pivot[next[place] as usize] -= part[place] * tie[place];
                before[next[place] as usize] = place as u32;
            }
        }
        let inverse = pivot.iter().map(|pivot| 1.0 / pivot).collect();
        Chains { next: next.to_vec(), before, part, inverse, waves: waves(next) }
    }

    /// Solves for several right-hand sides.
    pub fn solve<const N: usize>(&self, right: &[[f64; N]], solution: &mut [[f64; N]]) {
        for wave in &self.waves {
            let (done, rest) = solution.split_at_mut(wave.start);
            let of_wave = rest[..wave.len()].par_iter_mut().with_min_len(PIECE);
            of_wave.zip(wave.clone()).for_each(|(own, place)| {
                *own = right[place];
                if self.before[place] != NONE {
                    let before = self.before[place] as usize;
                    for (own, other) in own.iter_mut().zip(&done[before]) {
                        *own += self.part[before] * other;
                    }
                }
            });
        }
        for wave in self.waves.iter().rev() {
            let (rest, done) = solution.split_at_mut(wave.end);
            let of_wave = rest[wave.start..].par_iter_mut().with_min_len(PIECE);
            of_wave.zip(wave.clone()).for_each(|(own, place)| {
                *own = own.map(|own| own * self.inverse[place]);
                if self.next[place] != NONE {
                    let next = &done[self.next[place] as usize - wave.end];
                    for (own, next) in own.iter_mut().zip(next) {
                        *own += self.part[place] * next;
                    }
                }
            });
        }
    }

    /// The diagonal of the inverse: variances conditional on everything outside the chains.
    pub fn variances(&self) -> Vec<f64> {
        let mut variances = self.inverse.clone();
        for place in (0..variances.len()).rev() {
            let next = self.next[place];
            if next != NONE {
                variances[place] += self.part[place].powi(2) * variances[next as usize];
            }
        }
        variances
    }
}

/// Ranges of unknowns, as long as possible, without ties inside a range.
fn waves(next: &[u32]) -> Vec<Range<usize>> {
    let mut waves = Vec::new();
    let mut first = 0;
    // The first unknown that is tied to one of the wave.
    let mut end = NONE;
    for (place, next) in next.iter().enumerate() {
        if place as u32 == end {
            waves.push(first..place);
            (first, end) = (place, NONE);
        }
        end = end.min(*next);
    }
    waves.push(first..next.len());
    waves
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_wave_ends_before_the_first_unknown_that_is_tied_to_it() {
        assert_eq!(waves(&[2, 3, 4, NONE, NONE]), [0..2, 2..4, 4..5]);
        assert_eq!(waves(&[NONE, NONE, NONE, 4, NONE]), [0..4, 4..5]);
        assert_eq!(waves(&[1, NONE]), [0..1, 1..2]);
    }

    #[test]
    fn the_matrix_times_the_solution_is_the_right_hand_side() {
        // Two chains, 0-2-4 and 1-3, and an unknown without ties.
        let next = [2, 3, 4, NONE, NONE, NONE];
        let (diagonal, tie) = ([4.0, 3.0, 5.0, 2.0, 6.0, 7.0], [1.0, 0.5, 2.0, 0.0, 0.0, 0.0]);
        let right = [[1.0, 0.0], [2.0, -1.0], [3.0, 5.0], [-4.0, 0.5], [0.0, 1.0], [7.0, 14.0]];
        let mut solution = [[0.0; 2]; 6];
        Chains::factored(&diagonal, &tie, &next).solve(&right, &mut solution);
        for lane in 0..2 {
            let mut product: Vec<f64> =
                diagonal.iter().zip(&solution).map(|(own, x)| own * x[lane]).collect();
            for (place, other) in next.iter().enumerate().filter(|(_, other)| **other != NONE) {
                product[place] -= tie[place] * solution[*other as usize][lane];
                product[*other as usize] -= tie[place] * solution[place][lane];
            }
            for (product, right) in product.iter().zip(&right) {
                assert!((product - right[lane]).abs() < 1e-12, "{product} is not {}", right[lane]);
            }
        }
    }
}
