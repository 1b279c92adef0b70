//! Elo's historical ratings round by round: each period of sixty rounds is rated on its own.

use super::formulas::Expectancy;
use super::successive::self_consistent;
use crate::systems::mean::mean;
use crate::systems::running::{RoundGame, Running};
use crate::systems::simultaneous::Encounters;

/// Rounds of a period, from the specification of the laboratory: a half decade with a game each
/// month.
const PERIOD: usize = 60;

/// The current period and the ratings of the last one.
#[derive(Debug)]
pub(super) struct Periods {
    expectancy: Expectancy,
    /// Largest difference (points) between a rating and the performance against the opponents'
    /// ratings.
    tolerance: f64,
    /// Ratings of the last complete period (points).
    ratings: Vec<f64>,
    mean: f64,
    /// Number of rounds of the current period, and their games.
    rounds: usize,
    games: Vec<(u32, u32, f64, f64)>,
}

impl Periods {
    /// From all players' initial ratings (points).
    pub fn new(expectancy: Expectancy, tolerance: f64, start: &[f64]) -> Periods {
        Periods {
            expectancy,
            tolerance,
            ratings: start.to_vec(),
            mean: mean(start),
            rounds: 0,
            games: Vec::new(),
        }
    }
}

impl Running for Periods {
    fn play(&mut self, round: &[RoundGame]) {
        let games = round.iter().map(|game| (game.white, game.black, f64::from(game.score), 1.0));
        self.games.extend(games);
        self.rounds += 1;
        if self.rounds == PERIOD {
            let encounters = Encounters::new(self.ratings.len(), &self.games);
            self.ratings = self_consistent(&encounters, self.expectancy, self.mean, self.tolerance);
            self.games.clear();
            self.rounds = 0;
        }
    }

    fn ratings(&mut self, ratings: &mut Vec<f64>) {
        ratings.clone_from(&self.ratings);
    }

    fn keeps_rounds(&self) -> usize {
        PERIOD
    }

    /// Games of a player who left in the current period count for the player who takes the number.
    fn replace(&mut self, player: u32, rating: f64) {
        self.ratings[player as usize] = rating;
    }
}
