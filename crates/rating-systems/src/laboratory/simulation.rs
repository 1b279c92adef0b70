//! Runs simulations: systems rate rounds of games, and their ratings are measured.

use rayon::prelude::*;
use serde::Serialize;

use super::accuracy::{Gauge, Measures, RatingBand, SPEC, Scratch};
use super::contestant::Contestant;
use super::errors::PlanError;
use super::pairing::Schedule;
use super::plan::Plan;
use super::population::SimulatedPlayers;
use crate::systems::running::{RoundGame, Running};

/// Rounds between two computations of the slow measures. Judged: a curve of the default 340 games
/// has 18 points. Halving it doubles the time of these measures.
pub(super) const EVERY: u32 = 20;

/// The results of a simulation.
#[derive(Clone, Debug, Serialize)]
pub struct Simulation {
    /// The plan that was carried out.
    pub plan: Plan,
    /// The systems, in the order of the plan.
    pub systems: Vec<SimulatedSystem>,
}

/// The results of one system.
#[derive(Clone, Debug, Serialize)]
pub struct SimulatedSystem {
    /// Name of the system.
    pub system: String,
    /// The runs, which differ in their random results.
    pub runs: Vec<SimulationRun>,
}

/// One run of a system.
#[derive(Clone, Debug, Default, Serialize)]
pub struct SimulationRun {
    /// The measures at the start and after rounds.
    pub curve: Vec<Measurement>,
    /// Errors by true rating, whenever the slow measures are computed.
    pub bands: Vec<RatingBands>,
    /// The probe players, in ascending order of true rating.
    pub probes: Vec<Probe>,
}

/// The measures after a number of games.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct Measurement {
    /// Number of games of each player.
    pub game: u32,
    /// The accuracy of the ratings after these games.
    #[serde(flatten)]
    pub measures: Measures,
}

/// Errors by true rating after a number of games.
#[derive(Clone, Debug, Serialize)]
pub struct RatingBands {
    /// Number of games of each player.
    pub game: u32,
    /// The bands, in ascending order.
    pub bands: Vec<RatingBand>,
}

/// A probe player: one whose rating the simulation follows.
#[derive(Clone, Debug, Serialize)]
pub struct Probe {
    /// True rating (points).
    pub rating: f64,
    /// The first game after which the player was in spec. 1 if he was at the start, `None` if he
    /// never was.
    pub in_spec: Option<u32>,
    /// The game after which he stayed in spec. 0 if he always was.
    pub settled: Option<u32>,
    /// Rating (points) after each measurement, the start included. Only of the first run, unless
    /// the plan keeps all.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub path: Vec<(u32, f32)>,
}

/// A system during a run.
struct RunningSystem<'a> {
    contestant: &'a Contestant,
    running: Box<dyn Running>,
    gauge: &'a Gauge,
    room: Scratch,
    ratings: Vec<f64>,
    probes: &'a [(f64, u32)],
    last: u32,
    keeps_paths: bool,
    /// The fields of the current events.
    fields: Vec<Vec<u32>>,
    run: SimulationRun,
}

