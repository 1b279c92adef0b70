//! Who played when.

use jiff::ToSpan;
use jiff::civil::Date;
use rustc_hash::FxHashMap;

use super::list::Listed;
use crate::events::Event;
use crate::games::GameTable;
use crate::players::{PersonName, PlayerId, Players};

/// Months before a date in which a game makes a player active.
const MONTHS_BEFORE: i32 = 24;

/// Months after it.
const MONTHS_AFTER: i32 = 12;

/// When each player played.
#[derive(Clone, Debug, Default)]
pub struct Activity {
    /// First and last day of each game, by player.
    days: FxHashMap<PlayerId, Vec<(Date, Date)>>,
    by_surname: FxHashMap<String, Vec<PlayerId>>,
    names: Vec<Vec<PersonName>>,
}

impl Activity {
    /// From the games of events: single games that belong to none are exhibitions as often as not, and
    /// keep nobody on the list who has retired.
    pub fn of<'e>(
        table: &GameTable,
        events: impl IntoIterator<Item = &'e Event>,
        players: &Players,
    ) -> Activity {
        let mut activity = Activity::default();
        for (id, player) in players.iter() {
            for name in &player.names {
                let ids = activity.by_surname.entry(name.surname_key()).or_default();
                if ids.last() != Some(&id) {
                    ids.push(id);
                }
            }
            activity.names.push(player.names.clone());
        }
        for game in events.into_iter().flat_map(|event| &event.games) {
            let game = &table.games()[game.row];
            let (Some(first), Some(last)) = (game.date.earliest(), game.date.latest()) else {
                continue;
            };
            for name in [game.white, game.black] {
                if let Some(id) = players.of_name(name) {
                    activity.days.entry(id).or_default().push((first, last));
                }
            }
        }
        for days in activity.days.values_mut() {
            days.sort_unstable();
            days.dedup();
        }
        activity
    }

    /// Whether a player of a list has a game of an event within the 24 months before or the 12 months after a date,
    /// or the list itself marks him as active. (A game dated by its year alone counts with the whole
    /// year.)
    pub fn is_active(&self, listed: &Listed<'_>, date: Date) -> bool {
        if listed.active == Some(true) {
            return true;
        }
        let from = date.checked_sub(MONTHS_BEFORE.months()).unwrap_or(date);
        let until = date.checked_add(MONTHS_AFTER.months()).unwrap_or(date);
        listed.readings.iter().any(|reading| {
            self.by_surname.get(&reading.surname_key()).into_iter().flatten().any(|id| {
                let same = self.names[id.index()].iter().any(|name| {
                    name.surname_key() == reading.surname_key()
                        && !reading.given.is_empty()
                        && name.given_compatible(reading, false)
                });
                same && self.days.get(id).is_some_and(|days| {
                    days.iter().any(|(first, last)| *last >= from && *first <= until)
                })
            })
        })
    }
}
