//! Finds the games of a name or of an event without reading all games.

use super::event_numbers::{EventNumber, EventNumbers};
use crate::games::{GameTable, NameId};

/// The rows of the games of each name, and of each event.
#[derive(Debug)]
pub(super) struct GameRows {
    of_names: RowLists,
    of_events: RowLists,
}

impl GameRows {
    /// Lists the rows of all games. `numbers` are the events of the games.
    pub fn new(table: &GameTable, numbers: &EventNumbers) -> GameRows {
        let (of_names, of_events) = rayon::join(
            || {
                RowLists::new(table.names.len(), || {
                    (0..).zip(table.games()).flat_map(|(row, game)| {
                        // A game of a name against itself is listed once.
                        let black = (game.black != game.white).then_some(game.black);
                        let both = [Some(game.white), black].into_iter().flatten();
                        both.map(move |name| (name.index(), row))
                    })
                })
            },
            || {
                let rows = 0..table.len();
                RowLists::new(numbers.len(), || {
                    rows.clone().map(|row| (numbers.of_row(row) as usize, row as u32))
                })
            },
        );
        GameRows { of_names, of_events }
    }

    /// Returns the rows of the games of a name, in order.
    pub fn of_name(&self, name: NameId) -> &[u32] {
        self.of_names.list(name.index())
    }

    /// Returns the rows of the games of an event, in order.
    pub fn of_event(&self, event: EventNumber) -> &[u32] {
        self.of_events.list(event as usize)
    }
}

/// Lists of rows, one behind the other.
#[derive(Debug)]
struct RowLists {
    /// The end of each list.
    ends: Vec<u32>,
    rows: Vec<u32>,
}

impl RowLists {
    /// Puts each row, given with the number of its list, into that list.
    fn new<I: Iterator<Item = (usize, u32)>>(lists: usize, rows: impl Fn() -> I) -> RowLists {
        let mut ends = vec![0; lists];
        for (list, _) in rows() {
            ends[list] += 1;
        }
        let mut all = 0;
        for end in &mut ends {
            // First the beginning of the list; each row moves it on.
            (*end, all) = (all, all + *end);
        }
        let mut sorted = vec![0; all as usize];
        for (list, row) in rows() {
            sorted[ends[list] as usize] = row;
            ends[list] += 1;
        }
        RowLists { ends, rows: sorted }
    }

    fn list(&self, number: usize) -> &[u32] {
        let first = number.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.rows[first as usize..self.ends[number] as usize]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::Game;

    #[test]
    fn rows_are_listed_by_name_and_by_event() {
        let mut table = GameTable::default();
        let [a, b, c, one, two] =
            ["a", "b", "c", "one", "two"].map(|text| table.names.intern(text));
        for (event, white, black) in [(one, a, b), (two, b, b), (one, c, a)] {
            table.push(Game { event, white, black, ..Game::default() });
        }
        let numbers = EventNumbers::new(&table, &[]);
        let rows = GameRows::new(&table, &numbers);
        assert_eq!(
            [a, b, c, one].map(|name| rows.of_name(name).to_vec()),
            [vec![0, 2], vec![0, 1], vec![2], vec![]]
        );
        assert_eq!(rows.of_event(numbers.of_row(0)), [0, 2]);
        assert_eq!(rows.of_event(numbers.of_row(1)), [1]);
    }
}
