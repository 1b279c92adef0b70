//! Populations: true ratings, ratings at the start, and probe players.

use std::path::Path;

use rand_pcg::Pcg64Mcg;
use serde::Serialize;
use statrs::function::erf::erfc_inv;

use super::chance::{Purpose, generator, normal};
use super::errors::PlanError;
use super::limits::{LARGEST_RATING, MOST_PLAYERS};
use crate::systems::mean::mean;

/// A population of true ratings.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Population {
    /// Normally distributed with mean 1500.
    Standard,
    /// The best of a million players of such a population.
    Elite,
    /// A population from a file.
    Own {
        /// Name of the population.
        name: String,
        /// The true ratings (points).
        ratings: Vec<f64>,
    },
}

/// The ratings with which systems start.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Start {
    /// The same rating for all players, independent of their true ratings.
    #[default]
    Chaos,
    /// The true ratings, without errors.
    True,
    /// The true ratings plus errors with this standard deviation (points).
    Noise(f64),
    /// The true ratings plus a constant (points).
    Shift(f64),
    /// The true ratings with their distances from the mean multiplied by this factor.
    Squeeze(f64),
}

impl Start {
    /// Parses a name, with a number where the start needs one: `noise:100`.
    ///
    /// # Errors
    ///
    /// Returns an error with the most similar name if no start has this name.
    pub fn named(text: &str) -> Result<Start, PlanError> {
        let (word, number) = match text.split_once(':') {
            Some((word, number)) => (word, Some(number)),
            None => (text, None),
        };
        match (word, number) {
            ("chaos", None) => Ok(Start::Chaos),
            ("true", None) => Ok(Start::True),
            ("noise" | "shift" | "squeeze", Some(number)) => {
                let value = number.parse().ok().filter(|value: &f64| value.abs() <= LARGEST_RATING);
                let value = value.ok_or_else(|| PlanError::StartNumber {
                    text: text.into(),
                    number: number.into(),
                })?;
                match word {
                    "noise" if value < 0.0 => Err(PlanError::NegativeErrors { text: text.into() }),
                    "noise" => Ok(Start::Noise(value)),
                    "shift" => Ok(Start::Shift(value)),
                    _ => Ok(Start::Squeeze(value)),
                }
            }
            ("noise" | "shift" | "squeeze", None) => Err(PlanError::MissingNumber {
                word: word.into(),
                what: "a number",
                example: if word == "squeeze" { "0.5" } else { "100" },
            }),
            ("chaos" | "true", Some(_)) => Err(PlanError::SurplusNumber { word: word.into() }),
            _ => Err(PlanError::UnknownWord {
                kind: "start",
                word: word.into(),
                words: vec!["chaos", "true", "noise", "shift", "squeeze"],
            }),
        }
    }
}

/// Probe players: one for each hundred points from 600 to 2800.
const PROBES: usize = 23;
const LOWEST_PROBE: f64 = 600.0;
const PROBE_STEP: f64 = 100.0;

/// Fewest players for each probe that replaces one. With fewer, the probes would distort the
/// population. Judged: at most one player in twenty is then replaced.
const PLAYERS_A_PROBE: usize = 20;

/// Largest distance (points) of a player from a multiple of 100 to be its probe: half of the
/// distance between two probes.
const WATCHED_WITHIN: f64 = 50.0;

/// Mean and standard deviation of the standard population, and standard deviation of the million.
/// Source: Berard, the PRA paper ("about 300"; 297 gives the number of players out of spec at its
/// start).
const MEAN: f64 = 1500.0;
const STANDARD_SPREAD: f64 = 297.0;
const ELITE_SPREAD: f64 = 300.0;

/// Number of players of whom the elite are the best.
const MILLION: f64 = 1_000_000.0;

/// Rating (points) of all elite players at the start. Source: Berard, the PRA paper.
const ELITE_START: f64 = 2258.0;

/// Default number of players of both populations.
pub(super) const PLAYERS: usize = 15_000;

/// True ratings are rounded to this part of a point. Libraries on different machines agree to more
/// digits.
const PARTS: f64 = 1e6;

/// The quantile function of the standard normal distribution.
fn quantile(p: f64) -> f64 {
    -std::f64::consts::SQRT_2 * erfc_inv(2.0 * p)
}

impl Population {
    /// Name of the population.
    pub fn name(&self) -> &str {
        match self {
            Population::Standard => "standard",
            Population::Elite => "elite",
            Population::Own { name, .. } => name,
        }
    }

