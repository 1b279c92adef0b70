//! What is known of a person besides games.

use serde::Serialize;

/// What is known of a person besides games.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Life {
    /// Titles, joined by `+`; empty where there are none.
    pub titles: String,
    /// Federations, earliest first, joined by `/`.
    pub federation: String,
    /// FIDE's identification number, if known.
    pub fide_id: Option<u32>,
    /// Year of birth.
    pub born: Option<i16>,
    /// Year of death.
    pub died: Option<i16>,
}

/// Age at which somebody may play his first game that is kept.
const YOUNGEST: i16 = 5;

/// Age that nobody plays beyond.
const OLDEST: i16 = 100;

impl Life {
    /// Whether games of these years may have been played in it.
    pub(super) fn spans(&self, years: Option<(i16, i16)>) -> bool {
        let Some((first, last)) = years else { return true };
        self.born.is_none_or(|born| first >= born + YOUNGEST && last <= born + OLDEST)
            && self.died.is_none_or(|died| last <= died + 1)
    }
}
