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
    /// One spelling is given to two persons.
    #[error("`{spelling}` is given to both `{first}` and `{second}`; keep one")]
    Twice {
        /// The spelling.
        spelling: String,
        /// Whose it was first.
        first: String,
        /// Whose it was next.
        second: String,
    },
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
    /// Adds a file.
    ///
    /// # Errors
    ///
    /// Where it cannot be read or is not of the shape, or gives one spelling to two persons.
    pub fn read(&mut self, path: &Path) -> Result<(), AliasError> {
        let file: AliasFile = toml::from_str(&std::fs::read_to_string(path)?)?;
        for entry in file.player {
            let life = entry.life();
            if life != Life::default() {
                self.lives.push((PersonName::parse(&entry.name), life));
            }
            if !entry.spellings.is_empty() {
                self.others.push((PersonName::parse(&entry.name), entry.spellings.clone()));
            }
            for spelling in &entry.spellings {
                let key = PersonName::parse(spelling).key();
                let first = self.names.insert(key, entry.name.clone());
                if let Some(first) = first.filter(|first| *first != entry.name) {
                    return Err(AliasError::Twice {
                        spelling: spelling.clone(),
                        first,
                        second: entry.name,
                    });
                }
            }
        }
        Ok(())
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
        aliases.read(&path).expect("a file of aliases");
        assert_eq!(aliases.name_of("E, F"), Some(("A, B", MergeReason::Alias)));
        assert_eq!(aliases.name_of("C, D"), Some(("A, B", MergeReason::Alias)));
        assert!(aliases.name_of("G, H").is_some(), "a circle ends");
    }
}
