//! Lists the reasons for taking two spellings as one player.

use serde::Serialize;

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
