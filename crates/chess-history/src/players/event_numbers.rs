//! Numbers the events of games by their tags, and lists the rows of each name.

use rayon::prelude::*;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::games::{Game, GameTable, NameId};

/// The last day of January on which an event that began in December may go on. It must have had
/// games after this day of December.
///
/// Judged: such events (Hastings) take two or three weeks about the New Year. Half as much would
/// cut some of them in two; twice as much would join yearly events of one name.
const LAST_DAY: i8 = 15;

/// An event, identified by its tags: the event, the site, the year in which it began.
type EventKey = (usize, usize, i16);

/// The number of an event, in the order of the keys.
pub(super) type EventNumber = u32;

/// The number of the event of each game.
///
/// An event may begin in December and end in January, and may have other tags in another source.
#[derive(Debug)]
pub(super) struct EventNumbers {
    of_rows: Vec<EventNumber>,
    years: Vec<i16>,
}

impl EventNumbers {
    /// Numbers the events of all games.
    pub fn new(table: &GameTable) -> EventNumbers {
        let games = table.games();
        let late = games.par_iter().filter(|game| {
            game.date.day_exact().is_some_and(|day| day.month() == 12 && day.day() > LAST_DAY)
        });
        let in_december: FxHashSet<EventKey> = late.map(tags_and_year).collect();
        let keys: Vec<EventKey> = games
            .par_iter()
            .map(|game| {
                // The year is the one in which the event began.
                let mut key = tags_and_year(game);
                let before = (key.0, key.1, key.2.saturating_sub(1));
                let is_early = game
                    .date
                    .day_exact()
                    .is_some_and(|day| day.month() == 1 && day.day() <= LAST_DAY);
                if is_early && in_december.contains(&before) {
                    key = before;
                }
                key
            })
            .collect();
        let mut distinct = keys.clone();
        distinct.dedup();
        distinct.par_sort_unstable();
        distinct.dedup();
        let years = distinct.iter().map(|key| key.2).collect();
        let numbers: FxHashMap<EventKey, EventNumber> = distinct.into_iter().zip(0..).collect();
        let of_rows = keys.par_iter().map(|key| numbers[key]).collect();
        EventNumbers { of_rows, years }
    }

    /// Returns the year in which an event began; `i16::MIN` if it is unknown.
    pub fn year(&self, event: EventNumber) -> i16 {
        self.years[event as usize]
    }

    /// Returns the number of the event of a game, given its row.
    pub fn of_row(&self, row: usize) -> EventNumber {
        self.of_rows[row]
    }
}

/// Returns the key of an event by the year of a game; `i16::MIN` if it is unknown.
fn tags_and_year(game: &Game) -> EventKey {
    (game.event.index(), game.site.index(), game.date.year().unwrap_or(i16::MIN))
}

/// The rows of the games of each name, one list behind the other.
#[derive(Debug)]
pub(super) struct GameRows {
    /// The end of each list.
    ends: Vec<u32>,
    rows: Vec<u32>,
}

impl GameRows {
    /// Lists the rows of all games.
    pub fn new(table: &GameTable) -> GameRows {
        // A game of a name against itself is listed once.
        let names_of = |game: &Game| {
            let black = (game.black != game.white).then_some(game.black);
            [Some(game.white), black].into_iter().flatten()
        };
        let mut ends = vec![0; table.names.len()];
        for name in table.games().iter().flat_map(names_of) {
            ends[name.index()] += 1;
        }
        let mut all = 0;
        for end in &mut ends {
            // First the beginning of the list; each row moves it on.
            (*end, all) = (all, all + *end);
        }
        let mut rows = vec![0; all as usize];
        for (row, game) in (0..).zip(table.games()) {
            for name in names_of(game) {
                rows[ends[name.index()] as usize] = row;
                ends[name.index()] += 1;
            }
        }
        GameRows { ends, rows }
    }

    /// Returns the rows of the games of a name, in order.
    pub fn of_name(&self, name: NameId) -> &[u32] {
        let number = name.index();
        let first = number.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.rows[first as usize..self.ends[number] as usize]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::PartialDate;

    #[test]
    fn an_event_may_begin_in_december_and_end_in_january() {
        let mut table = GameTable::default();
        for day in ["1975.12.29", "1976.01.05", "1976.12.30"] {
            let date = PartialDate::parse(day).expect("a date");
            table.push(Game { date, ..Game::default() });
        }
        let numbers = EventNumbers::new(&table);
        let [a, b, c] = [0, 1, 2].map(|row| numbers.of_row(row));
        assert_eq!(a, b);
        assert_ne!(a, c);
    }

    #[test]
    fn rows_are_listed_by_name() {
        let mut table = GameTable::default();
        let [a, b, c, one, two] =
            ["a", "b", "c", "one", "two"].map(|text| table.names.intern(text));
        for (event, white, black) in [(one, a, b), (two, b, b), (one, c, a)] {
            table.push(Game { event, white, black, ..Game::default() });
        }
        let rows = GameRows::new(&table);
        assert_eq!(
            [a, b, c, one].map(|name| rows.of_name(name).to_vec()),
            [vec![0, 2], vec![0, 1], vec![2], vec![]]
        );
    }
}
