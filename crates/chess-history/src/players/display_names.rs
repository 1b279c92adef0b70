//! Persons as people write them: with diacritics, in the usual English forms.

use std::path::Path;
use std::sync::LazyLock;

use rustc_hash::FxHashMap;
use serde::Deserialize;
use thiserror::Error;

use super::life::Life;
use super::name::PersonName;

/// A table of names that cannot be used.
#[derive(Debug, Error)]
#[error(
    "not a table of names (CSV with the columns name, family, given, order, federation, born, died): {0}"
)]
pub struct DisplayNamesError(#[from] csv::Error);

/// A person of the table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct KnownPerson {
    /// `Maróczy`.
    pub family: String,
    /// `Géza`; may be empty.
    pub given: String,
    /// Whether the family's name is said first: Ding Liren.
    pub is_family_first: bool,
    /// His federation, the years of birth and death.
    pub life: Life,
}

impl KnownPerson {
    /// `Maróczy, Géza`; `Ding Liren`, whose family's name is said first.
    pub fn listed(&self) -> String {
        match (self.given.is_empty(), self.is_family_first) {
            (true, _) => self.family.clone(),
            (false, false) => format!("{}, {}", self.family, self.given),
            (false, true) => format!("{} {}", self.family, self.given),
        }
    }
}

/// Known persons, by what sources write for them.
#[derive(Clone, Debug)]
pub struct DisplayNames {
    persons: Vec<KnownPerson>,
    /// By a spelling, and whether the table has it rather than the name itself.
    by_key: FxHashMap<String, Vec<(usize, bool)>>,
}

/// A line of a table.
#[derive(Deserialize)]
struct NameRow {
    name: String,
    family: String,
    given: String,
    order: String,
    federation: String,
    born: Option<i16>,
    died: Option<i16>,
}

impl Default for DisplayNames {
    /// The bundled ones.
    fn default() -> DisplayNames {
        static BUNDLED: LazyLock<DisplayNames> = LazyLock::new(|| {
            let mut names = DisplayNames { persons: Vec::new(), by_key: FxHashMap::default() };
            let table = include_str!("../../../../data/players/names.csv");
            let table = csv::Reader::from_reader(table.as_bytes());
            names.add(table).expect("the bundled table is one");
            names
        });
        BUNDLED.clone()
    }
}

impl DisplayNames {
    /// Adds those of a file: CSV with the columns `name` (what a source writes), `family`, `given`, `order` (`w`
    /// where the given name is said first, `e` where the family's is), `federation` (codes, earliest first, joined
    /// by `/`), `born` and `died` (years; empty where not known).
    ///
    /// # Errors
    ///
    /// Where it cannot be read or has not these columns.
    pub fn read(&mut self, path: &Path) -> Result<(), DisplayNamesError> {
        Ok(self.add(csv::Reader::from_path(path)?)?)
    }

    fn add<R: std::io::Read>(&mut self, mut reader: csv::Reader<R>) -> Result<(), csv::Error> {
        // A line about a person whom another table has is about that person.
        let mut known: FxHashMap<(String, Option<i16>), usize> = self
            .persons
            .iter()
            .enumerate()
            .map(|(number, person)| ((person.listed(), person.life.born), number))
            .collect();
        let mut said: Vec<(String, usize)> = Vec::new();
        for line in reader.deserialize() {
            let NameRow { name, family, given, order, federation, born, died } = line?;
            let life = Life { federation, born, died, ..Life::default() };
            let person = KnownPerson { family, given, is_family_first: order == "e", life };
            let next = self.persons.len();
            let number = *known.entry((person.listed(), born)).or_insert(next);
            if number == next {
                // The name itself leads to the person, if it is more than a surname or an initial.
                let own = PersonName::parse(&format!("{}, {}", person.family, person.given));
                if own.given.first().is_some_and(|word| word.len() > 1) {
                    self.by_key.entry(own.key()).or_default().push((number, false));
                }
                self.persons.push(person);
            }
            said.push((PersonName::parse(&name).key(), number));
        }
        // What a file says of a spelling stands before what was said of it.
        let mut own: FxHashMap<String, Vec<(usize, bool)>> = FxHashMap::default();
        for (key, number) in said {
            let persons = own.entry(key).or_default();
            if !persons.contains(&(number, true)) {
                persons.push((number, true));
            }
        }
        for (key, persons) in own {
            let others = self.by_key.remove(&key).unwrap_or_default();
            let others = others.into_iter().filter(|(other, is_said)| {
                !is_said && persons.iter().all(|(number, _)| number != other)
            });
            let all = persons.iter().copied().chain(others).collect();
            self.by_key.insert(key, all);
        }
        Ok(())
    }

