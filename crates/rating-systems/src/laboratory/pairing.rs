//! Pairs the players of a round, and draws their results.

use rand::RngExt;
use rand::seq::SliceRandom;
use serde::Serialize;

use super::chance::{Purpose, generator, normal};
use super::errors::PlanError;
use super::limits::{LARGEST_FIELD, LARGEST_NOISE};
use super::outcome::{ResultModel, score};
use crate::systems::running::RoundGame;

/// A rule that pairs players.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum PairingRule {
    /// All players at random.
    #[default]
    Random,
    /// Neighbours by their ratings, to which errors with this standard deviation (points) are
    /// added.
    Near(f64),
    /// Round robins with this number of players. The fields are random, or neighbours by ratings
    /// with such errors.
    Events(usize, Option<f64>),
}

impl PairingRule {
    /// Parses a name and its numbers: `random`, `near:150`, `events:10`, `events:10:150`.
    ///
    /// # Errors
    ///
    /// Returns an error with the most similar name if no rule has this name.
    pub fn named(text: &str) -> Result<PairingRule, PlanError> {
        let parts: Vec<&str> = text.split(':').collect();
        match parts[..] {
            ["random"] => Ok(PairingRule::Random),
            ["near", points] => Ok(PairingRule::Near(parse_noise(text, points)?)),
            ["events", players] => Ok(PairingRule::Events(parse_field(text, players)?, None)),
            ["events", players, points] => {
                let field = parse_field(text, players)?;
                Ok(PairingRule::Events(field, Some(parse_noise(text, points)?)))
            }
            ["near"] => Err(PlanError::MissingNumber {
                word: "near".into(),
                what: "a number of points",
                example: "150",
            }),
            ["events"] => Err(PlanError::MissingNumber {
                word: "events".into(),
                what: "a number of players",
                example: "10",
            }),
            ["random", ..] => Err(PlanError::SurplusNumber { word: "random".into() }),
            _ => Err(PlanError::UnknownWord {
                kind: "pairing",
                word: parts[0].into(),
                words: vec!["random", "near", "events"],
            }),
        }
    }

    /// Whether the pairs depend on a system's ratings, so that each system has its own games.
    pub(super) fn is_by_rating(self) -> bool {
        matches!(self, PairingRule::Near(_) | PairingRule::Events(_, Some(_)))
    }
}

/// Parses the standard deviation (points) of errors in the rule `text`.
fn parse_noise(text: &str, number: &str) -> Result<f64, PlanError> {
    let noise = number.parse().ok().filter(|noise: &f64| (0.0..=LARGEST_NOISE).contains(noise));
    noise.ok_or_else(|| PlanError::Noise { text: text.into(), number: number.into() })
}

