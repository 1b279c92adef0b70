//! Reads files of aliases, in which a user lists spellings of players' names and facts about them.
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
//! Only the name is required. Names and spellings are as the games have them, or as the pages show
//! them (`displayed_aliases`).

use std::path::Path;
use std::sync::Arc;

use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::display_names::{DisplayNames, DisplayNamesError};
use super::life::Life;
use super::merge::MergeReason;
use super::name::PersonName;
use crate::source::CleanName;
use crate::source::read_text;

/// The longest chain of names that are spellings of other names. A longer one is a circle.
///
/// Judged: a chain of a user's file over a bundled one has two links. A higher limit only makes a
/// circle take more look-ups.
const LONGEST_CHAIN: usize = 8;

/// The spellings that files of aliases and decisions assign to players, and facts about the
/// players.
#[derive(Clone, Debug, Default)]
pub struct Aliases {
    names: FxHashMap<String, CleanName>,
    /// The spellings of spelling files. A file of aliases takes precedence.
    from_spelling_files: FxHashMap<String, CleanName>,
    /// The user's facts about players, by their display name.
    lives: Vec<(PersonName, Life)>,
    /// The facts of bundled files.
    bundled_lives: Vec<(PersonName, Life)>,
    display_names: DisplayNames,
    /// Other spellings of players' names, by their display name.
    others: Vec<(PersonName, Vec<CleanName>)>,
    /// The spellings with their files and lines, in the order of reading.
    assigned: Vec<AssignedSpelling>,
    /// The place of each spelling among these, by its key.
    places: FxHashMap<String, usize>,
    /// The name whose comparisons with similar names are kept.
    pub(super) explained: Option<String>,
}

/// A spelling that a file assigns to a player.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AssignedSpelling {
    /// The spelling as the file writes it.
    pub spelling: CleanName,
    /// The display name of the player.
    pub name: CleanName,
    /// The path of the file, as messages show it.
    pub file: Arc<str>,
    /// The line in the file; 0 for the whole file.
    pub line: u64,
    /// Whether the file is bundled, so that the user's files have priority.
    pub is_bundled: bool,
}

/// A player to whom a decision assigns spellings.
#[derive(Clone, Debug)]
pub struct DecidedName {
    /// The display name of the player.
    pub name: CleanName,
    /// The other spellings.
    pub spellings: Vec<CleanName>,
    /// The path of the file with the decision, as messages show it.
    pub file: String,
    /// The line in the file.
    pub line: u64,
}

/// An error in a file of aliases.
#[derive(Debug, Error)]
pub enum AliasError {
    /// The file cannot be read.
    #[error("cannot be read: {0}")]
    Read(#[from] std::io::Error),
    /// The file is not valid TOML of this form; the message names the line.
    #[error("{0}")]
    Toml(#[from] toml::de::Error),
    /// A spelling is assigned to two players; the first one keeps it.
    #[error(
        "`{spelling}` is assigned to `{second}` and, earlier, to `{first}`; remove one of them"
    )]
    Twice {
        /// The spelling as the file writes it.
        spelling: CleanName,
        /// The player who has it first.
        first: CleanName,
        /// The player who has it next.
        second: CleanName,
    },
    /// The number of further spellings that are assigned to two players.
    #[error("{0} more spellings are assigned to two players each")]
    More(usize),
}

/// The number of spellings assigned to two players that are reported one by one.
///
/// Judged: no one reads more messages of one kind, and a file with more errors has a common cause.
const MOST_ERRORS: usize = 50;

/// The positions of the spellings in a file.
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

/// The contents of a file of aliases.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AliasFile {
    /// The players, in the order of the file.
    #[serde(default)]
    pub player: Vec<AliasEntry>,
}

/// A player in a file of aliases.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AliasEntry {
    /// The display name, as the games or the pages write it.
    pub name: CleanName,
    /// Other spellings of the name.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub spellings: Vec<CleanName>,
    /// Year of birth, if known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub born: Option<i16>,
    /// Year of death, if known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub died: Option<i16>,
    /// Titles, joined by `+`.
    #[serde(default, skip_serializing_if = "str::is_empty")]
    pub titles: CleanName,
    /// Federations, earliest first, joined by `/`.
    #[serde(default, skip_serializing_if = "str::is_empty")]
    pub federation: CleanName,
    /// FIDE identification number, if known; lists also write 0 for none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fide_id: Option<u32>,
}

