//! Experiments: what happens if players leave, improve, have wrong ratings or rarely meet, what the
//! fit test detects, how many results contradict an order, how two players divide the points of
//! common opponents, and which format gives its winner the greatest resistance.

mod blocks;
mod common_opponents;
mod events;
mod improvers;
mod misjudged;
mod near;
mod pools;
mod setup;
mod turnover;
mod violations;
mod whole;

pub use setup::ExperimentSetup;

use super::errors::PlanError;
use super::plan::check_runs;
use super::table::ResultTable;

/// A question about rating systems, and the simulation that answers it.
#[derive(Clone, Copy, Debug)]
pub struct Experiment {
    /// The word by which commands and tables name it.
    pub name: &'static str,
    /// Its question, in a sentence.
    pub about: &'static str,
    /// Default number of runs.
    runs: u32,
    perform: fn(&ExperimentSetup) -> Result<ResultTable, PlanError>,
}

static EXPERIMENTS: [Experiment; 10] = [
    Experiment {
        name: "misjudged",
        about: "How soon is a wrong rating corrected among right ones, if only players with wrong ratings are boosted?",
        runs: 3,
        perform: misjudged::perform,
    },
    Experiment {
        name: "near",
        about: "What changes if players meet opponents of similar ratings?",
        runs: 3,
        perform: near::perform,
    },
    Experiment {
        name: "turnover",
        about: "What happens to the level of ratings when players leave and others join?",
        runs: 3,
        perform: turnover::perform,
    },
    Experiment {
        name: "improvers",
        about: "How far do the ratings of improving players lag behind?",
        runs: 3,
        perform: improvers::perform,
    },
    Experiment {
        name: "pools",
        about: "Do systems find the distance between two groups that rarely meet?",
        runs: 3,
        perform: pools::perform,
    },
    Experiment {
        name: "events",
        about: "How often does the Ratings Goodness of Fit Test fail although all ratings are right, and does it detect a wrong one?",
        runs: 4000,
        perform: events::perform,
    },
    Experiment {
        name: "whole",
        about: "How do events whose results correct ratings change the ratings of a population?",
        runs: 3,
        perform: whole::perform,
    },
    Experiment {
        name: "violations",
        about: "How many results between equal players contradict the final order, and how few could?",
        runs: 100,
        perform: violations::perform,
    },
    Experiment {
        name: "common",
        about: "Do the points that two players take from common opponents divide as their ratings predict?",
        runs: 1000,
        perform: common_opponents::perform,
    },
    Experiment {
        name: "blocks",
        about: "Block Transition: the aim is the paper's, the rules are ours. Which format gives the winner the greatest resistance?",
        runs: 1000,
        perform: blocks::perform,
    },
];

impl Experiment {
    /// All experiments that the laboratory can perform.
    pub fn all() -> &'static [Experiment] {
        &EXPERIMENTS
    }

    /// The experiment with this name.
    ///
    /// # Errors
    ///
    /// Returns an error with the most similar name if no experiment has this name.
    pub fn named(word: &str) -> Result<&'static Experiment, PlanError> {
        let found = EXPERIMENTS.iter().find(|experiment| experiment.name == word);
        found.ok_or_else(|| PlanError::UnknownWord {
            kind: "experiment",
            word: word.to_owned(),
            words: EXPERIMENTS.each_ref().map(|experiment| experiment.name).to_vec(),
        })
    }

    /// Performs the experiment.
    ///
    /// # Errors
    ///
    /// Returns an error if the number of players or of runs is not possible.
    pub fn perform(&self, setup: &ExperimentSetup) -> Result<ResultTable, PlanError> {
        if setup.players < FEWEST || !setup.players.is_multiple_of(4) {
            let players = setup.players;
            return Err(PlanError::ExperimentPlayers { fewest: FEWEST, players });
        }
        setup.runs.map_or(Ok(()), check_runs)?;
        let setup = ExperimentSetup { runs: Some(setup.runs.unwrap_or(self.runs)), ..*setup };
        (self.perform)(&setup)
    }
}

/// Fewest players of an experiment: each probe needs enough other players around it. Judged: about
/// forty players for each of the 23 probes.
const FEWEST: usize = 1000;
