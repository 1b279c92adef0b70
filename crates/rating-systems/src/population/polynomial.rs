//! Fits a polynomial to weighted points by least squares.

use crate::systems::linear_equations::solve_linear;

/// A polynomial that was fitted to points.
#[derive(Clone, Debug, PartialEq)]
pub struct Polynomial {
    /// Coefficients, of the power zero first, in units of `width` from `centre`.
    coefficients: Vec<f64>,
    centre: f64,
    width: f64,
}

impl Polynomial {
    /// Fits a polynomial of this degree, or of a lower one if the points are too few. The points
    /// are x, y and the weight. `None` without points.
    pub fn fit(points: &[(f64, f64, f64)], degree: usize) -> Option<Polynomial> {
        let (low, high) =
            points.iter().fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), (x, ..)| {
                (low.min(*x), high.max(*x))
            });
        let count = degree.min(points.len().checked_sub(1)?) + 1;
        // Powers of numbers from -1 to 1 keep the equations well conditioned.
        let (centre, width) = ((low + high) / 2.0, ((high - low) / 2.0).max(f64::MIN_POSITIVE));
        let mut rows = vec![vec![0.0; count + 1]; count];
        for (x, y, weight) in points {
            let scaled = (x - centre) / width;
            let powers: Vec<f64> = (0..count).map(|power| scaled.powi(power as i32)).collect();
            for (row, own) in rows.iter_mut().zip(&powers) {
                for (cell, other) in row.iter_mut().zip(&powers) {
                    *cell += weight * own * other;
                }
                row[count] += weight * own * y;
            }
        }
        Some(Polynomial { coefficients: solve_linear(rows), centre, width })
    }

    /// The value at `x`.
    pub fn at(&self, x: f64) -> f64 {
        let scaled = (x - self.centre) / self.width;
        self.coefficients.iter().rev().fold(0.0, |value, coefficient| value * scaled + coefficient)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_parabola_is_found_again_and_heavy_points_count_more() {
        let points: Vec<(f64, f64, f64)> = (1900..1930)
            .map(|year| {
                let x = f64::from(year);
                (x, 2500.0 - (x - 1915.0).powi(2), 40.0)
            })
            .collect();
        let found = Polynomial::fit(&points, 4).unwrap();
        assert!((found.at(1907.5) - (2500.0 - 7.5 * 7.5)).abs() < 1e-6);
        let constant = Polynomial::fit(&[(1.0, 10.0, 3.0), (2.0, 20.0, 1.0)], 0).unwrap();
        assert!((constant.at(1.7) - 12.5).abs() < 1e-9);
        assert_eq!(Polynomial::fit(&[], 4), None);
        let single = Polynomial::fit(&[(1900.0, 2400.0, 12.0)], 4).unwrap();
        assert_eq!(single.at(1900.0), 2400.0);
    }
}
