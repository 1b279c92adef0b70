//! Defines the kinds of competition.

use bitcode::{Decode, Encode};
use serde::{Deserialize, Serialize};
use strum::IntoStaticStr;

/// The kind of a competition.
#[derive(
    Clone,
    Copy,
    Debug,
    PartialEq,
    Eq,
    PartialOrd,
    Ord,
    Hash,
    Serialize,
    Deserialize,
    Encode,
    Decode,
    IntoStaticStr,
)]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
pub enum Kind {
    /// Two players.
    Match,
    /// All players meet once.
    RoundRobin,
    /// All players meet twice.
    DoubleRoundRobin,
    /// All players meet three times or more.
    MultipleRoundRobin,
    /// Two teams; each player meets all players of the other team.
    Scheveningen,
    /// Many players, few rounds, no pairing repeated; opens are included.
    Swiss,
    /// Losers are eliminated; pairings play short matches.
    KnockOut,
    /// Groups or a preliminary, and a final.
    Stages,
    /// Teams (olympiads, leagues).
    Team,
    /// Any other table.
    Other,
    /// Too few games to identify the kind: the games of a single player, or a handful from a large
    /// field.
    Fragment,
}

impl Kind {
    /// The word used in exports.
    pub fn word(self) -> &'static str {
        self.into()
    }

    /// All kinds, in the order of their declaration.
    pub const ALL: [Kind; 11] = [
        Kind::Match,
        Kind::RoundRobin,
        Kind::DoubleRoundRobin,
        Kind::MultipleRoundRobin,
        Kind::Scheveningen,
        Kind::Swiss,
        Kind::KnockOut,
        Kind::Stages,
        Kind::Team,
        Kind::Other,
        Kind::Fragment,
    ];

    /// Returns the kind with this word.
    pub fn of_word(word: &str) -> Option<Kind> {
        Kind::ALL.into_iter().find(|kind| kind.word() == word)
    }

    /// The words shown to readers.
    pub fn words(self) -> &'static str {
        match self {
            Kind::Match => "match",
            Kind::RoundRobin => "round robin",
            Kind::DoubleRoundRobin => "double round robin",
            Kind::MultipleRoundRobin => "multiple round robin",
            Kind::Scheveningen => "Scheveningen tournament",
            Kind::Swiss => "Swiss tournament",
            Kind::KnockOut => "knock-out",
            Kind::Stages => "tournament in stages",
            Kind::Team => "team event",
            Kind::Other => "tournament",
            Kind::Fragment => "fragment of an event",
        }
    }

    /// Whether the kind was recognised from the pairing table.
    pub fn is_recognised(self) -> bool {
        !matches!(self, Kind::Other | Kind::Fragment)
    }

    /// Whether all players meet each other.
    pub fn is_round_robin(self) -> bool {
        matches!(self, Kind::RoundRobin | Kind::DoubleRoundRobin | Kind::MultipleRoundRobin)
    }
}
