//! Plans of simulations.

use serde::Serialize;

use super::contestant::Contestant;
use super::errors::PlanError;
use super::limits::{MOST_GAMES, MOST_KEPT, MOST_RUNS};
use super::outcome::ResultModel;
use super::pairing::{PairingRule, Schedule};
use super::population::{
    PLAYERS, Population, PopulationSettings, SimulatedPlayers, Start, check_players,
};

/// A plan: all inputs that determine the result of a simulation.
#[derive(Clone, Debug, Serialize)]
pub struct Plan {
    /// Population of true ratings.
    pub population: Population,
    /// The tested systems, which rate the same games.
    #[serde(serialize_with = "names")]
    pub systems: Vec<Contestant>,
    /// Number of players, probe players included.
    pub players: usize,
    /// Number of games of each player.
    pub games: u32,
    /// Number of runs, which differ in their random results.
    pub runs: u32,
    /// Seed of all random generators.
    pub seed: u64,
    /// Ratings with which systems start.
    pub start: Start,
    /// Model from which results are drawn.
    pub outcome: ResultModel,
    /// Proportion of draws relative to the largest possible one, in `[0, 1]`.
    pub draws: f64,
    /// Rule that pairs players.
    pub pairing: PairingRule,
    /// Standard deviation (points) of the population, if it differs from the default.
    pub spread: Option<f64>,
    /// Whether true ratings are drawn at random instead of being quantiles.
    pub is_drawn: bool,
    /// Whether to keep the probe players' ratings of all runs, instead of the first run only.
    #[serde(skip)]
    pub keeps_all_paths: bool,
}

fn names<S: serde::Serializer>(systems: &[Contestant], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_seq(systems.iter().map(|system| &system.name))
}

/// Default number of games of each player. Source: Berard, the PRA paper.
const GAMES: u32 = 340;

impl Plan {
    /// The default plan for a population and systems.
    pub fn new(population: Population, systems: Vec<Contestant>) -> Plan {
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
            outcome: ResultModel::Table,
            draws: 0.0,
            pairing: PairingRule::Random,
            spread: None,
            is_drawn: false,
            keeps_all_paths: false,
        }
    }

    /// Checks that the plan can be carried out.
    ///
    /// # Errors
    ///
    /// Returns the reason if it cannot.
    pub fn check(&self) -> Result<(), PlanError> {
        check_players(&self.population, self.players)?;
        self.check_population()?;
        if !(1..=MOST_GAMES).contains(&self.games) {
            return Err(PlanError::Games);
        }
        check_runs(self.runs)?;
        if !(0.0..=1.0).contains(&self.draws) {
            return Err(PlanError::Draws);
        }
        if let PairingRule::Events(field, _) = self.pairing
            && field > self.players
        {
            return Err(PlanError::LargeField { field, players: self.players });
        }
        self.check_systems()
    }

    /// Checks that the population allows the plan's players, spread and draws.
    fn check_population(&self) -> Result<(), PlanError> {
        if let Population::Own { name, ratings } = &self.population {
            let name = name.clone();
            if ratings.len() != self.players {
                return Err(PlanError::FixedPlayers { name, players: ratings.len() });
            }
            if self.spread.is_some() || self.is_drawn {
                return Err(PlanError::FixedRatings { name });
            }
        }
        if self.is_drawn && self.population == Population::Elite {
            return Err(PlanError::DrawnElite);
        }
        if self.spread.is_some_and(|spread| !(spread > 0.0 && spread <= 10_000.0)) {
            return Err(PlanError::Spread);
        }
        Ok(())
    }

    /// Checks that the systems fit into memory and differ from each other.
    fn check_systems(&self) -> Result<(), PlanError> {
        for system in &self.systems {
            let rounds = system.keeps_rounds().min(self.games as usize);
            let kept = (self.players as u64 / 2).saturating_mul(rounds as u64);
            if kept > MOST_KEPT {
                return Err(PlanError::TooManyKept { system: system.name.clone(), kept });
            }
            if system.needs_events() && !matches!(self.pairing, PairingRule::Events(..)) {
                return Err(PlanError::NeedsEvents { system: system.name.clone() });
            }
        }
        if self.systems.is_empty() {
            return Err(PlanError::NoSystem);
        }
        for (place, system) in self.systems.iter().enumerate() {
            if self.systems[..place].iter().any(|other| other.name == system.name) {
                return Err(PlanError::SystemTwice(system.name.clone()));
            }
        }
        Ok(())
    }

    /// The true ratings (points) of the players of a run.
    pub fn true_ratings(&self, run: u64) -> Vec<f64> {
        self.world(run).truth
    }

    /// The players of a run.
    pub(super) fn world(&self, run: u64) -> SimulatedPlayers {
        let making = PopulationSettings {
            population: &self.population,
            players: self.players,
            spread: self.spread,
            is_drawn: self.is_drawn,
            start: self.start,
            seed: self.seed,
        };
        SimulatedPlayers::new(making, run)
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

/// Checks the number of runs of a plan or an experiment.
pub(super) fn check_runs(runs: u32) -> Result<(), PlanError> {
    if (1..=MOST_RUNS).contains(&runs) { Ok(()) } else { Err(PlanError::Runs) }
}
