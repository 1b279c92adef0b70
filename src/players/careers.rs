//! Names under which more years were played than a life has.
//!
//! One name may be that of two people a century apart (`Szabo, Gergely`, 1851 and 2018), or of a master and of a
//! child. Where the years of a name are longer than a career, or some of its games lie beyond a life that the table
//! of names knows, the games of one side get a name of their own.

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
    let doubtful: FxHashMap<NameId, Vec<i16>> = table
        .years_of_names()
        .into_iter()
        .filter(|(name, (first, last))| {
            let text = table.text(*name);
            names_a_player(text)
                && (last - first > LONGEST_CAREER
                    || (names
                        .any_life(&PersonName::parse(text))
                        .is_some_and(|life| !holds(life, *first) || !holds(life, *last))))
        })
        .map(|(name, _)| (name, Vec::new()))
        .collect();
    if doubtful.is_empty() {
        return Vec::new();
    }
    let mut years = doubtful;
    for game in table.games() {
        let Some(year) = game.date.year() else { continue };
        for name in [game.white, game.black] {
            if let Some(years) = years.get_mut(&name) {
                years.push(year);
            }
        }
    }
    // In the order of the names, so that new names do not depend on that of hashing.
    let mut years: Vec<(NameId, Vec<i16>)> = years.into_iter().collect();
    years.sort_unstable();
    let mut told = Vec::new();
    let mut renamed: FxHashMap<(NameId, bool), (NameId, Life)> = FxHashMap::default();
    for (name, mut years) in years {
        years.sort_unstable();
        let text = table.text(name).to_owned();
        let life = names.any_life(&PersonName::parse(&text)).cloned();
        let inside = life.clone().or_else(|| longest_part(&years));
        let Some(inside) = inside else { continue };
        let is_in = |year: i16| holds(&inside, year);
        let outside: Vec<i16> = years.iter().copied().filter(|year| !is_in(*year)).collect();
        // Where many games lie beyond it, it is not his life.
        if outside.is_empty() || (life.is_some() && outside.len() * FEW > years.len()) {
            continue;
        }
        for is_before in [true, false] {
            let first_inside = years.iter().copied().find(|year| is_in(*year));
            let side = outside
                .iter()
                .filter(|year| first_inside.is_some_and(|first| **year < first) == is_before);
            let Some(first) = side.clone().next().copied() else { continue };
            let games = side.count();
            let new = format!("{text}{first}");
            told.push(format!("{text}: {games} games from {first} on are another's, or misdated"));
            renamed.insert((name, is_before), (table.names.intern(&new), inside.clone()));
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
        assert_eq!(told, ["Szabo, Gergely: 1 games from 1851 on are another's, or misdated"]);
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
