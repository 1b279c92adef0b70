//! Differences of log losses, for tables.

use super::foretold::signed;
use crate::site::figures::fixed;
use crate::systems::comparison::Difference;

/// Standard errors within which two systems cannot be told apart.
pub(super) const BEYOND: f64 = 2.0;

/// A difference with its standard error.
pub(super) fn with_error(difference: Difference) -> String {
    format!("{} ± {}", signed(difference.mean, 4), fixed(difference.standard_error, 4))
}
