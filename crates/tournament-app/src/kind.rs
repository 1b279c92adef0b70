//! The sorts of competition.

use bitcode::{Decode, Encode};
use serde::{Deserialize, Serialize};

/// The sorts of competition.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, Encode, Decode,
)]
#[serde(rename_all = "snake_case")]
pub enum Kind {
    /// Two players.
    Match,
    /// Each met each once.
    RoundRobin,
    /// Each met each twice.
    DoubleRoundRobin,
    /// Each met each three times or more.
    MultipleRoundRobin,
    /// Two teams, each player against all of the other team.
    Scheveningen,
    /// Many players, few rounds, nobody met twice (opens too).
    Swiss,
    /// Losers leave; pairs play several games.
    KnockOut,
    /// Teams (olympiads, leagues).
    Team,
    /// A table that is none of these.
    Other,
    /// Too little to tell: the games of one player alone, or a handful out of a large field.
    Fragment,
}

impl Kind {
    /// The word used in exports.
    pub fn word(self) -> &'static str {
        match self {
            Kind::Match => "match",
            Kind::RoundRobin => "round_robin",
            Kind::DoubleRoundRobin => "double_round_robin",
            Kind::MultipleRoundRobin => "multiple_round_robin",
            Kind::Scheveningen => "scheveningen",
            Kind::Swiss => "swiss",
            Kind::KnockOut => "knock_out",
            Kind::Team => "team",
            Kind::Other => "other",
            Kind::Fragment => "fragment",
        }
    }

    /// All kinds.
    pub const ALL: [Kind; 10] = [
        Kind::Match,
        Kind::RoundRobin,
        Kind::DoubleRoundRobin,
        Kind::MultipleRoundRobin,
        Kind::Scheveningen,
        Kind::Swiss,
        Kind::KnockOut,
        Kind::Team,
        Kind::Other,
        Kind::Fragment,
    ];

    /// The kind that exports call by this word.
    pub fn of_word(word: &str) -> Option<Kind> {
        Kind::ALL.into_iter().find(|kind| kind.word() == word)
    }

    /// The words that people use.
    pub fn words(self) -> &'static str {
        match self {
            Kind::Match => "match",
            Kind::RoundRobin => "round robin",
            Kind::DoubleRoundRobin => "double round robin",
            Kind::MultipleRoundRobin => "multiple round robin",
            Kind::Scheveningen => "Scheveningen tournament",
            Kind::Swiss => "Swiss tournament",
            Kind::KnockOut => "knock-out",
            Kind::Team => "team event",
            Kind::Other => "tournament",
            Kind::Fragment => "fragment of an event",
        }
    }

    /// Whether the pairing table showed what it is.
    pub fn is_recognised(self) -> bool {
        !matches!(self, Kind::Other | Kind::Fragment)
    }

    /// Whether every player meets every other.
    pub fn is_round_robin(self) -> bool {
        matches!(self, Kind::RoundRobin | Kind::DoubleRoundRobin | Kind::MultipleRoundRobin)
    }
}
