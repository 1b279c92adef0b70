//! Records merges of spellings with their reasons, and doubts.

use serde::Serialize;

/// A spelling that was assigned to a player with another name.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Merge {
    /// The spelling, as in the games.
    pub spelling: String,
    /// The name of the player.
    pub name: String,
    /// The reason for the merge.
    pub reason: MergeReason,
    /// Further evidence in words; empty if the reason is sufficient.
    pub evidence: String,
}

impl Merge {
    pub(super) fn new(spelling: &str, name: &str, reason: MergeReason, evidence: String) -> Merge {
        Merge { spelling: spelling.to_owned(), name: name.to_owned(), reason, evidence }
    }
}

/// A doubt: two names that may be one player's, or one name that may be two players'.
///
/// They were left as they are.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Doubt {
    /// The name of a player.
    pub name: String,
    /// The name of another player, or the same name.
    pub other: String,
    /// All spellings of the other name.
    pub spellings: Vec<String>,
    /// The evidence for and against one player, in words.
    pub evidence: String,
}

/// The reason for taking two spellings as one player.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum MergeReason {
    /// The games of both have the same FIDE number.
    FideId,
    /// A file of aliases assigns them to one player.
    Alias,
    /// A spelling file assigns them to one player.
    SpellingFile,
    /// The table of names has both for one player.
    NamesTable,
    /// The names differ only in case, spaces, diacritics, punctuation or titles.
    Normalised,
    /// The surname is the same, and one given name is an initial or the beginning of the other.
    ///
    /// No other player can be meant, and they never met.
    Compatible,
    /// The given names are compatible with those of several players, but only one of these has the
    /// same rating tags.
    SameRatings,
    /// Both have the same games against the same opponents.
    SameGames,
    /// Both have the same games of the same events, with one name spelt differently.
    SameEvents,
    /// The surnames are similar, the opponents are partly the same, and the ratings agree.
    NearSpelling,
}

impl MergeReason {
    /// All reasons, most certain first.
    pub const ALL: [MergeReason; 10] = [
        MergeReason::Alias,
        MergeReason::FideId,
        MergeReason::SpellingFile,
        MergeReason::NamesTable,
        MergeReason::SameEvents,
        MergeReason::Normalised,
        MergeReason::Compatible,
        MergeReason::SameRatings,
        MergeReason::SameGames,
        MergeReason::NearSpelling,
    ];

    /// Returns a heading for the merges with this reason.
    pub fn heading(self) -> &'static str {
        match self {
            MergeReason::Alias => "Spellings joined by a file of aliases",
            MergeReason::FideId => "Spellings joined by FIDE number",
            MergeReason::SpellingFile => "Spellings joined by a spelling file",
            MergeReason::NamesTable => "Spellings joined by the table of names",
            MergeReason::SameEvents => "Spellings joined: same place in the same events",
            MergeReason::Normalised => "Spellings joined: different only in case and diacritics",
            MergeReason::Compatible => "Spellings joined: no other player possible",
            MergeReason::SameRatings => "Spellings joined: same ratings, unlike all others",
            MergeReason::SameGames => "Spellings joined: same games",
            MergeReason::NearSpelling => "Spellings joined: similar, with the same opponents",
        }
    }
}
