//! Counts the world's best again where the event's tags are of a list of FIDE that is not stored.
//!
//! Stored lists have gaps: those of July are missing from 1981 to 1989. The tags of games in such a
//! gap are the only lines of the missing list that are known. At Merano 1981 Korchnoi has 2695, and
//! the last stored list gives him 2650.

use jiff::civil::{Date, date};

use super::edition::Edition;
use super::leaders::{NumberTwo, NumberTwoSource, TopTenPlayer};
use super::list_file::FIDE_SYSTEM;
use super::lookup::RatingLookup;
use super::official_list::{DayOrigin, is_current};
use crate::players::PlayerId;

/// The tags of an event, and what is known of its day.
#[derive(Clone, Copy)]
pub(super) struct DatedTags<'a> {
    pub field: &'a [PlayerId],
    /// Rating tags (points), parallel to the field.
    pub tags: &'a [Option<f64>],
    pub day: Date,
    pub origin: DayOrigin,
}

impl RatingLookup<'_> {
    /// Returns whether the tags of an event are of a list of FIDE that is not stored: it published
    /// one after the stored list in force, and most of the tags agree neither with that nor with
    /// the next stored one.
    pub(super) fn are_of_missing_list(&self, event: DatedTags<'_>) -> bool {
        // If the games have only a year, the event may be as late as its end.
        let last = match event.origin {
            DayOrigin::Dates => event.day,
            DayOrigin::Tags => return false,
            DayOrigin::MiddleOfYear => date(event.day.year(), 12, 31),
        };
        let lists = self.context.best.iter().chain(self.lists());
        let mut differs = false;
        for list in lists.filter(|list| list.system == FIDE_SYSTEM) {
            let Some(edition) = list.in_force(event.day) else { continue };
            if is_current(edition.day, last) || self.agrees(event, edition) == Some(true) {
                return false;
            }
            if list.after(event.day).is_some_and(|next| self.agrees(event, next) == Some(true)) {
                return false;
            }
            differs |= self.agrees(event, edition) == Some(false);
        }
        differs
    }

    /// Replaces the ratings of the world's best by those of the missing list after the list of a
    /// day, as far as tags state them. The tags are those of the event, or of other games before
    /// the next stored list. Returns the number two of the result.
    pub(super) fn count_again(
        &self,
        leaders: &mut [TopTenPlayer],
        tags: &[Option<f64>],
        list: Date,
    ) -> Option<NumberTwo> {
        for leader in leaders.iter_mut() {
            let own = leader.player.and_then(|player| tags[player]);
            let missing = own.or_else(|| self.tag_of_missing_list(leader.person?, list));
            leader.rating = missing.unwrap_or(leader.rating);
        }
        leaders.sort_by(|a, b| b.rating.total_cmp(&a.rating).then_with(|| a.name.cmp(&b.name)));
        for place in 0..leaders.len() {
            let above = leaders[..place].last();
            let equal = above.filter(|above| above.rating == leaders[place].rating);
            leaders[place].rank = equal.map_or(place + 1, |equal| equal.rank);
        }
        let second = leaders.get(1)?;
        Some(NumberTwo {
            rating: second.rating,
            deviation: None,
            name: second.name.clone(),
            system: FIDE_SYSTEM.to_owned(),
            origin: NumberTwoSource::ListAndTags(list),
        })
    }

    /// Returns the player's most frequent tag between the stored list of a day and the next one,
    /// among the tags that are on neither of them, nor on the list before.
    fn tag_of_missing_list(&self, player: PlayerId, day: Date) -> Option<f64> {
        let lists = self.context.best.iter().chain(self.lists());
        let of_fide = lists.filter(|list| list.system == FIDE_SYSTEM);
        let (list, (before, after)) =
            of_fide.filter_map(|list| Some((list, list.neighbours(day)?))).next()?;
        let stored = [before, day, after].map(|day| {
            let edition = list.in_force(day)?;
            Some(edition.find_player(self.players.get(player))?.rating)
        });
        self.context.nearby.most_frequent(player, day..after, &stored)
    }

    /// Returns whether most of the tags agree with an edition; `None` if none of the players is on
    /// it.
    fn agrees(&self, event: DatedTags<'_>, edition: Edition<'_>) -> Option<bool> {
        let (mut same, mut compared) = (0, 0);
        for (&player, tag) in event.field.iter().zip(event.tags) {
            let line = edition.find_player(self.players.get(player));
            let Some((tag, line)) = tag.zip(line) else { continue };
            compared += 1;
            same += usize::from(line.rating == tag);
        }
        (compared > 0).then_some(2 * same > compared)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::{Game, GameTable, PartialDate};
    use crate::players::{Aliases, resolve};
    use crate::ratings::{NearbyTags, RatingContext, RatingList, RatingListLine, Thresholds};

    /// Uses a lookup with the lists of January from 1980 to 1982, and of July 1981 if `has_july`.
    /// Karpov has the tag 2700 in a game of October 1981.
    fn with_lists<T>(
        has_july: bool,
        answer: impl FnOnce(RatingLookup<'_>, [PlayerId; 2]) -> T,
    ) -> T {
        let mut list = RatingList::new(FIDE_SYSTEM);
        let july = has_july.then_some((1981, 7, [2705.0, 2640.0]));
        let stored =
            [(1980, 1, [2725.0, 2695.0]), (1981, 1, [2690.0, 2650.0]), (1982, 1, [2720.0, 2645.0])];
        for (year, month, [karpov, korchnoi]) in stored.into_iter().chain(july) {
            let day = date(year, month, 1);
            list.add(day, RatingListLine::new("Karpov, Anatoly", karpov));
            list.add(day, RatingListLine::new("Korchnoi, Viktor", korchnoi));
        }
        let mut table = GameTable::default();
        let white = table.names.intern("Karpov, Anatoly");
        let black = table.names.intern("Korchnoi, Viktor");
        let date = PartialDate::parse("1981.10.01").unwrap();
        table.push(Game { white, black, date, white_elo: 2700, ..Game::default() });
        let players = resolve(&table, &Aliases::default());
        let field = [white, black].map(|name| players.of_name(name).unwrap());
        let nearby = NearbyTags::new(&table, [0], &players);
        let context = RatingContext { best: vec![list], nearby, ..RatingContext::default() };
        let lookup = RatingLookup {
            table: &table,
            players: &players,
            sources: &[],
            context: &context,
            thresholds: Thresholds::default(),
        };
        answer(lookup, field)
    }

    /// Whether these tags of Karpov and Korchnoi are of a list that is not stored.
    fn are_missing(tags: [f64; 2], day: Date, origin: DayOrigin, has_july: bool) -> bool {
        with_lists(has_july, |lookup, field| {
            let tags = tags.map(Some);
            lookup.are_of_missing_list(DatedTags { field: &field, tags: &tags, day, origin })
        })
    }

    #[test]
    fn tags_that_agree_with_no_stored_list_are_of_the_missing_one() {
        let (october, merano) = (date(1981, 10, 1), [2700.0, 2695.0]);
        assert!(are_missing(merano, october, DayOrigin::Dates, false));
        assert!(are_missing(merano, date(1981, 7, 1), DayOrigin::MiddleOfYear, false));
        assert!(!are_missing([2690.0, 2650.0], october, DayOrigin::Dates, false), "January's");
        assert!(!are_missing([2720.0, 2645.0], october, DayOrigin::Dates, false), "the next");
    }

    #[test]
    fn where_no_list_is_missing_the_stored_one_counts() {
        let merano = [2700.0, 2695.0];
        assert!(!are_missing(merano, date(1981, 3, 1), DayOrigin::Dates, false));
        assert!(!are_missing(merano, date(1981, 10, 1), DayOrigin::Dates, true));
        assert!(!are_missing(merano, date(1981, 7, 1), DayOrigin::MiddleOfYear, true));
    }

    #[test]
    fn the_best_are_counted_again_with_the_tags() {
        // An event of Korchnoi and Timman in the second half of 1981.
        let (ratings, ranks, two) = with_lists(false, |lookup, [karpov, korchnoi]| {
            let leader = |name: &str, rating: f64, player, person| TopTenPlayer {
                rank: 1,
                name: name.to_owned(),
                rating,
                deviation: 30.0,
                player,
                person,
            };
            let mut leaders = vec![
                leader("Karpov", 2690.0, None, Some(karpov)),
                leader("Korchnoi", 2650.0, Some(0), Some(korchnoi)),
                leader("Timman", 2620.0, Some(1), None),
            ];
            let tags = [Some(2695.0), None];
            let two = lookup.count_again(&mut leaders, &tags, date(1981, 1, 1)).unwrap();
            let ratings: Vec<f64> = leaders.iter().map(|leader| leader.rating).collect();
            let ranks: Vec<usize> = leaders.iter().map(|leader| leader.rank).collect();
            (ratings, ranks, two)
        });
        assert_eq!((ratings, ranks), (vec![2700.0, 2695.0, 2620.0], vec![1, 2, 3]));
        assert_eq!((two.name.as_str(), two.rating), ("Korchnoi", 2695.0));
    }
}
