//! Performances as Chessmetrics has them.
//!
//! Source: Jeff Sonas, *Chessmetrics: Formulas* (the formulas of 2005).

/// Points that the whole of the score is worth: 85 for each ten per cent.
pub(super) const SPREAD: f64 = 850.0;

/// Months that a list looks back.
pub(super) const WINDOW: i32 = 48;

/// The raw performance rating (points): the opponents' mean and the score.
pub(super) fn raw_performance(mean_opponent: f64, fraction: f64) -> f64 {
    mean_opponent + (fraction - 0.5) * SPREAD
}

/// Games, drawn against the mean opponent, that pad a performance.
const AGAINST_MEAN: f64 = 4.0;

/// Games, drawn against the floor, that pad a performance.
const AGAINST_FLOOR: f64 = 3.0;

/// Points that are added to every padded performance.
const BONUS: f64 = 43.0;

pub(super) fn padded(mean_opponent: f64, fraction: f64, games: f64, floor: f64) -> f64 {
    let raw = raw_performance(mean_opponent, fraction);
    (raw * games + mean_opponent * AGAINST_MEAN + floor * AGAINST_FLOOR)
        / (games + (AGAINST_MEAN + AGAINST_FLOOR))
        + BONUS
}

/// Iterations after which a list is taken as it is.
pub(super) const MOST_ITERATIONS: usize = 400;
