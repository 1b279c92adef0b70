//! Compares the rating tags of an event with FIDE's official list in force.
//!
//! Both are ratings of one system. The list is the original and the tags are copies, some of them
//! with mistakes or from another list. But dates of collections are often wrong or incomplete, and
//! stored lists have gaps. So the list goes before the tags only where it is shown to be the one in
//! force: by the day of the event, and by the other tags.

use jiff::civil::Date;

use super::edition::Edition;
use super::list::RatingList;
use super::list_file::FIDE_SYSTEM;
use super::lookup::RatingLookup;
use super::tag_corrections::is_full_name;
use super::tags::TagHistory;
use crate::players::PlayerId;
use crate::tournament::Step;

/// The year and month from which FIDE published lists, and the number of months between two lists.
///
/// Source: the dates of the lists themselves.
const FREQUENCIES: [((i16, i8), i32); 5] =
    [((1971, 7), 12), ((1981, 1), 6), ((2000, 7), 3), ((2009, 7), 2), ((2012, 7), 1)];

/// The number of days that a list may be late.
///
/// Judged: FIDE published within days of the first of the month. With a month, a missing list of
/// the monthly series would not be noticed.
const LATE_DAYS: i32 = 10;

/// The average length of a month (days).
const MONTH_DAYS: f64 = 30.44;

/// How the day of an event is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum DayOrigin {
    /// The games have at least a month.
    Dates,
    /// The games have only a year, and the rating tags determine the list.
    Tags,
    /// The games have only a year, and no list agrees with the tags.
    MiddleOfYear,
}

/// The tags of an event against one edition of FIDE's list.
#[derive(Debug, Default, PartialEq)]
struct TagComparison {
    /// The players whose tag equals the rating on the edition.
    same: usize,
    /// The places of the players whose tag differs, with the rating (points) on the edition.
    different: Vec<(usize, f64)>,
    /// How many of the tags that differ are on the edition before.
    of_edition_before: usize,
}

impl TagComparison {
    /// Returns whether the edition is shown to be the one in force, for an event with `players`.
    ///
    /// If the games have dates, most of the tags must agree. If few do, a list that rates nearly
    /// the whole field decides (`sufficient` is a part of the field), unless the tags are from the
    /// edition before: then the event may have begun earlier than its first known game. If the tags
    /// determined the edition, two of three must agree.
    fn is_of_edition_in_force(&self, day: DayOrigin, players: usize, sufficient: f64) -> bool {
        let different = self.different.len();
        let most_agree = self.same > different;
        let rates_field = (self.same + different) as f64 >= sufficient * players as f64;
        match day {
            DayOrigin::Dates => {
                most_agree || (rates_field && 2 * self.of_edition_before < different)
            }
            DayOrigin::Tags => self.same >= 2 * different,
            DayOrigin::MiddleOfYear => false,
        }
    }
}

impl<'a> RatingLookup<'a> {
    /// Replaces tags by the ratings on FIDE's list in force, and returns what to report.
    ///
    /// A tag that differs from a list in force that the other tags do not confirm stays, and is
    /// reported.
    pub(super) fn official_ratings(
        &self,
        field: &[PlayerId],
        day: Date,
        origin: DayOrigin,
        mut tags: Vec<Option<f64>>,
    ) -> (Vec<Option<f64>>, Vec<Step>) {
        let mut steps = Vec::new();
        for (list, edition) in self.official_editions(day, origin) {
            let found = self.compare_tags(field, &tags, list, edition);
            let sufficient = self.thresholds.sufficient;
            let replaces = found.is_of_edition_in_force(origin, field.len(), sufficient);
            if !replaces && origin != DayOrigin::Dates {
                continue;
            }
            for (place, rating) in found.different {
                let Some(tag) = tags[place] else { continue };
                let player = self.players.get(field[place]).name.clone();
                let edition = edition.day.to_string();
                if replaces {
                    tags[place] = Some(rating);
                    steps.push(Step::ListBeforeTag { player, tag, rating, edition });
                } else if !TagHistory::is_mistaken(tag, rating) {
                    steps.push(Step::TagBeforeList { player, tag, rating, edition });
                }
            }
            // A second list, an extract of the best, would only repeat the first.
            if !steps.is_empty() {
                break;
            }
        }
        (tags, steps)
    }

