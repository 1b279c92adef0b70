//! The file of aliases: spellings that belong to one person, and what is known of him, said by a person.
//!
//! ```toml
//! [[player]]
//! name = "Korchnoi, Viktor"
//! spellings = ["Kortschnoj, Viktor", "Korchnoi, Victor"]
//! born = 1931
//! died = 2016
//! titles = "GM"
//! federation = "URS/SUI"
//! fide_id = 1300016
//! ```
//!
//! All but the name may be left out.

use std::path::Path;

use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::display_names::{DisplayNames, DisplayNamesError};
use super::life::Life;
use super::merge_reason::MergeReason;
use super::name::PersonName;

/// Names that are spellings of names that are spellings: more is a circle.
const LONGEST_CHAIN: usize = 8;

/// Spellings by person.
#[derive(Clone, Debug, Default)]
pub struct Aliases {
    names: FxHashMap<String, String>,
    /// From spelling files; what a person said comes before.
    from_spelling_files: FxHashMap<String, String>,
    /// What is known of persons, by the name to show.
    lives: Vec<(PersonName, Life)>,
    display_names: DisplayNames,
    /// What else persons are called, by the name to show.
    others: Vec<(PersonName, Vec<String>)>,
    /// File and line where a spelling stands, by its key.
    places: FxHashMap<String, (String, u64)>,
}

/// A file of aliases that cannot be used.
#[derive(Debug, Error)]
pub enum AliasError {
    /// The file cannot be read.
    #[error("cannot be read: {0}")]
    Read(#[from] std::io::Error),
    /// It is no TOML of this shape; the message names the line.
    #[error("{0}")]
    Toml(#[from] toml::de::Error),
    /// One spelling is given to two persons; the first has it.
    #[error("`{spelling}` is given to `{second}`, and to `{first}` already; keep one")]
    Twice {
        /// The spelling.
        spelling: String,
        /// Whose it was first.
        first: String,
        /// Whose it was next.
        second: String,
    },
    /// How many further spellings are given to two persons.
    #[error("{0} more spellings are given to two persons each")]
    More(usize),
}

/// Spellings given to two persons that are reported one by one.
const MOST_ERRORS: usize = 50;

/// Where spellings stand in a file.
#[derive(Deserialize)]
struct SpellingPositions {
    #[serde(default)]
    player: Vec<EntryPositions>,
}

#[derive(Deserialize)]
struct EntryPositions {
    #[serde(default)]
    spellings: Vec<toml::Spanned<String>>,
}

/// The shape of the file.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AliasFile {
    /// Persons.
    #[serde(default)]
    pub player: Vec<AliasEntry>,
}

/// A person in the file.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AliasEntry {
    /// The name to show.
    pub name: String,
    /// What else it is spelt.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub spellings: Vec<String>,
    /// Year of birth.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub born: Option<i16>,
    /// Year of death.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub died: Option<i16>,
    /// Titles, joined by `+`.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub titles: String,
    /// Federations, earliest first, joined by `/`.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub federation: String,
    /// FIDE's identification number.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fide_id: Option<u32>,
}

impl AliasEntry {
    /// A person with nothing known of him but spellings.
    pub fn new(name: impl Into<String>, spellings: Vec<String>) -> AliasEntry {
        AliasEntry { name: name.into(), spellings, ..AliasEntry::default() }
    }

    /// What is known of him.
    pub fn life(&self) -> Life {
        let AliasEntry { born, died, titles, federation, fide_id, .. } = self.clone();
        // A 0 is what lists write for none.
        let fide_id = fide_id.filter(|id| *id > 0);
        Life { titles, federation, fide_id, born, died, ..Life::default() }
    }

    /// Notes what is known of him.
    pub fn set_life(&mut self, life: &Life) {
        let Life { titles, federation, fide_id, born, died, .. } = life.clone();
        (self.titles, self.federation) = (titles, federation);
        (self.fide_id, self.born, self.died) = (fide_id, born, died);
    }
}

impl Aliases {
    /// Adds a file; what is wrong with it, each with its line (0: of the whole). A spelling that two persons are given stays
    /// the first's, and costs nothing else.
    pub fn read(&mut self, path: &Path) -> Vec<(u64, AliasError)> {
        let text = match std::fs::read_to_string(path) {
            Ok(text) => text,
            Err(error) => return vec![(0, error.into())],
        };
        let file: AliasFile = match toml::from_str(&text) {
            Ok(file) => file,
            Err(error) => return vec![(0, error.into())],
        };
        // What could be read as the one can be read as the other.
        let places = toml::from_str(&text).unwrap_or(SpellingPositions { player: Vec::new() });
        let ends: Vec<usize> = memchr::memchr_iter(b'\n', text.as_bytes()).collect();
        let line = |at: usize| 1 + ends.partition_point(|end| *end < at) as u64;
        let (mut errors, mut wrong) = (Vec::new(), 0);
        for (entry, places) in file.player.into_iter().zip(places.player) {
            let life = entry.life();
            if life != Life::default() {
                self.lives.push((PersonName::parse(&entry.name), life));
            }
            if !entry.spellings.is_empty() {
                self.others.push((PersonName::parse(&entry.name), entry.spellings.clone()));
            }
            for (spelling, place) in entry.spellings.iter().zip(&places.spellings) {
                let key = PersonName::parse(spelling).key();
                let line = line(place.span().start);
                if let Some(first) = self.names.get(&key) {
                    if *first != entry.name {
                        let (spelling, first) = (spelling.clone(), first.clone());
                        let second = entry.name.clone();
                        wrong += 1;
                        if wrong <= MOST_ERRORS {
                            errors.push((line, AliasError::Twice { spelling, first, second }));
                        }
                    }
                    continue;
                }
                self.places.insert(key.clone(), (path.display().to_string(), line));
                self.names.insert(key, entry.name.clone());
            }
        }
        if wrong > MOST_ERRORS {
            errors.push((0, AliasError::More(wrong - MOST_ERRORS)));
        }
        errors
    }

