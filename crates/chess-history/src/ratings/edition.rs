//! One edition of a rating list, and the players on it.

use std::sync::OnceLock;

use jiff::civil::Date;

use super::list_names::ListedNames;
use super::names_on_list::{CRITERIA, NamesOnList};
use crate::players::{PersonName, Player};

/// The number of lines of an edition that are ranked.
///
/// Judged: activity is never needed further down, and ranking more lines only costs time.
const BEST: usize = 2000;

/// The number of lines of one name on one edition that are considered.
///
/// With more namesakes no player can be identified. It bounds the time of a search.
const MOST_LINES: usize = 64;

/// One edition of a rating list.
#[derive(Clone, Copy, Debug)]
pub struct Edition<'a> {
    /// The day from which the edition was in force.
    pub day: Date,
    pub(super) names: &'a ListedNames,
    pub(super) lines: &'a EditionLines,
    /// The positions of its first line and behind its last one. In a list of events these are the
    /// lines of one event.
    pub(super) part: (u32, u32),
}

/// The lines of one edition.
#[derive(Clone, Debug, Default)]
pub(super) struct EditionLines {
    pub entries: Vec<EditionEntry>,
    /// Standard deviations (points) by position; shorter than the entries if no further one is
    /// stated.
    ///
    /// Most lists state none.
    pub deviations: Vec<Option<f32>>,
    /// The positions of the best entries, by descending rating, computed on demand.
    best: OnceLock<Vec<u32>>,
    /// The positions of all entries in the order of their name numbers, computed on demand.
    by_name: OnceLock<Vec<u32>>,
    /// In a list of events, the position of the first line of each event of the day.
    pub parts: Vec<u32>,
    /// The rating (points) below which players may be missing from the edition.
    pub complete_from: f64,
    /// Whether ratings of the edition were collected from the tags of games.
    pub from_tags: bool,
}

impl EditionLines {
    pub fn push(&mut self, entry: EditionEntry, deviation: Option<f64>) {
        if let Some(deviation) = deviation {
            self.deviations.resize(self.entries.len(), None);
            self.deviations.push(Some(deviation as f32));
        }
        self.entries.push(entry);
        self.best.take();
        self.by_name.take();
    }

    /// Returns the standard deviation (points) of a line by its position, if it is stated.
    pub fn deviation(&self, place: usize) -> Option<f32> {
        self.deviations.get(place).copied().flatten()
    }

    /// Returns the rating (points) of a line by its position.
    pub fn rating(&self, place: u32) -> f64 {
        self.entries[place as usize].rating
    }

    /// Returns the number of the name of a line by its position.
    fn name(&self, place: u32) -> u32 {
        self.entries[place as usize].name
    }
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct EditionEntry {
    pub name: u32,
    pub active: Option<bool>,
    pub rating: f64,
}

/// The line of a player on an edition.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Listed<'a> {
    /// The name as the list writes it.
    pub name: &'a str,
    /// Rating (points).
    pub rating: f64,
    /// Whether the edition states that the player is active; see `RatingListLine::active`.
    pub active: Option<bool>,
    /// Standard deviation (points) of the rating, if the list states it.
    pub deviation: Option<f64>,
    /// All readings of the name, in parts.
    pub readings: &'a [PersonName],
    /// The number of the name on the list. The same name with another FIDE number has another
    /// number.
    pub(super) number: u32,
}