    /// Returns FIDE's lists with their editions in force on a day.
    ///
    /// If the tags determined the day, the event may be of any day until the next edition. The
    /// edition then needs neighbours: the one before, since events before the first list have
    /// unofficial ratings, and the one after, so that no list is missing in between.
    fn official_editions(
        &self,
        day: Date,
        origin: DayOrigin,
    ) -> Vec<(&'a RatingList, Edition<'a>)> {
        let lists = self.lists().chain(&self.context.best);
        let of_fide = lists.filter(|list| list.system == FIDE_SYSTEM);
        let current = of_fide.filter_map(|list| {
            let edition = list.in_force(day)?;
            let is_known = match origin {
                DayOrigin::Tags => list.neighbours(edition.day).is_some_and(|(_, after)| {
                    after.yesterday().is_ok_and(|last| is_current(edition.day, last))
                }),
                DayOrigin::Dates | DayOrigin::MiddleOfYear => is_current(edition.day, day),
            };
            (!edition.is_from_tags() && is_known).then_some((list, edition))
        });
        current.collect()
    }

    /// Compares the tags of an event's players with an edition.
    fn compare_tags(
        &self,
        field: &[PlayerId],
        tags: &[Option<f64>],
        list: &RatingList,
        edition: Edition<'_>,
    ) -> TagComparison {
        let before = edition.day.yesterday().ok().and_then(|day| list.in_force(day));
        let mut found = TagComparison::default();
        for (place, (&player, tag)) in field.iter().zip(tags).enumerate() {
            let rating = self.rating_of_full_name(edition, player);
            let Some((tag, rating)) = tag.zip(rating) else { continue };
            if tag == rating {
                found.same += 1;
                continue;
            }
            found.different.push((place, rating));
            let earlier = before.and_then(|before| self.rating_of_full_name(before, player));
            found.of_edition_before += usize::from(earlier == Some(tag));
        }
        found
    }

    /// Returns the rating of a player on an edition that writes the full given names.
    pub(super) fn rating_of_full_name(
        &self,
        edition: Edition<'_>,
        player: PlayerId,
    ) -> Option<f64> {
        let person = self.players.get(player);
        let line = edition.find_player(person)?;
        is_full_name(person, &line).then_some(line.rating)
    }
}

/// Returns whether FIDE published no list between an edition and a day. Stored lists have gaps:
/// SCID's spelling file lacks those of July from 1981 to 1989.
pub(super) fn is_current(edition: Date, day: Date) -> bool {
    let months = FREQUENCIES
        .iter()
        .rev()
        .find(|(from, _)| *from <= (day.year(), day.month()))
        .map(|(_, months)| *months);
    let Some(months) = months else { return false };
    let longest = (f64::from(months) * MONTH_DAYS) as i32 + LATE_DAYS;
    (day - edition).get_days() <= longest
}

#[cfg(test)]
mod tests {
    use super::*;
    use jiff::civil::date;

    fn comparison(same: usize, different: usize, of_edition_before: usize) -> TagComparison {
        let different = (0..different).map(|place| (place, 2700.0)).collect();
        TagComparison { same, different, of_edition_before }
    }

    #[test]
    fn one_tag_against_nine_is_a_mistake_however_the_day_is_known() {
        let shirov_at_linares_1994 = comparison(9, 1, 0);
        for day in [DayOrigin::Dates, DayOrigin::Tags] {
            assert!(shirov_at_linares_1994.is_of_edition_in_force(day, 14, 0.75), "{day:?}");
        }
    }

    #[test]
    fn tags_of_the_edition_before_show_an_earlier_start() {
        assert!(!comparison(0, 2, 2).is_of_edition_in_force(DayOrigin::Dates, 2, 0.75));
        assert!(comparison(0, 2, 0).is_of_edition_in_force(DayOrigin::Dates, 2, 0.75));
    }

    #[test]
    fn an_extract_of_the_best_needs_tags_that_confirm_it() {
        assert!(!comparison(0, 2, 0).is_of_edition_in_force(DayOrigin::Dates, 10, 0.75));
        assert!(!comparison(3, 2, 0).is_of_edition_in_force(DayOrigin::Tags, 5, 0.75));
        assert!(!comparison(9, 1, 0).is_of_edition_in_force(DayOrigin::MiddleOfYear, 10, 0.75));
    }

    #[test]
    fn a_list_with_a_missing_successor_is_not_current() {
        assert!(is_current(date(1994, 1, 1), date(1994, 2, 23)));
        assert!(!is_current(date(1986, 1, 1), date(1986, 9, 10)), "July 1986 is missing");
        assert!(is_current(date(1976, 1, 1), date(1976, 12, 27)));
        assert!(is_current(date(2012, 7, 1), date(2012, 7, 31)));
        assert!(!is_current(date(2012, 7, 1), date(2012, 9, 9)));
        assert!(!is_current(date(1969, 1, 1), date(1969, 2, 1)), "before the first list");
    }
}
