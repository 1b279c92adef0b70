//! Stores a rating list with all its editions, and finds players in them.

use std::borrow::Cow;
use std::cell::OnceCell;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, OnceLock};

use jiff::ToSpan;
use jiff::civil::Date;
use rustc_hash::FxHashMap;

use crate::players::{PersonName, Player};

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

/// The number of lines of an edition that are ranked.
///
/// Judged: activity is never needed further down, and ranking more lines only costs time.
const BEST: usize = 2000;

/// The number of lines of one name on one edition that are considered.
///
/// With more namesakes no player can be identified. It bounds the time of a search.
const MOST_LINES: usize = 64;

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
    /// The system whose best players define the scale, if it is another list.
    pub led_by: Option<String>,
    /// The names, which lists of the same players share.
    names: Arc<ListNames>,
    /// Whether each name, by number, is on any edition; shorter if no further name is.
    listed: Vec<bool>,
    /// The editions by day, which copies of the list share.
    editions: Arc<BTreeMap<Date, EditionLines>>,
    /// Years of birth by the number of the name, where lines state them.
    births: FxHashMap<u32, i16>,
}

/// The numbered names of lists. Lists of the same players may share them.
#[derive(Clone, Debug, Default)]
pub struct ListNames {
    names: Vec<ListName>,
    /// The numbers of names by text and FIDE number.
    numbers: FxHashMap<(String, Option<u32>), u32>,
    by_surname: FxHashMap<String, Vec<u32>>,
    by_fide_id: FxHashMap<u32, Vec<u32>>,
}

impl ListNames {
    /// Returns the number of a name, and assigns one to a new name.
    pub fn number_of(&mut self, text: &str, fide_id: Option<u32>) -> u32 {
        if let Some(number) = self.known_number(text, fide_id) {
            return number;
        }
        let number = self.names.len() as u32;
        let readings = PersonName::readings(text);
        for reading in &readings {
            let of_surname = self.by_surname.entry(reading.surname_key()).or_default();
            if of_surname.last() != Some(&number) {
                of_surname.push(number);
            }
        }
        if let Some(fide_id) = fide_id {
            self.by_fide_id.entry(fide_id).or_default().push(number);
        }
        self.names.push(ListName { text: text.to_owned(), fide_id, readings });
        self.numbers.insert((text.to_owned(), fide_id), number);
        number
    }

    fn known_number(&self, text: &str, fide_id: Option<u32>) -> Option<u32> {
        self.numbers.get(&(text.to_owned(), fide_id)).copied()
    }
}

/// A name as a list writes it. Most names are on many editions.
#[derive(Clone, Debug)]
struct ListName {
    text: String,
    fide_id: Option<u32>,
    readings: Vec<PersonName>,
}

/// A line of a rating list.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RatingListLine {
    /// The name as the list writes it.
    pub name: String,
    /// Rating (points).
    pub rating: f64,
    /// FIDE identification number, if known.
    pub fide_id: Option<u32>,
    /// Whether the list states that the player is active (a number of games in its period) or
    /// inactive (a flag); `None` if it states neither.
    pub active: Option<bool>,
    /// Standard deviation (points) of the rating, if the list states it.
    pub deviation: Option<f64>,
    /// Whether the rating was collected from the tags of games, so that no list published it.
    pub from_tags: bool,
    /// Year of birth, if the list states it.
    pub born: Option<i16>,
}

/// Returns whether a number of games and a flag mean that a player is active.
///
/// FIDE's `i` comes late and is sometimes forgotten (Kasparov has none in January 2007). Its
/// absence therefore shows nothing.
pub(super) fn activity(games: &str, flags: &str) -> Option<bool> {
    if flags.contains(['i', 'I']) {
        return Some(false);
    }
    games.trim().parse::<u32>().is_ok_and(|games| games > 0).then_some(true)
}

impl RatingListLine {
    /// Creates a line that has only a name and a rating (points).
    pub fn new(name: impl Into<String>, rating: f64) -> RatingListLine {
        RatingListLine { name: name.into(), rating, ..RatingListLine::default() }
    }
}

