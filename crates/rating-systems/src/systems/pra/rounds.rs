//! The PRA round by round: all players start with a rating, and each round keeps the mean of all
//! ratings.

use rustc_hash::FxHashMap;

use super::corrections::{Corrections, correct};
use super::population::PraPopulation;
use crate::systems::mean::mean;
use crate::systems::running::{RoundGame, Running};
use crate::tournament::Game;

/// A population with its anchor and the games of current events.
#[derive(Debug)]
pub(super) struct PraRounds {
    population: PraPopulation,
    players: usize,
    /// Mean (points) to which all ratings are shifted after each round.
    mean: Option<f64>,
    corrections: Corrections,
    /// Games of current events, if events correct ratings.
    waiting: Option<Vec<RoundGame>>,
}

impl PraRounds {
    /// From an empty population and all players' initial ratings (points).
    pub fn new(
        mut population: PraPopulation,
        start: &[f64],
        is_anchored: bool,
        corrections: Corrections,
    ) -> PraRounds {
        for (player, rating) in start.iter().enumerate() {
            population.enter(player, *rating);
        }
        PraRounds {
            population,
            players: start.len(),
            mean: is_anchored.then(|| mean(start)),
            corrections,
            waiting: None,
        }
    }

    fn play_now(&mut self, round: &[RoundGame]) {
        for game in round {
            let (white, black) = (game.white as usize, game.black as usize);
            self.population.play(white, black, f64::from(game.score));
        }
        if let Some(mean) = self.mean {
            self.population.anchor(mean);
        }
    }
}

impl Running for PraRounds {
    fn play(&mut self, round: &[RoundGame]) {
        match &mut self.waiting {
            Some(waiting) => waiting.extend_from_slice(round),
            None => self.play_now(round),
        }
    }

    fn ratings(&mut self, ratings: &mut Vec<f64>) {
        ratings.clear();
        ratings.extend((0..self.players).map(|player| self.population.rating(player)));
    }

    fn replace(&mut self, player: u32, rating: f64) {
        self.population.replace(player as usize, rating);
    }

    fn begin_events(&mut self) {
        if self.corrections != Corrections::Ignored {
            self.waiting = Some(Vec::new());
        }
    }

    fn close_events(&mut self, fields: &[Vec<u32>]) {
        let Some(games) = self.waiting.take() else { return };
        let mut place: FxHashMap<u32, (usize, usize)> = FxHashMap::default();
        for (field, players) in fields.iter().enumerate() {
            place.extend(players.iter().enumerate().map(|(at, player)| (*player, (field, at))));
        }
        let mut of_field: Vec<Vec<Game>> = vec![Vec::new(); fields.len()];
        for game in &games {
            let (Some(&(field, white)), Some(&(_, black))) =
                (place.get(&game.white), place.get(&game.black))
            else {
                continue;
            };
            of_field[field].push(Game::new(white, black, f64::from(game.score)));
        }
        for (players, games) in fields.iter().zip(&of_field) {
            correct(&mut self.population, players, games, self.corrections);
        }
        self.play_now(&games);
    }

    fn boost_only(&mut self, players: &[u32]) {
        for player in 0..self.players {
            if !players.contains(&(player as u32)) {
                self.population.end_boosting(player);
            }
        }
    }
}
