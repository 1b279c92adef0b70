//! Measures how well spellings are mapped to players, with labels that need no hand.
//!
//! `cargo xtask identity-truth COLLECTION...` labels each spelling by the ratings in its games: its
//! person is the only one of a spelling file whose ratings on FIDE's lists they are. A FIDE number
//! in the tags decides too, and a name in full without ratings if one person of the file has it.
//! Names choose the candidates only, so the labels can test the resolution of names. Spellings that
//! two persons share have no label, and persons whom the file has twice are one.
//!
//! The table has, of 100,000 games of labelled spellings, how many are with another person's player
//! (*false*), and how many are with one's own but not with most of one's games (*missed*), by the
//! person's highest rating. A hash of the person divides them into two halves: weights are fitted
//! with the first one only, and errors are read in the first one only.

use std::collections::{BTreeMap, BTreeSet};
use std::hash::{Hash, Hasher};
use std::path::{Path, PathBuf};

use anyhow::Context;
use clap::Args;
use greatness::archive::{GamesRead, Identified, Settings, Silent};
use greatness::games::{GameTable, NameId};
use greatness::players::{PersonName, PlayerId, SpelledPlayer, read_spelling_file};
use jiff::civil::Date;
use rustc_hash::{FxHashMap, FxHasher};

/// The lowest of the highest ratings (points) of each row of the table but the last, which has the
/// persons without a rating.
const LEVELS: [u16; 4] = [2550, 2400, 2200, 1];

/// Measure how well spellings are mapped to players
#[derive(Debug, Args)]
pub struct IdentityTruth {
    /// Game collections
    #[arg(required = true)]
    collections: Vec<PathBuf>,
    /// SCID's spelling file
    #[arg(long, value_name = "FILE", env = "GREATNESS_SPELLING")]
    spelling: PathBuf,
    /// Folder of the bundled data
    #[arg(long, value_name = "DIR", default_value = "data")]
    data: PathBuf,
    /// Print the figures of the second half too
    ///
    /// For the last run of a change only: the second half tests what the first half fits.
    #[arg(long)]
    held_out: bool,
    /// File for the errors of the first half
    #[arg(long, value_name = "FILE")]
    errors: Option<PathBuf>,
    /// File for the labels of the first half: spelling, number of the person
    #[arg(long, value_name = "FILE")]
    labels: Option<PathBuf>,
}

impl IdentityTruth {
    pub fn run(&self) -> anyhow::Result<()> {
        let mut settings = Settings::default();
        settings.input.pgn.clone_from(&self.collections);
        let settings = settings.with_bundled_data(&self.data)?;
        let games = GamesRead::read(&settings.input, &Silent, &mut Vec::new())?;
        let identified = Identified::identify(games, &settings.input, &Silent, &mut Vec::new());
        let persons = read_spelling_file(&self.spelling, &|_| true)
            .with_context(|| format!("cannot read {}", self.spelling.display()))?;
        let names = observed_names(&identified.table);
        let labels = Labels::new(&names, &persons);
        let player_of = |name: &ObservedName| identified.players.of_name(name.id);
        let judged = labels.judge(&names, &persons, player_of);
        let halves: &[&str] = if self.held_out { &["dev", "held out"] } else { &["dev"] };
        for (half, word) in halves.iter().enumerate() {
            println!("{word}: highest rating | spellings | games | false | missed");
            for (level, of_level) in judged[half].iter().enumerate() {
                let LevelFigures { spellings, games, wrong, missed } = *of_level;
                let share = |part: u32| 100_000.0 * f64::from(part) / f64::from(games.max(1));
                let (wrong, missed) = (share(wrong), share(missed));
                let name = match LEVELS.get(level) {
                    Some(1) => "below".to_owned(),
                    Some(lowest) => format!("{lowest} and more"),
                    None => "unrated".to_owned(),
                };
                println!("{name:14} | {spellings:6} | {games:7} | {wrong:6.0} | {missed:6.0}");
            }
        }
        if let Some(path) = &self.labels {
            labels.write_first_half(path, &names, &persons)?;
        }
        if let Some(path) = &self.errors {
            let errors = labels.errors_of_first_half(&names, &persons, player_of);
            std::fs::write(path, errors.join("\n"))
                .with_context(|| format!("cannot write {}", path.display()))?;
        }
        Ok(())
    }
}

