//! Gives places their usual names from the spellings in sources.

use std::path::Path;
use std::sync::LazyLock;

use rustc_hash::FxHashMap;
use serde::Deserialize;
use thiserror::Error;

use crate::games::tag_words;
use crate::players::fold;

const PLACES: &str = include_str!("../../../../data/places/places.csv");

/// An error in a table of places.
#[derive(Debug, Error)]
#[error("not a table of places (CSV with the columns spelling, place, country): {0}")]
pub struct PlacesError(#[from] csv::Error);

/// The names and countries of places, by spelling.
#[derive(Clone, Debug)]
pub struct Places {
    names: FxHashMap<String, String>,
    countries: FxHashMap<String, String>,
}

#[derive(Deserialize)]
struct PlaceRow {
    spelling: String,
    place: String,
    #[serde(default)]
    country: String,
}

impl Default for Places {
    fn default() -> Places {
        static BUNDLED: LazyLock<Places> = LazyLock::new(|| {
            let mut places =
                Places { names: FxHashMap::default(), countries: FxHashMap::default() };
            let table = csv::Reader::from_reader(PLACES.as_bytes());
            places.add(table).expect("the bundled table is valid");
            places
        });
        BUNDLED.clone()
    }
}

impl Places {
    /// Adds the places of a CSV file, which take precedence.
    ///
    /// The columns are `spelling` (as in a Site tag, without the country), `place` (the usual name;
    /// empty if the spelling is that of a country, a hall or a server) and `country`.
    ///
    /// # Errors
    ///
    /// Returns an error if the file cannot be read or lacks a column.
    pub fn read(&mut self, path: &Path) -> Result<(), PlacesError> {
        Ok(self.add(csv::Reader::from_path(path)?)?)
    }

    fn add<R: std::io::Read>(&mut self, mut reader: csv::Reader<R>) -> Result<(), csv::Error> {
        for line in reader.deserialize() {
            let PlaceRow { spelling, place, country } = line?;
            if !country.is_empty() && !place.is_empty() {
                self.countries.entry(key(&place)).or_insert_with(|| country.clone());
                self.countries.insert(key(&spelling), country);
            }
            // The usual name is a spelling too.
            self.names.entry(key(&place)).or_insert_with(|| place.clone());
            self.names.insert(key(&spelling), place);
        }
        Ok(())
    }

    /// Returns the usual name of a place: `Zürich` for `Zuerich`.
    ///
    /// `None` if the spelling is unknown; an empty text if it is not a town.
    ///
    /// ```
    /// let places = chess_history::gazetteer::Places::default();
    /// assert_eq!(places.name("Zuerich"), Some("Zürich"));
    /// assert_eq!(places.name("Germany"), Some(""));
    /// assert_eq!(places.name("Nowhere on Sea"), None);
    /// ```
    pub fn name(&self, spelling: &str) -> Option<&str> {
        self.names.get(&key(spelling)).map(String::as_str)
    }

    /// Returns the code of the country of a place, if the table has it.
    pub fn country(&self, spelling: &str) -> Option<&str> {
        self.countries.get(&key(spelling)).map(String::as_str)
    }

    /// Returns the other spellings of each usual name, folded (`wien` for Vienna).
    pub fn other_spellings(&self) -> FxHashMap<&str, Vec<String>> {
        let mut all: FxHashMap<&str, Vec<String>> = FxHashMap::default();
        for (spelling, name) in &self.names {
            if !name.is_empty() && *spelling != key(name) {
                all.entry(name).or_default().push(spelling.clone());
            }
        }
        all.values_mut().for_each(|spellings| spellings.sort_unstable());
        all
    }
}

fn key(spelling: &str) -> String {
    tag_words(&fold(spelling)).collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spellings_and_names_give_the_usual_name() {
        let places = Places::default();
        for (spelling, name) in [
            ("Zürich", "Zürich"),
            ("zurich", "Zürich"),
            ("Koeln", "Cologne"),
            ("Oostende", "Ostend"),
            ("Vienna/Berlin", "Vienna/Berlin"),
        ] {
            assert_eq!(places.name(spelling), Some(name), "{spelling}");
        }
    }

    #[test]
    fn a_users_table_takes_precedence() {
        let file = tempfile::NamedTempFile::new().expect("a file");
        std::fs::write(file.path(), "spelling,place,country\nZuerich,Zurich,SUI\n")
            .expect("written");
        let mut places = Places::default();
        places.read(file.path()).expect("a table");
        assert_eq!(places.name("Zuerich"), Some("Zurich"));
        std::fs::write(file.path(), "town\nZuerich\n").expect("written");
        assert!(places.read(file.path()).is_err());
    }
}
