//! What is simulated.

use serde::Serialize;

use super::contestant::Contestant;
use super::outcome::Outcome;
use super::pairing::{Pairing, Schedule};
use super::population::{Making, PLAYERS, Population, Start, World, check_players};

/// Everything that decides what comes out.
#[derive(Clone, Debug, Serialize)]
pub struct Plan {
    /// True ratings.
    pub population: Population,
    /// The systems that are judged, on the same games.
    #[serde(serialize_with = "names")]
    pub systems: Vec<Contestant>,
    /// How many players there are.
    pub players: usize,
    /// Games that each of them plays.
    pub games: u32,
    /// How often it is done, each time with other results.
    pub runs: u32,
    /// What all chance comes from.
    pub seed: u64,
    /// The ratings with which systems start.
    pub start: Start,
    /// How results are drawn.
    pub outcome: Outcome,
    /// How many of the games that could be drawn are, in `[0, 1]`.
    pub draws: f64,
    /// Who plays whom.
    pub pairing: Pairing,
    /// Spread (points) of the population, if it is not the usual one.
    pub spread: Option<f64>,
    /// Whether true ratings are drawn, and not quantiles.
    pub is_drawn: bool,
    /// Whether the paths of those who are watched are kept of all runs, and not of the first alone.
    #[serde(skip)]
    pub keeps_all_paths: bool,
}

fn names<S: serde::Serializer>(systems: &[Contestant], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_seq(systems.iter().map(|system| &system.name))
}

/// Games that each player plays unless somebody wants others. Source: Berard, the PRA paper.
const GAMES: u32 = 340;

/// Games that a system keeps at most: some ten gigabytes.
const MOST_KEPT: u64 = 400_000_000;

/// Games that anybody plays at most.
const MOST_GAMES: u32 = 1_000_000;

impl Plan {
    /// The usual one of a population and systems.
    pub fn of(population: Population, systems: Vec<Contestant>) -> Plan {
        let players = match &population {
            Population::Own { ratings, .. } => ratings.len(),
            _ => PLAYERS,
        };
        Plan {
            population,
            systems,
            players,
            games: GAMES,
            runs: 1,
            seed: 1,
            start: Start::Chaos,
            outcome: Outcome::Table,
            draws: 0.0,
            pairing: Pairing::Random,
            spread: None,
            is_drawn: false,
            keeps_all_paths: false,
        }
    }

    /// Whether it can be done.
    ///
    /// # Errors
    ///
    /// Where it cannot, and why.
    pub fn check(&self) -> Result<(), String> {
        check_players(&self.population, self.players)?;
        if let Population::Own { name, ratings } = &self.population {
            if ratings.len() != self.players {
                return Err(format!(
                    "{name} has {} players; another number cannot be had",
                    ratings.len()
                ));
            }
            if self.spread.is_some() || self.is_drawn {
                return Err(format!(
                    "{name} is what it is: neither a spread nor drawing it can be had"
                ));
            }
        }
        if self.is_drawn && self.population == Population::Elite {
            return Err("the elite are quantiles of a million; drawing them is not offered".into());
        }
        if self.spread.is_some_and(|spread| !(spread > 0.0 && spread <= 10_000.0)) {
            return Err("a spread is more than 0 points, and at most 10,000".into());
        }
        if !(1..=MOST_GAMES).contains(&self.games) {
            return Err(format!("everybody plays 1 to {MOST_GAMES} games"));
        }
        if !(1..=1_000_000).contains(&self.runs) {
            return Err("there are 1 to 1,000,000 runs".into());
        }
        if !(0.0..=1.0).contains(&self.draws) {
            return Err("the part of the games that are drawn is 0 to 1".into());
        }
        if let Pairing::Events(field, _) = self.pairing
            && field > self.players
        {
            return Err(format!(
                "an event of {field} players is more than the {} that there are",
                self.players
            ));
        }
        let rounds = self
            .systems
            .iter()
            .map(|system| (system, system.keeps_rounds().min(self.games as usize)));
        for (system, rounds) in rounds {
            let kept = (self.players as u64 / 2).saturating_mul(rounds as u64);
            if kept > MOST_KEPT {
                return Err(format!(
                    "{} would keep {kept} games in memory; it is for {MOST_KEPT} of them: fewer players or games, or another system",
                    system.name
                ));
            }
            if system.needs_events() && !matches!(self.pairing, Pairing::Events(..)) {
                return Err(format!(
                    "{} differs from pra only by events: --pairing events:10",
                    system.name
                ));
            }
        }
        if self.systems.is_empty() {
            return Err("no system to judge".into());
        }
        for (place, system) in self.systems.iter().enumerate() {
            if self.systems[..place].iter().any(|other| other.name == system.name) {
                return Err(format!("{} is there twice", system.name));
            }
        }
        Ok(())
    }

    /// The true ratings (points) of the players of a run.
    pub fn true_ratings(&self, run: u64) -> Vec<f64> {
        self.world(run).truth
    }

    /// The players of a run.
    pub(super) fn world(&self, run: u64) -> World {
        let making = Making {
            population: &self.population,
            players: self.players,
            spread: self.spread,
            is_drawn: self.is_drawn,
            start: self.start,
            seed: self.seed,
        };
        World::of(making, run)
    }

    /// The games of a run.
    pub(super) fn schedule(&self, run: u64) -> Schedule {
        Schedule {
            pairing: self.pairing,
            outcome: self.outcome,
            draws: self.draws,
            seed: self.seed,
            run,
        }
    }
}
