//! A rating list with all its editions.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use jiff::ToSpan;
use jiff::civil::Date;
use rustc_hash::FxHashMap;

use super::edition::{Edition, EditionEntry, EditionLines, Listed};
use super::list_line::RatingListLine;
use super::list_names::{ListName, ListNames, ListedNames};
use super::names_on_list::{CRITERIA, NamesOnList};
use crate::players::Player;

/// The age (days) beyond which an edition is no longer in force.
///
/// Judged: two years. Yearly lists are the least frequent, and a list that ended does not rate
/// later events.
const IN_FORCE_DAYS: i32 = 731;

/// The number of days from the first of a month to its middle.
const DAYS_TO_MIDDLE: i32 = 14;

/// The number of years in which the rating of an active player changes. Judged: a constant rating
/// of one year is a break, and no active player plays so little in two.
const STILL_YEARS: i32 = 2;

/// The largest loss (points) from one edition to the next. Judged: even a bad year at the top costs
/// less. It only matters where a player leaves an extract of the best.
const FALL: f64 = 100.0;

/// One rating list over the years.
#[derive(Clone, Debug, Default)]
pub struct RatingList {
    /// The name of the rating system, as labels show it: `Chessmetrics`, `Elo`.
    pub system: String,
    /// Whether the list contains only active players, so its second is the world number two.
    pub active_only: bool,
    /// Whether each edition contains only the players of the events that begin on its day.
    ///
    /// Such an edition supplies ratings for these events only.
    pub of_events: bool,
    /// Whether the ratings were computed from the games of the collection.
    ///
    /// Such a list knows only players whose games the collection has.
    pub is_computed: bool,
    /// The system whose best players define the scale, if it is another list.
    pub led_by: Option<String>,
    pub(super) names: ListedNames,
    /// The editions by day, which copies of the list share.
    editions: Arc<BTreeMap<Date, EditionLines>>,
    /// Years of birth by the number of the name, where lines state them.
    births: FxHashMap<u32, i16>,
}

impl RatingList {
    /// Creates an empty list of a system.
    pub fn new(system: impl Into<String>) -> RatingList {
        RatingList { system: system.into(), ..RatingList::default() }
    }

    /// Creates an empty list that shares these names.
    pub fn with_names(system: impl Into<String>, names: &Arc<ListNames>) -> RatingList {
        RatingList { names: ListedNames::new(names), ..RatingList::new(system) }
    }

    /// Adds a line to the edition of a day.
    pub fn add(&mut self, date: Date, line: RatingListLine) {
        let name = self.names.add(&line.name, line.fide_id);
        let lines = self.lines_of(date);
        let entry = EditionEntry { name, active: line.active, rating: line.rating };
        lines.push(entry, line.deviation);
        lines.from_tags |= line.from_tags;
        if let Some(born) = line.born {
            self.births.insert(name, born);
        }
    }

    /// Adds the ratings (points) of one player by day, each with its standard deviation if known.
    pub fn add_ratings(
        &mut self,
        name: &str,
        fide_id: Option<u32>,
        ratings: impl IntoIterator<Item = (Date, f64, Option<f64>)>,
    ) {
        let mut number = None;
        for (date, rating, deviation) in ratings {
            let name = *number.get_or_insert_with(|| self.names.add(name, fide_id));
            self.lines_of(date).push(EditionEntry { name, active: None, rating }, deviation);
        }
    }

    /// Adds the ratings (points, whole numbers) of one player by day.
    pub fn add_history(
        &mut self,
        name: &str,
        fide_id: Option<u32>,
        ratings: impl IntoIterator<Item = (Date, u16)>,
    ) {
        let ratings = ratings.into_iter().map(|(date, rating)| (date, f64::from(rating), None));
        self.add_ratings(name, fide_id, ratings);
    }

    /// Frees the memory reserved for further lines.
    pub fn shrink(&mut self) {
        for lines in Arc::make_mut(&mut self.editions).values_mut() {
            lines.entries.shrink_to_fit();
            lines.deviations.shrink_to_fit();
            lines.parts.shrink_to_fit();
        }
    }

