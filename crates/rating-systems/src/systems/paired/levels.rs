//! Coarse-grid correction for the levels of periods, which the chains' preconditioner corrects
//! last.
//!
//! The nodes of a few years form one unknown each. The small dense system of these unknowns is
//! solved in addition to the chains. Source: R. Nicolaides, *Deflation of conjugate gradients with
//! applications to boundary value problems* (1987), for piecewise constant subspaces.

use std::ops::Range;

use rayon::prelude::*;

use super::history::{COHORT_YEARS, History, NONE};

/// Levels of periods of years, with the factored equations between them.
#[derive(Clone, Debug, Default)]
pub struct Levels {
    /// The nodes of each level. Cohorts, whose numbers follow the nodes, belong to the level of
    /// their years.
    nodes: Vec<Range<usize>>,
    /// The level of each node, followed by those of the cohorts.
    number: Vec<u32>,
    /// The lower triangle of the Cholesky factor, row by row.
    factor: Vec<f64>,
}

impl Levels {
    /// The levels of a history with this diagonal of the second derivatives and this information of
    /// each coupling.
    pub fn new(history: &History, diagonal: &[f64], of_coupling: &[f64]) -> Levels {
        let nodes = &history.nodes;
        let first_year = history.first_year;
        let mut ranges: Vec<Range<usize>> = Vec::new();
        let mut number: Vec<u32> = vec![0; history.len()];
        // A period without nodes shares the next level.
        let mut of_period: Vec<usize> = Vec::new();
        let mut first = 0;
        for of_level in nodes.chunk_by(|a, b| {
            period_of_year(a.year, first_year) == period_of_year(b.year, first_year)
        }) {
            let period = period_of_year(of_level[0].year, first_year);
            of_period.resize(period + 1, ranges.len());
            let range = first..first + of_level.len();
            number[range.clone()].fill(ranges.len() as u32);
            first = range.end;
            ranges.push(range);
        }
        // Without nodes, the cohorts form the only level.
        if ranges.is_empty() {
            ranges.push(0..0);
        }
        for (cohort, number) in number[nodes.len()..].iter_mut().enumerate() {
            *number = of_period.get(cohort).copied().unwrap_or(0) as u32;
        }
        let count = ranges.len();
        let mut matrix = vec![0.0; count * count];
        for (place, next) in history.next.iter().enumerate() {
            if *next != NONE {
                let (a, b) = (number[place] as usize, number[*next as usize] as usize);
                matrix[a * count + b] -= history.precision[place];
                matrix[b * count + a] -= history.precision[place];
            }
        }
        let pairs = history.edges.iter().map(|edge| (edge.white, edge.black));
        let pairs = pairs.chain(history.links.iter().copied());
        for ((a, b), information) in pairs.zip(of_coupling) {
            let (a, b) = (number[a as usize] as usize, number[b as usize] as usize);
            matrix[a * count + b] -= information;
            matrix[b * count + a] -= information;
        }
        for (node, diagonal) in diagonal.iter().enumerate() {
            let level = number[node] as usize;
            matrix[level * count + level] += diagonal;
        }
        factor(&mut matrix, count);
        Levels { nodes: ranges, number, factor: matrix }
    }

    /// The level of each node, followed by those of the cohorts.
    pub fn numbers(&self) -> &[u32] {
        &self.number
    }

    /// The coarse-grid correction of the residual `rest`, by level.
    pub fn correction<const N: usize>(&self, rest: &[[f64; N]]) -> Vec<[f64; N]> {
        let count = self.nodes.len();
        let mut level: Vec<[f64; N]> = self
            .nodes
            .par_iter()
            .map(|range| {
                let mut sum = [0.0; N];
                for rest in &rest[range.clone()] {
                    for lane in 0..N {
                        sum[lane] += rest[lane];
                    }
                }
                sum
            })
            .collect();
        let cohorts = self.nodes.last().map_or(0, |range| range.end);
        for (rest, of) in rest[cohorts..].iter().zip(&self.number[cohorts..]) {
            for lane in 0..N {
                level[*of as usize][lane] += rest[lane];
            }
        }
        for row in 0..count {
            let (done, own) = level.split_at_mut(row);
            for (other, part) in done.iter().zip(&self.factor[row * count..]) {
                for lane in 0..N {
                    own[0][lane] -= part * other[lane];
                }
            }
            own[0] = own[0].map(|own| own / self.factor[row * count + row]);
        }
        for row in (0..count).rev() {
            let (before, own) = level.split_at_mut(row);
            own[0] = own[0].map(|own| own / self.factor[row * count + row]);
            for (other, part) in before.iter_mut().zip(&self.factor[row * count..]) {
                for lane in 0..N {
                    other[lane] -= part * own[0][lane];
                }
            }
        }
        level
    }
}

/// The number of the period of a year, from 0 for the first years with games.
fn period_of_year(year: i16, first_year: i16) -> usize {
    ((year - first_year) / COHORT_YEARS) as usize
}

/// Replaces a symmetric positive definite matrix by its Cholesky factor, in the lower triangle.
fn factor(matrix: &mut [f64], count: usize) {
    for column in 0..count {
        for row in column..count {
            let mut sum = matrix[row * count + column];
            for before in 0..column {
                sum -= matrix[row * count + before] * matrix[column * count + before];
            }
            matrix[row * count + column] = if row == column {
                // Rounding can make a tiny pivot negative, but not a large one.
                sum.max(f64::MIN_POSITIVE).sqrt()
            } else {
                sum / matrix[column * count + column]
            };
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_factor_times_its_transpose_is_the_matrix() {
        let matrix = [4.0, 2.0, 0.6, 2.0, 5.0, 1.0, 0.6, 1.0, 3.0];
        let mut found = matrix.to_vec();
        factor(&mut found, 3);
        for row in 0..3 {
            for column in 0..=row {
                let sum: f64 =
                    (0..=column).map(|k| found[row * 3 + k] * found[column * 3 + k]).sum();
                assert!((sum - matrix[row * 3 + column]).abs() < 1e-12);
            }
        }
    }
}
