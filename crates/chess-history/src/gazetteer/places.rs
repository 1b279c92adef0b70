//! Places by what sources write for them.

use std::path::Path;
use std::sync::LazyLock;

use rustc_hash::FxHashMap;
use serde::Deserialize;
use thiserror::Error;

use crate::games::tag_words;
use crate::players::fold;

/// The bundled table.
const PLACES: &str = include_str!("../../../../data/places/places.csv");

/// A table of places that cannot be used.
#[derive(Debug, Error)]
#[error("not a table of places (CSV with the columns spelling, place, country): {0}")]
pub struct PlacesError(#[from] csv::Error);

/// What sources write for places, and what these are called.
#[derive(Clone, Debug)]
pub struct Places {
    names: FxHashMap<String, String>,
    countries: FxHashMap<String, String>,
}

/// A line of a table.
#[derive(Deserialize)]
struct PlaceRow {
    spelling: String,
    place: String,
    #[serde(default)]
    country: String,
}

impl Default for Places {
    /// The bundled ones.
    fn default() -> Places {
        static BUNDLED: LazyLock<Places> = LazyLock::new(|| {
            let mut places =
                Places { names: FxHashMap::default(), countries: FxHashMap::default() };
            let table = csv::Reader::from_reader(PLACES.as_bytes());
            places.add(table).expect("the bundled table is one");
            places
        });
        BUNDLED.clone()
    }
}

impl Places {
    /// Adds those of a file: CSV with the columns `spelling` (as a Site tag has it, without the country behind),
    /// `place` (what it is called; empty where it is none: a country, a hall, a server) and `country`.
    ///
    /// # Errors
    ///
    /// Where it cannot be read or has not these columns.
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
            // Who knows the name knows it by itself too.
            self.names.entry(key(&place)).or_insert_with(|| place.clone());
            self.names.insert(key(&spelling), place);
        }
        Ok(())
    }

    /// What a place is called: `Zürich` for `Zuerich`. `None` where it is not known; an empty text where it is no
    /// place.
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

    /// The code of the country that a place is in, where the table tells.
    pub fn country(&self, spelling: &str) -> Option<&str> {
        self.countries.get(&key(spelling)).map(String::as_str)
    }

    /// What places are called elsewhere: by the name that is used here, the other spellings, folded (`wien` of
    /// Vienna).
    pub fn elsewhere(&self) -> FxHashMap<&str, Vec<String>> {
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
    fn spellings_and_names_lead_to_the_name() {
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
    fn a_users_table_goes_before_the_bundled_one() {
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
