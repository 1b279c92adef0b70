//! Tests whether scores vary about the expected scores as the normal curve says (2.7, 8.96).

use statrs::distribution::{ChiSquared, ContinuousCDF, Normal};

/// A chi-squared test of a distribution against the normal curve.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NormalFit {
    /// Sum of the squared deviations, each divided by the expected number.
    pub statistic: f64,
    /// Degrees of freedom: one less than the number of cells.
    pub degrees_of_freedom: usize,
    /// Probability of this statistic or a greater one, if the normal curve were right.
    pub probability: f64,
}

/// Width of a cell, and the distance from which all values share the outermost cells (standard
/// deviations). Judged: eighteen cells are enough to show the shape of the curve, and each expects
/// five values from about 5,000 players. With fewer players, outer cells are joined.
const WIDTH: f64 = 0.5;
const FARTHEST: f64 = 4.0;

/// Fewest cells of a test, and fewest expected values of each (8.96).
const FEWEST_CELLS: usize = 6;
const FEWEST_EXPECTED: f64 = 5.0;

/// Tests distances from the expected score (standard deviations) against the standard normal curve.
/// Outer cells are joined until each expects five values. `None` if fewer than six cells remain.
pub fn normal_fit(distances: &[f64]) -> Option<NormalFit> {
    let inner = (2.0 * FARTHEST / WIDTH) as usize;
    let edges: Vec<f64> = (0..=inner).map(|place| WIDTH * place as f64 - FARTHEST).collect();
    let normal = Normal::standard();
    // The cells between the edges, and the two beyond the outermost ones.
    let mut cells = vec![(0.0, 0.0); inner + 2];
    for (place, (expected, _)) in cells.iter_mut().enumerate() {
        let below = if place == 0 { 0.0 } else { normal.cdf(edges[place - 1]) };
        let above = if place > inner { 1.0 } else { normal.cdf(edges[place]) };
        *expected = (above - below) * distances.len() as f64;
    }
    for distance in distances {
        let place = edges.iter().take_while(|edge| **edge <= *distance).count();
        cells[place].1 += 1.0;
    }
    // The outermost cells expect the fewest values.
    while cells.len() > 1 && cells[0].0 < FEWEST_EXPECTED {
        let (expected, found) = cells.remove(0);
        cells[0] = (cells[0].0 + expected, cells[0].1 + found);
    }
    while cells.len() > 1 && cells[cells.len() - 1].0 < FEWEST_EXPECTED {
        let (expected, found) = cells.pop()?;
        let last = cells.last_mut()?;
        *last = (last.0 + expected, last.1 + found);
    }
    fit(&cells)
}

/// The test of cells: the expected number of values, and the number found.
fn fit(cells: &[(f64, f64)]) -> Option<NormalFit> {
    if cells.len() < FEWEST_CELLS {
        return None;
    }
    let statistic =
        cells.iter().map(|(expected, found)| (found - expected).powi(2) / expected).sum();
    let degrees_of_freedom = cells.len() - 1;
    let probability = ChiSquared::new(degrees_of_freedom as f64).ok()?.sf(statistic);
    Some(NormalFit { statistic, degrees_of_freedom, probability })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_open_of_1976_has_the_statistic_of_the_book() {
        // Expected and found numbers of players by their distance from the expected score (8.96).
        let cells = [
            (8.4, 9.0),
            (43.5, 51.0),
            (130.2, 137.0),
            (181.3, 186.0),
            (130.2, 127.0),
            (43.5, 34.0),
            (8.4, 2.0),
        ];
        let found = fit(&cells).unwrap();
        assert!((found.statistic - 8.843).abs() < 5e-4, "{found:?}");
        assert_eq!(found.degrees_of_freedom, 6);
        // Between the critical values of 10% and 25%, 10.64 and 7.84.
        assert!((0.10..0.25).contains(&found.probability), "{found:?}");
    }

    #[test]
    fn quantiles_of_the_normal_curve_fit_and_wider_ones_do_not() {
        let normal = Normal::standard();
        let quantiles: Vec<f64> =
            (0..1000).map(|place| normal.inverse_cdf((f64::from(place) + 0.5) / 1000.0)).collect();
        let right = normal_fit(&quantiles).unwrap();
        assert!(right.statistic < 1.0 && right.probability > 0.999, "{right:?}");
        let wide: Vec<f64> = quantiles.iter().map(|distance| 1.3 * distance).collect();
        assert!(normal_fit(&wide).unwrap().probability < 1e-6);
        // Twenty values fill too few cells with five each.
        assert_eq!(normal_fit(&quantiles[..20]), None);
        assert_eq!(normal_fit(&[]), None);
    }

    #[test]
    fn values_beyond_the_outermost_edges_count() {
        let mut values: Vec<f64> = vec![0.0; 400];
        values.extend([-9.0, 9.0]);
        assert!(normal_fit(&values).unwrap().probability < 1e-6);
    }
}
