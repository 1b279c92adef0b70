//! Numbers the events of games by their tags, and lists the rows of each event and of each name.

use rayon::prelude::*;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::disjoint_sets::DisjointSets;
use crate::games::{Game, GameTable, NameId};

/// The last day of January on which an event that began in December may go on. It must have had
/// games after this day of December.
///
/// Judged: such events (Hastings) take two or three weeks about the New Year. Half as much would
/// cut some of them in two; twice as much would join yearly events of one name.
const LAST_DAY: i8 = 15;

/// An event, identified by its tags: the event, the site, the year in which it began.
pub(super) type EventKey = (usize, usize, i16);

/// The number of an event, in the order of the keys.
pub(super) type EventNumber = u32;

/// The number of the event of each game.
///
/// An event may begin in December and end in January, and may have other tags in another source.
#[derive(Debug)]
pub(super) struct EventNumbers {
    of_rows: Vec<EventNumber>,
    events: usize,
}

impl EventNumbers {
    /// Numbers the events of all games. Each pair of `same` is one event with two keys.
    pub fn new(table: &GameTable, same: &[(EventKey, EventKey)]) -> EventNumbers {
        let games = table.games();
        let late = games.par_iter().filter(|game| {
            game.date.day_exact().is_some_and(|day| day.month() == 12 && day.day() > LAST_DAY)
        });
        let in_december: FxHashSet<EventKey> = late.map(tags_and_year).collect();
        let same = common_keys(same);
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
                same.get(&key).copied().unwrap_or(key)
            })
            .collect();
        let mut distinct = keys.clone();
        distinct.dedup();
        distinct.par_sort_unstable();
        distinct.dedup();
        let numbers: FxHashMap<EventKey, EventNumber> = distinct.into_iter().zip(0..).collect();
        let of_rows = keys.par_iter().map(|key| numbers[key]).collect();
        EventNumbers { of_rows, events: numbers.len() }
    }

    /// Returns how many events there are.
    pub fn len(&self) -> usize {
        self.events
    }

    /// Returns the number of the event of a game, given its row.
    pub fn of_row(&self, row: usize) -> EventNumber {
        self.of_rows[row]
    }
}

/// Returns one key for all events that pairs of keys connect.
fn common_keys(same: &[(EventKey, EventKey)]) -> FxHashMap<EventKey, EventKey> {
    let mut keys: Vec<EventKey> = same.iter().flat_map(|(a, b)| [*a, *b]).collect();
    keys.sort_unstable();
    keys.dedup();
    let mut sets = DisjointSets::new(keys.len());
    for (a, b) in same {
        let [a, b] = [a, b].map(|key| keys.partition_point(|other| other < key));
        sets.join(a, b);
    }
    (0..keys.len()).map(|one| (keys[one], keys[sets.find(one)])).collect()
}

/// Returns the key of an event by the year of a game; `i16::MIN` if it is unknown.
fn tags_and_year(game: &Game) -> EventKey {
    (game.event.index(), game.site.index(), game.date.year().unwrap_or(i16::MIN))
}

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
    use crate::games::PartialDate;

    #[test]
    fn an_event_may_begin_in_december_and_end_in_january() {
        let mut table = GameTable::default();
        for day in ["1975.12.29", "1976.01.05", "1976.12.30"] {
            let date = PartialDate::parse(day).expect("a date");
            table.push(Game { date, ..Game::default() });
        }
        let numbers = EventNumbers::new(&table, &[]);
        let [a, b, c] = [0, 1, 2].map(|row| numbers.of_row(row));
        assert_eq!(a, b);
        assert_ne!(a, c);
    }

    #[test]
    fn an_event_of_several_sources_has_one_number() {
        let mut table = GameTable::default();
        for text in ["URS-ch43", "URS-ch", "Yerevan", "Sochi"] {
            let event = table.names.intern(text);
            table.push(Game { event, date: PartialDate::of_year(1975), ..Game::default() });
        }
        let [first, second, third] = [0, 1, 2].map(|row| tags_and_year(&table.games()[row]));
        let numbers = EventNumbers::new(&table, &[(third, second), (first, second)]);
        let [a, b, c, d] = [0, 1, 2, 3].map(|row| numbers.of_row(row));
        assert_eq!([b, c], [a; 2]);
        assert_ne!(d, a);
    }

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
