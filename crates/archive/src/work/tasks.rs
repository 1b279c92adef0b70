//! Defines tasks that can be done elsewhere, on another machine or in advance: an event through the
//! app, a rating system over all results. Tasks and their results are bytes.

use std::convert::Infallible;
use std::fmt::Debug;
use std::hash::Hasher;

use bitcode::{Decode, Encode};
use rustc_hash::FxHasher;
use thiserror::Error;

use crate::errors::BuildError;
use crate::progress::Progress;
use crate::settings::ListSettings;
use crate::work::build_cache::{BuildCache, CacheKey, CacheKind};
use rating_systems::evaluation::comparison::{Computed, Predictions, computed, rated};
use rating_systems::systems::{Overrides, RatingSystem, Results, System, SystemRatings, Value};
use rating_systems::wire::{computed_from_bytes, ratings_to_bytes};
use tournament_app::{
    self, Analysis, EventError, Options, PlayerAnalysis, StandardErrors, analyse_with_errors,
};

/// A hash of a task's bytes and the version of the program, which distinguishes all tasks.
fn digest(bytes: &[u8]) -> u64 {
    let mut hasher = FxHasher::default();
    hasher.write(env!("CARGO_PKG_VERSION").as_bytes());
    hasher.write(bytes);
    hasher.finish()
}

/// A task in bytes that cannot be done.
#[derive(Debug, Error)]
pub enum TaskError {
    /// The bytes are not an event for the app, or another version of the program wrote them.
    #[error("these bytes hold no event task of this version of the program")]
    NoEventTask,
    #[error("{event}: {error}")]
    Event { event: String, error: EventError },
    /// The bytes are not a rating system, or another version of the program wrote them.
    #[error("these bytes hold no rating task of this version of the program")]
    NoRatingTask,
    /// The rating system does not exist, or does not take these parameters.
    #[error("{0}")]
    System(String),
}

/// The number of standard errors below a list within which a figure may enter it in a simulation.
/// Judged: beyond three, about one simulation in a thousand would count. With two it would be one
/// in forty, which the ranges of ranks would lack.
const NEAR: f64 = 3.0;

/// Selects the players whose simulated G-scores are kept: those who may be high enough for a list.
#[derive(Clone, Copy, Debug, PartialEq, Encode, Decode)]
pub struct ListThresholds {
    minimum_g_score: f64,
    minimum_games: usize,
}

impl ListThresholds {
    /// The selection for these lists.
    pub fn new(lists: &ListSettings) -> ListThresholds {
        ListThresholds {
            minimum_g_score: lists.minimum_g_score,
            minimum_games: lists.minimum_games,
        }
    }

    fn takes(self, player: &PlayerAnalysis) -> bool {
        let reach = player.g_score.zip(player.simulated.g_error).map(|(g, error)| g + NEAR * error);
        let is_near = reach.is_some_and(|reach| reach >= self.minimum_g_score);
        is_near && player.games >= self.minimum_games
    }
}

#[derive(Clone, Debug, Encode, Decode)]
pub struct AppTask {
    pub event: tournament_app::Event,
    pub options: Options,
    /// The standard errors of its ratings. `None` for an event that no list can rank: its figures
    /// have no errors then, since two hundred draws take most of the time of an analysis.
    pub errors: Option<StandardErrors>,
    /// The players whose simulated G-scores are kept: there are two hundred for each.
    pub thresholds: ListThresholds,
}

impl AppTask {
    /// Runs the task.
    ///
    /// # Errors
    ///
    /// Returns an error if the app refuses the event.
    pub fn run(&self) -> Result<Analysis, EventError> {
        let mut analysis = analyse_with_errors(&self.event, &self.options, self.errors.as_ref())?;
        for player in &mut analysis.players {
            if !self.thresholds.takes(player) {
                player.simulated.forget_draws();
            }
        }
        Ok(analysis)
    }

    /// The task as bytes, with its hash.
    pub fn to_bytes(&self) -> (u64, Vec<u8>) {
        let bytes = bitcode::encode(self);
        (digest(&bytes), bytes)
    }

    /// Runs the task, or takes its result from the work of the last build.
    ///
    /// # Errors
    ///
    /// Returns an error if the app refuses the event.
    pub fn run_once(&self, work: DoneWork<'_>) -> Result<Analysis, EventError> {
        if work.cache.is_none() {
            return self.run();
        }
        let task = bitcode::encode(self);
        work.reused(
            (CacheKind::Analysis, &[&task]),
            AppTask::analysis,
            || self.run(),
            |analysis| bitcode::encode(&*analysis),
        )
    }

    /// Runs a task in bytes. Returns the analysis as bytes.
    ///
    /// # Errors
    ///
    /// Returns an error if the bytes hold no task of this version, or the app refuses the event.
    pub fn run_bytes(bytes: &[u8]) -> Result<Vec<u8>, TaskError> {
        let task: AppTask = bitcode::decode(bytes).map_err(|_| TaskError::NoEventTask)?;
        let analysis = task
            .run()
            .map_err(|error| TaskError::Event { event: task.event.name.clone(), error })?;
        Ok(bitcode::encode(&analysis))
    }

    /// The analysis from the bytes of [`AppTask::run_bytes`]; `None` for other bytes.
    pub fn analysis(bytes: &[u8]) -> Option<Analysis> {
        bitcode::decode(bytes).ok()
    }
}

/// A rating system to be run over all results.
#[derive(Clone, Debug, Encode, Decode)]
pub struct RatingTask {
    /// The system's word.
    pub word: String,
    /// Its parameters that differ from the defaults.
    set: Vec<(String, Value)>,
}

