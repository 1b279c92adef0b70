//! How fast chess is played.

use serde::{Deserialize, Serialize};

/// How much time the players have.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize,
)]
#[serde(rename_all = "snake_case")]
pub enum Tempo {
    /// An hour or more for sixty moves, and whatever nothing says otherwise of.
    #[default]
    Classical,
    /// More than ten minutes and less than an hour (FIDE Laws of Chess, appendix A).
    Rapid,
    /// Ten minutes or less (appendix B).
    Blitz,
}

impl Tempo {
    /// All of them, the slowest first.
    pub const ALL: [Tempo; 3] = [Tempo::Classical, Tempo::Rapid, Tempo::Blitz];

    /// The word used in exports and settings.
    pub fn word(self) -> &'static str {
        match self {
            Tempo::Classical => "classical",
            Tempo::Rapid => "rapid",
            Tempo::Blitz => "blitz",
        }
    }
}

/// By what the tempo is known.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum TempoReason {
    /// Nothing says that it was faster than classical.
    #[default]
    NotSaid,
    /// TimeControl, EventType or Mode tags.
    Tags,
    /// Words of the Event or Site tag.
    Words,
    /// So many games of one player on one day.
    Days,
    /// The Ratings Administrator said so.
    Decided,
}

impl TempoReason {
    /// The word used in exports.
    pub fn word(self) -> &'static str {
        match self {
            TempoReason::NotSaid => "not_said",
            TempoReason::Tags => "tags",
            TempoReason::Words => "words",
            TempoReason::Days => "days",
            TempoReason::Decided => "decided",
        }
    }

    /// As people say it.
    pub fn words(self) -> &'static str {
        match self {
            TempoReason::NotSaid => "nothing says that it was faster",
            TempoReason::Tags => "by the time control or the type in the tags",
            TempoReason::Words => "by words in the tags",
            TempoReason::Days => "by three games or more of a player on one day",
            TempoReason::Decided => "decided by the Ratings Administrator",
        }
    }
}
