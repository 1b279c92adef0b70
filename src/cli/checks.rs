//! What numbers on the command line may be: the same sentences in all commands.

use anyhow::bail;

/// Ratings (points) that make sense.
const RATINGS: std::ops::RangeInclusive<f64> = 100.0..=4000.0;

/// Games that make sense.
const GAMES: std::ops::RangeInclusive<i64> = 1..=1000;

/// A rating (points).
pub(super) fn check_rating(rating: f64) -> anyhow::Result<()> {
    if !RATINGS.contains(&rating) {
        bail!("ratings lie between {} and {}; got {rating}", RATINGS.start(), RATINGS.end());
    }
    Ok(())
}

/// A number of games.
pub(super) fn check_games(games: i64) -> anyhow::Result<usize> {
    if !GAMES.contains(&games) {
        bail!("there are {} to {} games; got {games}", GAMES.start(), GAMES.end());
    }
    Ok(games as usize)
}

/// A part of draws.
pub(super) fn check_draws(draws: f64) -> anyhow::Result<()> {
    if !(0.0..=1.0).contains(&draws) {
        bail!("the part of draws is 0 to 1; got {draws}");
    }
    Ok(())
}

/// A score in so many games.
pub(super) fn check_score(score: f64, games: usize) -> anyhow::Result<()> {
    if !score.is_finite() || score < 0.0 || score > games as f64 {
        bail!("a score lies between 0 and the number of games, {games}; got {score}");
    }
    if (2.0 * score).fract() != 0.0 {
        bail!("a score is a number of half points; got {score}");
    }
    Ok(())
}
