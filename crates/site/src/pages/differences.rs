//! Formats differences of log losses for tables.

use super::predictions::signed;
use crate::figures::fixed;
use rating_systems::evaluation::comparison::LossDifference;

/// The number of standard errors within which two systems cannot be distinguished: about the
/// two-sided 5% point of the normal distribution.
pub(super) const BEYOND: f64 = 2.0;

/// A difference with its standard error, if it has one.
pub(super) fn with_error(difference: LossDifference) -> String {
    let mean = signed(difference.mean, 4);
    match difference.standard_error {
        Some(error) => format!("{mean} ± {}", fixed(error, 4)),
        None => format!("{mean} (few events)"),
    }
}
