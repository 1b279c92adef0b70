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
pub(super) fn opponent_classes(all_forms: &[Vec<NameForm>]) -> OpponentClasses {
    let mut numbers: FxHashMap<(&str, u8), u32> = FxHashMap::default();
    let mut number_of = |sound, initial| {
        let next = numbers.len() as u32;
        *numbers.entry((sound, initial)).or_insert(next)
    };
    let (mut surnames, mut with_initials) = (Vec::new(), Vec::new());
    for forms in all_forms {
        let form = &forms[0];
        let initial = form.given.first().map_or(0, |word| word.as_bytes()[0]);
        surnames.push(number_of(&form.sound, 0));
        with_initials.push(number_of(&form.sound, initial));
    }
    OpponentClasses { surnames, with_initials }
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

/// Returns the profile of each spelling, the chance of each opponent in a game of his years, and
/// the share of each country among events.
pub(super) fn profiles(input: &LinkInput, classes: &[u32]) -> (Vec<Cluster>, Vec<f64>, Vec<f64>) {
    let LinkInput { table, spellings, name_index, numbers, rows, .. } = input;
    let games = table.games();
    let mut codes: BTreeMap<&str, u32> = BTreeMap::new();
    let country_of: Vec<u32> = table
        .names
        .iter()
        .map(|(_, site)| match country_code(site) {
            Some(code) => {
                let next = codes.len() as u32;
                *codes.entry(code).or_insert(next)
            }
            None => u32::MAX,
        })
        .collect();
    let profiles: Vec<Cluster> = spellings
        .par_iter()
        .enumerate()
        .map(|(number, spelling)| {
            let mut profile = Cluster {
                members: vec![number as u32],
                games: spelling.games,
                fide_ids: spelling.fide_id().into_iter().collect(),
                ..Cluster::default()
            };
            let mut events: Vec<(u32, u32)> = Vec::new();
            for (name, _) in &spelling.texts {
                for &row in rows.of_name(*name) {
                    let game = &games[row as usize];
                    events.push((numbers.of_row(row as usize), country_of[game.site.index()]));
                    let is_white = game.white == *name;
                    let (opponent, elo) = if is_white {
                        (game.black, game.white_elo)
                    } else {
                        (game.white, game.black_elo)
                    };
                    if let Some(opponent) = name_index.get(opponent) {
                        profile.opponents.push((classes[opponent], 1));
                    }
                    let Some(year) = game.date.year() else { continue };
                    profile.years.push((year as u32, 1));
                    if elo > 0 {
                        let month =
                            game.date.month().map_or(0.5, |month| f32::from(month - 1) / 12.0);
                        profile.tags.push((f32::from(year) + month, elo));
                    }
                }
            }
            events.sort_unstable();
            events.dedup();
            let countries = events.iter().filter(|(_, country)| *country != u32::MAX);
            profile.countries = countries.map(|(_, country)| (*country, 1)).collect();
            let mut whole = Cluster::default();
            whole.join(profile);
            whole
        })
        .collect();
    let seats_until = seats_by_year(&profiles);
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
    let chances = active
        .iter()
        .map(|&(first, last, games)| {
            let of_years =
                if first <= last { seats_until(last) - seats_until(first - 1) } else { all };
            f64::from(games) / of_years.max(100.0)
        })
        .collect();
    let mut countries = vec![0.5; codes.len()];
    for (country, events) in profiles.iter().flat_map(|profile| &profile.countries) {
        countries[*country as usize] += f64::from(*events);
    }
    let events: f64 = countries.iter().sum();
    countries.iter_mut().for_each(|share| *share /= events);
    (profiles, chances, countries)
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
