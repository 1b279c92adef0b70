//! The fit test as a picture: the statistic on a scale with the lower and the critical value.

use serde::Serialize;

use super::tenth;
use crate::figures::fixed;
use tournament_app::FitTest;

/// The end of the scale, as a multiple of the critical value.
const LONGEST: f64 = 2.0;

/// The picture, in per cent of its width.
#[derive(Clone, Debug, Serialize)]
pub struct FitScale {
    lower_at: f64,
    critical_at: f64,
    statistic_at: f64,
    lower: String,
    critical: String,
    statistic: String,
    /// Whether the statistic is beyond the scale.
    beyond: bool,
    /// The text anchor of its figure.
    anchor: &'static str,
    description: String,
}

/// The picture of a test; `None` without a test.
pub fn fit_scale(test: &FitTest) -> Option<FitScale> {
    let (statistic, critical, lower) = (test.statistic?, test.critical?, test.lower?);
    let end = critical * LONGEST;
    let [lower_at, critical_at, statistic_at] =
        [lower, critical, statistic].map(|value| tenth(2.0 + 96.0 * (value / end).clamp(0.0, 1.0)));
    Some(FitScale {
        lower_at,
        critical_at,
        statistic_at,
        lower: fixed(lower, 2),
        critical: fixed(critical, 2),
        statistic: fixed(statistic, 2),
        beyond: statistic > end,
        anchor: match statistic_at {
            at if at < 12.0 => "start",
            at if at > 88.0 => "end",
            _ => "middle",
        },
        description: format!(
            "Chi-squared {}; the ratings fit between {} and {}.",
            fixed(statistic, 2),
            fixed(lower, 2),
            fixed(critical, 2)
        ),
    })
}