    /// Starts the lines of another event of a day, on a list of events.
    pub fn begin_event(&mut self, date: Date) {
        let lines = self.lines_of(date);
        lines.parts.push(lines.entries.len() as u32);
    }

    fn lines_of(&mut self, date: Date) -> &mut EditionLines {
        Arc::make_mut(&mut self.editions).entry(date).or_default()
    }

    /// Records that players rated below this (points) may be missing from the edition of a day.
    pub fn set_complete_from(&mut self, date: Date, rating: f64) {
        let lines = self.lines_of(date);
        lines.complete_from = lines.complete_from.max(rating);
    }

    /// Returns the rating (points) from which the edition of a day is complete; 0 if no player is
    /// known to be missing.
    pub fn complete_from(&self, date: Date) -> f64 {
        self.editions.get(&date).map_or(0.0, |lines| lines.complete_from)
    }

    /// Adds the lines of another file of the same list.
    ///
    /// The first file takes precedence: a player who is on an edition already keeps that line, even
    /// if the other file spells the name differently.
    pub fn merge(&mut self, other: RatingList) {
        // The names of this list that each name of the other may be, for all editions.
        let mut mine: Vec<Vec<u32>> = Vec::with_capacity(other.names.all().len());
        for name in other.names.all() {
            let ids = name.fide_id.as_slice();
            let mut all = self.names.with_fide_ids(ids);
            all.extend(
                self.names.similar(&name.readings, ids, |mine, theirs| {
                    mine.given_compatible(theirs, false)
                }),
            );
            mine.push(all);
        }
        for (number, born) in other.births {
            let ListName { text, fide_id, .. } = &other.names.all()[number as usize];
            let name = self.names.add(text, *fide_id);
            self.births.entry(name).or_insert(born);
        }
        for (day, lines) in Arc::unwrap_or_clone(other.editions) {
            self.set_complete_from(day, lines.complete_from);
            self.lines_of(day).from_tags |= lines.from_tags;
            for place in self.new_lines(day, &lines, &mine) {
                let entry = lines.entries[place];
                let ListName { text, fide_id, .. } = &other.names.all()[entry.name as usize];
                let name = self.names.add(text, *fide_id);
                let deviation = lines.deviation(place).map(f64::from);
                self.lines_of(day).push(EditionEntry { name, ..entry }, deviation);
            }
        }
    }

    /// Returns the positions of the lines of another file whose players this list lacks on a day.
    ///
    /// `mine` has, for each name of the other file, the names of this list that it may be.
    fn new_lines(&self, day: Date, others: &EditionLines, mine: &[Vec<u32>]) -> Vec<usize> {
        let known = match self.editions.get(&day) {
            Some(known) if !known.entries.is_empty() => known,
            _ => return (0..others.entries.len()).collect(),
        };
        let edition = self.full_edition(day, known);
        let candidates: Vec<Vec<u32>> = others
            .entries
            .iter()
            .map(|entry| {
                let names = &mine[entry.name as usize];
                names.iter().flat_map(|name| edition.places_of(*name)).copied().collect()
            })
            .collect();
        let mut claims: FxHashMap<u32, u32> = FxHashMap::default();
        for place in candidates.iter().flatten() {
            *claims.entry(*place).or_default() += 1;
        }
        let mut new = Vec::new();
        for (place, (entry, candidates)) in others.entries.iter().zip(&candidates).enumerate() {
            // If several lines of the other file may be one player of this list, only a line with
            // the same rating is that player's.
            let is_known =
                candidates.iter().any(|one| claims[one] == 1 || known.rating(*one) == entry.rating);
            if !is_known {
                new.push(place);
            }
        }
        new
    }

    /// Returns a name by its number, with the FIDE number if the list has one.
    pub fn name(&self, number: u32) -> (&str, Option<u32>) {
        let name = &self.names.all()[number as usize];
        (&name.text, name.fide_id)
    }

