//! Finds the rating tag of a player that is nearest to a day.

use std::collections::BTreeMap;
use std::ops::Range;

use jiff::civil::Date;
use rustc_hash::FxHashMap;

use super::tags::{FIRST_TAGS, POSSIBLE, TagHistory};
use crate::games::GameTable;
use crate::players::{PlayerId, Players};

/// The longest time (days) between an event and the list or the game that states a rating.
///
/// Judged: half a year, between two lists of most years. With double, young players would be rated
/// too low; with half, yearly dates would find nothing.
pub(super) const NEARBY_DAYS: i32 = 183;

/// The rating tags of each player with the middle of the period in which the game was played.
#[derive(Clone, Debug, Default)]
pub struct NearbyTags {
    /// The tags of each player, in order of days.
    of_player: FxHashMap<PlayerId, Vec<(Date, u16)>>,
}

impl NearbyTags {
    /// Collects the tags of these rows of the game table.
    pub fn new(
        table: &GameTable,
        rows: impl IntoIterator<Item = usize>,
        players: &Players,
    ) -> NearbyTags {
        let mut nearby = NearbyTags::default();
        for row in rows {
            let game = &table.games()[row];
            let Some(day) = game.date.middle().filter(|day| day.year() >= FIRST_TAGS) else {
                continue;
            };
            for (name, elo) in [(game.white, game.white_elo), (game.black, game.black_elo)] {
                if let Some(player) = players.of_name(name).filter(|_| POSSIBLE.contains(&elo)) {
                    nearby.of_player.entry(player).or_default().push((day, elo));
                }
            }
        }
        for tags in nearby.of_player.values_mut() {
            tags.sort_unstable();
            tags.shrink_to_fit();
        }
        nearby
    }

    /// Returns the player's tag nearest to a day. Tags that differ too much from the player's
    /// others of the time are passed over; of several on the nearest day the median counts.
    pub(super) fn nearest(&self, player: PlayerId, day: Date) -> Option<f64> {
        let tags = self.of_player.get(&player)?;
        let start = tags.partition_point(|(date, _)| (day - *date).get_days() > NEARBY_DAYS);
        let end = tags.partition_point(|(date, _)| (*date - day).get_days() <= NEARBY_DAYS);
        let around = &tags[start..end];
        let mut ratings: Vec<u16> = around.iter().map(|(_, elo)| *elo).collect();
        ratings.sort_unstable();
        let usual = f64::from(*ratings.get(ratings.len() / 2)?);
        let distance = |date: Date| (date - day).get_days().abs();
        let sound =
            around.iter().filter(|(_, elo)| !TagHistory::is_mistaken(f64::from(*elo), usual));
        let least = sound.clone().map(|(date, _)| distance(*date)).min()?;
        let mut nearest: Vec<u16> =
            sound.filter(|(date, _)| distance(*date) == least).map(|(_, elo)| *elo).collect();
        nearest.sort_unstable();
        Some(f64::from(nearest[nearest.len() / 2]))
    }

    /// Returns the player's most frequent tag in a period that is none of some ratings (points), or
    /// the highest of several.
    pub(super) fn most_frequent(
        &self,
        player: PlayerId,
        period: Range<Date>,
        without: &[Option<f64>],
    ) -> Option<f64> {
        let mut counts: BTreeMap<u16, usize> = BTreeMap::new();
        for (day, elo) in self.of_player.get(&player)? {
            if period.contains(day) && !without.contains(&Some(f64::from(*elo))) {
                *counts.entry(*elo).or_default() += 1;
            }
        }
        let most = counts.into_iter().max_by_key(|(_, count)| *count);
        most.map(|(elo, _)| f64::from(elo))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::{Game, PartialDate};
    use crate::players::{Aliases, resolve};
    use jiff::civil::date;

    /// The tag nearest to 1 July 1994 among the tags of one player by date.
    fn nearest(tags: &[(&str, u16)]) -> Option<f64> {
        let mut table = GameTable::default();
        let (white, black) = (table.names.intern("Adler, Anton"), table.names.intern("Bauer, B"));
        for (date, white_elo) in tags {
            let date = PartialDate::parse(date).unwrap();
            table.push(Game { date, white, black, white_elo: *white_elo, ..Game::default() });
        }
        let players = resolve(&table, &Aliases::default());
        let tags = NearbyTags::new(&table, 0..table.len(), &players);
        tags.nearest(players.of_name(white).unwrap(), date(1994, 7, 1))
    }

    #[test]
    fn the_nearest_tag_of_half_a_year_counts() {
        assert_eq!(nearest(&[("1994.01.10", 2500), ("1994.08.20", 2530)]), Some(2530.0));
        assert_eq!(nearest(&[("1994.??.??", 2515), ("1994.08.20", 2530)]), Some(2515.0));
    }

    #[test]
    fn a_tag_of_another_year_says_nothing() {
        assert_eq!(nearest(&[("1993.??.??", 2500), ("1993.12.20", 2530)]), None);
    }

    #[test]
    fn a_nearest_tag_that_differs_from_all_others_is_a_mistake() {
        let tags = [("1994.05.01", 2530), ("1994.06.25", 2230), ("1994.08.20", 2540)];
        assert_eq!(nearest(&tags), Some(2540.0));
    }
}