/// A text that names a player, and what its games say.
struct ObservedName<'a> {
    id: NameId,
    text: &'a str,
    readings: Vec<PersonName>,
    games: u32,
    years: Option<(i16, i16)>,
    /// The different ratings (points) of each year, each with the months of their games (0 if
    /// unknown).
    tags: BTreeMap<(i16, u16), BTreeSet<i32>>,
    fide_ids: BTreeMap<u32, u32>,
}

fn observed_names(table: &GameTable) -> Vec<ObservedName<'_>> {
    let mut by_id: BTreeMap<NameId, ObservedName> = BTreeMap::new();
    for game in table.games() {
        let sides = [
            (game.white, game.white_elo, game.white_fide_id),
            (game.black, game.black_elo, game.black_fide_id),
        ];
        for (id, elo, fide_id) in sides {
            let name = by_id.entry(id).or_insert_with(|| ObservedName {
                id,
                text: table.text(id),
                readings: PersonName::readings(table.text(id)),
                games: 0,
                years: None,
                tags: BTreeMap::new(),
                fide_ids: BTreeMap::new(),
            });
            name.games += 1;
            if fide_id > 0 && game.white_fide_id != game.black_fide_id {
                *name.fide_ids.entry(fide_id).or_default() += 1;
            }
            let Some(year) = game.date.year() else { continue };
            let (first, last) = name.years.unwrap_or((year, year));
            name.years = Some((first.min(year), last.max(year)));
            if elo > 0 {
                let month = game.date.month().map_or(0, i32::from);
                name.tags.entry((year, elo)).or_default().insert(month);
            }
        }
    }
    by_id.into_values().collect()
}

/// Which person each name is, and the persons whom the file has twice.
struct Labels {
    /// The person of each name, by its place; `None` without a label.
    persons: Vec<Option<usize>>,
    twice: BTreeSet<(usize, usize)>,
}

impl Labels {
    fn new(names: &[ObservedName], persons: &[SpelledPlayer]) -> Labels {
        let index = PersonIndex::new(persons);
        let persons_of_names = names.iter().map(|name| index.person(name)).collect();
        let mut labels = Labels { persons: persons_of_names, twice: BTreeSet::new() };
        let known: BTreeSet<usize> = labels.persons.iter().flatten().copied().collect();
        let mut by_name: BTreeMap<(String, char), Vec<usize>> = BTreeMap::new();
        for &person in &known {
            for name in &index.names[person] {
                by_name.entry((name.surname_key(), initial(name))).or_default().push(person);
            }
        }
        for namesakes in by_name.values() {
            for (place, &one) in namesakes.iter().enumerate() {
                for &other in &namesakes[place + 1..] {
                    if one != other && index.are_one_entry_twice(one, other) {
                        labels.twice.insert((one.min(other), one.max(other)));
                    }
                }
            }
        }
        labels
    }

    fn are_one(&self, a: usize, b: usize) -> bool {
        a == b || self.twice.contains(&(a.min(b), a.max(b)))
    }

    /// Returns the person with most games of each player, and the player with most of each person.
    fn owners_and_homes(
        &self,
        names: &[ObservedName],
        player_of: impl Fn(&ObservedName) -> Option<PlayerId>,
    ) -> (BTreeMap<PlayerId, usize>, BTreeMap<usize, PlayerId>) {
        let (mut of_players, mut of_persons) = (GamesOfEach::new(), GamesOfEach::new());
        for (name, person) in names.iter().zip(&self.persons) {
            if let (Some(player), Some(person)) = (player_of(name), *person) {
                *of_players.entry(player).or_default().entry(person).or_default() += name.games;
                *of_persons.entry(person).or_default().entry(player).or_default() += name.games;
            }
        }
        (most(&of_players), most(&of_persons))
    }

