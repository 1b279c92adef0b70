//! Self-consistent performance ratings by successive approximations.
//!
//! Source: Arpad E. Elo, *The Rating of Chessplayers, Past and Present* (second edition).

use super::formulas::Expectancy;
use crate::systems::simultaneous::Encounters;

/// Approximations after which ratings are taken as they are.
const MOST: usize = 2000;

/// One approximation after the other: everybody's next rating is the mean of his opponents' present ones,
/// weighted by encounters, and the difference for his score, which stays half a point from its ends.
pub(super) fn approximate(
    encounters: &Encounters,
    expectancy: Expectancy,
    ratings: &[f64],
) -> Vec<f64> {
    let mut next = ratings.to_vec();
    encounters.step(ratings, &mut next, |mean, fraction, games| {
        mean + expectancy.difference(capped(fraction, games))
    });
    next
}

/// A fraction of the points of so many games, half a point from its ends.
pub(super) fn capped(fraction: f64, games: f64) -> f64 {
    let half = 0.5 / games.max(1.0);
    fraction.clamp(half, 1.0 - half)
}

/// The self-consistent ratings of connected players around a mean (points).
pub(super) fn self_consistent(
    encounters: &Encounters,
    expectancy: Expectancy,
    mean: f64,
    tolerance: f64,
) -> Vec<f64> {
    let players = encounters.len();
    // Two groups that meet only each other swing for ever: half of each step is enough to stop that.
    let mut ratings = vec![mean; players];
    for _ in 0..MOST {
        let next = approximate(encounters, expectancy, &ratings);
        let shift = mean - next.iter().sum::<f64>() / players.max(1) as f64;
        let mut change: f64 = 0.0;
        for (rating, next) in ratings.iter_mut().zip(next) {
            let damped = (*rating + next + shift) / 2.0;
            change = change.max((damped - *rating).abs());
            *rating = damped;
        }
        if change < tolerance / 2.0 {
            break;
        }
    }
    ratings
}
