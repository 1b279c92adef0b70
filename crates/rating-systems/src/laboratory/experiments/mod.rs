//! Experiments: what happens where players leave, improve, are misjudged, or hardly meet, and what the fit test can see.

mod events;
mod improvers;
mod misjudged;
mod near;
mod pools;
mod setup;
mod turnover;
mod whole;

pub use setup::Setup;

use super::table::Table;
use crate::hint::no_such;

/// An experiment.
#[derive(Clone, Copy, Debug)]
pub struct Experiment {
    /// Its word.
    pub name: &'static str,
    /// What it asks, in a sentence.
    pub about: &'static str,
    /// Runs unless somebody wants another number.
    runs: u32,
    perform: fn(&Setup) -> Result<Table, String>,
}

/// All experiments.
static EXPERIMENTS: [Experiment; 7] = [
    Experiment {
        name: "misjudged",
        about: "How soon is a wrong rating right among right ones, if only the misjudged are boosted?",
        runs: 3,
        perform: misjudged::perform,
    },
    Experiment {
        name: "near",
        about: "What if players meet those who are rated like them?",
        runs: 3,
        perform: near::perform,
    },
    Experiment {
        name: "turnover",
        about: "What happens to the level of ratings where players leave and others come?",
        runs: 3,
        perform: turnover::perform,
    },
    Experiment {
        name: "improvers",
        about: "How far do ratings lag behind those who improve?",
        runs: 3,
        perform: improvers::perform,
    },
    Experiment {
        name: "pools",
        about: "Is the distance of two groups found that hardly meet?",
        runs: 3,
        perform: pools::perform,
    },
    Experiment {
        name: "events",
        about: "How often does the Ratings Goodness of Fit Test fail where all ratings are right, and does it see one that is wrong?",
        runs: 4000,
        perform: events::perform,
    },
    Experiment {
        name: "whole",
        about: "What do events that correct ratings do to a population?",
        runs: 3,
        perform: whole::perform,
    },
];

impl Experiment {
    /// All of them.
    pub fn all() -> &'static [Experiment] {
        &EXPERIMENTS
    }

    /// The one with this word.
    ///
    /// # Errors
    ///
    /// Where there is none; with the nearest word.
    pub fn named(word: &str) -> Result<&'static Experiment, String> {
        let words = EXPERIMENTS.each_ref().map(|experiment| experiment.name);
        let found = EXPERIMENTS.iter().find(|experiment| experiment.name == word);
        found.ok_or_else(|| no_such("experiment", word, &words))
    }

    /// Performs it.
    ///
    /// # Errors
    ///
    /// Where there are too few players for it, or they cannot be paired.
    pub fn perform(&self, setup: &Setup) -> Result<Table, String> {
        if setup.players < FEWEST || !setup.players.is_multiple_of(4) {
            return Err(format!(
                "experiments take {FEWEST} players or more, and a multiple of 4; {} are not",
                setup.players
            ));
        }
        if setup.runs.is_some_and(|runs| !(1..=1_000_000).contains(&runs)) {
            return Err("there are 1 to 1,000,000 runs".into());
        }
        let setup = Setup { runs: Some(setup.runs.unwrap_or(self.runs)), ..*setup };
        (self.perform)(&setup)
    }
}

/// Players of an experiment at least: each hundred points has to have its own.
const FEWEST: usize = 1000;
