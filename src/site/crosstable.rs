//! Who scored what against whom.

use serde::Serialize;

use crate::archive::EventRecord;
use crate::events::{EventGame, Kind};
use crate::games::GameTable;

/// Fields larger than this are shown as a list of opponents, not as a square.
const LARGEST_SQUARE: usize = 40;

/// A table of results, players in the order of the standings.
#[derive(Clone, Debug, Serialize)]
#[serde(tag = "form", rename_all = "snake_case")]
pub(super) enum Crosstable {
    /// Everybody against everybody: `cells[row][column]`.
    Square { cells: Vec<Vec<Cell>> },
    /// A match game by game.
    Match { games: usize, rows: Vec<Vec<MatchCell>> },
    /// A long field: each player's games in order.
    List { rows: Vec<Vec<ListCell>> },
}

/// Results of one player against another.
#[derive(Clone, Debug, Default, Serialize)]
pub(super) struct Cell {
    /// `1½`, in the order of the games; empty where they did not meet.
    text: String,
    /// Whether it is a player against himself.
    own: bool,
}

/// One game of a match from one player's side.
#[derive(Clone, Debug, Serialize)]
pub(super) struct MatchCell {
    text: String,
    /// Whether he had White.
    white: bool,
}

/// One game of a player in a long field.
#[derive(Clone, Debug, Serialize)]
pub(super) struct ListCell {
    text: String,
    white: bool,
    /// Place of the opponent in the standings.
    opponent: usize,
}

/// Builds the table; `standing[player]` is the place (from 0) of a player of the field.
pub(super) fn crosstable(
    record: &EventRecord,
    table: &GameTable,
    standing: &[usize],
) -> Crosstable {
    let event = &record.event;
    let field = event.players.len();
    if event.kind == Kind::Match && field == 2 {
        let mut rows = vec![Vec::new(); 2];
        for game in &event.games {
            for (player, white) in [(game.white, true), (game.black, false)] {
                rows[standing[player]].push(MatchCell { text: mark(game, table, white), white });
            }
        }
        return Crosstable::Match { games: event.games.len(), rows };
    }
    if field <= LARGEST_SQUARE && !matches!(event.kind, Kind::Swiss | Kind::KnockOut) {
        let mut cells = vec![vec![Cell::default(); field]; field];
        for (place, row) in cells.iter_mut().enumerate() {
            row[place].own = true;
        }
        for game in &event.games {
            let (white, black) = (standing[game.white], standing[game.black]);
            cells[white][black].text.push_str(&mark(game, table, true));
            cells[black][white].text.push_str(&mark(game, table, false));
        }
        return Crosstable::Square { cells };
    }
    let mut rows = vec![Vec::new(); field];
    for game in &event.games {
        let (white, black) = (standing[game.white], standing[game.black]);
        rows[white].push(ListCell {
            text: mark(game, table, true),
            white: true,
            opponent: black + 1,
        });
        rows[black].push(ListCell {
            text: mark(game, table, false),
            white: false,
            opponent: white + 1,
        });
    }
    Crosstable::List { rows }
}

/// `1`, `½`, `0`; `+`, `−` for a game that was not played.
fn mark(game: &EventGame, table: &GameTable, of_white: bool) -> String {
    let score = table.games()[game.row].result.white_score().unwrap_or_default();
    let score = if of_white { score } else { 1.0 - score };
    if !game.played {
        return if score > 0.5 { "+" } else { "−" }.into();
    }
    super::figures::points(score)
}
