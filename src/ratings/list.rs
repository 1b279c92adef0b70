//! A rating list in its editions.

use std::collections::BTreeMap;

use jiff::civil::Date;
use rustc_hash::FxHashMap;

use crate::players::PersonName;

/// Days after which an edition is no longer in force: two years, since yearly lists are the
/// rarest, and a list that ended says nothing of what came after it.
const IN_FORCE_DAYS: i32 = 731;

/// One rating list over the years.
#[derive(Clone, Debug, Default)]
pub struct RatingList {
    /// Name of the rating system, as labels show it: `Chessmetrics`, `Elo`.
    pub system: String,
    /// Whether the list itself holds active players only, so that its second is the number two.
    pub active_only: bool,
    editions: BTreeMap<Date, Edition>,
}

/// One edition of a list.
#[derive(Clone, Debug, Default)]
pub struct Edition {
    entries: Vec<Entry>,
    by_surname: FxHashMap<String, Vec<u32>>,
}

/// A line of a list.
#[derive(Clone, Debug, PartialEq)]
pub struct Entry {
    /// The name as the list writes it.
    pub name: String,
    /// Rating (points).
    pub rating: f64,
    readings: Vec<PersonName>,
}

impl RatingList {
    /// An empty list of a system.
    pub fn new(system: impl Into<String>) -> RatingList {
        RatingList { system: system.into(), ..RatingList::default() }
    }

    /// Adds a line to the edition of a day.
    pub fn add(&mut self, date: Date, name: &str, rating: f64) {
        self.editions.entry(date).or_default().add(Entry {
            name: name.to_owned(),
            rating,
            readings: PersonName::readings(name),
        });
    }

    /// Adds the ratings (points) of one player by the day of the list.
    pub fn add_history(&mut self, name: &str, ratings: &[(Date, u16)]) {
        let readings = PersonName::readings(name);
        for &(date, rating) in ratings {
            self.editions.entry(date).or_default().add(Entry {
                name: name.to_owned(),
                rating: f64::from(rating),
                readings: readings.clone(),
            });
        }
    }

    /// Takes in the lines of another file of the same list.
    pub fn merge(&mut self, other: RatingList) {
        for (day, edition) in other.editions {
            let mine = self.editions.entry(day).or_default();
            for entry in edition.entries {
                mine.add(entry);
            }
        }
    }

    /// The edition in force on a day: the last one before it, unless it is more than two years old.
    pub fn in_force(&self, date: Date) -> Option<(Date, &Edition)> {
        let (day, edition) = self.editions.range(..=date).next_back()?;
        ((date - *day).get_days() <= IN_FORCE_DAYS).then_some((*day, edition))
    }

    /// All editions, earliest first.
    pub fn editions(&self) -> impl Iterator<Item = (Date, &Edition)> {
        self.editions.iter().map(|(date, edition)| (*date, edition))
    }

    /// How many lines there are in all editions.
    pub fn len(&self) -> usize {
        self.editions.values().map(|edition| edition.entries.len()).sum()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.editions.is_empty()
    }
}

impl Edition {
    /// Adds a line; the same name with the same rating is there once, from however many files.
    fn add(&mut self, entry: Entry) {
        let known = entry.readings.first().is_some_and(|reading| {
            let same = |&index: &u32| {
                let other = &self.entries[index as usize];
                other.name == entry.name && other.rating == entry.rating
            };
            self.by_surname.get(&reading.surname_key()).is_some_and(|of| of.iter().any(same))
        });
        if known {
            return;
        }
        let index = self.entries.len() as u32;
        for reading in &entry.readings {
            self.by_surname.entry(reading.surname_key()).or_default().push(index);
        }
        self.entries.push(entry);
    }

    /// All lines.
    pub fn entries(&self) -> &[Entry] {
        &self.entries
    }

