//! The beginning of a player: until he has games enough, his rating is the performance in all of them.
//!
//! Source: Arpad E. Elo, *The Rating of Chessplayers, Past and Present* (second edition), 2.5. That a score of everything or of nothing counts as
//! half a point from its end is ours.

use super::elo::formulas::{Expectancy, performance, round_robin_performance};
use super::event_by_event::PlayerGame;

/// The games of somebody's initial period.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct InitialPeriod {
    /// Sum of the opponents' ratings (points).
    opponents: f64,
    points: f64,
    /// How many games.
    pub games: u32,
}

/// Fraction of the points, half a point from its ends at least; of a single game a quarter, since half a point
/// would make a win as good as a draw.
fn capped(points: f64, games: f64) -> f64 {
    if games <= 1.0 {
        return points.clamp(0.25, 0.75);
    }
    points.clamp(0.5, games - 0.5) / games
}

impl InitialPeriod {
    /// The rating (points) of somebody who had none, from his games against the rated.
    pub fn newcomer(expectancy: Expectancy, mean_opponent: f64, points: f64, games: f64) -> f64 {
        performance(expectancy, mean_opponent, capped(points, games))
    }

    /// Of a player of the first event of all, whose opponents all stand at the anchor (points), and his rating.
    pub fn found(
        expectancy: Expectancy,
        anchor: f64,
        games: &[PlayerGame],
        players: usize,
    ) -> (InitialPeriod, f64) {
        let points: f64 = games.iter().map(|game| game.score).sum();
        let count = games.len() as f64;
        let rating = round_robin_performance(expectancy, anchor, capped(points, count), players);
        (InitialPeriod { opponents: anchor * count, points, games: games.len() as u32 }, rating)
    }

    /// Takes in games; gives the performance (points) in all so far.
    pub fn add(&mut self, expectancy: Expectancy, games: &[PlayerGame]) -> f64 {
        self.opponents += games.iter().map(|game| game.theirs).sum::<f64>();
        self.points += games.iter().map(|game| game.score).sum::<f64>();
        self.games += games.len() as u32;
        let count = f64::from(self.games);
        performance(expectancy, self.opponents / count, capped(self.points, count))
    }
}
