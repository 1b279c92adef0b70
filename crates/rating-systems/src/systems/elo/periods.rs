//! Elo's historical ratings round by round: periods of sixty rounds, each rated by itself.

use super::formulas::Expectancy;
use super::successive::self_consistent;
use crate::systems::running::{RoundGame, Running};
use crate::systems::simultaneous::Encounters;

/// EloRounds of a period.
const PERIOD: usize = 60;

/// Periods that run.
#[derive(Debug)]
pub(super) struct Periods {
    expectancy: Expectancy,
    /// How far (points) a rating may be from the performance against the opponents' ratings.
    tolerance: f64,
    /// Those of the last whole period (points).
    ratings: Vec<f64>,
    mean: f64,
    /// EloRounds of the present period, and their games.
    rounds: usize,
    games: Vec<(u32, u32, f64, f64)>,
}

impl Periods {
    /// From everybody's rating at the start (points).
    pub fn of(expectancy: Expectancy, tolerance: f64, start: &[f64]) -> Periods {
        let mean = start.iter().sum::<f64>() / start.len().max(1) as f64;
        Periods {
            expectancy,
            tolerance,
            ratings: start.to_vec(),
            mean,
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
            let encounters = Encounters::of(self.ratings.len(), &self.games);
            self.ratings = self_consistent(&encounters, self.expectancy, self.mean, self.tolerance);
            self.games.clear();
            self.rounds = 0;
        }
    }

    fn ratings(&mut self, ratings: &mut Vec<f64>) {
        ratings.clone_from(&self.ratings);
    }

    fn solves(&self) -> bool {
        true
    }

    fn keeps_rounds(&self) -> usize {
        PERIOD
    }

    fn has_free_level(&self) -> bool {
        true
    }

    /// Who left has games in the present period, which count for whoever has his number.
    fn replace(&mut self, player: u32, rating: f64) {
        self.ratings[player as usize] = rating;
    }
}
