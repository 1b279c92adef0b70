//! Splits names whose games span more years than one life.
//!
//! One name may belong to two players a century apart (`Szabo, Gergely`, 1851 and 2018), or to a
//! master and a child. The games on one side get a separate name in two cases: the years of the
//! name are longer than a career, or some games are outside the life in the table of names.

use rayon::prelude::*;
use rustc_hash::FxHashMap;

use super::display_names::DisplayNames;
use super::life::{LONGEST_CAREER, Life};
use super::name::PersonName;
use crate::games::{GameTable, NameId, names_a_player};

/// The youngest age (years) at which games were recorded, apart from a few exceptions.
///
/// Judged: a lower age leaves a namesake's games of the years before with the player. A higher one
/// takes games of prodigies away, but only if they are at most one in [`ONE_OUTSIDE_IN`].
const YOUNGEST_USUAL_AGE: i16 = 8;

/// At most one in this many games of a name may be outside the life of its bearer.
///
/// Judged: if more are outside, the life is rather that of a namesake, and no game is renamed. Half
/// as much would split names by a life that fits only every other game.
const ONE_OUTSIDE_IN: usize = 4;

/// Renames games that cannot belong to the same player as the others of their name.
///
/// The new name is the old one followed by the first year of these games. Returns a message for
/// each name that was split.
pub(super) fn split_careers(table: &mut GameTable, names: &DisplayNames) -> Vec<String> {
    let doubtful = doubtful_names(table, names);
    if doubtful.is_empty() {
        return Vec::new();
    }
    let mut renaming = Renaming::default();
    for years in years_of_games(table, &doubtful) {
        renaming.add(table, names, &years);
    }
    if renaming.new_names.is_empty() {
        return renaming.messages;
    }
    for game in table.games_mut() {
        let Some(year) = game.date.year() else { continue };
        for name in [&mut game.white, &mut game.black] {
            for is_before in [true, false] {
                let new_name = renaming.new_names.get(&(*name, is_before));
                let Some((new, inside)) = new_name else { continue };
                let is_early = inside.born.is_some_and(|born| year < born + YOUNGEST_USUAL_AGE);
                if !may_play_in(inside, year) && is_early == is_before {
                    *name = *new;
                    break;
                }
            }
        }
    }
    renaming.messages
}

/// Returns the names whose games may belong to two players. Spellings of one name are together.
fn doubtful_names(table: &GameTable, names: &DisplayNames) -> Vec<Vec<NameId>> {
    type Years = (NameId, (i16, i16));
    let keyed: Vec<(String, Years)> = table
        .years_of_names()
        .into_par_iter()
        .filter(|(name, _)| names_a_player(table.text(*name)))
        .map(|one| (PersonName::parse(table.text(one.0)).key(), one))
        .collect();
    let mut by_key: FxHashMap<&str, Vec<Years>> = FxHashMap::default();
    for (key, one) in &keyed {
        by_key.entry(key).or_default().push(*one);
    }
    let mut doubtful: Vec<Vec<NameId>> = Vec::new();
    for spellings in by_key.into_values() {
        let first = spellings.iter().map(|(_, (first, _))| *first).min().unwrap_or(0);
        let last = spellings.iter().map(|(_, (_, last))| *last).max().unwrap_or(0);
        if last - first > LONGEST_CAREER
            || names
                .any_life(&PersonName::parse(table.text(spellings[0].0)))
                .is_some_and(|life| !may_play_in(life, first) || !may_play_in(life, last))
        {
            let mut ids: Vec<NameId> = spellings.into_iter().map(|(name, _)| name).collect();
            ids.sort_unstable();
            doubtful.push(ids);
        }
    }
    // The order of the names makes new names independent of the hashing.
    doubtful.sort_unstable();
    doubtful
}

/// Returns the year and the name of each game of the doubtful names, by name and in order.
fn years_of_games(table: &GameTable, doubtful: &[Vec<NameId>]) -> Vec<Vec<(i16, NameId)>> {
    let group_of: FxHashMap<NameId, usize> = doubtful
        .iter()
        .enumerate()
        .flat_map(|(number, names)| names.iter().map(move |name| (*name, number)))
        .collect();
    let mut years: Vec<Vec<(i16, NameId)>> = vec![Vec::new(); doubtful.len()];
    for game in table.games() {
        let Some(year) = game.date.year() else { continue };
        for name in [game.white, game.black] {
            if let Some(&number) = group_of.get(&name) {
                years[number].push((year, name));
            }
        }
    }
    years.iter_mut().for_each(|years| years.sort_unstable());
    years
}

