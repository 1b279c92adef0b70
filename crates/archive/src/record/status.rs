//! Names the statuses of events towards the ranked lists, for exports and pages.

use strum::IntoStaticStr;

/// Whether an event enters the ranked lists, or why not.
#[derive(Clone, Copy, Debug, PartialEq, Eq, IntoStaticStr)]
#[strum(serialize_all = "snake_case")]
pub enum Status {
    Listed,
    /// Too many of its games are missing.
    Incomplete,
    /// Its ratings rest on too few known ratings.
    Weak,
    Unrated,
    Team,
    /// Its pairing table fits no known kind of event.
    Unrecognised,
    /// The number of games that it had is unknown.
    Uncertain,
    /// Too many of the players are programs.
    Computers,
    /// It is faster than the ranked tempo, so it is on the lists of that tempo.
    Faster,
    Excluded,
}

impl Status {
    /// The word used in exports.
    pub fn word(self) -> &'static str {
        self.into()
    }

    /// Why an event is not ranked with the others, in a few words; empty if it is.
    pub fn note(self) -> &'static str {
        match self {
            Status::Listed => "",
            Status::Incomplete => "incomplete",
            Status::Weak => "weak ratings",
            Status::Unrated => "no ratings",
            Status::Team => "team event",
            Status::Unrecognised => "kind of event unknown",
            Status::Uncertain => "number of games unknown",
            Status::Computers => "computers",
            Status::Faster => "rapid or blitz",
            Status::Excluded => "excluded by decision",
        }
    }

    /// The description of several such events, which follows their number.
    pub fn of_many(self) -> &'static str {
        match self {
            Status::Listed => "in the ranked lists",
            Status::Incomplete => "incomplete: too many games are missing",
            Status::Weak => "weak: the ratings rest on too few known ratings",
            Status::Unrated => "without ratings: P-Zeros only",
            Status::Unrecognised => "of an unknown kind",
            Status::Uncertain => "with an unknown number of games",
            Status::Computers => "with too many computers",
            Status::Faster => "rapid and blitz, on separate lists",
            Status::Excluded => "excluded by decision",
            Status::Team => "team events",
        }
    }

    /// All statuses, in the order in which they are counted.
    pub const ALL: [Status; 10] = [
        Status::Listed,
        Status::Incomplete,
        Status::Weak,
        Status::Unrated,
        Status::Unrecognised,
        Status::Uncertain,
        Status::Computers,
        Status::Faster,
        Status::Excluded,
        Status::Team,
    ];
}
