//! The performance of a player in one event, raw and padded.
//!
//! Source: Jeff Sonas, *Chessmetrics: Formulas* (the formulas of 2005).

use super::formulas::{padded, raw_performance};
use super::monthly::Chessmetrics;

/// Number of games that a padded performance needs, as Sonas states it.
pub const PADDED_GAMES: usize = 5;

/// The padded performance rating (points) from `games` games, or from the sum of their weights.
///
/// Padding adds four draws against the mean opponent and three against [`Chessmetrics::floor`].
pub fn padded_performance(mean_opponent: f64, fraction: f64, games: f64) -> f64 {
    padded(mean_opponent, fraction, games, Chessmetrics::default().floor)
}

/// A performance in one event by the formulas of Chessmetrics.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ChessmetricsPerformance {
    /// Number of games in the event.
    pub games: usize,
    /// Points scored in them.
    pub points: f64,
    /// Mean rating of the opponents (points), one entry per game.
    pub mean_opponent: f64,
    /// The raw performance rating (points): 85 points from the mean for each 10% from one half.
    pub raw: f64,
    /// The padded performance rating (points); `None` with fewer than [`PADDED_GAMES`] games.
    pub padded: Option<f64>,
}

impl ChessmetricsPerformance {
    /// The performance of a score of `points` in `games` games against opponents whose ratings
    /// (points), one for each game, add up to `sum_of_ratings`. `None` without games.
    pub fn new(games: usize, points: f64, sum_of_ratings: f64) -> Option<ChessmetricsPerformance> {
        if games == 0 {
            return None;
        }
        let count = games as f64;
        let (mean_opponent, fraction) = (sum_of_ratings / count, points / count);
        Some(ChessmetricsPerformance {
            games,
            points,
            mean_opponent,
            raw: raw_performance(mean_opponent, fraction),
            padded: (games >= PADDED_GAMES)
                .then(|| padded_performance(mean_opponent, fraction, count)),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Sonas's example: 8 of 12 against a mean of 2733.
    #[test]
    fn kasparov_at_linares_2005_has_sonas_s_figures() {
        let kasparov = ChessmetricsPerformance::new(12, 8.0, 12.0 * 2733.0).unwrap();
        assert!((kasparov.raw - 2874.67).abs() < 0.01, "{kasparov:?}");
        assert_eq!(kasparov.padded.map(f64::round), Some(2797.0));
    }

    /// Sonas's first example on the same page: 3 of 5 against a mean of 2400.
    #[test]
    fn a_score_of_sixty_per_cent_is_85_points_above_the_opponents() {
        assert_eq!(ChessmetricsPerformance::new(5, 3.0, 5.0 * 2400.0).unwrap().raw, 2485.0);
    }

    #[test]
    fn a_perfect_score_has_a_performance_and_four_games_have_no_padded_one() {
        let perfect = ChessmetricsPerformance::new(6, 6.0, 6.0 * 2740.0).unwrap();
        assert_eq!(perfect.raw, 2740.0 + 425.0);
        assert!(perfect.padded.is_some());
        assert_eq!(ChessmetricsPerformance::new(4, 4.0, 4.0 * 2740.0).unwrap().padded, None);
        assert_eq!(ChessmetricsPerformance::new(0, 0.0, 0.0), None);
    }
}
