//! Puts the world number two on the scale of an event's ratings.

use jiff::civil::Date;

use super::edition::Edition;
use super::leaders::{NumberTwo, NumberTwoSource, number_two};
use super::list::RatingList;
use super::list_file::FIDE_SYSTEM;
use super::lookup::RatingLookup;
use crate::players::PlayerId;
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
    pub field: &'a [PlayerId],
    /// The system whose best players define the scale.
    pub system: &'a str,
    /// Ratings (points), parallel to the field.
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
    /// A list more than a year old is not used. Where FIDE has a list, none that was computed from
    /// the collection is used: the second of a collection is not the world's.
    pub fn number_two(self, day: Date) -> Option<NumberTwo> {
        let RatingLookup { context, players, .. } = *self.lookup;
        let fide_ranks = self.fide_ranks_the_best(day);
        let lists = context.best.iter().chain(self.lookup.lists());
        let mut on_scale = lists
            .clone()
            .chain(&context.scales)
            .filter(|list| list.system == self.system && !(list.is_computed && fide_ranks));
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
        let mut others =
            lists.filter(|list| list.system != self.system && !(list.is_computed && fide_ranks));
        others.find_map(|list| self.shifted_number_two(list, day))
    }

    /// Returns whether a list of FIDE has a number two on a day.
    fn fide_ranks_the_best(self, day: Date) -> bool {
        let RatingLookup { context, .. } = *self.lookup;
        let mut lists = context.best.iter().chain(self.lookup.lists());
        lists.any(|list| {
            list.system == FIDE_SYSTEM && number_two(list, day, &context.activity).is_some()
        })
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
                .field
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
        NumberTwoSource::ListAndTags(edition) => {
            Some(Step::NumberTwoCounted { name, rating, edition: edition.to_string() })
        }
        NumberTwoSource::Tags => Some(Step::NumberTwoFromTags { name, rating }),
        NumberTwoSource::Shifted { edition, by, players, .. } => {
            let edition = edition.to_string();
            Some(Step::NumberTwoShifted { name, rating, system, edition, by, players })
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::GameTable;
    use crate::players::{Aliases, resolve};
    use crate::ratings::{RatingContext, RatingListLine, Source, Thresholds};
    use jiff::civil::date;

    /// A list of one edition with these players, from the best down by 10 points.
    fn list(system: &str, day: Date, best: f64, players: &[&str]) -> RatingList {
        let mut list = RatingList::new(system);
        list.active_only = true;
        for (place, player) in (0..).zip(players) {
            list.add(day, RatingListLine::new(*player, best - 10.0 * f64::from(place)));
        }
        list
    }

    /// The number two, with the system, of an event that a list computed from the collection rates.
    /// FIDE's list of July 1971 has `of_fide` and is 30 points higher.
    fn number_two_on(day: Date, of_fide: &[&str]) -> Option<(f64, String)> {
        let collected = ["Adler, A", "Bauer, B", "Conti, C", "Dupont, D", "Engel, E", "Fabre, F"];
        let mut computed = RatingList::new("Computed");
        for year in [1970, 1971] {
            computed.merge(list("Computed", date(year, 1, 1), 2650.0, &collected));
        }
        (computed.active_only, computed.is_computed) = (true, true);
        let sources = [Source::List(computed.clone())];
        let best = vec![list("Elo", date(1971, 7, 1), 2700.0, of_fide)];
        let context = RatingContext { best, ..RatingContext::default() };
        let table = GameTable::default();
        let players = resolve(&table, &Aliases::default());
        let lookup = RatingLookup {
            table: &table,
            players: &players,
            sources: &sources,
            context: &context,
            thresholds: Thresholds::default(),
        };
        let edition = computed.in_force(day);
        let scale =
            EventScale { lookup: &lookup, field: &[], system: "Computed", ratings: &[], edition };
        scale.number_two(day).map(|two| (two.rating, two.name))
    }

    const BEST: [&str; 7] =
        ["Stark, S", "Adler, A", "Bauer, B", "Conti, C", "Dupont, D", "Engel, E", "Fabre, F"];

    #[test]
    fn a_computed_list_ranks_the_world_only_where_fide_has_no_list() {
        let before = number_two_on(date(1970, 9, 1), &BEST);
        assert_eq!(before, Some((2640.0, "Bauer, B".to_owned())));
        // Adler is second to a player without games in the collection.
        let after = number_two_on(date(1971, 9, 1), &BEST);
        assert_eq!(after, Some((2650.0, "Adler, A".to_owned())));
    }

    #[test]
    fn a_collection_without_the_best_of_fide_has_no_number_two() {
        assert_eq!(number_two_on(date(1971, 9, 1), &["Stark, S", "Adler, A", "Bauer, B"]), None);
    }
}
