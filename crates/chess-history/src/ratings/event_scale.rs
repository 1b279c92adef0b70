//! Puts the world number two on the scale of an event's ratings.

use jiff::civil::Date;

use super::edition::Edition;
use super::leaders::{NumberTwo, NumberTwoSource, number_two};
use super::list::RatingList;
use super::list_file::FIDE_SYSTEM;
use super::lookup::RatingLookup;
use crate::events::Event;
use crate::tournament::Step;

/// The number of players that two systems must share before ratings are moved between their scales.
///
/// Judged: the median of five differences ignores two mistakes. With ten, small events with rating
/// tags would have no number two; with two, one mistake would move it.
const SHARED_PLAYERS: usize = 5;

/// The number of best players of a list whose ratings are compared with those of another list.
///
/// Judged: scales differ least near the top, where the number two is. With more players, weaker
/// ones would decide the shift.
const COMPARED: usize = 200;

/// The ratio of the standard error of the median to that of the mean, for a normal distribution:
/// the square root of π/2.
const MEDIAN_ERROR: f64 = 1.2533;

#[derive(Clone, Copy)]
pub(super) struct EventScale<'a> {
    pub lookup: &'a RatingLookup<'a>,
    pub event: &'a Event,
    /// The system whose best players define the scale.
    pub system: &'a str,
    /// Ratings (points), parallel to the event's players.
    pub ratings: &'a [Option<f64>],
    /// The edition that supplied them, if a list did.
    pub edition: Option<Edition<'a>>,
}

impl EventScale<'_> {
    /// Returns the rating of the world number two on this scale.
    ///
    /// It is the first of these that exists:
    ///
    /// 1. the second of a list on this scale: of the world's best, a source, or one that only
    ///    defines the scale;
    /// 2. the second by the rating tags of the collection, if they represent the world's best;
    /// 3. the second of a list of another system, moved to this scale.
    ///
    /// A list more than a year old is not used.
    pub fn number_two(self, day: Date) -> Option<NumberTwo> {
        let RatingLookup { context, players, .. } = *self.lookup;
        let lists = context.best.iter().chain(self.lookup.lists());
        let mut on_scale =
            lists.clone().chain(&context.scales).filter(|list| list.system == self.system);
        if let Some(found) = on_scale.find_map(|list| number_two(list, day, &context.activity)) {
            return Some(found);
        }
        if self.system == FIDE_SYSTEM
            && let Some((player, rating)) = context.tags.number_two(day)
        {
            let (name, system) = (players.get(player).name.clone(), self.system.to_owned());
            let (deviation, origin) = (None, NumberTwoSource::Tags);
            return Some(NumberTwo { rating, deviation, name, system, origin });
        }
        let mut others = lists.filter(|list| list.system != self.system);
        others.find_map(|list| self.shifted_number_two(list, day))
    }

    /// Moves the second of a list of another system to this scale.
    ///
    /// The shift is the median difference between the ratings of the players that both rate.
    fn shifted_number_two(self, list: &RatingList, day: Date) -> Option<NumberTwo> {
        let two = number_two(list, day, &self.lookup.context.activity)?;
        let edition = list.in_force(day)?;
        let mut differences = self.differences(&edition);
        let players = differences.len();
        if players < SHARED_PLAYERS {
            return None;
        }
        differences.sort_by(f64::total_cmp);
        let by = differences[players / 2];
        // Two thirds of a normal distribution are within one standard deviation of its centre.
        let (low, high) = (differences[players * 16 / 100], differences[players * 84 / 100]);
        let deviation = MEDIAN_ERROR * (high - low) / 2.0 / (players as f64).sqrt();
        let origin = NumberTwoSource::Shifted { edition: edition.day, by, deviation, players };
        Some(NumberTwo { rating: (two.rating + by).round(), origin, ..two })
    }

    /// Returns this scale's rating minus the one on an edition of another system (points).
    ///
    /// The players are those of both lists, or those of the event if its ratings come from tags.
    fn differences(self, other: &Edition<'_>) -> Vec<f64> {
        match self.edition {
            Some(edition) => edition
                .best()
                .take(COMPARED)
                .filter_map(|line| Some(line.rating - other.find(line.readings)?.rating))
                .collect(),
            None => self
                .event
                .players
                .iter()
                .zip(self.ratings)
                .filter_map(|(player, rating)| {
                    let player = self.lookup.players.get(*player);
                    Some((*rating)? - other.find_player(player)?.rating)
                })
                .collect(),
        }
    }
}

/// Returns the remark about a number two that does not simply come from the list.
pub(super) fn number_two_step(two: &NumberTwo) -> Option<Step> {
    let NumberTwo { rating, name, system, origin, .. } = two.clone();
    match origin {
        NumberTwoSource::List(_) => None,
        NumberTwoSource::Tags => Some(Step::NumberTwoFromTags { name, rating }),
        NumberTwoSource::Shifted { edition, by, players, .. } => {
            let edition = edition.to_string();
            Some(Step::NumberTwoShifted { name, rating, system, edition, by, players })
        }
    }
}