impl AliasEntry {
    /// Creates a player with no known facts except spellings.
    pub fn new(name: impl Into<CleanName>, spellings: Vec<CleanName>) -> AliasEntry {
        AliasEntry { name: name.into(), spellings, ..AliasEntry::default() }
    }

    /// Returns the known facts about the player.
    pub fn life(&self) -> Life {
        let AliasEntry { born, died, titles, federation, fide_id, .. } = self.clone();
        // Lists write 0 for none.
        let fide_id = fide_id.filter(|id| *id > 0);
        let (titles, federation) = (titles.into(), federation.into());
        Life { titles, federation, fide_id, born, died, ..Life::default() }
    }

    /// Sets the known facts about the player.
    pub fn set_life(&mut self, life: &Life) {
        let Life { titles, federation, fide_id, born, died, .. } = life.clone();
        (self.titles, self.federation) = (titles.into(), federation.into());
        (self.fide_id, self.born, self.died) = (fide_id, born, died);
    }
}

impl Aliases {
    /// Adds a file and returns its errors, each with its line (0 for the whole file).
    ///
    /// The user's files have priority over bundled ones, which must be read before them. A spelling
    /// that files of one kind assign to two players stays the first one's. Other spellings are not
    /// affected.
    pub fn read(&mut self, path: &Path, is_bundled: bool) -> Vec<(u64, AliasError)> {
        let text = match read_text(path) {
            Ok(text) => text,
            Err(error) => return vec![(0, error.into())],
        };
        let file: AliasFile = match toml::from_str(&text) {
            Ok(file) => file,
            Err(error) => return vec![(0, error.into())],
        };
        // A text that can be read as one form can be read as the other.
        let places = toml::from_str(&text).unwrap_or(SpellingPositions { player: Vec::new() });
        let ends: Vec<usize> = memchr::memchr_iter(b'\n', text.as_bytes()).collect();
        let name_of_file: Arc<str> = path.display().to_string().into();
        let (mut errors, mut wrong) = (Vec::new(), 0);
        for (entry, places) in file.player.into_iter().zip(places.player) {
            let life = entry.life();
            if life != Life::default() {
                let lives = if is_bundled { &mut self.bundled_lives } else { &mut self.lives };
                lives.push((PersonName::parse(&entry.name), life));
            }
            if !entry.spellings.is_empty() {
                self.others.push((PersonName::parse(&entry.name), entry.spellings.clone()));
            }
            for (spelling, place) in entry.spellings.iter().zip(&places.spellings) {
                let key = PersonName::parse(spelling).key();
                let start = place.span().start;
                let line = 1 + ends.partition_point(|end| *end < start) as u64;
                if let Some(first) = self.names.get(&key)
                    && self.is_fixed(&key, is_bundled)
                {
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
                if !is_bundled {
                    self.override_bundled(&key, &entry.name);
                }
                self.assign(AssignedSpelling {
                    spelling: spelling.clone(),
                    name: entry.name.clone(),
                    file: Arc::clone(&name_of_file),
                    line,
                    is_bundled,
                });
            }
        }
        if wrong > MOST_ERRORS {
            errors.push((0, AliasError::More(wrong - MOST_ERRORS)));
        }
        errors
    }

    /// Whether a file, bundled or of the user, leaves the assignment of a spelling as it is: all
    /// earlier ones stay, except bundled ones before a user's file.
    fn is_fixed(&self, key: &str, is_bundled: bool) -> bool {
        let earlier = self.places.get(key).map(|place| &self.assigned[*place]);
        earlier.is_none_or(|earlier| is_bundled || !earlier.is_bundled)
    }

    /// Removes what bundled files say about a spelling that the user assigns to `name`: that it
    /// belongs to another player, and that `name` itself is a spelling of it.
    fn override_bundled(&mut self, key: &str, name: &str) {
        let own_key = PersonName::parse(name).key();
        if self.names.get(key).is_some_and(|other| other != name) {
            for (player, others) in &mut self.others {
                if player.key() != own_key {
                    others.retain(|other| PersonName::parse(other).key() != key);
                }
            }
        }
        let back = self.names.get(&own_key).map(|name| PersonName::parse(name).key());
        if back.as_deref() == Some(key) && !self.is_fixed(&own_key, false) {
            self.names.remove(&own_key);
            self.places.remove(&own_key);
        }
    }

    /// Returns the file and line that assign a spelling to a player.
    pub fn place_of(&self, spelling: &str) -> Option<(&str, u64)> {
        let place = self.places.get(&PersonName::parse(spelling).key())?;
        let AssignedSpelling { file, line, .. } = &self.assigned[*place];
        Some((file, *line))
    }

    /// Returns these aliases without the user's assignments. Bundled ones that they replaced apply
    /// again.
    pub fn only_bundled(&self) -> Aliases {
        let mut rest = Aliases {
            names: FxHashMap::default(),
            places: FxHashMap::default(),
            assigned: Vec::new(),
            ..self.clone()
        };
        for one in self.assigned.iter().filter(|one| one.is_bundled) {
            rest.assign(one.clone());
        }
        rest
    }

    /// Assigns a spelling to a player, in place of any earlier assignment.
    pub fn assign(&mut self, assigned: AssignedSpelling) {
        let key = PersonName::parse(&assigned.spelling).key();
        self.names.insert(key.clone(), assigned.name.clone());
        self.places.insert(key, self.assigned.len());
        self.assigned.push(assigned);
    }

    /// Assigns spellings to a player by decision, which precedes the files of aliases.
    pub fn add_decided(&mut self, decided: &DecidedName, is_bundled: bool) {
        let DecidedName { name, spellings, file, line } = decided;
        self.others.push((PersonName::parse(name), spellings.clone()));
        let file: Arc<str> = file.as_str().into();
        for spelling in spellings {
            let (spelling, name) = (spelling.clone(), name.clone());
            let file = Arc::clone(&file);
            self.assign(AssignedSpelling { spelling, name, file, line: *line, is_bundled });
        }
    }

    /// Returns the spellings with their files and lines, in the order of reading.
    pub fn assigned(&self) -> &[AssignedSpelling] {
        &self.assigned
    }

    /// Adds the spellings of a spelling file.
    pub fn add_from_spelling_file(&mut self, file: &AliasFile) {
        for entry in &file.player {
            for spelling in &entry.spellings {
                let key = PersonName::parse(spelling).key();
                self.from_spelling_files.insert(key, entry.name.clone());
            }
        }
    }

    /// Adds a table of display names, which takes precedence over the bundled one.
    pub fn read_display_names(&mut self, path: &Path) -> Result<(), DisplayNamesError> {
        self.display_names.read(path)
    }

    /// Returns the display names of known players.
    pub fn display_names(&self) -> &DisplayNames {
        &self.display_names
    }

    /// Returns the name for a spelling, and whether a file of aliases or a spelling file assigns
    /// it.
    pub fn name_of(&self, spelling: &str) -> Option<(&str, MergeReason)> {
        self.name_of_key(&PersonName::parse(spelling).key())
    }

    /// Returns the display name of a spelling, by the key of its [`PersonName`], and why.
    pub fn name_of_key(&self, key: &str) -> Option<(&str, MergeReason)> {
        let mut alias = self.names.get(key);
        // A name may be a spelling of another name.
        for _ in 0..LONGEST_CHAIN {
            match alias.and_then(|name| self.names.get(&PersonName::parse(name).key())) {
                Some(next) if Some(next) != alias => alias = Some(next),
                _ => break,
            }
        }
        let alias = alias.map(|name| (name.as_str(), MergeReason::Alias));
        alias.or_else(|| {
            let name = self.from_spelling_files.get(key)?;
            Some((name.as_str(), MergeReason::SpellingFile))
        })
    }

    /// Returns the facts of bundled files about players, by their display name.
    pub fn bundled_lives(&self) -> &[(PersonName, Life)] {
        &self.bundled_lives
    }

    /// Returns the user's facts about players, by their display name.
    pub fn lives(&self) -> &[(PersonName, Life)] {
        &self.lives
    }

    /// Returns other spellings of players' names, by their display name.
    pub fn other_names(&self) -> &[(PersonName, Vec<CleanName>)] {
        &self.others
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_chain_of_spellings_is_followed_to_its_end() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("aliases.toml");
        let text = "[[player]]\nname = \"A, B\"\nspellings = [\"C, D\"]\n\
                    [[player]]\nname = \"C, D\"\nspellings = [\"E, F\"]\n\
                    [[player]]\nname = \"G, H\"\nspellings = [\"I, J\"]\n\
                    [[player]]\nname = \"I, J\"\nspellings = [\"G, H\"]\n";
        std::fs::write(&path, text).expect("written");
        let mut aliases = Aliases::default();
        assert!(aliases.read(&path, false).is_empty(), "a file of aliases");
        assert_eq!(aliases.name_of("E, F"), Some(("A, B", MergeReason::Alias)));
        assert_eq!(aliases.name_of("C, D"), Some(("A, B", MergeReason::Alias)));
        assert!(aliases.name_of("G, H").is_some(), "a circle ends");
    }

    #[test]
    fn a_spelling_of_two_players_stays_the_first_ones() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("aliases.toml");
        let text = "[[player]]\nname = \"A, B\"\nspellings = [\"C, D\"]\n\
                    [[player]]\nname = \"E, F\"\nspellings = [\n\"G, H\",\n\"C, D\"]\n\
                    [[player]]\nname = \"I, J\"\nspellings = [\"K, L\"]\n";
        std::fs::write(&path, text).expect("written");
        let mut aliases = Aliases::default();
        let wrong = aliases.read(&path, false);
        let messages: Vec<(u64, String)> =
            wrong.iter().map(|(line, error)| (*line, error.to_string())).collect();
        let message = "`C, D` is assigned to `E, F` and, earlier, to `A, B`; remove one of them";
        assert_eq!(messages, [(8, message.to_owned())]);
        assert_eq!(aliases.name_of("C, D"), Some(("A, B", MergeReason::Alias)));
        assert_eq!(aliases.name_of("K, L"), Some(("I, J", MergeReason::Alias)));
        assert_eq!(aliases.place_of("G, H").map(|(_, line)| line), Some(7));
    }