    /// Returns the figures of each half and level.
    fn judge(
        &self,
        names: &[ObservedName],
        persons: &[SpelledPlayer],
        player_of: impl Fn(&ObservedName) -> Option<PlayerId> + Copy,
    ) -> [[LevelFigures; LEVELS.len() + 1]; 2] {
        let (owners, homes) = self.owners_and_homes(names, player_of);
        let mut figures = [[LevelFigures::default(); LEVELS.len() + 1]; 2];
        for (name, person) in names.iter().zip(&self.persons) {
            let (Some(player), Some(person)) = (player_of(name), *person) else { continue };
            let half = usize::from(is_held_out(&persons[person]));
            let of_level = &mut figures[half][level(&persons[person])];
            of_level.spellings += 1;
            of_level.games += name.games;
            if !self.are_one(owners[&player], person) {
                of_level.wrong += name.games;
            }
            if homes[&person] != player {
                of_level.missed += name.games;
            }
        }
        figures
    }

    /// Writes the persons of the first half, for fitting weights.
    fn write_first_half(
        &self,
        path: &Path,
        names: &[ObservedName],
        persons: &[SpelledPlayer],
    ) -> anyhow::Result<()> {
        let mut out = csv::Writer::from_path(path)?;
        out.write_record(["spelling", "person"])?;
        for (name, person) in names.iter().zip(&self.persons) {
            let Some(person) = person.filter(|person| !is_held_out(&persons[*person])) else {
                continue;
            };
            // Persons whom the file has twice have the smallest number of theirs.
            let twins = self.twice.iter().filter(|(_, other)| *other == person);
            let number = twins.map(|(one, _)| *one).min().unwrap_or(person);
            out.write_record([name.text, &number.to_string()])?;
        }
        out.flush()?;
        Ok(())
    }

    /// Returns a line for each wrong or missing spelling of the first half, most games first.
    fn errors_of_first_half(
        &self,
        names: &[ObservedName],
        persons: &[SpelledPlayer],
        player_of: impl Fn(&ObservedName) -> Option<PlayerId> + Copy,
    ) -> Vec<String> {
        let (owners, homes) = self.owners_and_homes(names, player_of);
        let mut errors: Vec<(u32, String)> = Vec::new();
        for (name, person) in names.iter().zip(&self.persons) {
            let (Some(player), Some(person)) = (player_of(name), *person) else { continue };
            if is_held_out(&persons[person]) {
                continue;
            }
            let of_person = &persons[person];
            let highest = highest_rating(of_person);
            let what = format!("{} | {} ({highest})", name.text, of_person.name);
            if !self.are_one(owners[&player], person) {
                let owner = &persons[owners[&player]].name;
                errors.push((name.games, format!("false | {} | {what} | {owner}", name.games)));
            }
            if homes[&person] != player {
                errors.push((name.games, format!("missed | {} | {what}", name.games)));
            }
        }
        errors.sort_by(|a, b| b.cmp(a));
        errors.into_iter().map(|(_, line)| line).collect()
    }
}

#[derive(Clone, Copy, Debug, Default)]
struct LevelFigures {
    spellings: u32,
    games: u32,
    wrong: u32,
    missed: u32,
}

/// The games that each player or person has under each of the other kind.
type GamesOfEach<A, B> = BTreeMap<A, BTreeMap<B, u32>>;

/// Returns for each the other with most of its games.
fn most<A: Copy + Ord, B: Copy + Ord>(games: &GamesOfEach<A, B>) -> BTreeMap<A, B> {
    games
        .iter()
        .filter_map(|(one, games)| Some((*one, *games.iter().max_by_key(|(_, games)| **games)?.0)))
        .collect()
}

fn highest_rating(person: &SpelledPlayer) -> u16 {
    person.ratings.iter().map(|(_, rating)| *rating).max().unwrap_or_default()
}

/// Returns the row of the table for a person.
fn level(person: &SpelledPlayer) -> usize {
    let highest = highest_rating(person);
    LEVELS.iter().position(|lowest| highest >= *lowest).unwrap_or(LEVELS.len())
}

/// Goes into the hash that divides the persons.
///
/// Without it the halves were others, of which both were seen while weights were tuned.
const SALT: &str = "second division";

fn is_held_out(person: &SpelledPlayer) -> bool {
    hash(&(SALT, &person.name, person.born)) >> 60 & 1 == 1
}