/// The lines of one edition.
#[derive(Clone, Debug, Default)]
struct EditionLines {
    entries: Vec<EditionEntry>,
    /// Standard deviations (points) by position; shorter than the entries if no further one is
    /// stated.
    ///
    /// Most lists state none.
    deviations: Vec<Option<f32>>,
    /// The positions of the best entries, by descending rating, computed on demand.
    best: OnceLock<Vec<u32>>,
    /// The positions of all entries in the order of their name numbers, computed on demand.
    by_name: OnceLock<Vec<u32>>,
    /// In a list of events, the position of the first line of each event of the day.
    parts: Vec<u32>,
    /// The rating (points) below which players may be missing from the edition.
    complete_from: f64,
    /// Whether ratings of the edition were collected from the tags of games.
    from_tags: bool,
}

impl EditionLines {
    /// Returns the standard deviation (points) of a line by its position, if it is stated.
    fn deviation(&self, place: usize) -> Option<f32> {
        self.deviations.get(place).copied().flatten()
    }

    /// Returns the rating (points) of a line by its position.
    fn rating(&self, place: u32) -> f64 {
        self.entries[place as usize].rating
    }

    /// Returns the number of the name of a line by its position.
    fn name(&self, place: u32) -> u32 {
        self.entries[place as usize].name
    }
}

#[derive(Clone, Copy, Debug, PartialEq)]
struct EditionEntry {
    name: u32,
    active: Option<bool>,
    rating: f64,
}

/// One edition of a rating list.
#[derive(Clone, Copy, Debug)]
pub struct Edition<'a> {
    /// The day from which the edition was in force.
    pub day: Date,
    list: &'a RatingList,
    lines: &'a EditionLines,
    /// The positions of its first line and behind its last one. In a list of events these are the
    /// lines of one event.
    part: (u32, u32),
}

/// The line of a player on an edition.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Listed<'a> {
    /// The name as the list writes it.
    pub name: &'a str,
    /// Rating (points).
    pub rating: f64,
    /// Whether the edition states that the player is active; see [`RatingListLine::active`].
    pub active: Option<bool>,
    /// Standard deviation (points) of the rating, if the list states it.
    pub deviation: Option<f64>,
    /// All readings of the name, in parts.
    pub readings: &'a [PersonName],
    /// The number of the name on the list. The same name with another FIDE number has another
    /// number.
    pub(super) number: u32,
}

impl RatingList {
    /// Creates an empty list of a system.
    pub fn new(system: impl Into<String>) -> RatingList {
        RatingList { system: system.into(), ..RatingList::default() }
    }

    /// Creates an empty list that shares these names.
    pub fn with_names(system: impl Into<String>, names: &Arc<ListNames>) -> RatingList {
        RatingList { names: Arc::clone(names), ..RatingList::new(system) }
    }

