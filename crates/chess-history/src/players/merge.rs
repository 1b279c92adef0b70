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

/// Two names whose evidence was weighed, because they are similar.
#[derive(Clone, Debug, PartialEq)]
pub struct WeighedPair {
    /// A spelling of each.
    pub names: [String; 2],
    /// Whether they were joined.
    pub are_joined: bool,
    /// The probability that they are one player's, among all rivals of either.
    pub probability: f64,
    /// The terms of the evidence, largest first, or what excludes that they are one.
    pub terms: String,
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
    /// The sum of all evidence is far greater than for any other player.
    Weighed,
}

impl MergeReason {
    /// All reasons, most certain first.
    pub const ALL: [MergeReason; 6] = [
        MergeReason::Alias,
        MergeReason::FideId,
        MergeReason::SpellingFile,
        MergeReason::NamesTable,
        MergeReason::Normalised,
        MergeReason::Weighed,
    ];

    /// Returns a heading for the merges with this reason.
    pub fn heading(self) -> &'static str {
        match self {
            MergeReason::Alias => "Spellings joined by a file of aliases",
            MergeReason::FideId => "Spellings joined by FIDE number",
            MergeReason::SpellingFile => "Spellings joined by a spelling file",
            MergeReason::NamesTable => "Spellings joined by the table of names",
            MergeReason::Normalised => "Spellings joined: different only in case and diacritics",
            MergeReason::Weighed => "Spellings joined by weighed evidence",
        }
    }
}
