//! Tags that no figure needs, but researchers ask for: time controls, openings, titles, teams.

use std::mem;

use super::date::PartialDate;
use super::names::{NameId, NameTable};

/// What the tags of one game state beyond its row. By default nothing is known.
///
/// The numbers are those of the texts of one [`DetailTable`]; the empty text is an unknown value.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct GameDetails {
    /// Value of the TimeControl tag.
    pub time_control: NameId,
    /// Value of the ECO tag, the code of the opening.
    pub eco: NameId,
    /// Value of the EventType tag.
    pub event_type: NameId,
    /// The details of White.
    pub white: PlayerDetails,
    /// The details of Black.
    pub black: PlayerDetails,
}

/// What the tags of a game state about one of its players.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PlayerDetails {
    /// Value of the WhiteTitle or BlackTitle tag: `GM`.
    pub title: NameId,
    /// Value of the WhiteTeam or BlackTeam tag.
    pub team: NameId,
    /// Code of the player's federation: `NOR`. Only tournament reports state it.
    pub federation: NameId,
    /// Day of birth. Only tournament reports state it.
    pub born: PartialDate,
}

impl GameDetails {
    /// Returns the place for the value of a tag, or `None` if the tag is not a detail.
    pub(crate) fn place_of(&mut self, tag: &[u8]) -> Option<&mut NameId> {
        match tag {
            b"TimeControl" => Some(&mut self.time_control),
            b"ECO" => Some(&mut self.eco),
            b"EventType" => Some(&mut self.event_type),
            b"WhiteTitle" => Some(&mut self.white.title),
            b"BlackTitle" => Some(&mut self.black.title),
            b"WhiteTeam" => Some(&mut self.white.team),
            b"BlackTeam" => Some(&mut self.black.team),
            _ => None,
        }
    }

    /// Replaces the number of each text.
    fn renumbered(self, number: impl Fn(NameId) -> NameId) -> GameDetails {
        let [white, black] = [self.white, self.black].map(|player| PlayerDetails {
            title: number(player.title),
            team: number(player.team),
            federation: number(player.federation),
            born: player.born,
        });
        GameDetails {
            time_control: number(self.time_control),
            eco: number(self.eco),
            event_type: number(self.event_type),
            white,
            black,
        }
    }
}

/// The details of the games of a table, in the order of its rows.
#[derive(Clone, Debug)]
pub struct DetailTable {
    texts: NameTable,
    /// The rows so far. Those of games at the end of which nothing is known may be missing.
    rows: Vec<GameDetails>,
}

impl Default for DetailTable {
    fn default() -> DetailTable {
        let mut texts = NameTable::default();
        // The empty text gets the number 0, which stands for an unknown value.
        texts.intern("");
        DetailTable { texts, rows: Vec::new() }
    }
}

impl DetailTable {
    /// Returns the details of the game with this row.
    pub fn row(&self, row: usize) -> GameDetails {
        self.rows.get(row).copied().unwrap_or_default()
    }

    /// Returns the text of a value, or `None` if it is unknown.
    pub fn text(&self, id: NameId) -> Option<&str> {
        Some(self.texts.text(id)).filter(|text| !text.is_empty())
    }

    /// Returns the number of a text. The values `?` and `-` state nothing and are unknown.
    pub fn intern(&mut self, text: &str) -> NameId {
        match text.trim() {
            "?" | "-" => NameId::default(),
            text => self.texts.intern(text),
        }
    }

    /// Sets the details of the games from a row on. `texts` are the texts of their numbers, which
    /// are cleaned (see [`CleanName`](crate::source::CleanName)).
    pub fn set<'t>(
        &mut self,
        row: usize,
        details: impl IntoIterator<Item = GameDetails>,
        texts: impl IntoIterator<Item = &'t str>,
    ) {
        let numbers: Vec<NameId> = texts.into_iter().map(|text| self.intern(text)).collect();
        let details = details.into_iter().map(|details| {
            details.renumbered(|id| numbers.get(id.index()).copied().unwrap_or_default())
        });
        self.set_interned(row, details);
    }

    /// Sets the details of the games from a row on. Their numbers are those of this table.
    pub fn set_interned(&mut self, row: usize, details: impl IntoIterator<Item = GameDetails>) {
        self.rows.resize(row, GameDetails::default());
        self.rows.extend(details);
    }

    /// Keeps only the given number of rows, from the first on.
    pub(super) fn truncate(&mut self, rows: usize) {
        self.rows.truncate(rows);
    }

    /// Keeps only some rows, given in ascending order.
    pub(super) fn keep(&mut self, rows: &[usize]) {
        let all = mem::take(&mut self.rows);
        self.rows = rows.iter().map(|row| all.get(*row).copied().unwrap_or_default()).collect();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn details_belong_to_the_rows_for_which_they_were_set() {
        let mut table = DetailTable::default();
        let eco = NameId::from_number(1);
        table.set(2, [GameDetails { eco, ..GameDetails::default() }], ["", "C42"]);
        table.set(3, [GameDetails { eco, ..GameDetails::default() }], ["", "?"]);
        let ecos = [0, 1, 2, 3, 4].map(|row| table.text(table.row(row).eco));
        assert_eq!(ecos, [None, None, Some("C42"), None, None]);
        table.keep(&[0, 2]);
        assert_eq!(table.text(table.row(1).eco), Some("C42"));
    }
}
