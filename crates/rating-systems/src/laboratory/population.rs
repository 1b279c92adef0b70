//! Who plays: true ratings, what the systems start from, and the players who are watched.

use std::path::Path;

use serde::Serialize;
use statrs::function::erf::erfc_inv;

use super::chance::{Purpose, generator, normal};
use crate::hint::no_such;

/// True ratings.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Population {
    /// A bell around 1500.
    Standard,
    /// The best of a million such players.
    Elite,
    /// Somebody's own.
    Own {
        /// What it is called.
        name: String,
        /// The true ratings (points).
        ratings: Vec<f64>,
    },
}

/// The ratings with which systems start.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Start {
    /// All the same.
    #[default]
    Chaos,
    /// The true ones.
    True,
    /// The true ones with errors of this standard deviation (points).
    Noise(f64),
    /// The true ones moved by this (points).
    Shift(f64),
    /// The true ones drawn together, or apart, around their mean by this factor.
    Squeeze(f64),
}

impl Start {
    /// From a word, with a number where it takes one: `noise:100`.
    ///
    /// # Errors
    ///
    /// Where there is no such start; with the nearest word.
    pub fn named(text: &str) -> Result<Start, String> {
        let (word, number) = match text.split_once(':') {
            Some((word, number)) => (word, Some(number)),
            None => (text, None),
        };
        let sensible =
            |number: &str| number.parse().ok().filter(|number: &f64| number.abs() <= LARGEST);
        match (word, number) {
            ("chaos", None) => return Ok(Start::Chaos),
            ("true", None) => return Ok(Start::True),
            ("noise" | "shift" | "squeeze", Some(number)) => {
                let number = sensible(number)
                    .ok_or_else(|| format!("{text}: {number} is no number up to {LARGEST}"))?;
                return match word {
                    "noise" if number < 0.0 => Err(format!("{text}: errors are 0 points or more")),
                    "noise" => Ok(Start::Noise(number)),
                    "shift" => Ok(Start::Shift(number)),
                    _ => Ok(Start::Squeeze(number)),
                };
            }
            ("noise" | "shift" | "squeeze", None) => {
                return Err(format!(
                    "{word} takes a number: {word}:{}",
                    if word == "squeeze" { "0.5" } else { "100" }
                ));
            }
            ("chaos" | "true", Some(_)) => return Err(format!("{word} takes no number")),
            _ => {}
        }
        Err(no_such("start", word, &["chaos", "true", "noise", "shift", "squeeze"]))
    }
}

/// Players who are watched: a rating each hundred points from 600 to 2800.
const PROBES: usize = 23;
const LOWEST_PROBE: f64 = 600.0;
const PROBE_STEP: f64 = 100.0;

/// Players for each who is put in the place of one: with fewer the shape of the population would suffer.
const PLAYERS_A_PROBE: usize = 20;

/// How far (points) somebody may be from a hundred to be watched in its place.
const WATCHED_WITHIN: f64 = 50.0;

/// Mean of all, and spread, of the standard population; spread of the million. Source: Berard, the PRA paper ("about 300"; 297
/// gives the number of players out of spec at its start).
const MEAN: f64 = 1500.0;
const STANDARD_SPREAD: f64 = 297.0;
const ELITE_SPREAD: f64 = 300.0;

/// Of how many the elite are the best.
const MILLION: f64 = 1_000_000.0;

/// What all of the elite start with (points). Source: Berard, the PRA paper.
const ELITE_START: f64 = 2258.0;

/// Players of both populations unless somebody wants others.
pub(super) const PLAYERS: usize = 15_000;

/// The true ratings are rounded to this part of a point, far beyond the last digit that libraries agree on.
const PARTS: f64 = 1e6;

/// The normal quantile.
fn quantile(p: f64) -> f64 {
    -std::f64::consts::SQRT_2 * erfc_inv(2.0 * p)
}

impl Population {
    /// What it is called.
    pub fn name(&self) -> &str {
        match self {
            Population::Standard => "standard",
            Population::Elite => "elite",
            Population::Own { name, .. } => name,
        }
    }

    /// The usual spread (points) of those it is drawn from.
    pub fn usual_spread(&self) -> Option<f64> {
        match self {
            Population::Standard => Some(STANDARD_SPREAD),
            Population::Elite => Some(ELITE_SPREAD),
            Population::Own { .. } => None,
        }
    }

