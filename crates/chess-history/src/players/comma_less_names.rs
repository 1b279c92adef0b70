//! Joins names without a comma, in which the surname is not marked, with names with one.

use std::collections::BTreeMap;

use rayon::prelude::*;
use rustc_hash::FxHashMap;

use super::aliases::Aliases;
use super::merge::{Merge, MergeReason};
use super::name::PersonName;
use super::spelling::Spelling;

/// The shortest word (letters) that may be a surname or a given name in a name of two words.
///
/// Judged: one or two letters are mostly initials. Twice as many letters would exclude most Chinese
/// names.
const WHOLE_WORD: usize = 3;

/// Joins each name without a comma with the same words with one, and returns the merges.
///
/// Examples: `Wang Hao` with `Wang, Hao` (or with `Hao, Wang` if only that exists), `Carlos Torre
/// Repetto` with `Torre Repetto, Carlos`, `Short Nigel D` with `Short, Nigel D`. The name with a
/// comma may be in the games or in a file of aliases. If there is no such name, but only one
/// reading has a known surname, that reading is used.
pub(super) fn join_comma_less_names(
    by_key: &mut BTreeMap<String, Spelling>,
    aliases: &Aliases,
) -> Vec<Merge> {
    let known = KnownNames::new(by_key);
    let comma_less: Vec<(&String, &Spelling)> = by_key
        .iter()
        .filter(|(_, spelling)| spelling.name.given.is_empty() && spelling.name.surname.len() > 1)
        .collect();
    let read: Vec<(String, Reading)> = comma_less
        .into_par_iter()
        .map(|(key, spelling)| (key.clone(), known.read(spelling, aliases)))
        .collect();
    let mut merges = Vec::new();
    for (key, reading) in read {
        let Some(mut spelling) = by_key.remove(&key) else { continue };
        match reading {
            Reading::Assigned(name, reason) => {
                if let Some(home) = by_key.get_mut(&name.key()) {
                    merges.push(Merge::new(&spelling.text, &home.text, reason, String::new()));
                    home.texts.extend(spelling.texts);
                    continue;
                }
                spelling.name = name;
            }
            Reading::Only(name) => spelling.name = name,
            Reading::Unknown => {}
        }
        by_key.insert(key, spelling);
    }
    merges
}

/// How a name without a comma is read.
enum Reading {
    /// As a name that a spelling in the games or a file of aliases has.
    Assigned(PersonName, MergeReason),
    /// In the only way in which its surname is known.
    Only(PersonName),
    Unknown,
}

/// Returns the ways to read a name without a comma, most likely first.
///
/// With two words the surname is more likely the first, with more words the last.
fn readings(spelling: &Spelling) -> Vec<PersonName> {
    let words = &spelling.name.surname;
    let surname_first = (1..words.len())
        .map(|cut| PersonName { surname: words[..cut].to_vec(), given: words[cut..].to_vec() });
    if words.len() == 2 {
        surname_first.chain(surname_last(spelling)).collect()
    } else {
        surname_last(spelling).into_iter().chain(surname_first).collect()
    }
}

/// Returns the readings of a name without a comma in which the surname is last.
fn surname_last(spelling: &Spelling) -> Vec<PersonName> {
    let mut readings = PersonName::readings(&spelling.text);
    readings.retain(|reading| !reading.given.is_empty());
    readings
}

/// The names with a comma in the games.
struct KnownNames<'a> {
    /// The name of the spelling that has each name as written, by the key of the latter.
    written: FxHashMap<String, &'a PersonName>,
    /// The names that bear each surname.
    bearers: FxHashMap<String, Vec<&'a PersonName>>,
}

