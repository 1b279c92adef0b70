//! The performance formulas of Chessmetrics.
//!
//! Source: Jeff Sonas, *Chessmetrics: Formulas* (the formulas of 2005).

/// Difference (points) between performances with scores of 100% and 0%: 85 points for each 10%.
pub(super) const SPREAD: f64 = 850.0;

/// Number of months whose games a list uses, unless the parameters say otherwise: four years.
pub(super) const WINDOW: i32 = 48;

/// The weight of a game in `[0, 1]`, for a list that uses the games of `window` months. It falls by
/// equal steps from 1 for a game of the last month (`age` 0).
pub(super) fn weight(age: i32, window: i32) -> f64 {
    f64::from(window - age) / f64::from(window)
}

/// The unpadded performance rating (points): the opponents' mean plus the points for the score.
pub(super) fn raw_performance(mean_opponent: f64, fraction: f64) -> f64 {
    mean_opponent + (fraction - 0.5) * SPREAD
}

/// Number of drawn games against the mean opponent that pad a performance.
const AGAINST_MEAN: f64 = 4.0;

/// Number of drawn games against the floor that pad a performance.
const AGAINST_FLOOR: f64 = 3.0;

/// Points that are added to every padded performance.
const BONUS: f64 = 43.0;

pub(super) fn padded(mean_opponent: f64, fraction: f64, games: f64, floor: f64) -> f64 {
    let raw = raw_performance(mean_opponent, fraction);
    (raw * games + mean_opponent * AGAINST_MEAN + floor * AGAINST_FLOOR)
        / (games + (AGAINST_MEAN + AGAINST_FLOOR))
        + BONUS
}

/// Maximum number of iterations for a list. A safeguard: an iteration usually ends when no rating
/// changes by the tolerance.
pub(super) const MOST_ITERATIONS: usize = 400;