    /// Default standard deviation (points) of the distribution behind the population.
    fn usual_spread(&self) -> Option<f64> {
        match self {
            Population::Standard => Some(STANDARD_SPREAD),
            Population::Elite => Some(ELITE_SPREAD),
            Population::Own { .. } => None,
        }
    }

    /// True ratings (points) of `players` players, and the probes among them: (rating, number). The
    /// true ratings are drawn by `random`, or quantiles without it.
    fn truth(
        &self,
        players: usize,
        spread: f64,
        random: Option<&mut Pcg64Mcg>,
    ) -> (Vec<f64>, Vec<(f64, u32)>) {
        let mut truth: Vec<f64> = match (self, random) {
            (Population::Own { ratings, .. }, _) => ratings.clone(),
            (Population::Standard, Some(random)) => {
                (0..players).map(|_| MEAN + spread * normal(random)).collect()
            }
            (Population::Standard, None) => (0..players)
                .map(|i| MEAN + spread * quantile((i as f64 + 0.5) / players as f64))
                .collect(),
            (Population::Elite, _) => {
                (0..players).map(|i| MEAN - spread * quantile((i as f64 + 0.5) / MILLION)).collect()
            }
        };
        for rating in &mut truth {
            *rating = (*rating * PARTS).round() / PARTS;
        }
        let probes: Vec<f64> =
            (0..PROBES).map(|place| LOWEST_PROBE + PROBE_STEP * place as f64).collect();
        if matches!(self, Population::Own { .. }) || players < PLAYERS_A_PROBE * PROBES {
            let mut watched = Vec::new();
            for probe in probes {
                let distances = truth.iter().map(|rating| (rating - probe).abs()).zip(0..);
                if let Some((distance, player)) = distances.min_by(|a, b| a.0.total_cmp(&b.0))
                    && distance <= WATCHED_WITHIN
                {
                    watched.push((truth[player as usize], player));
                }
            }
            watched.dedup_by_key(|(_, player)| *player);
            return (truth, watched);
        }
        // The probes replace players that are evenly spread over the ranks.
        truth.sort_by(f64::total_cmp);
        for place in 0..PROBES {
            let rank = (2 * place + 1) * players / (2 * PROBES);
            truth[rank] = f64::NAN;
        }
        truth.retain(|rating| !rating.is_nan());
        let watched = probes.iter().copied().zip(0..).collect();
        ([probes, truth].concat(), watched)
    }
}

#[derive(Clone, Debug)]
pub(super) struct SimulatedPlayers {
    /// True ratings (points).
    pub truth: Vec<f64>,
    /// Ratings at the start (points).
    pub start: Vec<f64>,
    /// The probe players: true rating (points), and number.
    pub probes: Vec<(f64, u32)>,
}

/// The settings from which the players of a run are made.
#[derive(Clone, Copy, Debug)]
pub(super) struct PopulationSettings<'a> {
    pub population: &'a Population,
    pub players: usize,
    pub spread: Option<f64>,
    pub is_drawn: bool,
    pub start: Start,
    pub seed: u64,
}

impl SimulatedPlayers {
    /// Makes the players of a run.
    pub fn new(making: PopulationSettings, run: u64) -> SimulatedPlayers {
        let PopulationSettings { population, players, spread, is_drawn, start, seed } = making;
        let usual = population.usual_spread();
        let spread = spread.or(usual).unwrap_or_default();
        let mut random = generator(seed, run, 0, Purpose::Truth);
        let random = if is_drawn { Some(&mut random) } else { None };
        let (truth, probes) = population.truth(players, spread, random);
        let mean = mean(&truth);
        let same = match population {
            Population::Standard => MEAN,
            Population::Elite if players == PLAYERS && Some(spread) == usual => ELITE_START,
            _ => mean.round(),
        };
        let mut random = generator(seed, run, 0, Purpose::Start);
        let start = match start {
            Start::Chaos => vec![same; truth.len()],
            Start::True => truth.clone(),
            Start::Noise(deviation) => {
                truth.iter().map(|rating| rating + deviation * normal(&mut random)).collect()
            }
            Start::Shift(shift) => truth.iter().map(|rating| rating + shift).collect(),
            Start::Squeeze(factor) => {
                truth.iter().map(|rating| mean + factor * (rating - mean)).collect()
            }
        };
        SimulatedPlayers { truth, start, probes }
    }
}

