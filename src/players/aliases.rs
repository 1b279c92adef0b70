//! The file of aliases: spellings that belong to one person, said by a person.
//!
//! ```toml
//! [[player]]
//! name = "Korchnoi, Viktor"
//! spellings = ["Kortschnoj, Viktor", "Korchnoi, Victor"]
//! ```

use std::path::Path;

use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::name::PersonName;
use super::person::MergeReason;

/// Spellings by person.
#[derive(Clone, Debug, Default)]
pub struct Aliases {
    names: FxHashMap<String, String>,
    /// From spelling files; what a person said comes before.
    from_spelling_files: FxHashMap<String, String>,
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
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AliasEntry {
    /// The name to show.
    pub name: String,
    /// What else it is spelt.
    pub spellings: Vec<String>,
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
    pub fn add_from_spelling_file(&mut self, file: AliasFile) {
        for entry in file.player {
            for spelling in &entry.spellings {
                let key = PersonName::parse(spelling).key();
                self.from_spelling_files.insert(key, entry.name.clone());
            }
        }
    }

    /// The name to use for a spelling, and whether a person said so, or else a spelling file.
    pub fn name_of(&self, spelling: &str) -> Option<(&str, MergeReason)> {
        let key = PersonName::parse(spelling).key();
        let said = self.names.get(&key).map(|name| (name.as_str(), MergeReason::Alias));
        said.or_else(|| {
            let name = self.from_spelling_files.get(&key)?;
            Some((name.as_str(), MergeReason::SpellingFile))
        })
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