    #[test]
    fn the_users_spellings_and_facts_have_priority_over_bundled_ones() {
        let folder = tempfile::tempdir().unwrap();
        let (bundled, own) = (folder.path().join("bundled.toml"), folder.path().join("own.toml"));
        let text = "[[player]]\nname = \"A, B\"\nspellings = [\"C, D\", \"E, F\"]\nborn = 1900\n\
                    [[player]]\nname = \"G, H\"\nspellings = [\"I, J\"]\n";
        std::fs::write(&bundled, text).unwrap();
        let text = "[[player]]\nname = \"K, L\"\nspellings = [\"C, D\"]\nborn = 1901\n\
                    [[player]]\nname = \"I, J\"\nspellings = [\"G, H\"]\n";
        std::fs::write(&own, text).unwrap();
        let mut aliases = Aliases::default();
        assert!(aliases.read(&bundled, true).is_empty());
        assert!(
            aliases.read(&own, false).is_empty(),
            "another name than the bundled one is not an error"
        );
        for (spelling, name, why) in [
            ("C, D", Some("K, L"), "the user's file has priority"),
            ("E, F", Some("A, B"), "the other bundled spellings stay"),
            ("G, H", Some("I, J"), "the name and the spelling are exchanged"),
            ("I, J", None, "the name and the spelling are exchanged"),
        ] {
            assert_eq!(aliases.name_of(spelling).map(|(name, _)| name), name, "{why}");
        }
        assert_eq!((aliases.bundled_lives().len(), aliases.lives().len()), (1, 1));
        let of_first = &aliases.other_names()[0].1;
        assert_eq!(of_first, &["E, F"], "a bundled player is not also called as another");
    }

    #[test]
    fn fifty_errors_of_a_file_are_reported_and_the_rest_counted() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("aliases.toml");
        let spellings: String = (0..60).map(|number| format!("\"Spelling{number}\", ")).collect();
        let persons = ["One, A", "Two, B"]
            .map(|name| format!("[[player]]\nname = \"{name}\"\nspellings = [{spellings}]\n"));
        std::fs::write(&path, persons.concat()).unwrap();
        let errors = Aliases::default().read(&path, false);
        assert_eq!(errors.len(), MOST_ERRORS + 1);
        let last = errors.last().unwrap().1.to_string();
        assert_eq!(last, "10 more spellings are assigned to two players each");
    }
}
