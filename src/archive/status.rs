//! Whether an event enters the ranked lists: the words of it, for exports and pages.

/// Whether an event enters the ranked lists, or why not.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
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
    /// Its pairing table does not tell what it was.
    Unrecognised,
    /// Nothing tells how many games it had.
    Uncertain,
    /// Too many of the players are programs.
    Computers,
    /// Faster than what is ranked; on the lists of its own tempo.
    Faster,
    /// The Ratings Administrator wants it on no list.
    Excluded,
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
            Status::Unrecognised => "unrecognised",
            Status::Uncertain => "uncertain",
            Status::Computers => "computers",
            Status::Faster => "faster",
            Status::Excluded => "excluded",
        }
    }

    /// Why an event is not ranked with the others, in a few words; empty where it is.
    pub fn note(self) -> &'static str {
        match self {
            Status::Listed => "",
            Status::Incomplete => "incomplete",
            Status::Weak => "weak ratings",
            Status::Unrated => "no ratings",
            Status::Team => "team event",
            Status::Unrecognised => "not known what it was",
            Status::Uncertain => "nothing tells how many games it had",
            Status::Computers => "computers",
            Status::Faster => "rapid or blitz",
            Status::Excluded => "on no list by decision",
        }
    }

    /// What is to be said of several such events, after their number.
    pub fn of_many(self) -> &'static str {
        match self {
            Status::Listed => "in the ranked lists",
            Status::Incomplete => "incomplete: too many of its games are missing",
            Status::Weak => "weak: the ratings rest on too little",
            Status::Unrated => "without ratings: P-Zeros only",
            Status::Unrecognised => "not known what they were",
            Status::Uncertain => "nothing tells how many games they had",
            Status::Computers => "with too many computers",
            Status::Faster => "rapid and blitz, on lists of their own",
            Status::Excluded => "on no list, by decision",
            Status::Team => "team events",
        }
    }

    /// All of them, in the order in which they are counted.
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