fn hash(value: &impl Hash) -> u64 {
    let mut hasher = FxHasher::default();
    value.hash(&mut hasher);
    hasher.finish()
}

fn initial(name: &PersonName) -> char {
    name.given.first().and_then(|word| word.chars().next()).unwrap_or('?')
}

/// The persons of a spelling file by their names.
struct PersonIndex<'a> {
    persons: &'a [SpelledPlayer],
    names: Vec<Vec<PersonName>>,
    by_key: FxHashMap<u64, Vec<u32>>,
    by_full_name: FxHashMap<String, Vec<usize>>,
    by_fide_id: FxHashMap<u32, usize>,
}

impl<'a> PersonIndex<'a> {
    fn new(persons: &'a [SpelledPlayer]) -> PersonIndex<'a> {
        let mut index = PersonIndex {
            persons,
            names: Vec::new(),
            by_key: FxHashMap::default(),
            by_full_name: FxHashMap::default(),
            by_fide_id: FxHashMap::default(),
        };
        for (number, person) in persons.iter().enumerate() {
            let texts = std::iter::once(&person.name).chain(&person.variants);
            let names: Vec<PersonName> = texts.map(|text| PersonName::parse(text)).collect();
            let keys: BTreeSet<u64> = names.iter().flat_map(blocking_keys).collect();
            if !person.ratings.is_empty() {
                for key in keys {
                    index.by_key.entry(key).or_default().push(number as u32);
                }
            }
            let full: BTreeSet<String> = names.iter().map(PersonName::key).collect();
            for key in full {
                index.by_full_name.entry(key).or_default().push(number);
            }
            if let Some(id) = person.fide_id {
                index.by_fide_id.insert(id, number);
            }
            index.names.push(names);
        }
        index
    }

    /// Returns the person of a name, if the games show it.
    fn person(&self, name: &ObservedName) -> Option<usize> {
        let numbered: u32 = name.fide_ids.values().sum();
        if let Some((id, games)) = name.fide_ids.iter().max_by_key(|(_, games)| **games)
            && *games * 10 >= numbered * 9
            && numbered * 2 >= name.games
            && let Some(person) = self.by_fide_id.get(id)
        {
            return Some(*person);
        }
        if name.tags.is_empty() { self.only_with_full_name(name) } else { self.by_ratings(name) }
    }

    /// Returns the only person with a name in full, if the games are of his or her life.
    fn only_with_full_name(&self, name: &ObservedName) -> Option<usize> {
        let reading = &name.readings[0];
        if !name.text.contains(',') || reading.given.first().is_none_or(|word| word.len() < 3) {
            return None;
        }
        let [person] = self.by_full_name.get(&reading.key())?[..] else { return None };
        let (first, last) = name.years?;
        let SpelledPlayer { born, died, .. } = self.persons[person];
        let is_known = born.is_some() || died.is_some();
        let is_alive = born.is_none_or(|born| first >= born + 8 && last <= born + 90)
            && died.is_none_or(|died| last <= died + 1);
        (is_known && is_alive).then_some(person)
    }

    /// Returns the person whose ratings on lists are those of the games.
    ///
    /// The conditions are those of the prototype, which were chosen by reading 132 disputed pairs.
    fn by_ratings(&self, name: &ObservedName) -> Option<usize> {
        let keys: BTreeSet<u64> = name.readings.iter().flat_map(blocking_keys).collect();
        let candidates: BTreeSet<u32> =
            keys.iter().filter_map(|key| self.by_key.get(key)).flatten().copied().collect();
        let mut found: Vec<(usize, bool, usize, Vec<bool>)> = Vec::new();
        let mut namesakes = 0;
        for person in candidates.into_iter().map(|person| person as usize) {
            let fits = self.has_such_a_name(person, name);
            namesakes += usize::from(fits);
            let matches: Vec<bool> =
                name.tags.iter().map(|(tag, months)| self.matches(person, *tag, months)).collect();
            let count = matches.iter().filter(|is_match| **is_match).count();
            if count > 0 {
                found.push((count, fits, person, matches));
            }
        }
        found.sort_by_key(|one| std::cmp::Reverse((one.0, one.1, one.2)));
        let ((count, fits, person, matches), others) = found.split_first()?;
        let most = |fitting: bool| {
            others.iter().filter(|other| other.1 || !fitting).map(|other| other.0).max()
        };
        let (second, second_namesake) = (most(false).unwrap_or(0), most(true).unwrap_or(0));
        let rest = others.iter().filter(|other| other.1).map(|(.., theirs)| {
            theirs.iter().zip(matches).filter(|(theirs, mine)| **theirs && !**mine).count()
        });
        let all = name.tags.len();
        let is_clear = *count >= 3 && count * 10 >= all * 7 && second * 3 <= *count;
        let is_namesake = *count >= 2
            && *fits
            && count * 10 >= all * 6
            && second_namesake * 3 <= *count
            && namesakes <= 100;
        let is_only = *fits
            && *count == all
            && second_namesake == 0
            && namesakes <= if *count == 1 { 8 } else { 100 };
        let is_of_two = rest.max().is_some_and(|rest| rest >= 2);
        ((is_clear || is_namesake || is_only) && !is_of_two).then_some(*person)
    }

    fn has_such_a_name(&self, person: usize, name: &ObservedName) -> bool {
        name.readings.iter().any(|reading| {
            self.names[person].iter().any(|theirs| {
                reading.surname_key() == theirs.surname_key()
                    && reading.without_numbers().given_compatible(theirs, false)
            })
        })
    }

    /// Whether a person had a rating on a list in force in one of some months of a year (0 is any).
    fn matches(&self, person: usize, tag: (i16, u16), months: &BTreeSet<i32>) -> bool {
        let (year, rating) = tag;
        let lists = &self.persons[person].ratings;
        months.iter().any(|month| {
            let here = i32::from(year) * 12 + (month - 1).max(0);
            let (first, end) = (here - 7, here + if *month == 0 { 13 } else { 2 });
            let mut place = lists.partition_point(|(list, _)| month_number(*list) < first);
            // Lists were yearly before 1981, so an older one may be in force.
            if place > 0 && lists.get(place).is_none_or(|(list, _)| month_number(*list) > first) {
                place -= 1;
            }
            lists[place..]
                .iter()
                .take_while(|(list, _)| month_number(*list) < end)
                .any(|(_, listed)| *listed == rating)
        })
    }

    /// Whether two entries are of one person, as far as their names and ratings show.
    fn are_one_entry_twice(&self, one: usize, other: usize) -> bool {
        let (mine, theirs) = (&self.names[one][0], &self.names[other][0]);
        if !mine.given_compatible(theirs, false) {
            return false;
        }
        let is_full = |name: &PersonName| name.given.first().is_some_and(|word| word.len() > 2);
        let is_one_name = is_full(mine) && is_full(theirs);
        let [a, b] = [one, other].map(|person| &self.persons[person]);
        let ratings: FxHashMap<Date, u16> = a.ratings.iter().copied().collect();
        let both: Vec<bool> = b
            .ratings
            .iter()
            .filter_map(|(list, rating)| Some(ratings.get(list)? == rating))
            .collect();
        let equal = both.iter().filter(|is_equal| **is_equal).count();
        let has_no_number = a.fide_id.is_none() || b.fide_id.is_none();
        (both.is_empty() && is_one_name)
            || (!both.is_empty() && equal * 2 >= both.len())
            || (is_one_name && equal > 0 && has_no_number)
    }
}

fn month_number(list: Date) -> i32 {
    i32::from(list.year()) * 12 + i32::from(list.month()) - 1
}

/// Returns hashes that two names share if their surnames differ by at most one letter and they have
/// one initial.
fn blocking_keys(name: &PersonName) -> Vec<u64> {
    let name = name.without_numbers();
    let (surname, initial) = (name.surname_key(), initial(&name));
    let mut keys = vec![hash(&(&surname, initial))];
    if surname.len() >= 5 && surname.is_ascii() {
        for place in 0..surname.len() {
            let without = format!("{}{}", &surname[..place], &surname[place + 1..]);
            keys.push(hash(&(without, initial)));
        }
    }
    keys
}
