//! The world's number two.

use jiff::ToSpan;
use jiff::civil::Date;
use rustc_hash::FxHashMap;

use super::list::{Edition, RatingList};
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
    /// From the rated games of a table.
    pub fn of(table: &GameTable, rows: &[usize], players: &Players) -> Activity {
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
        for &row in rows {
            let game = &table.games()[row];
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

    /// Whether somebody whom a list calls this has a game within the 24 months before or the 12
    /// months after a date. (A game dated by its year alone counts with the whole year.)
    pub fn is_active(&self, list_name: &str, date: Date) -> bool {
        let from = date.checked_sub(MONTHS_BEFORE.months()).unwrap_or(date);
        let until = date.checked_add(MONTHS_AFTER.months()).unwrap_or(date);
        PersonName::readings(list_name).iter().any(|reading| {
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

/// The world's number two at a date.
#[derive(Clone, Debug, PartialEq)]
pub struct NumberTwo {
    /// Rating (points).
    pub rating: f64,
    /// The name, as the list writes it.
    pub name: String,
    /// System of the list.
    pub system: String,
    /// Day of the list's edition.
    pub edition: Date,
}

/// The second highest rating among the active players of the edition in force. If two share the
/// top, the second of them.
///
/// `None` where no edition is in force or fewer than two of its players are active.
pub fn number_two(list: &RatingList, date: Date, activity: &Activity) -> Option<NumberTwo> {
    let (edition_day, edition) = list.in_force(date)?;
    let second = second_active(edition, list.active_only, date, activity)?;
    Some(NumberTwo {
        rating: second.0,
        name: second.1,
        system: list.system.clone(),
        edition: edition_day,
    })
}

fn second_active(
    edition: &Edition,
    all_active: bool,
    date: Date,
    activity: &Activity,
) -> Option<(f64, String)> {
    let mut entries: Vec<_> = edition.entries().iter().collect();
    entries.sort_by(|a, b| b.rating.total_cmp(&a.rating).then_with(|| a.name.cmp(&b.name)));
    let mut active =
        entries.into_iter().filter(|entry| all_active || activity.is_active(&entry.name, date));
    let first = active.next()?;
    // Two files of one list may rate a player differently; he is not his own second.
    let second = active.find(|entry| entry.name != first.name)?;
    Some((second.rating, second.name.clone()))
}
