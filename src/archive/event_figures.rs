//! Figures of an event that are the app's no more: by others' formulas, from its ratings.

use super::record::EventRecord;
use crate::systems::chessmetrics::padded_performance;
use crate::tournament::PlayerAnalysis;

/// Games that a Chessmetrics performance needs.
const PERFORMANCE_GAMES: usize = 5;

impl EventRecord {
    /// The padded Chessmetrics performance (points) of a player who has five games or more; `None` where the rating
    /// of an opponent is not known. Source: Jeff Sonas, Chessmetrics.
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

    /// The classic category of a tournament: the mean rating in steps of 25 from 2251. `None` below that, of
    /// matches, and where a rating is not known.
    pub fn category(&self) -> Option<usize> {
        let players: Vec<_> =
            self.analysis.players.iter().filter(|player| player.games > 0).collect();
        if players.len() < 3 {
            return None;
        }
        let ratings =
            players.iter().map(|player| player.initial_rating).collect::<Option<Vec<f64>>>()?;
        let mean = (ratings.iter().sum::<f64>() / ratings.len() as f64).round();
        (mean > 2250.0).then(|| ((mean - 2250.0) / 25.0).ceil() as usize)
    }
}
