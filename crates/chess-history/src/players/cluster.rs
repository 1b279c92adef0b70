//! Collects what is known of each group of spellings: games, years, ratings, opponents, countries.

use std::collections::BTreeMap;

use rayon::prelude::*;
use rustc_hash::FxHashMap;

use super::event_numbers::{EventNumbers, GameRows};
use super::evidence::circle::{self, Counts};
use super::evidence::name::NameForm;
use super::evidence::rating::Tag;
use super::same_games::SourceHeader;
use super::spelling::{NameIndex, Spelling};
use crate::games::GameTable;

/// The games and names of all spellings.
pub(super) struct LinkInput<'a> {
    pub table: &'a GameTable,
    pub spellings: &'a [Spelling],
    pub name_index: &'a NameIndex,
    pub numbers: &'a EventNumbers,
    pub rows: &'a GameRows,
    pub same_moves: &'a [Vec<SourceHeader>],
}

/// What is known of a group.
#[derive(Clone, Debug, Default)]
pub(super) struct Cluster {
    pub members: Vec<u32>,
    pub games: u32,
    pub years: Counts,
    pub tags: Vec<Tag>,
    pub opponents: Counts,
    pub countries: Counts,
    pub fide_ids: Vec<u32>,
    /// The player in the table of names.
    pub known: Option<usize>,
}

impl Cluster {
    /// Returns the years between which 96% of the games are.
    pub fn usual_years(&self) -> Option<(i32, i32)> {
        let all: u32 = self.years.iter().map(|(_, games)| games).sum();
        let cut = all / 50;
        let end = |years: &mut dyn Iterator<Item = &(u32, u32)>| {
            let mut before = 0;
            for (year, games) in years {
                before += games;
                if before > cut {
                    return Some(*year as i32);
                }
            }
            None
        };
        Some((end(&mut self.years.iter())?, end(&mut self.years.iter().rev())?))
    }

    /// Returns all pairs of a spelling of this cluster and one of another.
    pub fn pairs_with<'c>(&'c self, other: &'c Cluster) -> impl Iterator<Item = (u32, u32)> + 'c {
        self.members.iter().flat_map(|x| other.members.iter().map(move |y| (*x, *y)))
    }

    pub fn join(&mut self, other: Cluster) {
        self.members.extend(other.members);
        self.games += other.games;
        self.years = circle::add(&self.years, &other.years);
        self.opponents = circle::add(&self.opponents, &other.opponents);
        self.countries = circle::add(&self.countries, &other.countries);
        self.tags.extend(other.tags);
        self.tags.sort_by(|a, b| a.partial_cmp(b).expect("times are numbers"));
        self.tags.dedup();
        self.fide_ids.extend(other.fide_ids);
        self.known = self.known.or(other.known);
    }
}

/// The numbers by which opponents are known, by spelling.
pub(super) struct OpponentClasses {
    /// Those of the surnames, by sound.
    pub surnames: Vec<u32>,
    /// Those of the surnames with the initials.
    pub with_initials: Vec<u32>,
}

/// Numbers the surnames by sound, and with the initials.
///
/// The spellings of a group have the surname of the one with most games, and rather of one with a
/// comma, because the words of others may be in either order.
pub(super) fn opponent_classes<'g>(
    all_forms: &[Vec<NameForm>],
    spellings: &[Spelling],
    groups: impl Iterator<Item = &'g [u32]>,
) -> OpponentClasses {
    let mut numbers: FxHashMap<(&str, u8), u32> = FxHashMap::default();
    let mut number_of = |sound, initial| {
        let next = numbers.len() as u32;
        *numbers.entry((sound, initial)).or_insert(next)
    };
    let none = vec![0; all_forms.len()];
    let mut classes = OpponentClasses { surnames: none.clone(), with_initials: none };
    for group in groups {
        let with_most_games = group.iter().copied().max_by_key(|&one| {
            let has_comma = all_forms[one as usize].len() == 1;
            (has_comma, spellings[one as usize].games, std::cmp::Reverse(one))
        });
        let Some(with_most_games) = with_most_games else { continue };
        let form = &all_forms[with_most_games as usize][0];
        let initial = form.given.first().map_or(0, |word| word.as_bytes()[0]);
        let surname = number_of(&form.sound, 0);
        let with_initial = number_of(&form.sound, initial);
        for &member in group {
            classes.surnames[member as usize] = surname;
            classes.with_initials[member as usize] = with_initial;
        }
    }
    classes
}

/// Returns the pairs of spellings under which a game with the same moves is recorded, once for each
/// game.
pub(super) fn same_moves_pairs(same_moves: &[Vec<SourceHeader>]) -> Vec<(u32, u32)> {
    let mut pairs = Vec::new();
    for headers in same_moves {
        let mut of_game: Vec<(u32, u32)> = Vec::new();
        for (place, a) in headers.iter().enumerate() {
            for b in &headers[place + 1..] {
                if !a.has_result_of(b) || a.years_from(b).is_some_and(|years| years > 1) {
                    continue;
                }
                for (x, y) in [(a.white, b.white), (a.black, b.black)] {
                    if x != y {
                        of_game.push((x.min(y) as u32, x.max(y) as u32));
                    }
                }
            }
        }
        of_game.sort_unstable();
        of_game.dedup();
        pairs.extend(of_game);
    }
    pairs
}

