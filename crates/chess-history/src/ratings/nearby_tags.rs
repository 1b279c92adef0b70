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

/// The longest time (days) between an event and a tag from which a rating that is ignored is
/// estimated.
///
/// Measured on 427,228 games: a rating between two tags, each four years away, is wrong by 24
/// points in the median, and a single one by 29 to 56. With two years, fewer strengths are right.
const DISTANT_DAYS: i32 = 4 * 365 + 1;

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

    /// Returns the rating on a day between the player's last tag before it and the first one after.
    /// If the player has only one of them within the longest time, it is that tag.
    pub(super) fn between_distant(&self, player: PlayerId, day: Date) -> Option<f64> {
        let tags = self.of_player.get(&player)?;
        let (before, after) = tags.split_at(tags.partition_point(|(date, _)| *date <= day));
        let is_usable = |date: &Date| (*date - day).get_days().abs() <= DISTANT_DAYS;
        let before = before.last().map(|(date, _)| *date).filter(is_usable);
        let after = after.first().map(|(date, _)| *date).filter(is_usable);
        match (before, after) {
            (Some(before), Some(after)) => {
                let [earlier, later] = [before, after].map(|date| median_of_day(tags, date));
                let part =
                    f64::from((day - before).get_days()) / f64::from((after - before).get_days());
                Some((earlier + part * (later - earlier)).round())
            }
            (date, None) | (None, date) => date.map(|date| median_of_day(tags, date)),
        }
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

/// Returns the median of the tags of a day, of which there is at least one.
fn median_of_day(tags: &[(Date, u16)], day: Date) -> f64 {
    let start = tags.partition_point(|(date, _)| *date < day);
    let end = tags.partition_point(|(date, _)| *date <= day);
    f64::from(tags[start + (end - start) / 2].1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::{Game, PartialDate};
    use crate::players::{Aliases, resolve};
    use jiff::civil::date;

    /// Asks about 1 July 1994 for a player with these tags by date.
    fn ask(
        tags: &[(&str, u16)],
        question: impl Fn(&NearbyTags, PlayerId, Date) -> Option<f64>,
    ) -> Option<f64> {
        let mut table = GameTable::default();
        let (white, black) = (table.names.intern("Adler, Anton"), table.names.intern("Bauer, B"));
        for (date, white_elo) in tags {
            let date = PartialDate::parse(date).unwrap();
            table.push(Game { date, white, black, white_elo: *white_elo, ..Game::default() });
        }
        let players = resolve(&table, &Aliases::default());
        let tags = NearbyTags::new(&table, 0..table.len(), &players);
        question(&tags, players.of_name(white).unwrap(), date(1994, 7, 1))
    }

    fn nearest(tags: &[(&str, u16)]) -> Option<f64> {
        ask(tags, NearbyTags::nearest)
    }

    fn between_distant(tags: &[(&str, u16)]) -> Option<f64> {
        ask(tags, NearbyTags::between_distant)
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

    #[test]
    fn a_rating_is_estimated_between_tags_of_other_years() {
        assert_eq!(between_distant(&[("1992.07.01", 2500), ("1996.07.01", 2560)]), Some(2530.0));
        assert_eq!(between_distant(&[("1992.07.01", 2500), ("1995.07.01", 2560)]), Some(2540.0));
        assert_eq!(between_distant(&[("1991.07.01", 2500)]), Some(2500.0));
        assert_eq!(between_distant(&[("1996.07.01", 2560), ("1997.07.01", 2600)]), Some(2560.0));
    }

    #[test]
    fn a_tag_more_than_four_years_away_says_nothing() {
        assert_eq!(between_distant(&[("1990.06.01", 2500), ("1998.08.01", 2600)]), None);
        assert_eq!(between_distant(&[("1990.06.01", 2500), ("1996.07.01", 2560)]), Some(2560.0));
    }
}
