//! Names under which more years were played than a life has.
//!
//! One name may be that of two people a century apart (`Szabo, Gergely`, 1851 and 2018), or of a master and of a
//! child. Where the years of a name are longer than a career, or some of its games lie beyond a life that the table
//! of names knows, the games of one side get a name of their own.

use rayon::prelude::*;
use rustc_hash::FxHashMap;

use super::display_names::DisplayNames;
use super::life::Life;
use super::name::PersonName;
use crate::games::{GameTable, NameId, names_a_player};

/// Years from somebody's first game to his last. Few careers were longer, and those are in the table of names.
pub(super) const LONGEST_CAREER: i16 = 65;

/// Years of age before which hardly anybody played a game that was kept.
const YOUNGEST: i16 = 8;

/// One in so many of the games of a name may lie beyond the life of whose name it is.
const FEW: usize = 4;

/// Gives games that cannot be one person's names of their own: the former name with their first year behind it. Which
/// names were parted, in words.
pub fn part_careers(table: &mut GameTable, names: &DisplayNames) -> Vec<String> {
    // Spellings that are one name count together.
    let known: Vec<(NameId, (i16, i16))> = table.years_of_names();
    let keyed: Vec<(String, NameId, (i16, i16))> = known
        .into_par_iter()
        .filter(|(name, _)| names_a_player(table.text(*name)))
        .map(|(name, years)| (PersonName::parse(table.text(name)).key(), name, years))
        .collect();
    type Years = (NameId, (i16, i16));
    let mut of_key: FxHashMap<&str, Vec<Years>> = FxHashMap::default();
    for (key, name, years) in &keyed {
        of_key.entry(key).or_default().push((*name, *years));
    }
    let mut doubtful: Vec<Vec<NameId>> = of_key
        .into_values()
        .filter(|spellings| {
            let first = spellings.iter().map(|(_, (first, _))| *first).min().unwrap_or(0);
            let last = spellings.iter().map(|(_, (_, last))| *last).max().unwrap_or(0);
            let life = || names.any_life(&PersonName::parse(table.text(spellings[0].0)));
            last - first > LONGEST_CAREER
                || life().is_some_and(|life| !holds(life, first) || !holds(life, last))
        })
        .map(|spellings| spellings.into_iter().map(|(name, _)| name).collect())
        .collect();
    if doubtful.is_empty() {
        return Vec::new();
    }
    // In the order of the names, so that new ones do not depend on that of hashing.
    doubtful.iter_mut().for_each(|names| names.sort_unstable());
    doubtful.sort_unstable();
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
    let mut told = Vec::new();
    let mut renamed: FxHashMap<(NameId, bool), (NameId, Life)> = FxHashMap::default();
    for mut years in years {
        years.sort_unstable();
        let Some((_, name)) = years.first() else { continue };
        let life = names.any_life(&PersonName::parse(table.text(*name))).cloned();
        let all: Vec<i16> = years.iter().map(|(year, _)| *year).collect();
        let Some(inside) = life.clone().or_else(|| longest_part(&all)) else { continue };
        let outside: Vec<(i16, NameId)> =
            years.iter().copied().filter(|(year, _)| !holds(&inside, *year)).collect();
        // Where many games lie beyond it, it is not his life.
        if outside.is_empty() || (life.is_some() && outside.len() * FEW > years.len()) {
            continue;
        }
        let first_inside = all.iter().copied().find(|year| holds(&inside, *year));
        let is_before = |year: i16| first_inside.is_some_and(|first| year < first);
        for side in [true, false] {
            let of_side = || outside.iter().filter(move |(year, _)| is_before(*year) == side);
            let Some((first, _)) = of_side().next().copied() else { continue };
            let mut spellings: Vec<NameId> = of_side().map(|(_, name)| *name).collect();
            let games = spellings.len();
            spellings.sort_unstable();
            spellings.dedup();
            for name in &spellings {
                let new = format!("{}{first}", table.text(*name));
                let new = table.names.intern(&new);
                renamed.insert((*name, side), (new, inside.clone()));
            }
            let text = table.text(spellings[0]);
            told.push(match games {
                1 => format!("{text}: 1 game of {first} is another's, or misdated"),
                _ => format!("{text}: {games} games from {first} on are another's, or misdated"),
            });
        }
    }
    if renamed.is_empty() {
        return told;
    }
    for game in table.games_mut() {
        let Some(year) = game.date.year() else { continue };
        for name in [&mut game.white, &mut game.black] {
            for is_before in [true, false] {
                let Some((new, inside)) = renamed.get(&(*name, is_before)) else { continue };
                let born = inside.born.unwrap_or(i16::MIN);
                let is_early = born > i16::MIN && year < born + YOUNGEST;
                if !holds(inside, year) && is_early == is_before {
                    *name = *new;
                    break;
                }
            }
        }
    }
    told
}

/// Whether a game of this year may have been played in a life; a game is often dated by the year after.
fn holds(life: &Life, year: i16) -> bool {
    life.born.is_none_or(|born| year >= born + YOUNGEST)
        && life.died.is_none_or(|died| year <= died + 1)
}

/// The larger part of years that are longer than a career, cut at their largest gap, as a life.
fn longest_part(years: &[i16]) -> Option<Life> {
    let (first, last) = (*years.first()?, *years.last()?);
    if last - first <= LONGEST_CAREER {
        return None;
    }
    let cut = (1..years.len()).max_by_key(|&place| (years[place] - years[place - 1], place))?;
    let (before, behind) = years.split_at(cut);
    Some(match before.len() >= behind.len() {
        true => Life { died: before.last().map(|last| last - 1), ..Life::default() },
        false => Life { born: behind.first().map(|first| first - YOUNGEST), ..Life::default() },
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::players::name_of_test_games;

    #[test]
    fn a_name_of_a_century_is_parted_at_its_gap() {
        let mut table = name_of_test_games(&[
            ("Szabo, Gergely", 1851),
            ("Szabo, Gergely", 2010),
            ("Szabo, Gergely", 2011),
            ("Szabo, Gergely", 2018),
        ]);
        let told = part_careers(&mut table, &DisplayNames::default());
        assert_eq!(told, ["Szabo, Gergely: 1 game of 1851 is another's, or misdated"]);
        let names: Vec<&str> = table.games().iter().map(|game| table.text(game.white)).collect();
        assert_eq!(names[0], "Szabo, Gergely1851");
        assert!(names[1..].iter().all(|name| *name == "Szabo, Gergely"));
    }

    #[test]
    fn games_before_the_eighth_birthday_are_not_his() {
        let mut years = vec![("Mieses, Jacques", 1867)];
        years.extend((1888..1900).map(|year| ("Mieses, Jacques", year)));
        let mut table = name_of_test_games(&years);
        assert_eq!(part_careers(&mut table, &DisplayNames::default()).len(), 1);
        assert_eq!(table.text(table.games()[0].white), "Mieses, Jacques1867");
        assert_eq!(table.text(table.games()[1].white), "Mieses, Jacques");
    }
}
