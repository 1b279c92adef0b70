//! A simulation: rounds are played, systems rate them, and are measured.

use rayon::prelude::*;
use serde::Serialize;

use super::accuracy::{Band, Gauge, Measures, Room, SPEC};
use super::contestant::Contestant;
use super::pairing::Schedule;
use super::plan::Plan;
use super::population::World;
use crate::systems::running::{RoundGame, Running};

/// Rounds between two looks at what takes long.
pub(super) const EVERY: u32 = 20;

/// What a simulation found.
#[derive(Clone, Debug, Serialize)]
pub struct Simulation {
    /// What was simulated.
    pub plan: Plan,
    /// The systems in the order of the plan.
    pub systems: Vec<Simulated>,
}

/// What was found of one system.
#[derive(Clone, Debug, Serialize)]
pub struct Simulated {
    /// Its word.
    pub system: String,
    /// Run by run.
    pub runs: Vec<Run>,
}

/// One run of a system.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Run {
    /// What was measured at the start and after rounds.
    pub curve: Vec<Point>,
    /// Errors by true rating, after every look at what takes long.
    pub bands: Vec<Bands>,
    /// The players who were watched, the lowest first.
    pub probes: Vec<Probe>,
}

/// What was measured after so many games of everybody.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct Point {
    /// Games that everybody had played.
    pub game: u32,
    /// What was measured.
    #[serde(flatten)]
    pub measures: Measures,
}

/// Errors by true rating after so many games.
#[derive(Clone, Debug, Serialize)]
pub struct Bands {
    /// Games that everybody had played.
    pub game: u32,
    /// The lowest true ratings first.
    pub bands: Vec<Band>,
}

/// A player who was watched.
#[derive(Clone, Debug, Serialize)]
pub struct Probe {
    /// True rating (points).
    pub rating: f64,
    /// The first game after which he was in spec; 1 where he was from the start, `None` where he never was.
    pub in_spec: Option<u32>,
    /// That after which he stayed there; 0 from the start on.
    pub settled: Option<u32>,
    /// Rating after each look, the start first; of the first run alone.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub path: Vec<(u32, f32)>,
}

/// A system at work on a run.
struct Work<'a> {
    contestant: &'a Contestant,
    running: Box<dyn Running>,
    gauge: &'a Gauge,
    room: Room,
    ratings: Vec<f64>,
    probes: &'a [(f64, u32)],
    last: u32,
    keeps_paths: bool,
    /// The fields of the events that are going on.
    fields: Vec<Vec<u32>>,
    run: Run,
}

impl<'a> Work<'a> {
    fn begin(
        contestant: &'a Contestant,
        world: &'a World,
        gauge: &'a Gauge,
        last: u32,
        keeps_paths: bool,
    ) -> Work<'a> {
        let probes = world.probes.iter().map(|(rating, _)| Probe {
            rating: *rating,
            in_spec: None,
            settled: None,
            path: Vec::new(),
        });
        let run = Run { probes: probes.collect(), ..Run::default() };
        let mut work = Work {
            contestant,
            running: contestant.running(&world.start),
            gauge,
            room: Room::default(),
            ratings: world.start.clone(),
            probes: &world.probes,
            last,
            keeps_paths,
            fields: Vec::new(),
            run,
        };
        work.look(0);
        work
    }

    /// A round, which may begin or end events; `heard` are the ratings (points) by which their fields were made.
    fn play(&mut self, number: u32, schedule: &Schedule, heard: &[f64], games: &[RoundGame]) {
        if schedule.begins_events(number) {
            self.fields = schedule.fields(number, self.ratings.len(), heard);
            self.running.begin_events();
        }
        self.running.play(games);
        if schedule.ends_events(number) || (number == self.last && !self.fields.is_empty()) {
            self.running.close_events(&self.fields);
        }
        let is_due = number.is_multiple_of(EVERY) || number == self.last;
        if is_due || !self.running.solves() {
            self.running.ratings(&mut self.ratings);
            self.look(number);
        }
    }

    /// Measures everybody, and those who are watched.
    fn look(&mut self, game: u32) {
        if self.running.has_free_level() {
            self.gauge.level(&mut self.ratings);
        }
        let is_due = game.is_multiple_of(EVERY) || game == self.last;
        let measures = match is_due {
            true => self.gauge.measure_all(&self.ratings, self.contestant, &mut self.room),
            false => self.gauge.measure(&self.ratings, &mut self.room),
        };
        self.run.curve.push(Point { game, measures });
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
            self.run.bands.push(Bands { game, bands: self.gauge.bands(&self.ratings) });
        }
    }
}

/// Games that are made before the systems hear of them, so that rounds can be made on all cores.
const AHEAD: usize = 200_000;

/// Simulates; `advance` is told of every round that a system has rated.
///
/// # Errors
///
/// Where the plan cannot be carried out, and why.
pub fn simulate(plan: &Plan, advance: &(dyn Fn(u64) + Sync)) -> Result<Simulation, String> {
    plan.check()?;
    let runs: Vec<Vec<Run>> = (1..plan.runs + 1)
        .into_par_iter()
        .with_max_len(1)
        .map(|run| simulate_run(plan, u64::from(run), advance))
        .collect();
    let mut systems: Vec<Simulated> = plan
        .systems
        .iter()
        .map(|system| Simulated { system: system.name.clone(), runs: Vec::new() })
        .collect();
    for run in runs {
        for (system, run) in systems.iter_mut().zip(run) {
            system.runs.push(run);
        }
    }
    Ok(Simulation { plan: plan.clone(), systems })
}

fn simulate_run(plan: &Plan, run: u64, advance: &(dyn Fn(u64) + Sync)) -> Vec<Run> {
    let world = plan.world(run);
    let schedule = plan.schedule(run);
    let gauge = Gauge::of(&world.truth, plan.outcome, plan.seed);
    let last = plan.games;
    let keeps_paths = run == 1 || plan.keeps_all_paths;
    let mut works: Vec<Work> = plan
        .systems
        .iter()
        .map(|system| Work::begin(system, &world, &gauge, last, keeps_paths))
        .collect();
    if plan.pairing.is_by_rating() {
        // Everybody has games of his own.
        works.par_iter_mut().with_max_len(1).for_each(|work| {
            let mut games = Vec::new();
            let mut heard = work.ratings.clone();
            for number in 1..=last {
                if schedule.hears_ratings(number) {
                    work.running.ratings(&mut heard);
                }
                schedule.round(number, &world.truth, &heard, &mut games);
                work.play(number, &schedule, &heard, &games);
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
            schedule.round(first + place as u32, &world.truth, &[], games);
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