impl<'a> Edition<'a> {
    fn listed(&self, place: u32) -> Listed<'a> {
        let entry = self.lines.entries[place as usize];
        let name = &self.names.all()[entry.name as usize];
        Listed {
            name: &name.text,
            rating: entry.rating,
            active: entry.active,
            deviation: self.lines.deviation(place as usize).map(f64::from),
            readings: &name.readings,
            number: entry.name,
        }
    }

    /// Returns all lines by descending rating; equal ratings keep the order of the list.
    pub fn ranking(&self) -> Vec<Listed<'a>> {
        let lines = self.lines;
        let mut places: Vec<u32> = (0..lines.entries.len() as u32).collect();
        places.sort_by(|&a, &b| lines.rating(b).total_cmp(&lines.rating(a)));
        places.into_iter().map(|place| self.listed(place)).collect()
    }

    /// Returns the best two thousand lines, by descending rating and then by name.
    pub fn best(&self) -> impl Iterator<Item = Listed<'a>> + use<'a> {
        let edition = *self;
        let best = self.lines.best.get_or_init(|| {
            let lines = edition.lines;
            let mut places: Vec<u32> = (0..lines.entries.len() as u32).collect();
            if places.len() > BEST {
                places.select_nth_unstable_by(BEST, |&a, &b| {
                    lines.rating(b).total_cmp(&lines.rating(a))
                });
                // Lines with equal ratings are kept or dropped together.
                let last = lines.rating(places[BEST]);
                places.truncate(BEST);
                places.retain(|place| lines.rating(*place) > last);
            }
            places.sort_by(|&a, &b| {
                let (a, b) = (edition.listed(a), edition.listed(b));
                b.rating.total_cmp(&a.rating).then_with(|| a.name.cmp(b.name))
            });
            places
        });
        best.iter().map(move |&place| edition.listed(place))
    }

    /// Returns whether ratings of the edition were collected from the tags of games, so that it is
    /// not a published list.
    pub fn is_from_tags(&self) -> bool {
        self.lines.from_tags
    }

    /// Returns the lowest rating (points) on the edition.
    pub(super) fn lowest(&self) -> f64 {
        self.lines.entries.iter().map(|entry| entry.rating).fold(f64::INFINITY, f64::min)
    }

    /// Returns the rank of a rating (points) on this edition, from 1; equal ratings share it.
    ///
    /// `None` if players with this rating may be missing.
    pub fn rank(&self, rating: f64) -> Option<usize> {
        (rating >= self.lines.complete_from)
            .then(|| 1 + self.lines.entries.iter().filter(|entry| entry.rating > rating).count())
    }

    /// Returns the line of a player. The FIDE number takes precedence over the names.
    pub fn find_player(&self, player: &Player) -> Option<Listed<'a>> {
        self.find_named(&NamesOnList::new(self.names, &player.names, &player.fide_ids))
    }

    /// Returns the line of a player with these names, if only one line fits.
    pub fn find(&self, names: &[PersonName]) -> Option<Listed<'a>> {
        self.find_named(&NamesOnList::new(self.names, names, &[]))
    }

    /// Returns the line of a player with these names on the list, if only one line fits.
    pub(super) fn find_named(&self, names: &NamesOnList<'_>) -> Option<Listed<'a>> {
        let places = (0..CRITERIA).map(|criterion| -> Vec<u32> {
            let numbers = names.numbers(criterion).iter();
            let places = numbers.flat_map(|number| self.places_of(*number)).copied();
            places.take(MOST_LINES).collect()
        });
        self.only(&places.into_iter().find(|places| !places.is_empty())?)
    }

    /// Returns whether the edition has a line with a name, by its number.
    pub(super) fn has(&self, number: u32) -> bool {
        self.places_of(number).next().is_some()
    }

    /// Returns the positions of the lines of a name in this edition, in order.
    pub(super) fn places_of(&self, number: u32) -> impl Iterator<Item = &'a u32> + use<'a> {
        let lines = self.lines;
        let by_name = lines.by_name.get_or_init(|| {
            let mut places: Vec<u32> = (0..lines.entries.len() as u32).collect();
            places.sort_unstable_by_key(|place| (lines.name(*place), *place));
            places
        });
        let [start, end] = [self.part.0, self.part.1].map(|least| {
            by_name.partition_point(|place| (lines.name(*place), *place) < (number, least))
        });
        by_name[start..end].iter()
    }

    /// Returns the line at these positions, if there is only one or all are equal.
    fn only(&self, places: &[u32]) -> Option<Listed<'a>> {
        let (first, rest) = places.split_first()?;
        let first = self.listed(*first);
        // The same line may be written twice.
        let are_equal = rest
            .iter()
            .map(|&place| self.listed(place))
            .all(|other| (other.number, other.rating) == (first.number, first.rating));
        are_equal.then_some(first)
    }
}
