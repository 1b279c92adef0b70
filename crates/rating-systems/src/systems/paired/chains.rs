//! Tridiagonal systems of equations: chains of unknowns, each tied to the next. The unknowns may
//! have any order in which the next one has a higher index.

use super::history::NONE;

/// The factored form of a symmetric positive definite matrix of chains.
#[derive(Clone, Debug, Default)]
pub struct Chains {
    /// The next unknown of the chain; [`NONE`] for its last.
    next: Vec<u32>,
    /// The tie to the next unknown, divided by the pivot.
    part: Vec<f64>,
    /// The reciprocals of the pivots.
    inverse: Vec<f64>,
}

impl Chains {
    /// Factors the matrix with this diagonal. The off-diagonal elements are the negative ties to
    /// the next unknowns.
    pub fn factored(diagonal: &[f64], tie: &[f64], next: &[u32]) -> Chains {
        let mut pivot = diagonal.to_vec();
        let mut part = vec![0.0; pivot.len()];
        for place in 0..pivot.len() {
            if next[place] != NONE {
                part[place] = tie[place] / pivot[place];
                pivot[next[place] as usize] -= part[place] * tie[place];
            }
        }
        let inverse = pivot.iter().map(|pivot| 1.0 / pivot).collect();
        Chains { next: next.to_vec(), part, inverse }
    }

    /// Solves for several right-hand sides in place.
    pub fn solve<const N: usize>(&self, right: &mut [[f64; N]]) {
        for place in 0..right.len() {
            let next = self.next[place];
            if next != NONE {
                let own = right[place];
                for (next, own) in right[next as usize].iter_mut().zip(own) {
                    *next += self.part[place] * own;
                }
            }
        }
        for place in (0..right.len()).rev() {
            let next = self.next[place];
            let mut own = right[place].map(|own| own * self.inverse[place]);
            if next != NONE {
                for (own, next) in own.iter_mut().zip(right[next as usize]) {
                    *own += self.part[place] * next;
                }
            }
            right[place] = own;
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
