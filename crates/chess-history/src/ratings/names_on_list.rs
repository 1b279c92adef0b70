//! Finds the names of a rating list that may be a player's.

use std::borrow::Cow;
use std::cell::OnceCell;

use super::list_names::ListedNames;
use crate::players::PersonName;

/// The number of criteria by which names are found; see [`NamesOnList`].
pub(super) const CRITERIA: usize = 7;

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
    listed: &'a ListedNames,
    names: &'a [PersonName],
    fide_ids: &'a [u32],
    numbers: [OnceCell<Vec<u32>>; CRITERIA],
}

impl<'a> NamesOnList<'a> {
    pub fn new(
        listed: &'a ListedNames,
        names: &'a [PersonName],
        fide_ids: &'a [u32],
    ) -> NamesOnList<'a> {
        NamesOnList { listed, names, fide_ids, numbers: Default::default() }
    }

    /// Returns the numbers of the names that a criterion finds, counted from 0.
    pub fn numbers(&self, criterion: usize) -> &[u32] {
        let NamesOnList { listed, names, fide_ids, .. } = *self;
        self.numbers[criterion].get_or_init(|| match criterion {
            0 => listed.with_fide_ids(fide_ids),
            1 => listed.similar(names, fide_ids, |mine, theirs| mine.given == theirs.given),
            2 => {
                let numbered = listed.similar(names, fide_ids, |mine, theirs| {
                    !mine.given.is_empty() && mine.given == theirs.without_numbers().given
                });
                if numbered.len() == 1 { numbered } else { Vec::new() }
            }
            3 => {
                listed.similar(names, fide_ids, |mine, theirs| mine.given_compatible(theirs, false))
            }
            4 => {
                listed.similar(names, fide_ids, |mine, theirs| mine.given_compatible(theirs, true))
            }
            5 => {
                // Without a comma the second word may be the given name (`Bronstein Luis`).
                let compound = names.iter().filter(|name| {
                    name.surname.len() > 1 && name.surname[0].len() > 3 && !name.given.is_empty()
                });
                let with_key = compound.map(|name| (name, Cow::from(&name.surname[0])));
                listed.with_keys(with_key, fide_ids, fits_in_full)
            }
            _ => {
                let comma_less = names.iter().filter(|name| name.given.is_empty());
                let readings: Vec<PersonName> =
                    comma_less.flat_map(PersonName::readings_without_comma).collect();
                listed.similar(&readings, fide_ids, fits_in_full)
            }
        })
    }
}

/// Returns whether a name of the list has a given name, and it is compatible.
fn fits_in_full(mine: &PersonName, theirs: &PersonName) -> bool {
    !theirs.given.is_empty() && mine.given_compatible(theirs, false)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ratings::{RatingList, RatingListLine};
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
            let names = NamesOnList::new(&list.names, &names, std::slice::from_ref(&id));
            assert_eq!(edition.find_named(&names).map(|line| line.rating), rating);
        }
    }

    #[test]
    fn an_ambiguous_name_finds_no_line() {
        assert_eq!(rating("Lasker, E"), None);
        assert_eq!(rating("Lasker, Berthold"), None);
    }
}
