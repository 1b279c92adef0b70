//! Stores a sparse matrix over the pairs of a table.

use super::table::{PairScore, PairingTable};

/// Opponents and weights, row by row, in compact form, because solvers read them repeatedly.
#[derive(Clone, Debug)]
pub(super) struct Rows {
    starts: Vec<u32>,
    opponents: Vec<u32>,
    /// The weights, in the order of the table's pairs.
    pub weights: Vec<f64>,
}

impl Rows {
    /// Makes the matrix with these weights.
    pub fn new(table: &PairingTable, weight: impl Fn(&PairScore) -> f64) -> Rows {
        let ends = (0..table.len()).map(|player| table.range(player).end as u32);
        Rows {
            starts: std::iter::once(0).chain(ends).collect(),
            opponents: table.pairs().iter().map(|pair| pair.opponent).collect(),
            weights: table.pairs().iter().map(weight).collect(),
        }
    }

    /// Computes `image = matrix x`.
    pub fn times(&self, x: &[f64], image: &mut [f64]) {
        for (image, row) in image.iter_mut().zip(self.starts.windows(2)) {
            let row = row[0] as usize..row[1] as usize;
            let of_row = self.opponents[row.clone()].iter().zip(&self.weights[row]);
            *image = of_row.map(|(opponent, weight)| weight * x[*opponent as usize]).sum();
        }
    }

    /// Computes `image = (diag - matrix) x`.
    pub fn laplacian(&self, diagonal: &[f64], x: &[f64], image: &mut [f64]) {
        self.times(x, image);
        for ((image, diagonal), x) in image.iter_mut().zip(diagonal).zip(x) {
            *image = diagonal * x - *image;
        }
    }
}
