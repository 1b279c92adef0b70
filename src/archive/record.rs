//! An event with its ratings, its analysis and its standing towards the lists.

use serde::{Deserialize, Serialize};

use super::review::ReviewReason;
use crate::events::Event;
use crate::ratings::InitialRatings;
use crate::tournament::{self, Analysis, Options};

/// Whether an event enters the ranked lists, or why not.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Status {
    /// It does.
    Listed,
    /// Too many of its games are missing.
    Incomplete,
    /// Its ratings rest on a weak line.
    Weak,
    /// It has no ratings.
    Unrated,
    /// Teams.
    Team,
}

impl Status {
    /// The word used in exports.
    pub fn word(self) -> &'static str {
        match self {
            Status::Listed => "listed",
            Status::Incomplete => "incomplete",
            Status::Weak => "weak",
            Status::Unrated => "unrated",
            Status::Team => "team",
        }
    }
}

/// An event of the archive.
#[derive(Clone, Debug)]
pub struct EventRecord {
    /// The event.
    pub event: Event,
    /// What was found of its ratings.
    pub ratings: InitialRatings,
    /// What the app was given.
    pub input: tournament::Event,
    /// How the app was run on it.
    pub options: Options,
    /// What the app says.
    pub analysis: Analysis,
    /// What the Ratings Administrator decided.
    pub decided: Option<Decided>,
    /// Whether it enters the lists.
    pub status: Status,
}

/// What the Ratings Administrator decided for an event, as pages and exports show it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Decided {
    /// Who decided.
    pub author: String,
    /// When.
    pub date: String,
    /// Why.
    pub reason: String,
    /// What, a sentence each.
    pub what: Vec<String>,
    /// Changing time controls, illness, fraud.
    pub special_conditions: Vec<String>,
    /// A note in Markdown.
    pub note: Option<String>,
    /// Reasons for a review that it answers.
    pub settles: Vec<ReviewReason>,
}