/// Returns the profile of each spelling.
pub(super) fn profiles(input: &LinkInput, classes: &[u32]) -> Vec<Cluster> {
    let mut codes: BTreeMap<&str, u32> = BTreeMap::new();
    let countries: Vec<Option<u32>> = input
        .table
        .names
        .iter()
        .map(|(_, site)| {
            let next = codes.len() as u32;
            country_code(site).map(|code| *codes.entry(code).or_insert(next))
        })
        .collect();
    let numbers = 0..input.spellings.len();
    numbers.into_par_iter().map(|number| profile(input, classes, &countries, number)).collect()
}

/// Returns what is known of a spelling; `countries` has those of the sites, by name.
fn profile(
    input: &LinkInput,
    classes: &[u32],
    countries: &[Option<u32>],
    number: usize,
) -> Cluster {
    let spelling = &input.spellings[number];
    let mut profile = Cluster {
        members: vec![number as u32],
        games: spelling.games,
        fide_ids: spelling.fide_id().into_iter().collect(),
        ..Cluster::default()
    };
    let mut events: Vec<(u32, u32)> = Vec::new();
    for (name, _) in &spelling.texts {
        for &row in input.rows.of_name(*name) {
            let game = &input.table.games()[row as usize];
            if let Some(country) = countries[game.site.index()] {
                events.push((input.numbers.of_row(row as usize), country));
            }
            let (opponent, elo) = if game.white == *name {
                (game.black, game.white_elo)
            } else {
                (game.white, game.black_elo)
            };
            if let Some(opponent) = input.name_index.get(opponent) {
                profile.opponents.push((classes[opponent], 1));
            }
            let Some(year) = game.date.year() else { continue };
            profile.years.push((year as u32, 1));
            if elo > 0 {
                let month = game.date.month().map_or(0.5, |month| f32::from(month - 1) / 12.0);
                profile.tags.push((f32::from(year) + month, elo));
            }
        }
    }
    events.sort_unstable();
    events.dedup();
    profile.countries = events.into_iter().map(|(_, country)| (country, 1)).collect();
    // Joining counts what occurs several times.
    let mut counted = Cluster::default();
    counted.join(profile);
    counted
}

/// Returns, by class, the chance of each opponent in a game of the years in which he played.
pub(super) fn chances_of_opponents(profiles: &[Cluster], classes: &[u32]) -> Vec<f64> {
    let seats_until = seats_by_year(profiles);
    let class_count = classes.iter().max().map_or(0, |most| *most as usize + 1);
    let mut active = vec![(i32::MAX, i32::MIN, 0u32); class_count];
    for (profile, class) in profiles.iter().zip(classes) {
        let of_class = &mut active[*class as usize];
        of_class.2 += profile.games;
        if let (Some(first), Some(last)) = (profile.years.first(), profile.years.last()) {
            of_class.0 = of_class.0.min(first.0 as i32);
            of_class.1 = of_class.1.max(last.0 as i32);
        }
    }
    let all: f64 = profiles.iter().map(|profile| f64::from(profile.games)).sum();
    let chances = active.iter().map(|&(first, last, games)| {
        let of_years = if first <= last { seats_until(last) - seats_until(first - 1) } else { all };
        f64::from(games) / of_years.max(100.0)
    });
    chances.collect()
}

/// Returns the share of each country among the events of all spellings.
pub(super) fn shares_of_countries(profiles: &[Cluster]) -> Vec<f64> {
    let mut shares: Vec<f64> = Vec::new();
    for (country, events) in profiles.iter().flat_map(|profile| &profile.countries) {
        let place = *country as usize;
        if place >= shares.len() {
            shares.resize(place + 1, 0.5);
        }
        shares[place] += f64::from(*events);
    }
    let events: f64 = shares.iter().sum();
    shares.iter_mut().for_each(|share| *share /= events);
    shares
}

/// Returns the number of seats (two a game) up to each year.
fn seats_by_year(profiles: &[Cluster]) -> impl Fn(i32) -> f64 + use<> {
    let mut by_year: BTreeMap<i32, f64> = BTreeMap::new();
    for (year, games) in profiles.iter().flat_map(|profile| &profile.years) {
        *by_year.entry(*year as i32).or_default() += f64::from(*games);
    }
    let mut sum = 0.0;
    for games in by_year.values_mut() {
        sum += *games;
        *games = sum;
    }
    move |year| by_year.range(..=year).next_back().map_or(0.0, |(_, games)| *games)
}

/// Returns the code of the country at the end of a site.
fn country_code(site: &str) -> Option<&str> {
    let site = site.trim_end();
    let start = site.len().checked_sub(3)?;
    let code = site.get(start..).filter(|code| code.bytes().all(|b| b.is_ascii_uppercase()))?;
    let is_word = site[..start].chars().next_back().is_none_or(|c| !c.is_alphanumeric());
    is_word.then_some(code)
}