    /// True ratings (points) of so many players, the first of them those who are watched, by their ratings. `drawn` are
    /// normal values, where they are drawn; else they are quantiles.
    fn truth(
        &self,
        players: usize,
        spread: f64,
        drawn: Option<&mut dyn FnMut() -> f64>,
    ) -> (Vec<f64>, Vec<(f64, u32)>) {
        let of = |i: usize| (i as f64 + 0.5) / players as f64;
        let mut truth: Vec<f64> = match (self, drawn) {
            (Population::Own { ratings, .. }, _) => ratings.clone(),
            (Population::Standard, Some(normal)) => {
                (0..players).map(|_| MEAN + spread * normal()).collect()
            }
            (Population::Standard, None) => {
                (0..players).map(|i| MEAN + spread * quantile(of(i))).collect()
            }
            (Population::Elite, _) => {
                (0..players).map(|i| MEAN - spread * quantile((i as f64 + 0.5) / MILLION)).collect()
            }
        };
        for rating in &mut truth {
            *rating = (*rating * PARTS).round() / PARTS;
        }
        let probe = |place: usize| LOWEST_PROBE + PROBE_STEP * place as f64;
        if matches!(self, Population::Own { .. }) || players < PLAYERS_A_PROBE * PROBES {
            let nearest = (0..PROBES).filter_map(|place| {
                let wanted = probe(place);
                let distance = |player: &u32| (truth[*player as usize] - wanted).abs();
                let player =
                    (0..truth.len() as u32).min_by(|a, b| distance(a).total_cmp(&distance(b)))?;
                (distance(&player) <= WATCHED_WITHIN).then_some((truth[player as usize], player))
            });
            let mut watched: Vec<(f64, u32)> = nearest.collect();
            watched.dedup_by_key(|(_, player)| *player);
            return (truth, watched);
        }
        // In the place of players evenly spread over the ranks.
        truth.sort_by(f64::total_cmp);
        for place in 0..PROBES {
            let rank = (2 * place + 1) * players / (2 * PROBES);
            truth[rank] = f64::NAN;
        }
        truth.retain(|rating| !rating.is_nan());
        let probes: Vec<f64> = (0..PROBES).map(probe).collect();
        let watched = probes.iter().copied().zip(0..).collect();
        ([probes, truth].concat(), watched)
    }
}

/// The players of a run.
#[derive(Clone, Debug)]
pub(super) struct World {
    /// True ratings (points).
    pub truth: Vec<f64>,
    /// What systems start from (points).
    pub start: Vec<f64>,
    /// Who is watched: rating (points), and number.
    pub probes: Vec<(f64, u32)>,
}

/// How a world is made.
#[derive(Clone, Copy, Debug)]
pub(super) struct Making<'a> {
    pub population: &'a Population,
    pub players: usize,
    pub spread: Option<f64>,
    pub is_drawn: bool,
    pub start: Start,
    pub seed: u64,
}

impl World {
    /// The players of a run.
    pub fn of(making: Making, run: u64) -> World {
        let Making { population, players, spread, is_drawn, start, seed } = making;
        let usual = population.usual_spread();
        let spread = spread.or(usual).unwrap_or_default();
        let mut random = generator(seed, run, 0, Purpose::Truth);
        let mut drawn_normal = || normal(&mut random);
        let drawn: Option<&mut dyn FnMut() -> f64> =
            if is_drawn { Some(&mut drawn_normal) } else { None };
        let (truth, probes) = population.truth(players, spread, drawn);
        let mean = truth.iter().sum::<f64>() / truth.len().max(1) as f64;
        let same = match population {
            Population::Standard => MEAN,
            Population::Elite if players == PLAYERS && Some(spread) == usual => ELITE_START,
            _ => mean.round(),
        };
        let mut random = generator(seed, run, 0, Purpose::Start);
        let mut drawn_normal = || normal(&mut random);
        let start = match start {
            Start::Chaos => vec![same; truth.len()],
            Start::True => truth.clone(),
            Start::Noise(deviation) => {
                truth.iter().map(|rating| rating + deviation * drawn_normal()).collect()
            }
            Start::Shift(shift) => truth.iter().map(|rating| rating + shift).collect(),
            Start::Squeeze(factor) => {
                truth.iter().map(|rating| mean + factor * (rating - mean)).collect()
            }
        };
        World { truth, start, probes }
    }
}

/// Players that a population has at most: their numbers have 32 bits, and none of them plays himself.
const MOST: usize = 100_000_000;