    /// Returns the number of the first name with the same FIDE number.
    ///
    /// The list may write the name of one player in several ways.
    pub fn bearer(&self, number: u32) -> u32 {
        let id = self.names.all()[number as usize].fide_id;
        id.and_then(|id| self.names.with_fide_ids(&[id]).first().copied()).unwrap_or(number)
    }

    /// Returns whether any line states a year of birth.
    pub fn has_births(&self) -> bool {
        !self.births.is_empty()
    }

    /// Returns the year of birth of a name by its number, if the list states it.
    pub(super) fn born(&self, number: u32) -> Option<i16> {
        self.births.get(&number).copied()
    }

    /// Returns all lines, earliest first: the day, the number of the name, the rating (points) and
    /// its standard deviation (points) if stated.
    pub fn lines(&self) -> impl Iterator<Item = (Date, u32, f64, Option<f32>)> {
        self.editions.iter().flat_map(|(&day, lines)| {
            (0..)
                .zip(&lines.entries)
                .map(move |(place, entry)| (day, entry.name, entry.rating, lines.deviation(place)))
        })
    }

    /// Returns the names of the list that may be a player's.
    pub(super) fn names_of<'a>(&'a self, player: &'a Player) -> NamesOnList<'a> {
        NamesOnList::new(&self.names, &player.names, &player.fide_ids)
    }

    /// Returns the system whose best players define the scale of this list.
    pub fn scale(&self) -> &str {
        self.led_by.as_deref().unwrap_or(&self.system)
    }

