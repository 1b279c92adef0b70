//! The tempo of games: classical, rapid or blitz.

use serde::{Deserialize, Serialize};
use strum::IntoStaticStr;

/// The class of a time control.
#[derive(
    Clone,
    Copy,
    Debug,
    Default,
    PartialEq,
    Eq,
    PartialOrd,
    Ord,
    Hash,
    Serialize,
    Deserialize,
    IntoStaticStr,
)]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
pub enum Tempo {
    /// An hour or more for sixty moves. Games of unknown tempo are classical too.
    #[default]
    Classical,
    /// More than ten minutes and less than an hour for sixty moves (FIDE Laws of Chess, appendix
    /// A).
    Rapid,
    /// Ten minutes or less for sixty moves (FIDE Laws of Chess, appendix B).
    Blitz,
}

impl Tempo {
    /// All tempos, the slowest first.
    pub const ALL: [Tempo; 3] = [Tempo::Classical, Tempo::Rapid, Tempo::Blitz];

    /// Returns the name of the tempo in exports and settings.
    pub fn word(self) -> &'static str {
        self.into()
    }
}

/// The evidence for the tempo of an event.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, IntoStaticStr)]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
pub enum TempoReason {
    /// Nothing shows that the tempo was faster than classical.
    #[default]
    NotSaid,
    /// TimeControl, EventType or Mode tags state it.
    Tags,
    /// Words of the Event or Site tag state it.
    Words,
    /// A player had three games or more on one day.
    Days,
    /// It is a part without a name of an event whose tags or words state it.
    Event,
    /// The Ratings Administrator decided it.
    Decided,
}

impl TempoReason {
    /// Returns the name of the evidence in exports.
    pub fn word(self) -> &'static str {
        self.into()
    }

    /// Returns the evidence in words.
    pub fn words(self) -> &'static str {
        match self {
            TempoReason::NotSaid => "nothing shows a faster tempo",
            TempoReason::Tags => {
                "by the time control or the type in the tags, or by the clocks of the games"
            }
            TempoReason::Words => "by words in the tags",
            TempoReason::Days => "by three games or more of a player on one day",
            TempoReason::Event => "by the event of the same players, place and time",
            TempoReason::Decided => "decided by the Ratings Administrator",
        }
    }
}
