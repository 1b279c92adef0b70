//! Paired comparison round by round. A round is a week, and ratings are the strengths of the last
//! year.

use super::fit::StrengthFit;
use super::history::{History, PairedGame, PairedModel};
use crate::systems::running::{RoundGame, Running};

/// Rounds of a year, and the number of the first year, which has no meaning.
const YEAR: usize = 52;
const FIRST: i16 = 2000;

/// Accuracy (points) of a fit. Judged: far below the errors that the laboratory measures, which are
/// tens of points.
const TOLERANCE: f64 = 0.1;

/// All games so far.
#[derive(Debug)]
pub(super) struct PairedRounds {
    model: PairedModel,
    games: Vec<PairedGame>,
    rounds: usize,
    /// The last solution (points), at first the initial ratings.
    ratings: Vec<f64>,
    is_stale: bool,
}

impl PairedRounds {
    /// From all players' initial ratings (points).
    pub fn new(model: PairedModel, start: &[f64]) -> PairedRounds {
        PairedRounds {
            model,
            games: Vec::new(),
            rounds: 0,
            ratings: start.to_vec(),
            is_stale: false,
        }
    }

    /// The year of a round. Rounds count from 0.
    fn year(round: usize) -> i16 {
        FIRST.saturating_add((round / YEAR).try_into().unwrap_or(i16::MAX))
    }
}

impl Running for PairedRounds {
    fn play(&mut self, round: &[RoundGame]) {
        let year = PairedRounds::year(self.rounds);
        for game in round {
            let score = f64::from(game.score);
            self.games.push(PairedGame::new(game.white, game.black, year, score));
        }
        self.rounds += 1;
        self.is_stale = true;
    }

    fn ratings(&mut self, ratings: &mut Vec<f64>) {
        if self.is_stale {
            let births = vec![None; self.ratings.len()];
            let mut history = History::new(self.model, &self.games, &births);
            let fit = StrengthFit::new(&mut history, None, TOLERANCE);
            let year = PairedRounds::year(self.rounds - 1);
            for (player, rating) in (0u32..).zip(&mut self.ratings) {
                // A player who left has no games in this year.
                if let Some(node) = history.node_of(player, year) {
                    *rating = fit.points(node);
                }
            }
            self.is_stale = false;
        }
        ratings.clone_from(&self.ratings);
    }

    fn keeps_rounds(&self) -> usize {
        usize::MAX
    }

    /// The games of a player who leaves are removed.
    fn replace(&mut self, player: u32, rating: f64) {
        self.games.retain(|game| game.white != player && game.black != player);
        self.ratings[player as usize] = rating;
        self.is_stale = true;
    }
}