    /// Returns the editions in which the players of an event, with these names, are looked up.
    ///
    /// It is the one in force on the day of the event. In a list of events these are the editions
    /// of the events of that day that may have a line of a player: others rate no player. If only
    /// the month is known, such a list has the event in the middle of the month.
    pub(super) fn editions_for<'a>(
        &'a self,
        date: Date,
        is_month: bool,
        names: &[NamesOnList<'a>],
    ) -> Vec<Edition<'a>> {
        if !self.of_events {
            return self.in_force(date).into_iter().collect();
        }
        let days = if is_month { DAYS_TO_MIDDLE } else { 0 };
        let date = date.checked_add(days.days()).unwrap_or(date);
        let Some((&day, lines)) = self.editions.get_key_value(&date) else { return Vec::new() };
        let full = self.full_edition(day, lines);
        let numbers = names.iter().flat_map(|names| (0..CRITERIA).flat_map(|c| names.numbers(c)));
        let places = numbers.flat_map(|number| full.places_of(*number));
        let parts: BTreeSet<usize> = places
            .filter_map(|place| lines.parts.partition_point(|start| start <= place).checked_sub(1))
            .collect();
        parts
            .into_iter()
            .map(|part| {
                let end = lines.parts.get(part + 1).copied().unwrap_or(full.part.1);
                Edition { part: (lines.parts[part], end), ..full }
            })
            .collect()
    }

    /// Returns an edition with all its lines.
    fn full_edition<'a>(&'a self, day: Date, lines: &'a EditionLines) -> Edition<'a> {
        Edition { day, names: &self.names, lines, part: (0, lines.entries.len() as u32) }
    }

    /// Returns the edition in force on a day; `None` for a list of events.
    ///
    /// It is the last one before the day, unless it is more than two years old.
    pub fn in_force(&self, date: Date) -> Option<Edition<'_>> {
        if self.of_events {
            return None;
        }
        let (&day, lines) = self.editions.range(..=date).next_back()?;
        ((date - day).get_days() <= IN_FORCE_DAYS).then(|| self.full_edition(day, lines))
    }

    /// Returns a player's rating (points) on the edition in force on each of these days, with the
    /// day of that edition. The player's names are searched once.
    pub fn in_force_on(&self, player: &Player, days: &[Date]) -> Vec<Option<(f64, Date)>> {
        let names = self.names_of(player);
        let editions = days.iter().map(|day| self.in_force(*day));
        editions
            .map(|edition| {
                let edition = edition?;
                Some((edition.find_named(&names)?.rating, edition.day))
            })
            .collect()
    }

    /// Returns the editions of the two years before a day, latest first.
    pub(super) fn before(&self, date: Date) -> impl Iterator<Item = Edition<'_>> {
        let earlier = self.editions.range(..date).rev();
        earlier
            .take_while(move |(day, _)| (date - **day).get_days() <= IN_FORCE_DAYS)
            .map(move |(&day, lines)| self.full_edition(day, lines))
    }

    /// Returns the editions that are at most two years from a day, nearest first; of two as near,
    /// the earlier one first.
    pub(super) fn nearest(&self, date: Date) -> Vec<Edition<'_>> {
        let mut near: Vec<Edition<'_>> = self
            .editions()
            .filter(|edition| (edition.day - date).get_days().abs() <= IN_FORCE_DAYS)
            .collect();
        near.sort_by_key(|edition| ((edition.day - date).get_days().abs(), edition.day));
        near
    }

    /// Returns the first edition after a day; `None` for a list of events.
    pub(super) fn after(&self, date: Date) -> Option<Edition<'_>> {
        let (&day, lines) = self.editions.range(date..).find(|(day, _)| **day > date)?;
        (!self.of_events).then(|| self.full_edition(day, lines))
    }

    /// Returns the days of the editions before and after the edition of a day, if it has both.
    pub(super) fn neighbours(&self, day: Date) -> Option<(Date, Date)> {
        let (&before, _) = self.editions.range(..day).next_back()?;
        let (&after, _) = self.editions.range(day..).find(|(other, _)| **other > day)?;
        Some((before, after))
    }

    /// Returns whether the list shows that a player was active on a day.
    ///
    /// The player was active if the rating changes on an edition of the two years after the day, or
    /// if the player leaves the list. If the list ends before, the two years before the day count.
    /// `None` if the list has too few editions.
    pub fn shows_play(&self, listed: &Listed<'_>, date: Date) -> Option<bool> {
        let day = self.in_force(date)?.day;
        let until = date.checked_add(STILL_YEARS.years()).unwrap_or(date);
        let names = NamesOnList::new(&self.names, listed.readings, &[]);
        let mut stays = false;
        for (&later, lines) in self.editions.range(day..=until).filter(|(later, _)| **later > day) {
            let edition = self.full_edition(later, lines);
            match edition.find_named(&names) {
                Some(line) if line.rating != listed.rating => return Some(true),
                Some(_) => stays = true,
                // A player may drop below the end of an extract, which is a change too. But no
                // player loses a hundred points at once (Fischer's 2780 left the lists after 1975).
                None if !stays && edition.lowest() + FALL >= listed.rating => return Some(true),
                None => stays = true,
            }
        }
        // A constant rating of one year is a break. No active player plays so little in two years.
        let last = *self.editions.keys().next_back()?;
        let reaches = (last - day).get_days() >= IN_FORCE_DAYS - 60;
        if stays && reaches {
            return Some(false);
        }
        let before = date.checked_sub(STILL_YEARS.years()).unwrap_or(date);
        let mut was_there = false;
        for (&earlier, lines) in self.editions.range(before..day) {
            let edition = self.full_edition(earlier, lines);
            match edition.find_named(&names) {
                Some(line) if line.rating != listed.rating => return Some(true),
                Some(_) => was_there = true,
                None => return Some(true),
            }
        }
        let first = *self.editions.keys().next()?;
        (was_there && (day - first).get_days() >= IN_FORCE_DAYS - 60).then_some(false)
    }

    /// Returns whether an edition marks inactive players, so unmarked players are active.
    pub fn marks_inactive(&self, edition: &Edition<'_>) -> bool {
        edition.lines.entries.iter().any(|entry| entry.active == Some(false))
    }

    /// Returns all editions, earliest first.
    pub fn editions(&self) -> impl Iterator<Item = Edition<'_>> {
        self.editions.iter().map(|(&day, lines)| self.full_edition(day, lines))
    }

    /// Returns the number of lines in all editions.
    pub fn len(&self) -> usize {
        self.editions.values().map(|lines| lines.entries.len()).sum()
    }

    /// Returns whether the list has no editions.
    pub fn is_empty(&self) -> bool {
        self.editions.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::players::PersonName;
    use jiff::civil::date;

    #[test]
    fn the_same_line_from_two_files_is_one_line() {
        let mut both = RatingList::new("Chessmetrics");
        both.add(date(1924, 1, 1), RatingListLine::new("Emanuel Lasker", 2800.0));
        both.merge(both.clone());
        assert_eq!(both.len(), 1);
        let edition = both.in_force(date(1924, 7, 1)).unwrap();
        assert!(edition.find(&[PersonName::parse("Lasker, Emanuel")]).is_some());
    }

    #[test]
    fn the_first_file_takes_precedence_and_no_player_is_listed_twice() {
        let mut list = RatingList::new("Elo");
        list.add(date(1993, 1, 1), RatingListLine::new("Kasparov,G.", 2805.0));
        list.add(date(1993, 1, 1), RatingListLine::new("Karpov,A.", 2725.0));
        let mut other = RatingList::new("Elo");
        other.add(date(1993, 1, 1), RatingListLine::new("Kasparov, Garry", 2800.0));
        other.add(date(1993, 1, 1), RatingListLine::new("Short, Nigel D", 2655.0));
        list.merge(other);
        let edition = list.in_force(date(1993, 1, 1)).unwrap();
        let ranking: Vec<_> = edition.best().map(|line| (line.name, line.rating)).collect();
        assert_eq!(
            ranking,
            [("Kasparov,G.", 2805.0), ("Karpov,A.", 2725.0), ("Short, Nigel D", 2655.0)]
        );
        assert_eq!(edition.rank(2725.0), Some(2));
        let mut short = RatingList::new("Elo");
        short.add(date(1993, 1, 1), RatingListLine::new("Smith,J.", 2300.0));
        let mut full = RatingList::new("Elo");
        full.add(date(1993, 1, 1), RatingListLine::new("Smith, John", 2300.0));
        full.add(date(1993, 1, 1), RatingListLine::new("Smith, Jack", 2350.0));
        short.merge(full);
        assert_eq!(short.len(), 2, "John is Smith,J., and Jack is not");
        assert_eq!(edition.rank(2700.0), Some(3));
    }

    #[test]
    fn an_edition_is_in_force_until_the_next_or_for_two_years() {
        let mut list = RatingList::new("Chessmetrics");
        for (year, rating) in [(1924, 2800.0), (1925, 2810.0)] {
            list.add(date(year, 1, 1), RatingListLine::new("Emanuel Lasker", rating));
        }
        for (day, edition) in [
            (date(1924, 12, 31), Some(date(1924, 1, 1))),
            (date(1926, 6, 1), Some(date(1925, 1, 1))),
            (date(1923, 12, 31), None),
            (date(1930, 1, 1), None),
        ] {
            assert_eq!(list.in_force(day).map(|edition| edition.day), edition);
        }
    }

    #[test]
    fn of_the_events_of_a_day_those_with_a_line_of_a_player_are_searched() {
        let mut list = RatingList::new("Elo");
        list.of_events = true;
        let day = date(1925, 11, 10);
        for players in [vec!["Lasker, Emanuel", "Réti, Richard"], vec![], vec!["Lasker, Edward"]] {
            list.begin_event(day);
            for name in players {
                list.add(day, RatingListLine::new(name, 2600.0));
            }
        }
        for (name, day, is_month, expected) in [
            ("Reti, R", day, false, &[(0, 2)][..]),
            ("Lasker, Edward", day, false, &[(2, 3)]),
            ("Lasker", day, false, &[(0, 2), (2, 3)]),
            ("Marshall, Frank", day, false, &[]),
            ("Reti, R", date(1925, 11, 11), false, &[]),
            ("Reti, R", date(1925, 10, 27), true, &[(0, 2)]),
        ] {
            let names = PersonName::readings(name);
            let names = [NamesOnList::new(&list.names, &names, &[])];
            let editions = list.editions_for(day, is_month, &names);
            let parts: Vec<(u32, u32)> = editions.iter().map(|edition| edition.part).collect();
            assert_eq!(parts, expected, "{name}");
        }
    }
}