impl RatingTask {
    pub fn new(system: &System, set: Overrides) -> RatingTask {
        RatingTask { word: system.about.word.to_owned(), set: set.into_iter().collect() }
    }

    pub fn to_bytes(&self) -> Vec<u8> {
        bitcode::encode(self)
    }

    /// A hash of the task and of the results that it rates.
    pub fn digest(&self, results: &[u8]) -> u64 {
        digest(&[&digest(results).to_le_bytes()[..], &self.to_bytes()].concat())
    }

    fn system(&self) -> Result<(&'static System, Box<dyn RatingSystem>), TaskError> {
        let system =
            System::named(&self.word).map_err(|error| TaskError::System(error.to_string()))?;
        let set: Overrides = self.set.iter().cloned().collect();
        let rates = system.with(&set).map_err(|error| TaskError::System(error.to_string()))?;
        Ok((system, rates))
    }

    /// Runs the task, or takes its result from the work of the last build. `bytes` are those of the
    /// results; see [`computed`] for `leader`.
    pub fn run_once(
        &self,
        (results, bytes): (&Results, &[u8]),
        (system, rates): (&'static System, &dyn RatingSystem),
        leader: Option<&SystemRatings>,
        work: DoneWork<'_>,
    ) -> (Computed, Option<Predictions>) {
        let done = work.reused(
            (CacheKind::Ratings, &[bytes, &self.to_bytes()]),
            |bytes| computed_from_bytes(bytes, system, rates),
            || Ok::<_, Infallible>(computed(results, system, rates, leader)),
            |(of, predictions)| ratings_to_bytes(system, &mut of.ratings, predictions),
        );
        match done {
            Ok(done) => done,
            Err(never) => match never {},
        }
    }

    /// Runs a task in bytes. Returns the computed ratings as bytes.
    ///
    /// # Errors
    ///
    /// Returns an error if the bytes hold no task of this version, or no system can be run as they
    /// say.
    pub fn run_bytes(bytes: &[u8], results: &Results) -> Result<Vec<u8>, TaskError> {
        let task: RatingTask = bitcode::decode(bytes).map_err(|_| TaskError::NoRatingTask)?;
        let (system, rates) = task.system()?;
        let (mut ratings, mut predictions) = rated(results, system, rates.as_ref(), None);
        Ok(ratings_to_bytes(system, &mut ratings, &mut predictions))
    }

    /// The name of the file of some results, unique to them.
    pub fn name_of(results: &[u8]) -> String {
        format!("results-{:016x}", digest(results))
    }

    /// The word of the system of a task in bytes; `None` for other bytes.
    pub fn word_of(bytes: &[u8]) -> Option<String> {
        let task: RatingTask = bitcode::decode(bytes).ok()?;
        // Files have this name, so it must be a known word.
        task.system().is_ok().then_some(task.word)
    }

    /// The ratings from the bytes of [`RatingTask::run_bytes`]; `None` for other bytes.
    pub fn computed(&self, bytes: &[u8]) -> Option<(Computed, Option<Predictions>)> {
        let (system, rates) = self.system().ok()?;
        computed_from_bytes(bytes, system, rates.as_ref())
    }
}

/// Work that a build need not do itself.
#[derive(Clone, Copy, Debug, Default)]
pub struct DoneWork<'a> {
    /// Helpers that do tasks elsewhere, or have done them.
    pub helpers: Option<&'a dyn Helpers>,
    /// The work of the last build.
    pub cache: Option<&'a BuildCache>,
}

impl DoneWork<'_> {
    /// What the summary of a step says of the work that was reused.
    pub fn words(self, kind: CacheKind) -> String {
        self.cache.map_or_else(String::new, |cache| cache.used(kind).words())
    }

    /// The result of a task from the last build, or else computed now. `decode` and `encode`
    /// convert it from and to bytes.
    pub fn reused<T, E>(
        self,
        (kind, task): (CacheKind, &[&[u8]]),
        decode: impl FnOnce(&[u8]) -> Option<T>,
        compute: impl FnOnce() -> Result<T, E>,
        encode: impl FnOnce(&mut T) -> Vec<u8>,
    ) -> Result<T, E> {
        let Some(cache) = self.cache else { return compute() };
        let key: CacheKey = cache.key(kind, task);
        let known = cache.get(key).and_then(|bytes| decode(&bytes));
        cache.count(kind, known.is_some());
        if let Some(known) = known {
            return Ok(known);
        }
        let mut computed = compute()?;
        cache.put(key, &encode(&mut computed));
        Ok(computed)
    }
}

/// Helpers that do tasks elsewhere or have done them before. The build does what they do not
/// return.
pub trait Helpers: Debug + Sync {
    /// Does the tasks. Returns the analyses in the order of the tasks.
    ///
    /// # Errors
    ///
    /// Returns an error if the build should not continue without them.
    fn analyse(
        &self,
        tasks: &[&AppTask],
        progress: &dyn Progress,
    ) -> Result<Vec<Option<Analysis>>, BuildError>;

    /// Receives the rating systems that will be needed.
    ///
    /// # Errors
    ///
    /// Returns an error if the build should not continue without them.
    fn rate(&self, results: &Results, tasks: &[RatingTask]) -> Result<(), BuildError>;

    /// The ratings that a task computed, if available.
    fn rated(&self, task: &RatingTask) -> Option<(Computed, Option<Predictions>)>;
}
