//! The fit test as a picture: the statistic on a scale with the lower and the critical value.

use serde::Serialize;

use super::tenth;
use crate::figures::fixed;
use tournament_app::FitTest;

/// The end of the scale, as a multiple of the critical value.
const LONGEST: f64 = 2.0;

/// The picture of a test, in per cent of its width; `None` without a test.
pub fn fit_scale(test: &FitTest) -> Option<impl Serialize> {
    let (statistic, critical, lower) = (test.statistic?, test.critical?, test.lower?);
    let end = critical * LONGEST;
    let [lower_at, critical_at, statistic_at] =
        [lower, critical, statistic].map(|value| tenth(2.0 + 96.0 * (value / end).clamp(0.0, 1.0)));
    Some(view!(
        lower_at,
        critical_at,
        statistic_at,
        lower = fixed(lower, 2),
        critical = fixed(critical, 2),
        statistic = fixed(statistic, 2),
        // Whether the statistic is beyond the scale.
        beyond = statistic > end,
        // The text anchor of its figure.
        anchor = match statistic_at {
            at if at < 12.0 => "start",
            at if at > 88.0 => "end",
            _ => "middle",
        },
        description = format!(
            "Chi-squared {}; the ratings fit between {} and {}.",
            fixed(statistic, 2),
            fixed(lower, 2),
            fixed(critical, 2)
        )
    ))
}