impl<'a> RunningSystem<'a> {
    fn begin(
        contestant: &'a Contestant,
        world: &'a SimulatedPlayers,
        gauge: &'a Gauge,
        last: u32,
        keeps_paths: bool,
    ) -> RunningSystem<'a> {
        let probes = world.probes.iter().map(|(rating, _)| Probe {
            rating: *rating,
            in_spec: None,
            settled: None,
            path: Vec::new(),
        });
        let run = SimulationRun { probes: probes.collect(), ..SimulationRun::default() };
        let mut work = RunningSystem {
            contestant,
            running: contestant.running(&world.start),
            gauge,
            room: Scratch::default(),
            ratings: world.start.clone(),
            probes: &world.probes,
            last,
            keeps_paths,
            fields: Vec::new(),
            run,
        };
        work.measure(0);
        work
    }

    /// Rates a round, which may begin or end events. `used` are the ratings (points) by which
    /// their fields were made.
    fn play(&mut self, number: u32, schedule: &Schedule, used: &[f64], games: &[RoundGame]) {
        if schedule.begins_events(number) {
            self.fields = schedule.fields(number, self.ratings.len(), used);
            self.running.begin_events();
        }
        self.running.play(games);
        if schedule.ends_events(number) || (number == self.last && !self.fields.is_empty()) {
            self.running.close_events(&self.fields);
        }
        let is_due = number.is_multiple_of(EVERY) || number == self.last;
        if is_due || !self.running.solves() {
            self.running.ratings(&mut self.ratings);
            self.measure(number);
        }
    }

    /// Measures the ratings, and follows the probe players.
    fn measure(&mut self, game: u32) {
        if self.running.solves() {
            self.gauge.level(&mut self.ratings);
        }
        let is_due = game.is_multiple_of(EVERY) || game == self.last;
        let measures = if is_due {
            self.gauge.measure_all(&self.ratings, self.contestant, &mut self.room)
        } else {
            self.gauge.measure(&self.ratings, &mut self.room)
        };
        self.run.curve.push(Measurement { game, measures });
        for (probe, (_, player)) in self.run.probes.iter_mut().zip(self.probes) {
            let rating = self.ratings[*player as usize];
            if (rating - probe.rating).abs() < SPEC {
                probe.in_spec.get_or_insert(game.max(1));
                probe.settled.get_or_insert(game);
            } else {
                probe.settled = None;
            }
            if self.keeps_paths {
                probe.path.push((game, rating as f32));
            }
        }
        if is_due {
            self.run.bands.push(RatingBands { game, bands: self.gauge.bands(&self.ratings) });
        }
    }
}

/// Games that are drawn before the systems rate them, so that rounds can be drawn on all cores.
/// Judged: they take about 2.4 megabytes.
const AHEAD: usize = 200_000;

/// Simulates a plan. Calls `advance` with the number of rounds that a system has rated.
///
/// # Errors
///
/// Returns the reason if the plan cannot be carried out.
pub fn simulate(plan: &Plan, advance: &(dyn Fn(u64) + Sync)) -> Result<Simulation, PlanError> {
    plan.check()?;
    let runs: Vec<Vec<SimulationRun>> = (1..plan.runs + 1)
        .into_par_iter()
        .with_max_len(1)
        .map(|run| simulate_run(plan, u64::from(run), advance))
        .collect();
    let mut systems: Vec<SimulatedSystem> = plan
        .systems
        .iter()
        .map(|system| SimulatedSystem { system: system.name.clone(), runs: Vec::new() })
        .collect();
    for run in runs {
        for (system, run) in systems.iter_mut().zip(run) {
            system.runs.push(run);
        }
    }
    Ok(Simulation { plan: plan.clone(), systems })
}

fn simulate_run(plan: &Plan, run: u64, advance: &(dyn Fn(u64) + Sync)) -> Vec<SimulationRun> {
    let world = plan.world(run);
    let schedule = plan.schedule(run);
    let gauge = Gauge::new(&world.truth, plan.outcome, plan.seed);
    let last = plan.games;
    let keeps_paths = run == 1 || plan.keeps_all_paths;
    let mut works: Vec<RunningSystem> = plan
        .systems
        .iter()
        .map(|system| RunningSystem::begin(system, &world, &gauge, last, keeps_paths))
        .collect();
    if plan.pairing.is_by_rating() {
        // Each system has its own games.
        works.par_iter_mut().with_max_len(1).for_each(|work| {
            let mut used = work.ratings.clone();
            for number in 1..=last {
                if schedule.uses_ratings(number) {
                    work.running.ratings(&mut used);
                }
                let games = schedule.round(number, &world.truth, &used);
                work.play(number, &schedule, &used, &games);
                advance(1);
            }
        });
        return works.into_iter().map(|work| work.run).collect();
    }
    let ahead = (AHEAD / (world.truth.len() / 2)).clamp(1, EVERY as usize) as u32;
    let mut rounds: Vec<Vec<RoundGame>> = vec![Vec::new(); ahead as usize];
    let mut first = 1;
    while first <= last {
        let count = ahead.min(last - first + 1) as usize;
        rounds[..count].par_iter_mut().enumerate().for_each(|(place, games)| {
            *games = schedule.round(first + place as u32, &world.truth, &[]);
        });
        works.par_iter_mut().with_max_len(1).for_each(|work| {
            for (games, number) in rounds[..count].iter().zip(first..) {
                work.play(number, &schedule, &[], games);
            }
            advance(count as u64);
        });
        first += count as u32;
    }
    works.into_iter().map(|work| work.run).collect()
}
