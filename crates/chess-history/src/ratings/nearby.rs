//! Completes the ratings of an event with those that its players had within half a year.

use jiff::civil::Date;

use super::edition::Edition;
use super::list_file::FIDE_SYSTEM;
use super::lookup::RatingLookup;
use super::nearby_tags::NEARBY_DAYS;
use super::tags::FIRST_TAGS;
use crate::events::Event;
use crate::tournament::Step;

impl<'a> RatingLookup<'a> {
    /// Completes the tags of an event's players with their ratings of the nearest half year, and
    /// returns what to report.
    ///
    /// The list in force takes precedence over the tags of other events, and these over the next
    /// list. Otherwise the results of one week would decide what the player's rating was: the line
    /// gave Gukesh 2732 two months after a tag of 2787.
    pub(super) fn completed_tags(
        &self,
        event: &Event,
        mut tags: Vec<Option<f64>>,
    ) -> (Vec<Option<f64>>, Vec<Step>) {
        let mut steps = Vec::new();
        let Some(day) = event.start.middle().filter(|day| day.year() >= FIRST_TAGS) else {
            return (tags, steps);
        };
        let (before, after) = self.lists_around(day);
        for (id, tag) in event.players.iter().zip(&mut tags) {
            if tag.is_some() {
                continue;
            }
            let on_list = |editions: &[Edition<'a>]| {
                editions.iter().find_map(|edition| {
                    let rating = self.rating_of_full_name(*edition, *id)?;
                    Some((rating, Some(edition.day.to_string())))
                })
            };
            let found = on_list(&before)
                .or_else(|| Some((self.context.nearby.nearest(*id, day)?, None)))
                .or_else(|| on_list(&after));
            if let Some((rating, edition)) = found {
                let player = self.players.get(*id).name.clone();
                steps.push(Step::NearbyRating { player, rating, edition });
                *tag = Some(rating);
            }
        }
        (tags, steps)
    }

    /// Returns the editions of FIDE's lists in force on a day, and the next ones, that are at most
    /// half a year away.
    fn lists_around(&self, day: Date) -> (Vec<Edition<'a>>, Vec<Edition<'a>>) {
        let (mut before, mut after) = (Vec::new(), Vec::new());
        let lists = self.lists().chain(&self.context.best);
        for list in lists.filter(|list| list.system == FIDE_SYSTEM) {
            before.extend(list.in_force(day));
            after.extend(list.after(day));
        }
        for editions in [&mut before, &mut after] {
            editions.retain(|edition| {
                (edition.day - day).get_days().abs() <= NEARBY_DAYS && !edition.is_from_tags()
            });
        }
        (before, after)
    }
}