    /// Adds a line to the edition of a day.
    pub fn add(&mut self, date: Date, line: RatingListLine) {
        let name = self.number_of(&line.name, line.fide_id);
        self.push(
            date,
            EditionEntry { name, active: line.active, rating: line.rating },
            line.deviation,
        );
        if line.from_tags {
            self.lines_of(date).from_tags = true;
        }
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
            let name = *number.get_or_insert_with(|| self.number_of(name, fide_id));
            self.push(date, EditionEntry { name, active: None, rating }, deviation);
        }
    }

    /// Adds the ratings (points, whole numbers) of one player by day.
    pub fn add_history(
        &mut self,
        name: &str,
        fide_id: Option<u32>,
        ratings: impl IntoIterator<Item = (Date, u16)>,
    ) {
        let mut number = None;
        for (date, rating) in ratings {
            let name = *number.get_or_insert_with(|| self.number_of(name, fide_id));
            self.push(date, EditionEntry { name, active: None, rating: f64::from(rating) }, None);
        }
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

    fn push(&mut self, date: Date, entry: EditionEntry, deviation: Option<f64>) {
        let lines = self.lines_of(date);
        if let Some(deviation) = deviation {
            lines.deviations.resize(lines.entries.len(), None);
            lines.deviations.push(Some(deviation as f32));
        }
        lines.entries.push(entry);
        lines.best.take();
        lines.by_name.take();
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

    fn number_of(&mut self, text: &str, fide_id: Option<u32>) -> u32 {
        let known = self.names.known_number(text, fide_id);
        let number =
            known.unwrap_or_else(|| Arc::make_mut(&mut self.names).number_of(text, fide_id));
        let place = number as usize;
        self.listed.resize(self.listed.len().max(place + 1), false);
        self.listed[place] = true;
        number
    }

    /// Adds the lines of another file of the same list.
    ///
    /// The first file takes precedence: a player who is on an edition already keeps that line, even
    /// if the other file spells the name differently.
    pub fn merge(&mut self, other: RatingList) {
        // The names of this list that each name of the other may be, for all editions.
        let mine: Vec<Vec<u32>> = other
            .names
            .names
            .iter()
            .map(|name| {
                let ids = name.fide_id.as_slice();
                let mut all = self.names_with(ids);
                all.extend(self.names_like(&name.readings, ids, |mine, theirs| {
                    mine.given_compatible(theirs, false)
                }));
                all
            })
            .collect();
        for (number, born) in other.births {
            let ListName { text, fide_id, .. } = &other.names.names[number as usize];
            let name = self.number_of(text, *fide_id);
            self.births.entry(name).or_insert(born);
        }
        for (day, lines) in Arc::unwrap_or_clone(other.editions) {
            self.set_complete_from(day, lines.complete_from);
            self.lines_of(day).from_tags |= lines.from_tags;
            for place in self.new_lines(day, &lines, &mine) {
                let entry = lines.entries[place];
                let ListName { text, fide_id, .. } = &other.names.names[entry.name as usize];
                let name = self.number_of(text, *fide_id);
                let deviation = lines.deviation(place).map(f64::from);
                self.push(day, EditionEntry { name, ..entry }, deviation);
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
        let name = &self.names.names[number as usize];
        (&name.text, name.fide_id)
    }

    /// Returns the number of the first name with the same FIDE number.
    ///
    /// The list may write the name of one player in several ways.
    pub fn bearer(&self, number: u32) -> u32 {
        let id = self.names.names[number as usize].fide_id;
        id.and_then(|id| self.names_with(&[id]).first().copied()).unwrap_or(number)
    }

    /// Returns whether any line states a year of birth.
    pub fn has_births(&self) -> bool {
        !self.births.is_empty()
    }

    /// Returns the year of birth of a name by its number, if the list states it.
    pub(super) fn born(&self, number: u32) -> Option<i16> {
        self.births.get(&number).copied()
    }

    /// Returns the number of names in all editions.
    pub(super) fn names(&self) -> usize {
        self.names.names.len()
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

    /// Returns the numbers of the names that have one of these FIDE numbers, in any edition.
    pub(super) fn names_with(&self, fide_ids: &[u32]) -> Vec<u32> {
        let numbers = fide_ids.iter().filter_map(|id| self.names.by_fide_id.get(id)).flatten();
        numbers.copied().filter(|number| self.lists(*number)).collect()
    }

    /// Returns whether a name is on any edition.
    fn lists(&self, number: u32) -> bool {
        self.listed.get(number as usize).copied().unwrap_or_default()
    }

    /// Returns the names of the list that may be a player's.
    pub(super) fn names_of<'a>(&'a self, player: &'a Player) -> NamesOnList<'a> {
        NamesOnList::new(self, &player.names, &player.fide_ids)
    }

    /// Returns the numbers of the names that fit one of these names, in any edition.
    ///
    /// Names with another FIDE number are excluded.
    pub(super) fn names_like(
        &self,
        names: &[PersonName],
        fide_ids: &[u32],
        fits: fn(&PersonName, &PersonName) -> bool,
    ) -> Vec<u32> {
        let with_key = names.iter().map(|name| (name, Cow::from(name.surname_key())));
        self.names_with_keys(with_key, fide_ids, fits)
    }

    /// Returns the numbers of the names that have the key as surname and fit the name next to it.
    fn names_with_keys<'n>(
        &self,
        names: impl Iterator<Item = (&'n PersonName, Cow<'n, str>)>,
        fide_ids: &[u32],
        fits: fn(&PersonName, &PersonName) -> bool,
    ) -> Vec<u32> {
        let mut found: Vec<u32> = Vec::new();
        for (name, key) in names {
            let numbers = self.names.by_surname.get(&*key).into_iter().flatten().copied();
            for number in numbers {
                if self.lists(number)
                    && !found.contains(&number)
                    && self.fits_player(number, &key, fide_ids, |theirs| fits(name, theirs))
                {
                    found.push(number);
                }
            }
        }
        found
    }

    /// Returns whether a name of the list has a reading that fits and has this surname.
    ///
    /// Two different FIDE numbers are two players, even if the names are equal.
    fn fits_player(
        &self,
        number: u32,
        surname: &str,
        fide_ids: &[u32],
        fits: impl Fn(&PersonName) -> bool,
    ) -> bool {
        let theirs = &self.names.names[number as usize];
        let is_other = theirs
            .fide_id
            .is_some_and(|theirs| !fide_ids.is_empty() && !fide_ids.contains(&theirs));
        !is_other
            && theirs
                .readings
                .iter()
                .any(|reading| reading.has_surname_key(surname) && fits(reading))
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
        Edition { day, list: self, lines, part: (0, lines.entries.len() as u32) }
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
        let names = NamesOnList::new(self, listed.readings, &[]);
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

/// The number of criteria by which names are found; see [`NamesOnList`].
const CRITERIA: usize = 7;

/// The names of a list that may be a player's, in any edition.
///
/// The criteria are tried in turn, and the first that finds a line on an edition decides:
///
/// 1. the FIDE number;
/// 2. the same name;
/// 3. the same name with a number (FIDE's `Sokolov, Ivan1`), if the list has one such name;
/// 4. compatible first names;
/// 5. any compatible given name;
/// 6. the first word of a compound surname (some lists write `Jiménez` for `Jimenez Zerquera`);
/// 7. a name without a comma, whose surname may be first or last (`Eleazar Jimenez`).
///
/// The names of each criterion are searched on demand and once for all editions.
#[derive(Debug)]
pub(super) struct NamesOnList<'a> {
    list: &'a RatingList,
    names: &'a [PersonName],
    fide_ids: &'a [u32],
    numbers: [OnceCell<Vec<u32>>; CRITERIA],
}

/// Returns whether a name of the list has a given name, and it is compatible.
fn fits_in_full(mine: &PersonName, theirs: &PersonName) -> bool {
    !theirs.given.is_empty() && mine.given_compatible(theirs, false)
}

impl<'a> NamesOnList<'a> {
    fn new(list: &'a RatingList, names: &'a [PersonName], fide_ids: &'a [u32]) -> NamesOnList<'a> {
        NamesOnList { list, names, fide_ids, numbers: Default::default() }
    }

    /// Returns the numbers of the names that a criterion finds, counted from 0.
    fn numbers(&self, criterion: usize) -> &[u32] {
        let NamesOnList { list, names, fide_ids, .. } = *self;
        self.numbers[criterion].get_or_init(|| match criterion {
            0 => list.names_with(fide_ids),
            1 => list.names_like(names, fide_ids, |mine, theirs| mine.given == theirs.given),
            2 => {
                let numbered = list.names_like(names, fide_ids, |mine, theirs| {
                    !mine.given.is_empty() && mine.given == theirs.without_numbers().given
                });
                if numbered.len() == 1 { numbered } else { Vec::new() }
            }
            3 => list
                .names_like(names, fide_ids, |mine, theirs| mine.given_compatible(theirs, false)),
            4 => {
                list.names_like(names, fide_ids, |mine, theirs| mine.given_compatible(theirs, true))
            }
            5 => {
                // Without a comma the second word may be the given name (`Bronstein Luis`).
                let compound = names.iter().filter(|name| {
                    name.surname.len() > 1 && name.surname[0].len() > 3 && !name.given.is_empty()
                });
                let with_key = compound.map(|name| (name, Cow::from(&name.surname[0])));
                list.names_with_keys(with_key, fide_ids, fits_in_full)
            }
            _ => {
                let comma_less = names.iter().filter(|name| name.given.is_empty());
                let readings: Vec<PersonName> =
                    comma_less.flat_map(PersonName::readings_without_comma).collect();
                list.names_like(&readings, fide_ids, fits_in_full)
            }
        })
    }
}

impl<'a> Edition<'a> {
    fn listed(&self, place: u32) -> Listed<'a> {
        let entry = self.lines.entries[place as usize];
        let name = &self.list.names.names[entry.name as usize];
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
    pub(super) fn is_from_tags(&self) -> bool {
        self.lines.from_tags
    }

    /// Returns the lowest rating (points) on the edition.
    fn lowest(&self) -> f64 {
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
        self.find_named(&self.list.names_of(player))
    }

    /// Returns the line of a player with these names, if only one line fits.
    pub fn find(&self, names: &[PersonName]) -> Option<Listed<'a>> {
        self.find_named(&NamesOnList::new(self.list, names, &[]))
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

    /// Returns the positions of the lines of a name in this edition, in order.
    fn places_of(&self, number: u32) -> impl Iterator<Item = &'a u32> + use<'a> {
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

#[cfg(test)]
mod tests {
    use super::*;
    use jiff::civil::date;

    fn list() -> RatingList {
        let mut list = RatingList::new("Chessmetrics");
        for (name, rating) in [
            ("Emanuel Lasker", 2800.0),
            ("Edward Lasker", 2550.0),
            ("Bobby Fischer", 2750.0),
            ("Al Horowitz", 2600.0),
            ("Eleazar Jiménez", 2500.0),
            ("Boncourt", 2450.0),
            ("Ernst Grünfeld", 2650.0),
        ] {
            list.add(date(1924, 1, 1), RatingListLine::new(name, rating));
        }
        list
    }

    fn rating(name: &str) -> Option<f64> {
        let list = list();
        let edition = list.in_force(date(1924, 7, 1)).unwrap();
        edition.find(&[PersonName::parse(name)]).map(|listed| listed.rating)
    }

    #[test]
    fn names_of_games_are_found_on_lists_that_spell_them_differently() {
        assert_eq!(rating("Lasker, Emanuel"), Some(2800.0));
        assert_eq!(rating("Lasker, Ed"), Some(2550.0));
        assert_eq!(rating("Fischer, Robert James"), Some(2750.0));
        assert_eq!(rating("Horowitz, Israel Albert"), Some(2600.0));
        assert_eq!(rating("Jimenez Zerquera, Eleazar"), Some(2500.0));
        assert_eq!(rating("Gruenfeld, Ernst"), Some(2650.0));
        assert_eq!(rating("Boncourt"), Some(2450.0));
    }

    #[test]
    fn a_name_without_a_comma_finds_its_bearer_and_no_namesake() {
        assert_eq!(rating("Eleazar Jimenez"), Some(2500.0));
        assert_eq!(rating("Jimenez Eleazar"), Some(2500.0));
        assert_eq!(rating("Jimenez Lorenzo"), None);
        assert_eq!(rating("Lorenzo Jimenez"), None);
    }

    #[test]
    fn a_number_behind_a_name_does_not_hide_the_only_player_of_the_name() {
        let mut list = RatingList::new("Elo");
        for name in ["Sokolov, Ivan1", "Sokolov, Andrei1", "Hansen, Lars1", "Hansen, Lars2"] {
            list.add(date(1994, 1, 1), RatingListLine::new(name, 2650.0));
        }
        let edition = list.in_force(date(1994, 1, 1)).unwrap();
        for (name, listed) in [("Sokolov, Ivan", Some("Sokolov, Ivan1")), ("Hansen, Lars", None)] {
            let found = edition.find(&[PersonName::parse(name)]);
            assert_eq!(found.map(|found| found.name), listed);
        }
    }

    #[test]
    fn the_same_line_from_two_files_is_one_line() {
        let mut both = list();
        both.merge(list());
        assert_eq!(both.len(), list().len());
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
    fn fide_numbers_distinguish_namesakes() {
        let mut list = RatingList::new("Elo");
        for (id, rating) in [(11, 2300.0), (22, 2100.0)] {
            let line =
                RatingListLine { fide_id: Some(id), ..RatingListLine::new("Smith, John", rating) };
            list.add(date(2005, 1, 1), line);
        }
        let edition = list.in_force(date(2005, 2, 1)).unwrap();
        let names = [PersonName::parse("Smith, John")];
        assert!(edition.find(&names).is_none());
        for (id, rating) in [(22, Some(2100.0)), (11, Some(2300.0)), (33, None)] {
            let names = NamesOnList::new(&list, &names, std::slice::from_ref(&id));
            assert_eq!(edition.find_named(&names).map(|line| line.rating), rating);
        }
    }

    #[test]
    fn an_ambiguous_name_finds_no_line() {
        assert_eq!(rating("Lasker, E"), None);
        assert_eq!(rating("Lasker, Berthold"), None);
    }

    #[test]
    fn an_edition_is_in_force_until_the_next_or_for_two_years() {
        let mut list = list();
        list.add(date(1925, 1, 1), RatingListLine::new("Emanuel Lasker", 2810.0));
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
            let names = [NamesOnList::new(&list, &names, &[])];
            let editions = list.editions_for(day, is_month, &names);
            let parts: Vec<(u32, u32)> = editions.iter().map(|edition| edition.part).collect();
            assert_eq!(parts, expected, "{name}");
        }
    }
}
