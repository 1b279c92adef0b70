//! Checks numbers from the command line, with the same messages in all commands.

use anyhow::bail;

/// The range of plausible ratings (points). Judged: no scale has ratings outside it, and it refuses
/// typing errors such as 27850 or 27.
const RATINGS: std::ops::RangeInclusive<f64> = 100.0..=4000.0;

/// The range of plausible numbers of games. Judged: no match or tournament has more games of one
/// player. The distribution of a score takes time in proportion to the square of the number.
const GAMES: std::ops::RangeInclusive<i64> = 1..=1000;

/// Refuses a rating (points) outside the plausible range.
pub(super) fn check_rating(rating: f64) -> anyhow::Result<()> {
    if !RATINGS.contains(&rating) {
        bail!("a rating must be between {} and {}; got {rating}", RATINGS.start(), RATINGS.end());
    }
    Ok(())
}

/// Refuses a number of games outside the plausible range.
pub(super) fn check_games(games: i64) -> anyhow::Result<usize> {
    if !GAMES.contains(&games) {
        bail!("the number of games must be from {} to {}; got {games}", GAMES.start(), GAMES.end());
    }
    Ok(games as usize)
}

/// Refuses a proportion of draws outside `[0, 1]`.
pub(super) fn check_draws(draws: f64) -> anyhow::Result<()> {
    if !(0.0..=1.0).contains(&draws) {
        bail!("the proportion of draws must be from 0 to 1; got {draws}");
    }
    Ok(())
}

/// Refuses a score that cannot be made in this number of games.
pub(super) fn check_score(score: f64, games: usize) -> anyhow::Result<()> {
    if !score.is_finite() || score < 0.0 || score > games as f64 {
        bail!("a score must be between 0 and the number of games, {games}; got {score}");
    }
    if (2.0 * score).fract() != 0.0 {
        bail!("a score must be a number of half points; got {score}");
    }
    Ok(())
}
