//! Performs the Ratings Goodness of Fit Test: chi-squared of the residuals from the performance
//! line.

use bitcode::{Decode, Encode};
use std::sync::OnceLock;

use serde::Serialize;
use statrs::distribution::{ChiSquared, ContinuousCDF};
use strum::IntoStaticStr;

/// Variance (squared rating points) by which squared residuals are divided: 50 squared. Source:
/// Berard, the PRA paper.
pub const DENOMINATOR: f64 = 2500.0;

/// Right-tail probability of the critical value, and left-tail probability of the lower one.
/// Source: Berard, the PRA paper.
pub const ALPHA: f64 = 0.05;

/// The result of the test.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Encode, Decode, IntoStaticStr)]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
pub enum FitResult {
    /// The players performed as expected.
    Passed,
    /// They did not: chi-squared exceeds the critical value.
    Failed,
    /// Passed, but closer to expectation than chance explains: chi-squared is below the 5%
    /// quantile.
    TooClose,
    /// The test does not apply: a match (two points always fit) or too few ratings.
    NotApplicable,
}

impl FitResult {
    /// The word used in exports.
    pub fn word(self) -> &'static str {
        self.into()
    }
}

/// The test statistic with its limits and result.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Encode, Decode)]
pub struct FitTest {
    /// chi-squared = sum of squared residuals / 2500.
    pub statistic: Option<f64>,
    /// Upper limit: the 95% quantile at n - 1 degrees of freedom.
    pub critical: Option<f64>,
    /// Lower limit: the 5% quantile.
    pub lower: Option<f64>,
    /// n - 1, where n is the number of ratings on the line.
    pub degrees_of_freedom: usize,
    /// Smallest denominator, instead of 2500, at which chi-squared would be within the limits.
    pub constant_low: Option<f64>,
    /// Largest such denominator.
    pub constant_high: Option<f64>,
    /// Whether the statistic is within the limits.
    pub result: FitResult,
}

impl FitTest {
    /// Tests the residuals (rating points) of a line.
    ///
    /// With fewer than three residuals the test does not apply, because a line through two points
    /// leaves none.
    pub fn from_residuals(residuals: &[f64]) -> FitTest {
        let n = residuals.len();
        let degrees_of_freedom = n.saturating_sub(1);
        let limits = if n >= 3 { limits(degrees_of_freedom) } else { None };
        let Some((lower, critical)) = limits else {
            return FitTest {
                statistic: None,
                critical: None,
                lower: None,
                degrees_of_freedom,
                constant_low: None,
                constant_high: None,
                result: FitResult::NotApplicable,
            };
        };
        let sum_of_squares: f64 = residuals.iter().map(|residual| residual * residual).sum();
        let statistic = sum_of_squares / DENOMINATOR;
        FitTest {
            statistic: Some(statistic),
            critical: Some(critical),
            lower: Some(lower),
            degrees_of_freedom,
            constant_low: Some(sum_of_squares / critical),
            constant_high: Some(sum_of_squares / lower),
            result: if statistic > critical {
                FitResult::Failed
            } else if statistic < lower {
                FitResult::TooClose
            } else {
                FitResult::Passed
            },
        }
    }
}

/// Degrees of freedom whose quantiles are cached. For more, they are computed each time. Larger
/// events are rare.
const CACHED: usize = 512;

/// Returns the 5% and 95% quantiles of chi-squared. They are cached, because computing them takes
/// longer than the rest of the analysis of ten players.
pub(crate) fn limits(degrees_of_freedom: usize) -> Option<(f64, f64)> {
    static FOUND: [OnceLock<Option<(f64, f64)>>; CACHED] = [const { OnceLock::new() }; CACHED];
    match FOUND.get(degrees_of_freedom) {
        Some(found) => *found.get_or_init(|| quantiles(degrees_of_freedom)),
        None => quantiles(degrees_of_freedom),
    }
}

fn quantiles(degrees_of_freedom: usize) -> Option<(f64, f64)> {
    let chi_squared = ChiSquared::new(degrees_of_freedom as f64).ok()?;
    Some((chi_squared.inverse_cdf(ALPHA), chi_squared.inverse_cdf(1.0 - ALPHA)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn critical_values_are_exact_where_the_paper_rounds() {
        assert!((limits(3).unwrap().1 - 7.814_727_903).abs() < 1e-8);
        assert!((limits(11).unwrap().1 - 19.675_137_573).abs() < 1e-8);
        assert!((limits(3).unwrap().0 - 0.351_846_318).abs() < 1e-8);
    }

    #[test]
    fn the_ends_of_the_constant_interval_give_the_limits() {
        let residuals = [30.0, -50.0, 10.0, 10.0];
        let test = FitTest::from_residuals(&residuals);
        let squares: f64 = residuals.iter().map(|r| r * r).sum();
        assert!((squares / test.constant_low.unwrap() - test.critical.unwrap()).abs() < 1e-9);
        assert!((squares / test.constant_high.unwrap() - test.lower.unwrap()).abs() < 1e-9);
    }

    #[test]
    fn results_follow_from_the_limits() {
        assert_eq!(FitTest::from_residuals(&[90.0, -90.0, 60.0, -60.0]).result, FitResult::Failed);
        assert_eq!(FitTest::from_residuals(&[50.0, -50.0, 30.0, -30.0]).result, FitResult::Passed);
        assert_eq!(FitTest::from_residuals(&[1.0, -1.0, 1.0, -1.0]).result, FitResult::TooClose);
        assert_eq!(FitTest::from_residuals(&[0.0, 0.0]).result, FitResult::NotApplicable);
    }
}
