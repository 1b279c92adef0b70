//! Gives players the names under which they are known, with diacritics, in the usual English forms.

use std::path::Path;
use std::sync::LazyLock;

use rustc_hash::FxHashMap;
use serde::Deserialize;
use thiserror::Error;

use super::life::Life;
use super::name::PersonName;
use crate::wikidata::WikidataId;

/// The most words of a name without a comma that is read with each of them as the surname.
///
/// Judged: 7 of the 3,630 names of the table have more. Longer texts are seldom names of players,
/// and each word more costs two look-ups.
const MOST_WORDS: usize = 4;

/// An error in a table of names.
#[derive(Debug, Error)]
#[error(
    "not a table of names (CSV with the columns name, family, given, order, federation, born, died): {0}"
)]
pub struct DisplayNamesError(#[from] csv::Error);

/// A player in the table of names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct KnownPerson {
    /// The family name: `Maróczy`.
    pub family: String,
    /// The given names: `Géza`; may be empty.
    pub given: String,
    /// Whether the family name comes first: Ding Liren.
    pub is_family_first: bool,
    /// The title, the federation, and the years of birth and death.
    pub life: Life,
}

impl KnownPerson {
    /// Returns the name for lists: `Maróczy, Géza`; `Ding Liren`, whose family name comes first.
    pub fn listed(&self) -> String {
        if self.given.is_empty() {
            self.family.clone()
        } else if self.is_family_first {
            format!("{} {}", self.family, self.given)
        } else {
            format!("{}, {}", self.family, self.given)
        }
    }
}

/// Known players, by the spellings in sources.
#[derive(Clone, Debug)]
pub struct DisplayNames {
    persons: Vec<KnownPerson>,
    /// The players of each spelling, and whether the table has the spelling itself.
    by_key: FxHashMap<String, Vec<(usize, bool)>>,
}

#[derive(Deserialize)]
struct NameRow {
    name: String,
    family: String,
    given: String,
    order: String,
    federation: String,
    born: Option<i16>,
    died: Option<i16>,
    /// A user's table may lack this column, and the next.
    #[serde(default)]
    wikidata: Option<WikidataId>,
    #[serde(default)]
    title: String,
}

impl Default for DisplayNames {
    fn default() -> DisplayNames {
        static BUNDLED: LazyLock<DisplayNames> = LazyLock::new(|| {
            let mut names = DisplayNames { persons: Vec::new(), by_key: FxHashMap::default() };
            let table = include_str!("../../../../data/players/names.csv");
            let table = csv::Reader::from_reader(table.as_bytes());
            names.add(table).expect("the bundled table is valid");
            names
        });
        BUNDLED.clone()
    }
}

impl DisplayNames {
    /// Adds the players of a CSV file, which take precedence. `NameSources::names` has its columns.
    ///
    /// # Errors
    ///
    /// Returns an error if the file cannot be read or lacks a column.
    pub fn read(&mut self, path: &Path) -> Result<(), DisplayNamesError> {
        Ok(self.add(csv::Reader::from_path(path)?)?)
    }

    fn add<R: std::io::Read>(&mut self, mut reader: csv::Reader<R>) -> Result<(), csv::Error> {
        // A row about a player of another table adds to that player.
        let mut known: FxHashMap<(String, Option<i16>), usize> = self
            .persons
            .iter()
            .enumerate()
            .map(|(number, person)| ((person.listed(), person.life.born), number))
            .collect();
        let mut stated: Vec<(String, usize)> = Vec::new();
        for line in reader.deserialize() {
            let row: NameRow = line?;
            let NameRow { name, family, given, order, .. } = row;
            let life = Life {
                titles: row.title,
                federation: row.federation,
                born: row.born,
                died: row.died,
                wikidata: row.wikidata,
                ..Life::default()
            };
            let born = row.born;
            let person = KnownPerson { family, given, is_family_first: order == "e", life };
            let next = self.persons.len();
            let number = *known.entry((person.listed(), born)).or_insert(next);
            if number == next {
                // The name itself is a spelling, if it has more than a surname or an initial.
                let own = PersonName::parse(&format!("{}, {}", person.family, person.given));
                if own.given.first().is_some_and(|word| word.len() > 1) {
                    self.by_key.entry(own.key()).or_default().push((number, false));
                }
                self.persons.push(person);
            } else if let Some(item) = person.life.wikidata {
                // A later row, or a user's table, may add the item.
                self.persons[number].life.wikidata = Some(item);
            }
            stated.push((PersonName::parse(&name).key(), number));
        }
        // A later file takes precedence for the spellings that it has.
        let mut own: FxHashMap<String, Vec<(usize, bool)>> = FxHashMap::default();
        for (key, number) in stated {
            let persons = own.entry(key).or_default();
            if !persons.contains(&(number, true)) {
                persons.push((number, true));
            }
        }
        for (key, persons) in own {
            let others = self.by_key.remove(&key).unwrap_or_default();
            let others = others.into_iter().filter(|(other, is_stated)| {
                !is_stated && persons.iter().all(|(number, _)| number != other)
            });
            let all = persons.iter().copied().chain(others).collect();
            self.by_key.insert(key, all);
        }
        Ok(())
    }

