//! Chessmetrics round by round: a round is a week, a month has four rounds, and all players belong
//! to the pool.

use super::formulas::{MOST_ITERATIONS, padded, weight};
use crate::systems::mean::mean;
use crate::systems::running::{RoundGame, Running};
use crate::systems::simultaneous::Encounters;

/// Rounds of a month.
const MONTH: usize = 4;

/// The games of the months that count.
#[derive(Debug)]
pub(super) struct ChessmetricsRounds {
    /// Largest change (points) at which an iteration has converged.
    tolerance: f64,
    /// Number of months whose games count.
    window: i32,
    /// The last solution (points).
    ratings: Vec<f64>,
    /// Mean of the initial ratings (points), which is also the rating of the games that pad a
    /// performance.
    mean: f64,
    /// Number of rounds so far.
    rounds: usize,
    /// Games and their months.
    games: Vec<(RoundGame, i32)>,
}

impl ChessmetricsRounds {
    /// From all players' initial ratings (points).
    pub fn new(tolerance: f64, window: i32, start: &[f64]) -> ChessmetricsRounds {
        ChessmetricsRounds {
            tolerance,
            window,
            ratings: start.to_vec(),
            mean: mean(start),
            rounds: 0,
            games: Vec::new(),
        }
    }
}

impl Running for ChessmetricsRounds {
    fn play(&mut self, round: &[RoundGame]) {
        let month = (self.rounds / MONTH) as i32;
        if self.rounds.is_multiple_of(MONTH) {
            let window = self.window;
            self.games.retain(|(_, played)| month - played < window);
        }
        self.games.extend(round.iter().map(|game| (*game, month)));
        self.rounds += 1;
    }

    fn ratings(&mut self, ratings: &mut Vec<f64>) {
        if let Some(&(_, last)) = self.games.last() {
            let weighted: Vec<(u32, u32, f64, f64)> = self
                .games
                .iter()
                .map(|(game, month)| {
                    let weight = weight(last - month, self.window);
                    (game.white, game.black, f64::from(game.score), weight)
                })
                .collect();
            let encounters = Encounters::new(self.ratings.len(), &weighted);
            let level = self.mean;
            let (solved, _) = encounters.solve(
                std::mem::take(&mut self.ratings),
                |opponents, fraction, games| padded(opponents, fraction, games, level),
                |next| level - mean(next),
                self.tolerance,
                MOST_ITERATIONS,
            );
            self.ratings = solved;
        }
        ratings.clone_from(&self.ratings);
    }

    fn keeps_rounds(&self) -> usize {
        self.window as usize * MONTH
    }

    /// The games of a player who leaves are removed.
    fn replace(&mut self, player: u32, rating: f64) {
        self.games.retain(|(game, _)| game.white != player && game.black != player);
        self.ratings[player as usize] = rating;
    }
}
