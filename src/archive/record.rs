//! An event with its ratings, its analysis and its standing towards the lists.

use serde::Serialize;

use crate::events::Event;
use crate::ratings::InitialRatings;
use crate::tournament::{self, Analysis};

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
    /// What the app says.
    pub analysis: Analysis,
    /// Whether it enters the lists.
    pub status: Status,
}