/// Parses the number of players of a round robin in the rule `text`.
fn parse_field(text: &str, number: &str) -> Result<usize, PlanError> {
    let field = number
        .parse()
        .ok()
        .filter(|field: &usize| (4..=LARGEST_FIELD).contains(field) && field.is_multiple_of(2));
    field.ok_or_else(|| PlanError::Field { text: text.into() })
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Schedule {
    pub pairing: PairingRule,
    pub outcome: ResultModel,
    /// Proportion of draws relative to the largest possible one, in `[0, 1]`.
    pub draws: f64,
    pub seed: u64,
    pub run: u64,
}

impl Schedule {
    /// The games of round `number`, from 1. `ratings` (points) are those of the last round that
    /// [uses](Schedule::uses_ratings) them.
    pub fn round(&self, number: u32, truth: &[f64], ratings: &[f64]) -> Vec<RoundGame> {
        let mut random = generator(self.seed, self.run, u64::from(number), Purpose::Round);
        let mut order: Vec<u32> = (0..truth.len() as u32).collect();
        let half = order.len() / 2;
        let mut games = Vec::with_capacity(half);
        match self.pairing {
            PairingRule::Random => {
                order.shuffle(&mut random);
                let (whites, blacks) = order.split_at(half);
                for (white, black) in whites.iter().zip(blacks) {
                    games.push(self.play(*white, *black, truth, &mut random));
                }
            }
            PairingRule::Near(noise) => {
                for pair in neighbours(order, ratings, noise, &mut random).chunks_exact(2) {
                    games.push(self.play(pair[0], pair[1], truth, &mut random));
                }
            }
            PairingRule::Events(players, _) => {
                for field in self.fields(number, truth.len(), ratings) {
                    let round = (number - 1) as usize % (players - 1);
                    for (white, black) in round_robin(&field, round % (field.len() - 1)) {
                        games.push(self.play(white, black, truth, &mut random));
                    }
                }
            }
        }
        games
    }

    #[inline]
    fn play(
        &self,
        white: u32,
        black: u32,
        truth: &[f64],
        random: &mut rand_pcg::Pcg64Mcg,
    ) -> RoundGame {
        let expected = self.outcome.expected(truth[white as usize] - truth[black as usize]);
        let score = score(expected, self.draws, random.random());
        RoundGame { white, black, score }
    }

    /// Whether the ratings before this round decide its pairs.
    pub fn uses_ratings(&self, number: u32) -> bool {
        match self.pairing {
            PairingRule::Near(_) => true,
            PairingRule::Events(_, Some(_)) => self.begins_events(number),
            PairingRule::Random | PairingRule::Events(_, None) => false,
        }
    }

    /// Whether events begin with this round.
    pub fn begins_events(&self, number: u32) -> bool {
        match self.pairing {
            PairingRule::Events(players, _) => (number as usize - 1).is_multiple_of(players - 1),
            _ => false,
        }
    }

    /// Whether events end with this round.
    pub fn ends_events(&self, number: u32) -> bool {
        self.begins_events(number + 1)
    }

    /// The fields of the events to which a round belongs. `ratings` (points) are those at the start
    /// of the events. Empty without events.
    pub fn fields(&self, number: u32, players: usize, ratings: &[f64]) -> Vec<Vec<u32>> {
        let PairingRule::Events(field, noise) = self.pairing else { return Vec::new() };
        let events = (number - 1) / (field as u32 - 1);
        let mut random = generator(self.seed, self.run, u64::from(events), Purpose::Fields);
        let mut order: Vec<u32> = (0..players as u32).collect();
        match noise {
            Some(noise) => order = neighbours(order, ratings, noise, &mut random),
            None => order.shuffle(&mut random),
        }
        order.chunks(field).map(<[u32]>::to_vec).collect()
    }
}

/// The players in the order of their ratings plus errors with this standard deviation (points).
fn neighbours(
    mut order: Vec<u32>,
    ratings: &[f64],
    noise: f64,
    random: &mut rand_pcg::Pcg64Mcg,
) -> Vec<u32> {
    let seen: Vec<f64> = ratings.iter().map(|rating| rating + noise * normal(random)).collect();
    order.sort_unstable_by(|a, b| seen[*a as usize].total_cmp(&seen[*b as usize]).then(a.cmp(b)));
    order
}

/// The pairs of a round of a round robin; rounds count from 0. The first player keeps the first
/// seat, the others rotate (circle method).
pub(super) fn round_robin(field: &[u32], round: usize) -> impl Iterator<Item = (u32, u32)> {
    let (first, others) = (field[0], &field[1..]);
    (0..field.len() / 2).map(move |seat| {
        let white = if seat == 0 { first } else { others[(seat - 1 + round) % others.len()] };
        (white, others[(others.len() - 1 - seat + round) % others.len()])
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn round_robin_pairs_all_players_once() {
        let field: Vec<u32> = (0..10).collect();
        let mut met: Vec<(u32, u32)> = (0..9)
            .flat_map(|round| round_robin(&field, round).map(|(a, b)| (a.min(b), a.max(b))))
            .collect();
        assert_eq!(met.len(), 45);
        met.sort_unstable();
        met.dedup();
        assert_eq!(met.len(), 45);
    }

    #[test]
    fn every_rule_lets_each_player_play_once_a_round() {
        let truth: Vec<f64> = (0..64).map(|player| 1500.0 + f64::from(player)).collect();
        for pairing in ["random", "near:20", "events:10", "events:6:50"] {
            let pairing = PairingRule::named(pairing).unwrap();
            let schedule =
                Schedule { pairing, outcome: ResultModel::Table, draws: 0.3, seed: 3, run: 1 };
            for number in 1..=12 {
                let games = schedule.round(number, &truth, &truth);
                let mut players: Vec<u32> =
                    games.iter().flat_map(|game| [game.white, game.black]).collect();
                players.sort_unstable();
                assert_eq!(players, (0..64).collect::<Vec<u32>>(), "{pairing:?} {number}");
            }
        }
        assert!(PairingRule::named("events:9").is_err());
        assert!(
            PairingRule::named("nearr:9").unwrap_err().to_string().contains("did you mean near?")
        );
    }
}
