//! Why two spellings are one person.

use serde::Serialize;

/// Why two spellings are one person.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum MergeReason {
    /// The games give both the same number with FIDE.
    FideId,
    /// A file of aliases says so.
    Alias,
    /// A spelling file says so.
    SpellingFile,
    /// A table of names has both for one person.
    NamesTable,
    /// The same name but for case, spaces, diacritics, punctuation, titles.
    Normalised,
    /// The same surname, one given name an initial or the beginning of the other, nobody else
    /// that it could be, and they never met.
    Compatible,
    /// Compatible given names of which others were possible, but only this one had the same rating tags.
    SameRatings,
    /// The same games are there under both spellings, against the same opponents.
    SameGames,
    /// The same games of the same events, with one name written otherwise.
    SameEvents,
    /// Surnames that are written alike, with opponents in common and ratings that agree.
    NearSpelling,
}

impl MergeReason {
    /// All reasons, the most certain first.
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

    /// What was done for this reason, as a heading.
    pub fn heading(self) -> &'static str {
        match self {
            MergeReason::Alias => "Spellings joined by a file of aliases",
            MergeReason::FideId => "Spellings joined: the same number with FIDE",
            MergeReason::SpellingFile => "Spellings joined by a spelling file",
            MergeReason::NamesTable => "Spellings joined by the table of names",
            MergeReason::SameEvents => "Spellings joined: the same place in the same events",
            MergeReason::Normalised => "Spellings joined: the same but for case and marks",
            MergeReason::Compatible => "Spellings joined: nobody else it can be",
            MergeReason::SameRatings => "Spellings joined: nobody else was rated the same",
            MergeReason::SameGames => "Spellings joined: the same games under both",
            MergeReason::NearSpelling => "Spellings joined: alike, with the same opponents",
        }
    }
}