impl<'a> KnownNames<'a> {
    fn new(by_key: &'a BTreeMap<String, Spelling>) -> KnownNames<'a> {
        let mut known = KnownNames { written: FxHashMap::default(), bearers: FxHashMap::default() };
        for name in by_key.values().map(|spelling| &spelling.name) {
            if !name.given.is_empty() {
                known.written.insert(name.key(), name);
                known.bearers.entry(name.surname_key()).or_default().push(name);
            }
        }
        // The text of an alias has another key (`Kortschnoj, Viktor` for `Korchnoi, Viktor`).
        for spelling in by_key.values().filter(|spelling| !spelling.name.given.is_empty()) {
            for other in &spelling.others {
                known.written.entry(other.key()).or_insert(&spelling.name);
            }
        }
        known
    }

    /// Reads a name without a comma.
    fn read(&self, spelling: &Spelling, aliases: &Aliases) -> Reading {
        let readings = readings(spelling);
        match readings.iter().find_map(|reading| self.assigned(reading, aliases)) {
            Some((name, reason)) => Reading::Assigned(name, reason),
            None => self.only_reading(spelling, readings).map_or(Reading::Unknown, Reading::Only),
        }
    }

    /// Returns the name under which the spellings or a file of aliases have a reading.
    fn assigned(
        &self,
        reading: &PersonName,
        aliases: &Aliases,
    ) -> Option<(PersonName, MergeReason)> {
        let key = reading.key();
        if let Some(name) = self.written.get(&key) {
            return Some(((*name).clone(), MergeReason::Normalised));
        }
        let (name, reason) = aliases.name_of_key(&key)?;
        Some((PersonName::parse(name), reason))
    }

    /// Returns the only one of the readings of a name whose surname is known, if there is only one.
    ///
    /// Of several, it is the only one with a given name that a bearer of the surname has.
    fn only_reading(&self, spelling: &Spelling, mut known: Vec<PersonName>) -> Option<PersonName> {
        known.retain(|reading| self.bearers.contains_key(&reading.surname_key()));
        if known.len() > 1 {
            known.retain(|reading| self.bearers_of(reading).any(|one| one.given == reading.given));
        }
        let only = known.pop().filter(|_| known.is_empty())?;
        if spelling.name.surname.len() > 2 {
            return Some(only);
        }
        // Two words need not be a person's name, so a bearer must have this given name.
        let is_certain =
            only.given.iter().chain(&only.surname).all(|word| word.len() >= WHOLE_WORD)
                && self.bearers_of(&only).any(|bearer| only.given_compatible(bearer, false));
        is_certain.then_some(only)
    }

    /// Returns the names that bear the surname of a reading.
    fn bearers_of(&self, reading: &PersonName) -> impl Iterator<Item = &PersonName> {
        self.bearers.get(&reading.surname_key()).into_iter().flatten().copied()
    }
}

#[cfg(test)]
mod tests {
    use super::super::resolve;
    use super::*;
    use crate::games::{Game, GameTable, PartialDate};

    /// Returns the spellings of each player of games between each name and an opponent.
    fn persons(names: &[&str], aliases: &str) -> Vec<String> {
        let file = tempfile::NamedTempFile::new().unwrap();
        std::fs::write(file.path(), aliases).unwrap();
        let mut all = Aliases::default();
        assert!(all.read(file.path(), false).is_empty());
        let mut table = GameTable::default();
        for (number, name) in names.iter().enumerate() {
            let event = table.names.intern(&format!("Event {number}"));
            let [white, black] = [name, "Zz"].map(|text| table.names.intern(text));
            let date = PartialDate::of_year(1995);
            table.push(Game { event, white, black, date, ..Game::default() });
        }
        let players = resolve(&table, &all);
        let spellings = players.iter().map(|(_, player)| player.spellings.join(" = "));
        spellings.filter(|spellings| spellings != "Zz").collect()
    }

    #[test]
    fn a_name_without_a_comma_has_the_alias_of_its_words() {
        let alias = r#"
            [[player]]
            name = "Capablanca, Jose"
            spellings = ["Capablanca, Jose Raul"]
        "#;
        // The name with a comma may be in the games or not.
        for names in [
            &["Capablanca, Jose Raul", "Capablanca Jose Raul", "Jose Raul Capablanca"][..],
            &["Capablanca, Jose", "Capablanca Jose Raul", "Jose Raul Capablanca"],
            &["Capablanca Jose Raul", "Jose Raul Capablanca"],
        ] {
            assert_eq!(persons(names, alias).len(), 1, "{names:?}");
        }
    }

    #[test]
    fn two_words_are_a_name_if_one_is_a_surname_and_a_bearer_has_the_other() {
        let found = persons(&["Dreev,A", "Dreev Alexey"], "");
        assert_eq!(found, ["Dreev Alexey = Dreev,A"]);
        let found = persons(&["Dreev,A", "Sergei Dreev"], "");
        assert_eq!(found.len(), 2, "{found:?}");
        // Either word may be the surname.
        let found = persons(&["Wang,H", "Hao,W", "Wang Hao"], "");
        assert_eq!(found.len(), 3, "{found:?}");
    }
}
