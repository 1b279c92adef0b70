//! Elo's current rating formula round by round: all players start with a rating and have their own
//! K.

use super::formulas::{Expectancy, KFactors, current};
use crate::systems::running::{RoundGame, Running};

/// The current ratings and numbers of games.
#[derive(Debug)]
pub(super) struct EloRounds {
    expectancy: Expectancy,
    k_factors: KFactors,
    /// Rating (points) and games by player.
    ratings: Vec<f64>,
    games: Vec<u32>,
}

impl EloRounds {
    /// From all players' initial ratings (points).
    pub fn new(expectancy: Expectancy, k_factors: KFactors, start: &[f64]) -> EloRounds {
        let games = vec![0; start.len()];
        EloRounds { expectancy, k_factors, ratings: start.to_vec(), games }
    }
}

impl Running for EloRounds {
    fn play(&mut self, round: &[RoundGame]) {
        for game in round {
            let (white, black) = (game.white as usize, game.black as usize);
            let score = f64::from(game.score);
            let expected = self.expectancy.expected(self.ratings[white] - self.ratings[black]);
            for (player, score, expected) in
                [(white, score, expected), (black, 1.0 - score, 1.0 - expected)]
            {
                let k = self.k_factors.for_player(self.ratings[player], self.games[player]);
                self.ratings[player] = current(self.ratings[player], k, score, expected);
                self.games[player] += 1;
            }
        }
    }

    fn ratings(&mut self, ratings: &mut Vec<f64>) {
        ratings.clone_from(&self.ratings);
    }

    fn replace(&mut self, player: u32, rating: f64) {
        self.ratings[player as usize] = rating;
        self.games[player as usize] = 0;
    }
}
