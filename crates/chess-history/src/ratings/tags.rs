//! The rating tags of all games: who was rated how when, as far as the collection shows.

use std::sync::OnceLock;

use jiff::ToSpan;
use jiff::civil::Date;
use rustc_hash::FxHashMap;

use crate::games::GameTable;
use crate::players::{PlayerId, Players};

/// Ratings (points) outside of this are mistakes of tags: nobody is rated so.
pub const POSSIBLE: std::ops::RangeInclusive<u16> = 500..=3000;

/// The first year of which rating tags can be somebody's ratings: the first list of FIDE's is of
/// 1970. Earlier ones were worked out later, or invented.
pub(super) const FIRST_TAGS: i16 = 1970;

/// A tag that lies farther (points) from what else is known of the player at the time is a mistake.
pub(super) const MISTAKE: f64 = 200.0;

/// Months before a day whose tags tell of it.
const MONTHS: i32 = 12;

/// A collection speaks for the world where so many persons have tags...
const PERSONS: usize = 150;

/// ... no more than so many points below its second.
const NEAR_THE_TOP: u16 = 250;

/// Tags below this (points) say nothing of the world's best at any time with tags.
const WORTH_KEEPING: u16 = 2000;

/// Rating tags by player and day.
#[derive(Clone, Debug, Default)]
pub struct TagHistory {
    /// In the order of the days.
    of_player: FxHashMap<PlayerId, Vec<(Date, u16)>>,
    /// The first month with tags.
    first: Option<Date>,
    /// The second of each month since, once somebody asked.
    months: Vec<OnceLock<Option<(PlayerId, u16)>>>,
}

impl TagHistory {
    /// Of these rows.
    pub fn of(table: &GameTable, rows: &[usize], players: &Players) -> TagHistory {
        let mut history = TagHistory::default();
        let mut first_month: Option<Date> = None;
        let mut last_month: Option<Date> = None;
        for &row in rows {
            let game = &table.games()[row];
            // A year alone does not tell whether it was before a day.
            let Some(day) = game.date.earliest().filter(|_| game.date.known_parts() >= 2) else {
                continue;
            };
            for (name, elo) in [(game.white, game.white_elo), (game.black, game.black_elo)] {
                if elo < WORTH_KEEPING || !POSSIBLE.contains(&elo) {
                    continue;
                }
                let Some(player) = players.of_name(name) else { continue };
                let tags = history.of_player.entry(player).or_default();
                // A player's games of one event mostly stand together.
                if tags.last() != Some(&(day, elo)) {
                    tags.push((day, elo));
                }
                first_month = Some(first_month.map_or(day, |first| first.min(day)));
                last_month = Some(last_month.map_or(day, |last| last.max(day)));
            }
        }
        for tags in history.of_player.values_mut() {
            tags.sort_unstable();
            tags.dedup();
        }
        let (Some(first), Some(last)) = (first_month, last_month) else { return history };
        let end = last.checked_add(MONTHS.months()).unwrap_or(last);
        history.first = Some(first.first_of_month());
        let months = history.month(end).map_or(0, |month| month + 1);
        history.months = (0..months).map(|_| OnceLock::new()).collect();
        history
    }

    /// Months from the first one with tags.
    fn month(&self, day: Date) -> Option<usize> {
        let first = self.first?;
        let months = |day: Date| i32::from(day.year()) * 12 + i32::from(day.month());
        usize::try_from(months(day) - months(first)).ok()
    }

    /// What else the tags say of a player around a day: the median of those of the year before and the year
    /// behind it.
    pub fn usual(&self, player: PlayerId, day: Date) -> Option<f64> {
        let from = day.checked_sub(MONTHS.months()).unwrap_or(day);
        let until = day.checked_add(MONTHS.months()).unwrap_or(day);
        let mut near: Vec<u16> = self
            .of_player
            .get(&player)?
            .iter()
            .filter(|(date, _)| (from..=until).contains(date))
            .map(|(_, elo)| *elo)
            .collect();
        // One or two may be the mistake themselves.
        if near.len() < 3 {
            return None;
        }
        near.sort_unstable();
        Some(f64::from(near[near.len() / 2]))
    }

    /// Whether a tag (points) cannot be, beside what else is known of the player (points).
    pub fn is_mistaken(tag: f64, known: f64) -> bool {
        (tag - known).abs() > MISTAKE
    }

    /// Who had the second highest latest tag of the twelve months before a month, and how high it was. `None`
    /// where the collection holds too few of the best to speak for the world.
    pub fn number_two(&self, day: Date) -> Option<(PlayerId, f64)> {
        let of_month = self.months.get(self.month(day)?)?;
        let second = of_month.get_or_init(|| self.best(day, 2).get(1).copied());
        let (player, rating) = (*second)?;
        Some((player, f64::from(rating)))
    }

    /// Whether a month is none behind the last one with tags.
    pub fn reaches(&self, day: Date) -> bool {
        self.month(day).is_some_and(|month| month as i32 + MONTHS < self.months.len() as i32)
    }

    /// The highest latest tags of the twelve months before a month, and whose they are, the best first; none
    /// where the collection holds too few of the best to speak for the world.
    pub fn best(&self, day: Date, places: usize) -> Vec<(PlayerId, u16)> {
        let day = day.first_of_month();
        let from = day.checked_sub(MONTHS.months()).unwrap_or(day);
        // The month itself still counts: its list is in its tags.
        let until = day.last_of_month();
        let mut latest: Vec<(u16, PlayerId, Date)> = Vec::new();
        for (player, tags) in &self.of_player {
            let end = tags.partition_point(|(date, _)| *date <= until);
            if let Some(&(date, elo)) = tags[..end].last().filter(|(date, _)| *date >= from) {
                latest.push((elo, *player, date));
            }
        }
        latest.sort_unstable_by(|a, b| b.cmp(a));
        let is_sound = |(elo, player, date): &&(u16, PlayerId, Date)| {
            let usual = self.usual(*player, *date);
            usual.is_some_and(|usual| !TagHistory::is_mistaken((*elo).into(), usual))
        };
        let best: Vec<(PlayerId, u16)> = latest
            .iter()
            .filter(is_sound)
            .take(places.max(2))
            .map(|(elo, player, _)| (*player, *elo))
            .collect();
        let Some(&(_, second)) = best.get(1) else { return Vec::new() };
        let near = latest.partition_point(|(elo, ..)| *elo + NEAR_THE_TOP >= second);
        if near >= PERSONS { best } else { Vec::new() }
    }
}
