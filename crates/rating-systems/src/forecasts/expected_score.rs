//! Computes the expected score of a player in an event, in the ways of Elo's book, and the new
//! rating that follows.

use crate::systems::elo::formulas::{Expectancy, current, round_robin_expected};
use crate::systems::mean::mean;

/// A player's rating and opponents in an event.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RatedSchedule<'a> {
    /// The player's rating before the event (points).
    pub rating: f64,
    /// Ratings of the opponents (points), one for each game.
    pub opponents: &'a [f64],
    /// Number of players in a complete round robin of one or more cycles. `None` of other events.
    pub players: Option<usize>,
}

/// The expected score of a player's games (2.45), computed in several ways.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ExpectedScores {
    /// Sum of the games' expected scores.
    pub by_games: f64,
    /// All games against the opponents' mean rating.
    pub by_opponents_mean: f64,
    /// By the mean rating of all players of a round robin (8). `None` of other events.
    pub by_event_mean: Option<f64>,
}

impl RatedSchedule<'_> {
    /// The mean rating of the opponents (points).
    pub fn opponents_mean(&self) -> f64 {
        mean(self.opponents)
    }

    /// The mean rating of all players of a round robin (points), this player included. `None` of
    /// other events.
    pub fn event_mean(&self) -> Option<f64> {
        let players = self.players? as f64;
        Some(self.rating / players + self.opponents_mean() * (players - 1.0) / players)
    }

    /// The expected scores by a curve.
    pub fn expected(&self, curve: Expectancy) -> ExpectedScores {
        let games = self.opponents.len() as f64;
        let by_games = self.opponents.iter().map(|one| curve.expected(self.rating - one)).sum();
        let by_event_mean = self.players.zip(self.event_mean()).map(|(players, mean)| {
            let cycles = games / (players as f64 - 1.0);
            cycles * round_robin_expected(curve, self.rating, mean, players)
        });
        ExpectedScores {
            by_games,
            by_opponents_mean: games * curve.expected(self.rating - self.opponents_mean()),
            by_event_mean,
        }
    }

    /// The rating (points) after a score, for an expected score and a factor K (2).
    pub fn after(&self, k: f64, score: f64, expected: f64) -> f64 {
        current(self.rating, k, score, expected)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The opponents of Portisch at Wijk aan Zee 1975 (2.41).
    const OPPONENTS: [f64; 15] = [
        2600.0, 2600.0, 2555.0, 2575.0, 2615.0, 2470.0, 2550.0, 2600.0, 2510.0, 2560.0, 2410.0,
        2470.0, 2485.0, 2445.0, 2460.0,
    ];

    fn portisch(curve: Expectancy) -> (RatedSchedule<'static>, ExpectedScores) {
        let of = RatedSchedule { rating: 2635.0, opponents: &OPPONENTS, players: Some(16) };
        (of, of.expected(curve))
    }

    #[test]
    fn portisch_gains_seven_and_a_half_points_by_the_table_and_the_opponents_mean() {
        let (of, expected) = portisch(Expectancy::Table);
        assert_eq!(of.opponents_mean(), 2527.0);
        assert!((of.after(10.0, 10.5, expected.by_opponents_mean) - 2642.5).abs() < 1e-9);
        // Game by game the table expects 9.66, so the new rating is 2643.4.
        assert!((expected.by_games - 9.66).abs() < 1e-9, "{expected:?}");
        assert!((of.after(10.0, 10.5, expected.by_games) - 2643.4).abs() < 1e-9);
    }

    #[test]
    fn portisch_gains_nine_and_three_quarters_by_the_straight_line() {
        let (of, expected) = portisch(Expectancy::Linear);
        // No opponent is 350 points away, so all ways agree on the straight line.
        for expected in
            [expected.by_games, expected.by_opponents_mean, expected.by_event_mean.unwrap()]
        {
            assert!((of.after(10.0, 10.5, expected) - 2644.75).abs() < 1e-9, "{expected}");
        }
    }

    #[test]
    fn expected_scores_of_a_round_robin_follow_from_the_mean_of_all() {
        let (of, expected) = portisch(Expectancy::Table);
        assert_eq!(of.event_mean(), Some(2533.75));
        // The book's table of expected scores (2.45).
        assert!((expected.by_event_mean.unwrap() - 9.74).abs() < 1e-9, "{expected:?}");
        let twice = [OPPONENTS, OPPONENTS].concat();
        let double = RatedSchedule { opponents: &twice, ..of };
        let found = double.expected(Expectancy::Table).by_event_mean.unwrap();
        assert!((found - 2.0 * 9.74).abs() < 1e-9, "{found}");
        let swiss = RatedSchedule { players: None, ..of };
        assert_eq!(swiss.expected(Expectancy::Normal).by_event_mean, None);
    }

    #[test]
    fn ways_on_the_normal_curve_differ_by_the_spread_of_the_opponents() {
        let (_, expected) = portisch(Expectancy::Normal);
        // The curve flattens away from equality, so the mean opponent seems easier than all.
        assert!(expected.by_games < expected.by_opponents_mean, "{expected:?}");
        assert!((expected.by_games - expected.by_opponents_mean).abs() < 0.1, "{expected:?}");
    }
}