/// The new names of games that are outside a life.
#[derive(Debug, Default)]
struct Renaming {
    /// The new name and the life, by the old name and whether the games precede the life.
    new_names: FxHashMap<(NameId, bool), (NameId, Life)>,
    /// A message for each name that was split.
    messages: Vec<String>,
}

impl Renaming {
    /// Splits a name if its games belong to two players; `years` are those of its games, in order.
    fn add(&mut self, table: &mut GameTable, names: &DisplayNames, years: &[(i16, NameId)]) {
        let Some((_, name)) = years.first() else { return };
        let life = names.any_life(&PersonName::parse(table.text(*name))).cloned();
        let all: Vec<i16> = years.iter().map(|(year, _)| *year).collect();
        let Some(inside) = life.clone().or_else(|| longest_part(&all)) else { return };
        let outside: Vec<(i16, NameId)> =
            years.iter().copied().filter(|(year, _)| !may_play_in(&inside, *year)).collect();
        // If many games are outside a life, it is the life of a namesake.
        if outside.is_empty() || (life.is_some() && outside.len() * ONE_OUTSIDE_IN > years.len()) {
            return;
        }
        let first_inside = all.iter().copied().find(|year| may_play_in(&inside, *year));
        for is_before in [true, false] {
            let of_side: Vec<(i16, NameId)> = outside
                .iter()
                .copied()
                .filter(|(year, _)| first_inside.is_some_and(|first| *year < first) == is_before)
                .collect();
            let Some(&(first, _)) = of_side.first() else { continue };
            let mut spellings: Vec<NameId> = of_side.iter().map(|(_, name)| *name).collect();
            let games = spellings.len();
            spellings.sort_unstable();
            spellings.dedup();
            for name in &spellings {
                let new = format!("{}{first}", table.text(*name));
                let new = table.names.intern(&new);
                self.new_names.insert((*name, is_before), (new, inside.clone()));
            }
            let text = table.text(spellings[0]);
            self.messages.push(match games {
                1 => format!("{text}: 1 game of {first} belongs to another player or is misdated"),
                _ => format!(
                    "{text}: {games} games from {first} onwards belong to another player or are \
                     misdated"
                ),
            });
        }
    }
}

/// Whether a game of this year may belong to a life.
///
/// Games are often dated by the following year, so the year after a death is included.
fn may_play_in(life: &Life, year: i16) -> bool {
    life.born.is_none_or(|born| year >= born + YOUNGEST_USUAL_AGE)
        && life.died.is_none_or(|died| year <= died + 1)
}

/// Returns the larger part of some years as a life, if they are longer than a career.
///
/// The years (in order) are cut at their largest gap.
fn longest_part(years: &[i16]) -> Option<Life> {
    let (first, last) = (*years.first()?, *years.last()?);
    if last - first <= LONGEST_CAREER {
        return None;
    }
    let cut = (1..years.len()).max_by_key(|&place| (years[place] - years[place - 1], place))?;
    let (before, after) = years.split_at(cut);
    Some(if before.len() >= after.len() {
        Life { died: before.last().map(|last| last - 1), ..Life::default() }
    } else {
        Life { born: after.first().map(|first| first - YOUNGEST_USUAL_AGE), ..Life::default() }
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::players::table_of_test_games;

    #[test]
    fn a_name_of_a_century_is_split_at_its_gap() {
        let mut table = table_of_test_games(&[
            ("Szabo, Gergely", 1851),
            ("Szabo, Gergely", 2010),
            ("Szabo, Gergely", 2011),
            ("Szabo, Gergely", 2018),
        ]);
        let messages = split_careers(&mut table, &DisplayNames::default());
        assert_eq!(
            messages,
            ["Szabo, Gergely: 1 game of 1851 belongs to another player or is misdated"]
        );
        let names: Vec<&str> = table.games().iter().map(|game| table.text(game.white)).collect();
        assert_eq!(names[0], "Szabo, Gergely1851");
        assert!(names[1..].iter().all(|name| *name == "Szabo, Gergely"));
    }

    #[test]
    fn games_before_the_eighth_birthday_are_another_players() {
        let mut years = vec![("Mieses, Jacques", 1867)];
        years.extend((1888..1900).map(|year| ("Mieses, Jacques", year)));
        let mut table = table_of_test_games(&years);
        assert_eq!(split_careers(&mut table, &DisplayNames::default()).len(), 1);
        assert_eq!(table.text(table.games()[0].white), "Mieses, Jacques1867");
        assert_eq!(table.text(table.games()[1].white), "Mieses, Jacques");
    }
}