/// Reads true ratings from a file with one rating a line. Empty lines, and text after a `#`, do not
/// count.
///
/// # Errors
///
/// Returns an error if the file cannot be read, a line is not a rating, or the players cannot be
/// paired. The message names the line.
pub fn read_population(path: &Path) -> Result<Population, PlanError> {
    let shown = path.display().to_string();
    let text = std::fs::read_to_string(path)
        .map_err(|error| PlanError::Unreadable { path: shown.clone(), error })?;
    let mut ratings = Vec::new();
    for (line, number) in text.trim_start_matches('\u{feff}').lines().zip(1..) {
        let rating = line.split('#').next().unwrap_or_default().trim();
        if rating.is_empty() {
            continue;
        }
        let value: Option<f64> =
            rating.parse().ok().filter(|value: &f64| value.abs() <= LARGEST_RATING);
        let shortened: String = rating.chars().take(40).collect();
        ratings.push(value.ok_or_else(|| PlanError::NotARating {
            path: shown.clone(),
            line: number,
            shortened,
        })?);
    }
    match ratings.len() {
        0 => Err(PlanError::EmptyPopulation { path: shown }),
        players if players % 2 == 1 => Err(PlanError::OddPopulation { path: shown, players }),
        players if players > MOST_PLAYERS => {
            Err(PlanError::LargePopulation { path: shown, players })
        }
        _ => {
            let name = path.file_stem().map(|stem| stem.to_string_lossy().into_owned());
            let name = name.unwrap_or_else(|| "own".into()).replace(char::is_control, " ");
            Ok(Population::Own { name, ratings })
        }
    }
}

/// Checks that this number of players is possible.
///
/// # Errors
///
/// Returns the reason if it is not.
pub(super) fn check_players(population: &Population, players: usize) -> Result<(), PlanError> {
    if players < 2 || players % 2 == 1 {
        return Err(PlanError::UnpairablePlayers(players));
    }
    if *population == Population::Elite && players as f64 > MILLION {
        return Err(PlanError::TooManyElite(players));
    }
    if players > MOST_PLAYERS {
        return Err(PlanError::TooManyPlayers(players));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn world(population: Population, start: Start) -> SimulatedPlayers {
        let making = PopulationSettings {
            population: &population,
            players: PLAYERS,
            spread: None,
            is_drawn: false,
            start,
            seed: 1,
        };
        SimulatedPlayers::new(making, 1)
    }

    fn out(world: &SimulatedPlayers) -> usize {
        world.truth.iter().zip(&world.start).filter(|(a, b)| (*a - *b).abs() >= 100.0).count()
    }

    #[test]
    fn players_out_of_spec_at_the_start_are_close_to_the_papers() {
        // The paper reports 11,039 and 2,646.
        assert_eq!(out(&world(Population::Standard, Start::Chaos)), 11_052);
        assert_eq!(out(&world(Population::Elite, Start::Chaos)), 2_993);
    }

    #[test]
    fn elite_are_the_best_of_a_million() {
        let elite = world(Population::Elite, Start::Chaos);
        let own = &elite.truth[PROBES..];
        let lowest = own.iter().copied().fold(f64::INFINITY, f64::min);
        let mean = own.iter().sum::<f64>() / own.len() as f64;
        assert_eq!((lowest.round(), mean.round()), (2151.0, 2257.0));
        assert_eq!(own.len() + PROBES, PLAYERS);
        assert_eq!(elite.probes.len(), PROBES);
    }

    #[test]
    fn starts_follow_their_names() {
        let truth = world(Population::Standard, Start::True);
        assert_eq!(truth.truth, truth.start);
        let shifted = world(Population::Standard, Start::Shift(150.0));
        assert_eq!(out(&shifted), PLAYERS);
        let noisy = world(Population::Standard, Start::Noise(100.0));
        let share = out(&noisy) as f64 / PLAYERS as f64;
        assert!((share - 0.317).abs() < 0.015, "{share}");
        assert_eq!(Start::named("noise:100").unwrap(), Start::Noise(100.0));
        for (text, message) in [("nois:100", "did you mean noise?"), ("noise", "noise:100")] {
            let error = Start::named(text).unwrap_err().to_string();
            assert!(error.contains(message), "{error}");
        }
        assert!(Start::named("noise:-1").is_err() && Start::named("shift:nan").is_err());
    }
}
