//! The initial period of a player: the rating is the performance in all games so far.
//!
//! Source: Arpad E. Elo, *The Rating of Chessplayers, Past and Present* (second edition), 2.5,
//! 2.59.
//! Scores of 0% and 100% have no performance, so they count as half a point from the end; this rule
//! is ours.

use super::elo::formulas::{Expectancy, performance, round_robin_performance};
use super::elo::small_sample_factor;
use super::event_by_event::PlayerGame;

#[derive(Clone, Copy, Debug, Default)]
pub(super) struct InitialPeriod {
    /// Sum of the opponents' ratings (points).
    opponents: f64,
    points: f64,
    pub games: u32,
}

/// The fraction of the points, at least half a point from 0 and from all points. For a single game
/// the limit is a quarter: half a point would rate a win like a draw.
fn capped(points: f64, games: f64) -> f64 {
    if games <= 1.0 {
        return points.clamp(0.25, 0.75);
    }
    points.clamp(0.5, games - 0.5) / games
}

/// How performances of the initial period are computed.
#[derive(Clone, Copy, Debug)]
pub(super) struct InitialRule {
    /// The curve of expected scores.
    pub expectancy: Expectancy,
    /// Whether the difference of a performance of few games is multiplied by the book's factor
    /// (8.85).
    pub small_samples: bool,
}

impl InitialRule {
    /// The rule without the factor for few games.
    pub fn new(expectancy: Expectancy) -> InitialRule {
        InitialRule { expectancy, small_samples: false }
    }

    /// The performance (points) of `points` in `games` games.
    fn performance(self, mean_opponent: f64, points: f64, games: f64) -> f64 {
        let rating = performance(self.expectancy, mean_opponent, capped(points, games));
        mean_opponent + self.factor(games, rating - mean_opponent) * (rating - mean_opponent)
    }

    fn factor(self, games: f64, difference: f64) -> f64 {
        if self.small_samples { small_sample_factor(games as u32, difference) } else { 1.0 }
    }
}

impl InitialPeriod {
    /// The first rating (points) of a player, from the games against rated opponents.
    pub fn newcomer(rule: InitialRule, mean_opponent: f64, points: f64, games: f64) -> f64 {
        rule.performance(mean_opponent, points, games)
    }

    /// The initial period of a player of the first event of all, and the rating. All opponents are
    /// rated at the anchor (points).
    pub fn of_first_event(
        rule: InitialRule,
        anchor: f64,
        games: &[PlayerGame],
        players: usize,
    ) -> (InitialPeriod, f64) {
        let points: f64 = games.iter().map(|game| game.score).sum();
        let count = games.len() as f64;
        let expectancy = rule.expectancy;
        let rating = round_robin_performance(expectancy, anchor, capped(points, count), players);
        let rating = anchor + rule.factor(count, rating - anchor) * (rating - anchor);
        (InitialPeriod { opponents: anchor * count, points, games: games.len() as u32 }, rating)
    }

    /// Adds games. Returns the performance (points) in all games so far.
    pub fn add(&mut self, rule: InitialRule, games: &[PlayerGame]) -> f64 {
        self.opponents += games.iter().map(|game| game.opponent_rating).sum::<f64>();
        self.points += games.iter().map(|game| game.score).sum::<f64>();
        self.games += games.len() as u32;
        let count = f64::from(self.games);
        rule.performance(self.opponents / count, self.points, count)
    }
}
