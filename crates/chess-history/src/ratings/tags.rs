//! Collects the rating tags of all games by player and date.

use std::sync::OnceLock;

use jiff::ToSpan;
use jiff::civil::Date;
use rustc_hash::FxHashMap;

use crate::games::GameTable;
use crate::players::{PlayerId, Players};

/// The range (points) of possible ratings; tags outside it are mistakes. Judged: below are ratings
/// of other games or missing digits, above no player has been.
pub const POSSIBLE: std::ops::RangeInclusive<u16> = 500..=3000;

/// The first year whose rating tags can be official.
///
/// FIDE's first list is of 1970. Tags of earlier years were computed later, or invented.
pub(super) const FIRST_TAGS: i16 = 1970;

/// The difference (points) from the player's other ratings that makes a tag a mistake.
///
/// Judged: ratings rarely move by two hundred points between lists, and a wrong digit or a namesake
/// differs by more. With half, young players' tags would be corrected; with double, few mistakes.
pub(super) const MISTAKE: f64 = 200.0;

/// The number of months before a day whose tags are valid for it. Judged: a year, as
/// for the list that ranks the world's best.
const MONTHS: i32 = 12;

/// The number of players near the top that makes a collection represent the world's best.
///
/// Judged: a collection of one country or of a few tournaments has fewer. With half, such a
/// collection may name its second the world's; with double, only the largest collections would
/// count.
const PERSONS: usize = 150;

/// How far (points) below the collection's second a player is near the top. Judged together with
/// [`PERSONS`]: in half the range, even a complete list has fewer players.
const NEAR_THE_TOP: u16 = 250;

/// The lowest tag (points) that is kept; lower ones are irrelevant to the world's best. Judged:
/// more than 500 points below any number two since 1970; a lower value only costs memory.
const WORTH_KEEPING: u16 = 2000;

/// Returns the rating (points) of a tag of a game of this day, or 0 if no list can have published
/// it.
pub fn official_tag(elo: u16, day: Date) -> u16 {
    if POSSIBLE.contains(&elo) && day.year() >= FIRST_TAGS { elo } else { 0 }
}

/// The rating tags of each player by day.
#[derive(Clone, Debug, Default)]
pub struct TagHistory {
    /// The tags of each player, in order of days.
    of_player: FxHashMap<PlayerId, Vec<(Date, u16)>>,
    /// The first month that has tags.
    first: Option<Date>,
    /// The number two of each month since then, computed on demand.
    months: Vec<OnceLock<Option<(PlayerId, u16)>>>,
}

impl TagHistory {
    /// Collects the tags of these rows of the game table.
    pub fn new(table: &GameTable, rows: &[usize], players: &Players) -> TagHistory {
        let mut history = TagHistory::default();
        let mut first_month: Option<Date> = None;
        let mut last_month: Option<Date> = None;
        for &row in rows {
            let game = &table.games()[row];
            // A year alone does not show whether a game precedes a day.
            let Some(day) = game.date.earliest().filter(|_| game.date.known_parts() >= 2) else {
                continue;
            };
            for (name, elo) in [(game.white, game.white_elo), (game.black, game.black_elo)] {
                if elo < WORTH_KEEPING || !POSSIBLE.contains(&elo) {
                    continue;
                }
                let Some(player) = players.of_name(name) else { continue };
                let tags = history.of_player.entry(player).or_default();
                // A player's games of one event are mostly next to each other.
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

    /// Returns the number of months since the first one with tags.
    fn month(&self, day: Date) -> Option<usize> {
        let first = self.first?;
        let years = i32::from(day.year()) - i32::from(first.year());
        usize::try_from(12 * years + i32::from(day.month()) - i32::from(first.month())).ok()
    }

    /// Returns the median of a player's tags from a year before a day to a year after it.
    pub fn usual_rating(&self, player: PlayerId, day: Date) -> Option<f64> {
        let from = day.checked_sub(MONTHS.months()).unwrap_or(day);
        let until = day.checked_add(MONTHS.months()).unwrap_or(day);
        let mut ratings: Vec<u16> = self
            .of_player
            .get(&player)?
            .iter()
            .filter(|(date, _)| (from..=until).contains(date))
            .map(|(_, elo)| *elo)
            .collect();
        // One or two tags may both be the mistake.
        if ratings.len() < 3 {
            return None;
        }
        ratings.sort_unstable();
        Some(f64::from(ratings[ratings.len() / 2]))
    }

    /// Returns a player's last tag (points) of the twelve months before a day, with its own day.
    ///
    /// Tags that differ too much from the player's others are passed over. `None` without tags.
    pub fn latest(&self, player: PlayerId, day: Date) -> Option<(Date, f64)> {
        let from = day.checked_sub(MONTHS.months()).unwrap_or(day);
        let tags = self.of_player.get(&player)?.iter().rev();
        let of_year = tags.filter(|(date, _)| (from..=day).contains(date));
        of_year.map(|(date, elo)| (*date, f64::from(*elo))).find(|(date, elo)| {
            let usual = self.usual_rating(player, *date);
            usual.is_none_or(|usual| !TagHistory::is_mistaken(*elo, usual))
        })
    }

    /// Returns whether a tag (points) is a mistake, given the player's known rating (points).
    pub fn is_mistaken(tag: f64, known: f64) -> bool {
        (tag - known).abs() > MISTAKE
    }

    /// Returns the player with the second highest tag of the twelve months before a month.
    ///
    /// The latest tag of each player counts. `None` if the collection has too few of the best
    /// players to represent the world.
    pub fn number_two(&self, day: Date) -> Option<(PlayerId, f64)> {
        let of_month = self.months.get(self.month(day)?)?;
        let second = of_month.get_or_init(|| self.best(day, 2).get(1).copied());
        let (player, rating) = (*second)?;
        Some((player, f64::from(rating)))
    }

    /// Returns whether the tags reach a month.
    pub fn reaches(&self, day: Date) -> bool {
        self.month(day).is_some_and(|month| month as i32 + MONTHS < self.months.len() as i32)
    }

    /// Returns the players with the highest tags of the twelve months before a month, best first.
    ///
    /// The latest tag of each player counts. Empty if the collection has too few of the best
    /// players to represent the world.
    pub fn best(&self, day: Date, places: usize) -> Vec<(PlayerId, u16)> {
        let day = day.first_of_month();
        let from = day.checked_sub(MONTHS.months()).unwrap_or(day);
        // The month itself counts because its list is already in its tags.
        let until = day.last_of_month();
        let mut latest: Vec<(u16, PlayerId, Date)> = Vec::new();
        for (player, tags) in &self.of_player {
            let end = tags.partition_point(|(date, _)| *date <= until);
            if let Some(&(date, elo)) = tags[..end].last().filter(|(date, _)| *date >= from) {
                latest.push((elo, *player, date));
            }
        }
        latest.sort_unstable_by(|a, b| b.cmp(a));
        let best: Vec<(PlayerId, u16)> = latest
            .iter()
            .filter(|(elo, player, date)| {
                let usual = self.usual_rating(*player, *date);
                usual.is_some_and(|usual| !TagHistory::is_mistaken((*elo).into(), usual))
            })
            .take(places.max(2))
            .map(|(elo, player, _)| (*player, *elo))
            .collect();
        let Some(&(_, second)) = best.get(1) else { return Vec::new() };
        let near_the_top = latest.partition_point(|(elo, ..)| *elo + NEAR_THE_TOP >= second);
        if near_the_top >= PERSONS { best } else { Vec::new() }
    }
}