    /// Returns the number of the only known player who has one of these names and lived in these
    /// years.
    ///
    /// Also whether the table has the spelling itself.
    pub(super) fn find<'n>(
        &self,
        names: impl IntoIterator<Item = &'n PersonName>,
        years: Option<(i16, i16)>,
    ) -> Option<(usize, bool)> {
        let mut found: Option<(usize, bool)> = None;
        let keys = names.into_iter().flat_map(|name| {
            std::iter::once(name.key()).chain(readings(name).map(|one| one.key()))
        });
        for key in keys {
            for &(number, is_stated) in self.by_key.get(&key).into_iter().flatten() {
                if !self.persons[number].life.spans(years) {
                    continue;
                }
                found = match found {
                    Some((other, _)) if other != number => return None,
                    Some((_, before)) => Some((number, before || is_stated)),
                    None => Some((number, is_stated)),
                };
            }
        }
        found
    }

    /// Returns the life of the only known player with this name, if a year of it is known.
    ///
    /// The years of the games are ignored.
    pub(super) fn any_life(&self, name: &PersonName) -> Option<&Life> {
        match self.by_key.get(&name.key()).map(Vec::as_slice) {
            Some([(number, _)]) => {
                let life = &self.persons[*number].life;
                (life.born.is_some() || life.died.is_some()).then_some(life)
            }
            _ => None,
        }
    }

    pub(super) fn person(&self, number: usize) -> &KnownPerson {
        &self.persons[number]
    }
}

/// Returns the readings of a name without a comma: `Vasja Pirc`, `Pirc Vasja`.
///
/// The surname may come first or last, and may have several words.
fn readings(name: &PersonName) -> impl Iterator<Item = PersonName> {
    let has_readings = name.given.is_empty() && name.surname.len() <= MOST_WORDS;
    has_readings.then(|| name.readings_without_comma()).into_iter().flatten()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the name for lists of the player with this spelling and years.
    fn listed_name(names: &DisplayNames, spelling: &str, years: (i16, i16)) -> Option<String> {
        let (number, _) = names.find([&PersonName::parse(spelling)], Some(years))?;
        Some(names.person(number).listed())
    }

    #[test]
    fn players_have_their_usual_names() {
        let names = DisplayNames::default();
        for (spelling, years, listed) in [
            ("Maroczy, Geza", (1895, 1936), "Maróczy, Géza"),
            ("Gruenfeld, Ernst", (1911, 1961), "Grünfeld, Ernst"),
            ("Tal, Mihail", (1953, 1992), "Tal, Mikhail"),
            ("Tartakower, Saviely", (1905, 1954), "Tartakower, Savielly"),
            ("Ding, Liren", (2009, 2024), "Ding Liren"),
            ("Vasja Pirc", (1950, 1950), "Pirc, Vasja"),
            ("Pirc Vasja", (1950, 1950), "Pirc, Vasja"),
        ] {
            assert_eq!(listed_name(&names, spelling, years), Some(listed.into()), "{spelling}");
        }
    }

    #[test]
    fn a_users_table_adds_spellings_of_known_players() {
        let file = tempfile::NamedTempFile::new().expect("a file");
        let table = "name,family,given,order,federation,born,died\n\
                     \"Wizard, of Riga\",Tal,Mikhail,w,LAT,1936,1992\n";
        std::fs::write(file.path(), table).expect("written");
        let mut names = DisplayNames::default();
        names.read(file.path()).expect("a table");
        for spelling in ["Wizard, of Riga", "Tal, Mihail", "Tal, Mikhail"] {
            let listed = listed_name(&names, spelling, (1953, 1992));
            assert_eq!(listed, Some("Tal, Mikhail".into()), "{spelling}");
        }
        std::fs::write(file.path(), "who\nTal\n").expect("written");
        assert!(names.read(file.path()).is_err());
    }

    #[test]
    fn every_item_of_wikidata_is_about_one_player() {
        let names = DisplayNames::default();
        let mut owners: FxHashMap<WikidataId, String> = FxHashMap::default();
        for person in &names.persons {
            if let Some(item) = person.life.wikidata {
                let other = owners.insert(item, person.listed());
                assert_eq!(other, None, "{item} is also {}", person.listed());
            }
        }
        let (number, _) = names.find([&PersonName::parse("Fischer, Robert James")], None).unwrap();
        assert_eq!(names.person(number).life.wikidata.unwrap().to_string(), "Q41314");
    }

    /// Adds a table with one player and an item about that player, and returns the item then known.
    fn item_after_reading(
        names: &mut DisplayNames,
        item: &str,
    ) -> Result<Option<WikidataId>, DisplayNamesError> {
        let file = tempfile::NamedTempFile::new().expect("a file");
        let table = format!(
            "name,family,given,order,federation,born,died,wikidata\n\
             \"Nemo, Captain\",Nemo,Captain,w,,1800,,{item}\n"
        );
        std::fs::write(file.path(), table).expect("written");
        names.read(file.path())?;
        let (number, _) = names.find([&PersonName::parse("Nemo, Captain")], None).unwrap();
        Ok(names.person(number).life.wikidata)
    }

    #[test]
    fn a_users_table_adds_items_of_wikidata_and_may_not_invent_their_form() {
        let mut names = DisplayNames::default();
        assert_eq!(item_after_reading(&mut names, "").unwrap(), None);
        let item = item_after_reading(&mut names, "Q1").unwrap().unwrap();
        assert_eq!(item.to_string(), "Q1");
        let error = item_after_reading(&mut names, "Captain Nemo").unwrap_err().to_string();
        assert!(error.contains("Q and a number"), "{error}");
    }

    #[test]
    fn a_player_active_outside_a_known_life_is_another_player() {
        let names = DisplayNames::default();
        assert_eq!(listed_name(&names, "Maroczy, Geza", (1895, 1990)), None);
        assert_eq!(listed_name(&names, "Unknown, Player", (1895, 1990)), None);
    }
}