    /// The number of the only known person who has one of these names and played in these years, and whether the
    /// table has the spelling itself.
    pub(super) fn find<'n>(
        &self,
        names: impl IntoIterator<Item = &'n PersonName>,
        years: Option<(i16, i16)>,
    ) -> Option<(usize, bool)> {
        let mut found: Option<(usize, bool)> = None;
        let keys = names
            .into_iter()
            .flat_map(|name| std::iter::once(name.key()).chain(cuts(name).map(|cut| cut.key())));
        for key in keys {
            for &(number, is_said) in self.by_key.get(&key).into_iter().flatten() {
                if !self.persons[number].life.spans(years) {
                    continue;
                }
                found = match found {
                    Some((other, _)) if other != number => return None,
                    Some((_, before)) => Some((number, before || is_said)),
                    None => Some((number, is_said)),
                };
            }
        }
        found
    }

    /// The life of the only known person who has this name, whenever he played, if its years are known.
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

/// The ways to read a name without a comma, of which nothing tells where the surname ends and which
/// comes first: `Vasja Pirc`, `Pirc Vasja`.
fn cuts(name: &PersonName) -> impl Iterator<Item = PersonName> {
    let words = &name.surname;
    let is_whole = name.given.is_empty() && (2..=4).contains(&words.len());
    let cuts = if is_whole { 1..words.len() } else { 0..0 };
    cuts.flat_map(|cut| {
        let (first, last) = (words[..cut].to_vec(), words[cut..].to_vec());
        let of = |surname, given| PersonName { surname, given };
        [of(last.clone(), first.clone()), of(first, last)]
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said(spelling: &str, years: (i16, i16)) -> Option<String> {
        let names = DisplayNames::default();
        let (number, _) = names.find([&PersonName::parse(spelling)], Some(years))?;
        Some(names.person(number).listed())
    }

    #[test]
    fn people_are_written_as_people_write_them() {
        for (spelling, years, listed) in [
            ("Maroczy, Geza", (1895, 1936), "Maróczy, Géza"),
            ("Gruenfeld, Ernst", (1911, 1961), "Grünfeld, Ernst"),
            ("Tal, Mihail", (1953, 1992), "Tal, Mikhail"),
            ("Tartakower, Saviely", (1905, 1954), "Tartakower, Savielly"),
            ("Ding, Liren", (2009, 2024), "Ding Liren"),
            ("Vasja Pirc", (1950, 1950), "Pirc, Vasja"),
            ("Pirc Vasja", (1950, 1950), "Pirc, Vasja"),
        ] {
            assert_eq!(said(spelling, years), Some(listed.into()), "{spelling}");
        }
    }

    #[test]
    fn a_users_table_adds_spellings_of_those_who_are_known() {
        let file = tempfile::NamedTempFile::new().expect("a file");
        let table = "name,family,given,order,federation,born,died\n\
                     \"Wizard, of Riga\",Tal,Mikhail,w,LAT,1936,1992\n";
        std::fs::write(file.path(), table).expect("written");
        let mut names = DisplayNames::default();
        names.read(file.path()).expect("a table");
        let find = |spelling: &str| {
            let (number, _) = names.find([&PersonName::parse(spelling)], Some((1953, 1992)))?;
            Some(names.person(number).listed())
        };
        assert_eq!(find("Wizard, of Riga"), Some("Tal, Mikhail".into()));
        assert_eq!(find("Tal, Mihail"), Some("Tal, Mikhail".into()));
        assert_eq!(find("Tal, Mikhail"), Some("Tal, Mikhail".into()));
        std::fs::write(file.path(), "who\nTal\n").expect("written");
        assert!(names.read(file.path()).is_err());
    }

    #[test]
    fn nobody_is_called_so_who_played_beyond_the_life_of_who_is() {
        assert_eq!(said("Maroczy, Geza", (1895, 1990)), None);
        assert_eq!(said("Nobody, Known", (1895, 1990)), None);
    }
}
