//! Who plays whom, and how it ends.

use rand::RngExt;
use rand::seq::SliceRandom;
use serde::Serialize;

use super::chance::{Purpose, generator, normal};
use super::outcome::{Outcome, score};
use crate::hint::no_such;
use crate::systems::running::RoundGame;

/// How players are paired.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Pairing {
    /// Anybody with anybody.
    #[default]
    Random,
    /// Neighbours by their ratings with an error of this standard deviation (points).
    Near(f64),
    /// Round robins of so many players, who are anybody, or neighbours by rating with such an error.
    Events(usize, Option<f64>),
}

/// Error (points) of the ratings by which neighbours are found, at most.
const LARGEST_NOISE: f64 = 100_000.0;

/// Players of an event at most.
const LARGEST_FIELD: usize = 100;

impl Pairing {
    /// From its word and numbers: `random`, `near:150`, `events:10`, `events:10:150`.
    ///
    /// # Errors
    ///
    /// Where there is no such pairing; with the nearest word.
    pub fn named(text: &str) -> Result<Pairing, String> {
        let parts: Vec<&str> = text.split(':').collect();
        let noise = |number: &str| {
            let noise =
                number.parse().ok().filter(|noise: &f64| (0.0..=LARGEST_NOISE).contains(noise));
            noise.ok_or_else(|| {
                format!("{text}: {number} is no number of points up to {LARGEST_NOISE}")
            })
        };
        let field = |number: &str| {
            let field = number.parse().ok();
            let field = field.filter(|field: &usize| {
                (4..=LARGEST_FIELD).contains(field) && field.is_multiple_of(2)
            });
            field.ok_or_else(|| {
                format!(
                    "{text}: an event has 4 to {LARGEST_FIELD} players, and an even number of them"
                )
            })
        };
        match parts[..] {
            ["random"] => Ok(Pairing::Random),
            ["near", points] => Ok(Pairing::Near(noise(points)?)),
            ["events", players] => Ok(Pairing::Events(field(players)?, None)),
            ["events", players, points] => {
                Ok(Pairing::Events(field(players)?, Some(noise(points)?)))
            }
            ["near"] => Err("near takes a number of points: near:150".into()),
            ["events"] => Err("events takes a number of players: events:10".into()),
            ["random", ..] => Err("random takes no number".into()),
            [word, ..] => Err(no_such("pairing", word, &["random", "near", "events"])),
            [] => Err("no pairing".into()),
        }
    }

    /// Whether it depends on what a system thinks of the players, so that each system has games of its own.
    pub(super) fn is_by_rating(self) -> bool {
        matches!(self, Pairing::Near(_) | Pairing::Events(_, Some(_)))
    }
}

/// What games there are.
#[derive(Clone, Copy, Debug)]
pub(super) struct Schedule {
    pub pairing: Pairing,
    pub outcome: Outcome,
    /// How many of the games that could be drawn are, in `[0, 1]`.
    pub draws: f64,
    pub seed: u64,
    pub run: u64,
}

impl Schedule {
    /// The games of a round, by number from 1. `ratings` (points) are those of the last round that
    /// [hears](Schedule::hears_ratings) them.
    pub fn round(&self, number: u32, truth: &[f64], ratings: &[f64], games: &mut Vec<RoundGame>) {
        let mut random = generator(self.seed, self.run, u64::from(number), Purpose::Round);
        let mut order: Vec<u32> = (0..truth.len() as u32).collect();
        let half = order.len() / 2;
        games.clear();
        games.reserve(half);
        let mut play = |white: u32, black: u32, random: &mut rand_pcg::Pcg64Mcg| {
            let expected = self.outcome.expected(truth[white as usize] - truth[black as usize]);
            let score = score(expected, self.draws, random.random());
            games.push(RoundGame { white, black, score });
        };
        match self.pairing {
            Pairing::Random => {
                order.shuffle(&mut random);
                let (whites, blacks) = order.split_at(half);
                for (white, black) in whites.iter().zip(blacks) {
                    play(*white, *black, &mut random);
                }
            }
            Pairing::Near(noise) => {
                for pair in neighbours(order, ratings, noise, &mut random).chunks_exact(2) {
                    play(pair[0], pair[1], &mut random);
                }
            }
            Pairing::Events(players, _) => {
                for field in self.fields(number, truth.len(), ratings) {
                    let round = (number - 1) as usize % (players - 1);
                    for (white, black) in round_robin(&field, round % (field.len() - 1)) {
                        play(white, black, &mut random);
                    }
                }
            }
        }
    }

    /// Whether the ratings before this round decide its pairs.
    pub fn hears_ratings(&self, number: u32) -> bool {
        match self.pairing {
            Pairing::Near(_) => true,
            Pairing::Events(_, Some(_)) => self.begins_events(number),
            Pairing::Random | Pairing::Events(_, None) => false,
        }
    }

    /// Whether events begin with a round.
    pub fn begins_events(&self, number: u32) -> bool {
        match self.pairing {
            Pairing::Events(players, _) => (number as usize - 1).is_multiple_of(players - 1),
            _ => false,
        }
    }

    /// Whether they end with it.
    pub fn ends_events(&self, number: u32) -> bool {
        self.begins_events(number + 1)
    }

    /// The fields of the events to which a round belongs; `ratings` are those with which the events began. Without
    /// events there are none.
    pub fn fields(&self, number: u32, players: usize, ratings: &[f64]) -> Vec<Vec<u32>> {
        let Pairing::Events(field, noise) = self.pairing else { return Vec::new() };
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

/// All in the order of their ratings with an error of this standard deviation (points).
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

/// The pairs of a round, from 0, of a round robin: one player stays, the others go round.
fn round_robin(field: &[u32], round: usize) -> impl Iterator<Item = (u32, u32)> {
    let others = field.len() - 1;
    let at = move |seat: usize| match seat {
        0 => field[0],
        seat => field[1 + (seat - 1 + round) % others],
    };
    (0..field.len() / 2).map(move |seat| (at(seat), at(others - seat)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn in_a_round_robin_everybody_meets_everybody_once() {
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
    fn everybody_plays_once_a_round_however_they_are_paired() {
        let truth: Vec<f64> = (0..64).map(|player| 1500.0 + f64::from(player)).collect();
        for pairing in ["random", "near:20", "events:10", "events:6:50"] {
            let pairing = Pairing::named(pairing).unwrap();
            let schedule =
                Schedule { pairing, outcome: Outcome::Table, draws: 0.3, seed: 3, run: 1 };
            let mut games = Vec::new();
            for number in 1..=12 {
                schedule.round(number, &truth, &truth, &mut games);
                let mut players: Vec<u32> =
                    games.iter().flat_map(|game| [game.white, game.black]).collect();
                players.sort_unstable();
                assert_eq!(players, (0..64).collect::<Vec<u32>>(), "{pairing:?} {number}");
            }
        }
        assert!(Pairing::named("events:9").is_err());
        assert!(Pairing::named("nearr:9").unwrap_err().contains("did you mean near?"));
    }
}
