//! Numbers the events of games by their tags.

use rayon::prelude::*;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::disjoint_sets::DisjointSets;
use crate::games::{Game, GameTable};

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
}