/// Ratings (points) beyond which a line of a file is a mistake.
const LARGEST: f64 = 100_000.0;

/// True ratings from a file: one a line; empty lines, and what follows a `#`, do not count.
///
/// # Errors
///
/// Where it cannot be read, a line is no rating, or the players cannot be paired; the message names the line.
pub fn read_population(path: &Path) -> Result<Population, String> {
    let shown = path.display();
    let text =
        std::fs::read_to_string(path).map_err(|error| format!("cannot read {shown}: {error}"))?;
    let mut ratings = Vec::new();
    for (line, number) in text.trim_start_matches('\u{feff}').lines().zip(1..) {
        let rating = line.split('#').next().unwrap_or_default().trim();
        if rating.is_empty() {
            continue;
        }
        let value: Option<f64> = rating.parse().ok().filter(|value: &f64| value.abs() <= LARGEST);
        let shortened: String = rating.chars().take(40).collect();
        ratings.push(value.ok_or_else(|| {
            format!("{shown}, line {number}: {shortened:?} is no rating; a population has one true rating a line")
        })?);
    }
    match ratings.len() {
        0 => Err(format!("{shown} is empty; a population has one true rating a line")),
        players if players % 2 == 1 => Err(format!(
            "{shown} has {players} players; everybody plays in every round, so that their number is even"
        )),
        players if players > MOST => {
            Err(format!("{shown} has {players} players; there may be {MOST}"))
        }
        _ => {
            let name = path.file_stem().map(|stem| stem.to_string_lossy().into_owned());
            let name = name.unwrap_or_else(|| "own".into()).replace(char::is_control, " ");
            Ok(Population::Own { name, ratings })
        }
    }
}

/// Whether so many players can play.
///
/// # Errors
///
/// Where they cannot, and why.
pub(super) fn check_players(population: &Population, players: usize) -> Result<(), String> {
    if players < 2 || players % 2 == 1 {
        return Err(format!(
            "{players} players cannot all play in every round: their number is even, and 2 or more"
        ));
    }
    if *population == Population::Elite && players as f64 > MILLION {
        return Err(format!("the elite are the best of a million: {players} players are too many"));
    }
    if players > MOST {
        return Err(format!("{players} players are too many: there may be {MOST}"));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn world(population: Population, start: Start) -> World {
        let making = Making {
            population: &population,
            players: PLAYERS,
            spread: None,
            is_drawn: false,
            start,
            seed: 1,
        };
        World::of(making, 1)
    }

    fn out(world: &World) -> usize {
        world.truth.iter().zip(&world.start).filter(|(a, b)| (*a - *b).abs() >= 100.0).count()
    }

    #[test]
    fn as_many_are_out_of_spec_at_the_start_as_the_paper_has_it_or_nearly() {
        // The paper: 11,039 and 2,646.
        assert_eq!(out(&world(Population::Standard, Start::Chaos)), 11_052);
        assert_eq!(out(&world(Population::Elite, Start::Chaos)), 2_993);
    }

    #[test]
    fn the_elite_are_the_best_of_a_million() {
        let elite = world(Population::Elite, Start::Chaos);
        let own = &elite.truth[PROBES..];
        let lowest = own.iter().copied().fold(f64::INFINITY, f64::min);
        let mean = own.iter().sum::<f64>() / own.len() as f64;
        assert_eq!((lowest.round(), mean.round()), (2151.0, 2257.0));
        assert_eq!(own.len() + PROBES, PLAYERS);
        assert_eq!(elite.probes.len(), PROBES);
    }

    #[test]
    fn starts_are_what_their_words_say() {
        let truth = world(Population::Standard, Start::True);
        assert_eq!(truth.truth, truth.start);
        let shifted = world(Population::Standard, Start::Shift(150.0));
        assert_eq!(out(&shifted), PLAYERS);
        let noisy = world(Population::Standard, Start::Noise(100.0));
        let share = out(&noisy) as f64 / PLAYERS as f64;
        assert!((share - 0.317).abs() < 0.015, "{share}");
        assert_eq!(Start::named("noise:100"), Ok(Start::Noise(100.0)));
        assert!(Start::named("nois:100").unwrap_err().contains("did you mean noise?"));
        assert!(Start::named("noise").unwrap_err().contains("noise:100"));
        assert!(Start::named("noise:-1").is_err() && Start::named("shift:nan").is_err());
    }
}
