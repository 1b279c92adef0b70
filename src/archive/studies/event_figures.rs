//! Computes figures of an event that are not the app's, by the formulas of others.

use crate::archive::record::EventRecord;
use crate::ratings::LEADERS;
use crate::systems::chessmetrics::padded_performance;
use crate::tournament::PlayerAnalysis;

/// The number of games that a Chessmetrics performance needs.
const PERFORMANCE_GAMES: usize = 5;

impl EventRecord {
    /// The class of a tournament (0 to 22), from the participants among the world's best ten: four
    /// points each for numbers 1 and 2, three for 3 and 4, two for 5 and 6, one for 7 to 10. `None`
    /// if no list has ten players. Source: Jeff Sonas, Chessmetrics, "Event formulas".
    pub fn class(&self) -> Option<u32> {
        let leaders = &self.ratings.leaders;
        let points = |place: usize| match place {
            1 | 2 => 4,
            3 | 4 => 3,
            5 | 6 => 2,
            _ => 1,
        };
        (leaders.len() == LEADERS).then(|| {
            let present = (1..).zip(leaders).filter(|(_, leader)| leader.player.is_some());
            present.map(|(place, _)| points(place)).sum()
        })
    }

    /// The padded Chessmetrics performance (points) of a player with at least five games; `None` if
    /// an opponent's rating is unknown. Source: Jeff Sonas, Chessmetrics.
    pub fn chessmetrics_performance(&self, player: &PlayerAnalysis) -> Option<f64> {
        if player.games < PERFORMANCE_GAMES {
            return None;
        }
        let mut ratings = vec![None; self.input.players.len()];
        for other in &self.analysis.players {
            ratings[other.index] = other.initial_rating;
        }
        let (mut sum, mut points) = (0.0, 0.0);
        for game in self.input.played() {
            let (opponent, score) = match player.index {
                index if index == game.white => (game.black, game.white_score),
                index if index == game.black => (game.white, 1.0 - game.white_score),
                _ => continue,
            };
            sum += ratings[opponent]?;
            points += score;
        }
        let games = player.games as f64;
        Some(padded_performance(sum / games, points / games, games))
    }
}
