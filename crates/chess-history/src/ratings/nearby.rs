//! Completes the ratings of an event with those that its players had within half a year.

use jiff::civil::{Date, date};
use rustc_hash::FxHashSet;

use super::edition::Edition;
use super::list_file::FIDE_SYSTEM;
use super::lookup::RatingLookup;
use super::nearby_tags::NEARBY_DAYS;
use super::tags::FIRST_TAGS;
use crate::events::Event;
use crate::tournament::Step;

/// The day of FIDE's first official list. Before, tags of later years would replace lists of the
/// time.
const FIRST_LIST: Date = date(1971, 7, 1);

impl<'a> RatingLookup<'a> {
    /// Completes the tags of an event's players with their ratings of the nearest half year, and
    /// returns what to report.
    ///
    /// The list in force takes precedence over the tags of other events, and these over the next
    /// list. Otherwise the results of one week would decide what the player's rating was: the line
    /// gave Gukesh 2732 two months after a tag of 2787.
    ///
    /// A player whose tag was discarded had a rating. If the half year does not show it, it is
    /// estimated from the player's tags of other years. A player without a tag may have had none.
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
        let discarded = self.players_with_discarded_tags(event);
        for (place, (id, tag)) in event.players.iter().zip(&mut tags).enumerate() {
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
            } else if discarded.contains(&place)
                && day >= FIRST_LIST
                && let Some(rating) = self.context.nearby.between_distant(*id, day)
            {
                let player = self.players.get(*id).name.clone();
                steps.push(Step::DistantRating { player, rating });
                *tag = Some(rating);
            }
        }
        (tags, steps)
    }

    /// Returns the places of the players whose tags in the event's sources were discarded.
    fn players_with_discarded_tags(&self, event: &Event) -> FxHashSet<usize> {
        let mut places = FxHashSet::default();
        if self.context.discarded.is_empty() {
            return places;
        }
        for game in &event.games {
            let source = self.table.sources().of_game(&self.table.games()[game.row]);
            for place in [game.white, game.black] {
                if self.context.discarded.has(event.players[place], source) {
                    places.insert(place);
                }
            }
        }
        places
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
