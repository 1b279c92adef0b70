//! Forms the lines of the output, which all forms of the performance rating share.

use crate::systems::elo::formulas::Expectancy;

/// The text in place of a performance rating where the score gives none.
pub(super) const UNLIMITED: &str = "no limit";

/// The curves for which performance ratings are printed.
pub(super) const CURVES: [Expectancy; 3] =
    [Expectancy::Normal, Expectancy::Logistic, Expectancy::Table];

/// A line of the output: what it is, and its value.
pub(super) fn row(name: &str, value: &str) -> String {
    format!("{name:<34}{value}")
}

/// A line with several right-aligned values.
pub(super) fn columns<T: AsRef<str>>(name: &str, values: &[T]) -> String {
    let values: String = values.iter().map(|value| format!("{:>15}", value.as_ref())).collect();
    format!("{name:<31}{values}").trim_end().to_owned()
}

/// Whether a score has a performance rating: some points, and not all of them.
pub(super) fn is_finite(score: f64, games: usize) -> bool {
    score > 0.0 && score < games as f64
}
