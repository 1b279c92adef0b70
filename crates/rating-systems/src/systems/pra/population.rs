//! A population under the PRA: the Basic System game by game, with the Boosting System and an
//! anchor.
//!
//! Source: Tony Berard, *The Performance Rating Algorithm (PRA) and the Tournament App*.

use super::boosting::{Blocks, Boosting};
use crate::tournament::expectation;

/// The ratings of all players, and the state of the Boosting System.
#[derive(Clone, Debug)]
pub(super) struct PraPopulation {
    /// K (points): the rating change for one point more than expected.
    k: f64,
    /// The blocks of the Boosting System, if it runs.
    blocks: Option<Blocks>,
    /// Ratings without the anchor's shift, so that the data points of a block stay comparable. NaN
    /// for players who have not entered.
    ratings: Vec<f64>,
    games: Vec<u32>,
    boosting: Vec<Boosting>,
    moved: f64,
    /// Sum of `ratings`, and number of players who have entered.
    sum: f64,
    present: usize,
}

impl PraPopulation {
    /// A population that no player has entered. Without `blocks`, no player is boosted.
    pub fn new(players: usize, k: f64, blocks: Option<Blocks>) -> PraPopulation {
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

    /// A new player takes the place of a player who leaves.
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

    /// A player's rating (points). NaN before the player has entered.
    pub fn rating(&self, player: usize) -> f64 {
        self.ratings[player] + self.moved
    }

    /// Sets a player's rating (points).
    pub fn set(&mut self, player: usize, rating: f64) {
        self.sum -= self.ratings[player];
        self.ratings[player] = rating - self.moved;
        self.sum += self.ratings[player];
    }

    /// Number of games that a player has played.
    pub fn games(&self, player: usize) -> u32 {
        self.games[player]
    }

    /// Ends all boosts of a player.
    pub fn end_boosting(&mut self, player: usize) {
        if let Some(boosting) = self.boosting.get_mut(player) {
            boosting.end();
        }
    }

    /// Shifts all ratings so that their mean is `mean` (points).
    pub fn anchor(&mut self, mean: f64) {
        if self.present > 0 {
            self.moved = mean - self.sum / self.present as f64;
        }
    }

    /// Rates a game between two players who have entered. White's score is in `[0, 1]`.
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

#[cfg(test)]
mod tests {
    use super::*;

    /// Source: the PRA paper.
    #[test]
    fn the_anchor_gives_each_player_an_equal_part_of_what_is_missing() {
        let players = 20_000_u32;
        let before = 29_875_241.0 / f64::from(players);
        let mut population = PraPopulation::new(players as usize, 9.0, None);
        for player in 0..players as usize {
            population.enter(player, before);
        }
        population.anchor(1500.0);
        let gain = population.rating(0) - before;
        assert!((gain - 6.23795).abs() < 1e-6, "{gain}");
    }
}