    /// File and line where a person said whose a spelling is.
    pub fn place_of(&self, spelling: &str) -> Option<(&str, u64)> {
        let (file, line) = self.places.get(&PersonName::parse(spelling).key())?;
        Some((file, *line))
    }

    /// Adds what a spelling file says.
    pub fn add_from_spelling_file(&mut self, file: &AliasFile) {
        for entry in &file.player {
            for spelling in &entry.spellings {
                let key = PersonName::parse(spelling).key();
                self.from_spelling_files.insert(key, entry.name.clone());
            }
        }
    }

    /// Adds a table of how names are written, which goes before the bundled one (see [`DisplayNames::read`]).
    ///
    /// # Errors
    ///
    /// Where it cannot be read or has other columns.
    pub fn read_display_names(&mut self, path: &Path) -> Result<(), DisplayNamesError> {
        self.display_names.read(path)
    }

    /// How known persons are written.
    pub fn display_names(&self) -> &DisplayNames {
        &self.display_names
    }

    /// The name to use for a spelling, and whether a person said so, or else a spelling file.
    pub fn name_of(&self, spelling: &str) -> Option<(&str, MergeReason)> {
        let key = PersonName::parse(spelling).key();
        let mut said = self.names.get(&key);
        // A name may itself be a spelling of another.
        for _ in 0..LONGEST_CHAIN {
            match said.and_then(|name| self.names.get(&PersonName::parse(name).key())) {
                Some(next) if Some(next) != said => said = Some(next),
                _ => break,
            }
        }
        let said = said.map(|name| (name.as_str(), MergeReason::Alias));
        said.or_else(|| {
            let name = self.from_spelling_files.get(&key)?;
            Some((name.as_str(), MergeReason::SpellingFile))
        })
    }

    /// What is known of persons, by the name to show.
    pub fn lives(&self) -> &[(PersonName, Life)] {
        &self.lives
    }

    /// What else persons are called, by the name to show.
    pub fn other_names(&self) -> &[(PersonName, Vec<String>)] {
        &self.others
    }

    /// How many spellings it holds.
    pub fn len(&self) -> usize {
        self.names.len()
    }

    /// Whether it holds none.
    pub fn is_empty(&self) -> bool {
        self.names.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_that_is_a_spelling_of_another_is_followed_to_its_end() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("aliases.toml");
        let text = "[[player]]\nname = \"A, B\"\nspellings = [\"C, D\"]\n\
                    [[player]]\nname = \"C, D\"\nspellings = [\"E, F\"]\n\
                    [[player]]\nname = \"G, H\"\nspellings = [\"I, J\"]\n\
                    [[player]]\nname = \"I, J\"\nspellings = [\"G, H\"]\n";
        std::fs::write(&path, text).expect("written");
        let mut aliases = Aliases::default();
        assert!(aliases.read(&path).is_empty(), "a file of aliases");
        assert_eq!(aliases.name_of("E, F"), Some(("A, B", MergeReason::Alias)));
        assert_eq!(aliases.name_of("C, D"), Some(("A, B", MergeReason::Alias)));
        assert!(aliases.name_of("G, H").is_some(), "a circle ends");
    }

    #[test]
    fn a_spelling_of_two_persons_stays_the_first_s_and_costs_no_other_line() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("aliases.toml");
        let text = "[[player]]\nname = \"A, B\"\nspellings = [\"C, D\"]\n\
                    [[player]]\nname = \"E, F\"\nspellings = [\n\"G, H\",\n\"C, D\"]\n\
                    [[player]]\nname = \"I, J\"\nspellings = [\"K, L\"]\n";
        std::fs::write(&path, text).expect("written");
        let mut aliases = Aliases::default();
        let wrong = aliases.read(&path);
        let told: Vec<(u64, String)> =
            wrong.iter().map(|(line, error)| (*line, error.to_string())).collect();
        let message = "`C, D` is given to `E, F`, and to `A, B` already; keep one";
        assert_eq!(told, [(8, message.to_owned())]);
        assert_eq!(aliases.name_of("C, D"), Some(("A, B", MergeReason::Alias)));
        assert_eq!(aliases.name_of("K, L"), Some(("I, J", MergeReason::Alias)));
        assert_eq!(aliases.place_of("G, H").map(|(_, line)| line), Some(7));
    }

    #[test]
    fn fifty_errors_of_a_file_are_reported_and_the_rest_counted() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("aliases.toml");
        let person =
            |name: &str| format!("[[player]]\nname = \"{name}\"\nspellings = [{}]\n", spellings());
        fn spellings() -> String {
            (0..60).map(|number| format!("\"Spelling{number}\", ")).collect()
        }
        std::fs::write(&path, person("One, A") + &person("Two, B")).unwrap();
        let errors = Aliases::default().read(&path);
        assert_eq!(errors.len(), MOST_ERRORS + 1);
        let last = errors.last().unwrap().1.to_string();
        assert_eq!(last, "10 more spellings are given to two persons each");
    }
}