    /// The line of a person who is known by these names, if there is just one that may be his.
    ///
    /// Tried in turn, the first that finds anybody decides: the same name; compatible first names;
    /// any compatible given name; the first word of a surname of several (`Jimenez Zerquera` is
    /// `Jiménez` on some lists).
    pub fn find(&self, names: &[PersonName]) -> Option<&Entry> {
        type Fits = fn(&PersonName, &PersonName) -> bool;
        let whole: [Fits; 3] = [
            |mine, theirs| mine.given == theirs.given,
            |mine, theirs| mine.given_compatible(theirs, false),
            |mine, theirs| mine.given_compatible(theirs, true),
        ];
        for fits in whole {
            let found = self.candidates(names, PersonName::surname_key, fits);
            if !found.is_empty() {
                return self.only(&found);
            }
        }
        let compound: Vec<PersonName> = names
            .iter()
            .filter(|name| name.surname.len() > 1 && name.surname[0].len() > 3)
            .cloned()
            .collect();
        let found = self.candidates(
            &compound,
            |name| name.surname[0].clone(),
            |mine, theirs| !theirs.given.is_empty() && mine.given_compatible(theirs, false),
        );
        self.only(&found)
    }

    fn candidates(
        &self,
        names: &[PersonName],
        key: impl Fn(&PersonName) -> String,
        fits: impl Fn(&PersonName, &PersonName) -> bool,
    ) -> Vec<u32> {
        let mut found: Vec<u32> = Vec::new();
        for name in names {
            let key = key(name);
            let Some(entries) = self.by_surname.get(&key) else { continue };
            for &index in entries {
                let entry = &self.entries[index as usize];
                let fit = entry
                    .readings
                    .iter()
                    .any(|reading| reading.surname_key() == key && fits(name, reading));
                if fit && !found.contains(&index) {
                    found.push(index);
                }
            }
        }
        found
    }

    fn only(&self, found: &[u32]) -> Option<&Entry> {
        match found {
            [index] => self.entries.get(*index as usize),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
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
            list.add(date(1924, 1, 1), name, rating);
        }
        list
    }

    fn rating(name: &str) -> Option<f64> {
        let list = list();
        let (_, edition) = list.in_force(date(1924, 7, 1)).unwrap();
        edition.find(&[PersonName::parse(name)]).map(|entry| entry.rating)
    }

    #[test]
    fn names_of_games_are_found_on_lists_that_write_them_otherwise() {
        assert_eq!(rating("Lasker, Emanuel"), Some(2800.0));
        assert_eq!(rating("Lasker, Ed"), Some(2550.0));
        assert_eq!(rating("Fischer, Robert James"), Some(2750.0));
        assert_eq!(rating("Horowitz, Israel Albert"), Some(2600.0));
        assert_eq!(rating("Jimenez Zerquera, Eleazar"), Some(2500.0));
        assert_eq!(rating("Gruenfeld, Ernst"), Some(2650.0));
        assert_eq!(rating("Boncourt"), Some(2450.0));
    }

    #[test]
    fn the_same_line_from_two_files_is_one_line() {
        let mut both = list();
        both.merge(list());
        assert_eq!(both.len(), list().len());
        let (_, edition) = both.in_force(date(1924, 7, 1)).unwrap();
        assert!(edition.find(&[PersonName::parse("Lasker, Emanuel")]).is_some());
    }

    #[test]
    fn two_who_may_be_meant_are_none() {
        assert_eq!(rating("Lasker, E"), None);
        assert_eq!(rating("Lasker, Berthold"), None);
    }

    #[test]
    fn an_edition_is_in_force_until_the_next_and_two_years_at_most() {
        let mut list = list();
        list.add(date(1925, 1, 1), "Emanuel Lasker", 2810.0);
        assert_eq!(list.in_force(date(1924, 12, 31)).map(|(day, _)| day), Some(date(1924, 1, 1)));
        assert_eq!(list.in_force(date(1926, 6, 1)).map(|(day, _)| day), Some(date(1925, 1, 1)));
        assert!(list.in_force(date(1923, 12, 31)).is_none());
        assert!(list.in_force(date(1930, 1, 1)).is_none());
    }
}
