//! Parts of a run that can be done apart from it, on another machine or before: an event through the app, a rating system over
//! all results. What goes there and what comes back is bytes.

use std::fmt::Debug;
use std::hash::Hasher;

use bitcode::{Decode, Encode};
use rustc_hash::FxHasher;
use thiserror::Error;

use crate::archive::run::errors::BuildError;
use crate::archive::run::progress::Progress;
use crate::archive::settings::ListSettings;
use crate::evaluation::comparison::{Computed, Predictions, rated};
use crate::systems::{Overrides, RatingSystem, Results, System, Value};
use crate::tournament::{
    self, Analysis, EventError, Options, PlayerAnalysis, StandardErrors, analyse_with_errors,
};
use crate::wire::{computed_from_bytes, ratings_to_bytes};

/// What tells tasks apart that differ in anything: their own bytes, and which version does them.
fn digest(bytes: &[u8]) -> u64 {
    let mut hasher = FxHasher::default();
    hasher.write(env!("CARGO_PKG_VERSION").as_bytes());
    hasher.write(bytes);
    hasher.finish()
}

/// A task in bytes that cannot be done.
#[derive(Debug, Error)]
pub enum TaskError {
    /// The bytes are no event for the app, or another version of the program wrote them.
    #[error("these bytes hold no event task of this version of the program")]
    NoEventTask,
    /// The app refuses the event.
    #[error("{event}: {error}")]
    Event {
        /// Name of the event.
        event: String,
        /// Why.
        error: EventError,
    },
    /// The bytes are no rating system, or another version of the program wrote them.
    #[error("these bytes hold no rating task of this version of the program")]
    NoRatingTask,
    /// The rating system does not exist, or does not take these parameters.
    #[error("{0}")]
    System(String),
}

/// Standard errors by which a figure may lie below a list, so that it is drawn on it now and then.
const NEAR: f64 = 3.0;

/// Of whom draws are kept: of those who may be high enough for a list.
#[derive(Clone, Copy, Debug, PartialEq, Encode, Decode)]
pub struct Near {
    minimum_g_score: f64,
    minimum_games: usize,
}

impl Near {
    /// Near these lists.
    pub(crate) fn of(lists: &ListSettings) -> Near {
        Near { minimum_g_score: lists.minimum_g_score, minimum_games: lists.minimum_games }
    }

    fn takes(self, player: &PlayerAnalysis) -> bool {
        let reach = player.g_score.zip(player.g_error).map(|(g, error)| g + NEAR * error);
        let is_near = reach.is_some_and(|reach| reach >= self.minimum_g_score);
        is_near && player.games >= self.minimum_games
    }
}

/// An event that is to go through the app.
#[derive(Clone, Debug, Encode, Decode)]
pub struct AppTask {
    /// The event.
    pub event: tournament::Event,
    /// How the app runs on it.
    pub options: Options,
    /// How sure its ratings are.
    pub errors: StandardErrors,
    /// Of whom draws are kept: there are two hundred of each.
    pub near: Near,
}

impl AppTask {
    /// Does it.
    ///
    /// # Errors
    ///
    /// Where the app refuses the event.
    pub fn run(&self) -> Result<Analysis, EventError> {
        let mut analysis = analyse_with_errors(&self.event, &self.options, Some(&self.errors))?;
        for player in &mut analysis.players {
            if !self.near.takes(player) {
                player.g_draws = Vec::new();
            }
        }
        Ok(analysis)
    }

    /// As bytes, with what tells it from all others.
    pub fn to_bytes(&self) -> (u64, Vec<u8>) {
        let bytes = bitcode::encode(self);
        (digest(&bytes), bytes)
    }

    /// Does the task of some bytes: the analysis, as bytes.
    ///
    /// # Errors
    ///
    /// Where the bytes hold no task of this version, or the app refuses the event.
    pub fn run_bytes(bytes: &[u8]) -> Result<Vec<u8>, TaskError> {
        let task: AppTask = bitcode::decode(bytes).map_err(|_| TaskError::NoEventTask)?;
        let analysis = task
            .run()
            .map_err(|error| TaskError::Event { event: task.event.name.clone(), error })?;
        Ok(bitcode::encode(&analysis))
    }

    /// What [`AppTask::run_bytes`] found; `None` of other bytes.
    pub fn analysis(bytes: &[u8]) -> Option<Analysis> {
        bitcode::decode(bytes).ok()
    }
}

/// A rating system that is to rate all results.
#[derive(Clone, Debug, Encode, Decode)]
pub struct RatingTask {
    /// The system's word.
    pub word: String,
    /// What was set of it.
    set: Vec<(String, Value)>,
}

impl RatingTask {
    /// Of a system.
    pub fn of(system: &System, set: Overrides) -> RatingTask {
        RatingTask { word: system.about.word.to_owned(), set: set.into_iter().collect() }
    }

    /// As bytes.
    pub fn to_bytes(&self) -> Vec<u8> {
        bitcode::encode(self)
    }

    /// What tells it, and the results that it rates, from all others.
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

    /// Does the task of some bytes: what the system computed, as bytes.
    ///
    /// # Errors
    ///
    /// Where the bytes hold no task of this version, or no system can be run as they say.
    pub fn run_bytes(bytes: &[u8], results: &Results) -> Result<Vec<u8>, TaskError> {
        let task: RatingTask = bitcode::decode(bytes).map_err(|_| TaskError::NoRatingTask)?;
        let (system, rates) = task.system()?;
        let (ratings, predictions) = rated(results, system, rates.as_ref());
        Ok(ratings_to_bytes(system, ratings, predictions))
    }

    /// What the file of some results is called: no others have the name.
    pub fn name_of(results: &[u8]) -> String {
        format!("results-{:016x}", digest(results))
    }

    /// The word of the system of some bytes; `None` of others.
    pub fn word_of(bytes: &[u8]) -> Option<String> {
        let task: RatingTask = bitcode::decode(bytes).ok()?;
        // Files are named by it.
        task.system().is_ok().then_some(task.word)
    }

    /// What [`RatingTask::run_bytes`] computed; `None` of other bytes.
    pub fn computed(&self, bytes: &[u8]) -> Option<(Computed, Option<Predictions>)> {
        let (system, rates) = self.system().ok()?;
        computed_from_bytes(bytes, system, rates.as_ref())
    }
}

/// Who does such tasks apart from the run, or did them before. What they do not bring the run does itself.
pub trait Helpers: Debug + Sync {
    /// Does the tasks, or has them done; in their order.
    ///
    /// # Errors
    ///
    /// Where the run should not go on without them.
    fn analyse(
        &self,
        tasks: &[&AppTask],
        progress: &dyn Progress,
    ) -> Result<Vec<Option<Analysis>>, BuildError>;

    /// Hears of the rating systems that will be asked for.
    ///
    /// # Errors
    ///
    /// Where the run should not go on without them.
    fn rate(&self, results: &Results, tasks: &[RatingTask]) -> Result<(), BuildError>;

    /// What one of them computed.
    fn rated(&self, task: &RatingTask) -> Option<(Computed, Option<Predictions>)>;
}
