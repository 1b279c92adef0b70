//! A population under the PRA: the Basic System game by game, with the Boosting System, and an anchor.
//!
//! Source: Tony Berard, *The Performance Rating Algorithm (PRA) and the Tournament App*.

use super::boosting::{Blocks, Boosting};
use crate::tournament::expectation;

/// What everybody's rating is, and what has to be remembered of him.
#[derive(Clone, Debug)]
pub(super) struct PraPopulation {
    /// Points that the whole point of a game is worth.
    k: f64,
    /// The blocks of the Boosting System, where it runs.
    blocks: Option<Blocks>,
    /// Ratings without what the anchor moved all by: the data points of a block stay comparable. Not a number for who has
    /// not entered.
    ratings: Vec<f64>,
    games: Vec<u32>,
    boosting: Vec<Boosting>,
    moved: f64,
    /// Of those who have entered: sum of `ratings`, and how many.
    sum: f64,
    present: usize,
}

impl PraPopulation {
    /// Nobody has entered yet.
    pub fn of(players: usize, k: f64, blocks: Option<Blocks>) -> PraPopulation {
        let boosting =
            if blocks.is_some() { vec![Boosting::default(); players] } else { Vec::new() };
        PraPopulation {
            k,
            blocks,
            ratings: vec![f64::NAN; players],
            games: vec![0; players],
            boosting,
            moved: 0.0,
            sum: 0.0,
            present: 0,
        }
    }

    /// A player enters with a rating (points).
    pub fn enter(&mut self, player: usize, rating: f64) {
        self.ratings[player] = rating - self.moved;
        self.sum += self.ratings[player];
        self.present += 1;
    }

    /// A player leaves, and somebody else enters in his place.
    pub fn replace(&mut self, player: usize, rating: f64) {
        self.sum -= self.ratings[player];
        self.present -= 1;
        self.games[player] = 0;
        if let Some(boosting) = self.boosting.get_mut(player) {
            *boosting = Boosting::default();
        }
        self.enter(player, rating);
    }

    /// Whether a player has a rating.
    pub fn has_entered(&self, player: usize) -> bool {
        !self.ratings[player].is_nan()
    }

    /// A player's rating (points); not a number before he has entered.
    pub fn rating(&self, player: usize) -> f64 {
        self.ratings[player] + self.moved
    }

    /// Moves one rating (points).
    pub fn set(&mut self, player: usize, rating: f64) {
        self.sum -= self.ratings[player];
        self.ratings[player] = rating - self.moved;
        self.sum += self.ratings[player];
    }

    /// Games that a player has played.
    pub fn games(&self, player: usize) -> u32 {
        self.games[player]
    }

    /// Nobody boosts this player any more.
    pub fn end_boosting(&mut self, player: usize) {
        if let Some(boosting) = self.boosting.get_mut(player) {
            boosting.end();
        }
    }

    /// All ratings move so that their mean is this (points).
    pub fn anchor(&mut self, mean: f64) {
        if self.present > 0 {
            self.moved = mean - self.sum / self.present as f64;
        }
    }

    /// A game between two who have entered; White's score in `[0, 1]`.
    pub fn play(&mut self, white: usize, black: usize, score: f64) {
        let expected = expectation(self.ratings[white] - self.ratings[black]);
        let gain = self.k * (score - expected);
        for (player, gain) in [(white, gain), (black, -gain)] {
            let before = self.ratings[player];
            let after = match &self.blocks {
                Some(blocks) => self.boosting[player].after(before + gain, blocks),
                None => before + gain,
            };
            self.ratings[player] = after;
            self.sum += after - before;
            self.games[player] += 1;
        }
    }
}
