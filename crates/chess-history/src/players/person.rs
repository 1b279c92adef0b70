//! Persons, and how they came to be.

use bitcode::{Decode, Encode};
use rustc_hash::{FxHashMap, FxHashSet};
use serde::Serialize;

use super::life::Life;
use super::merge_reason::MergeReason;
use super::name::PersonName;
use super::spelling_claims::SpellingMatches;
use super::spelling_file::SpelledPlayer;
use crate::games::{GameTable, NameId};

/// Number of a person, dense from 0 in the order of their ids.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Encode, Decode)]
pub struct PlayerId(pub(super) u32);

impl PlayerId {
    /// The player with this index.
    pub fn of_index(index: u32) -> PlayerId {
        PlayerId(index)
    }

    /// As an index.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// A person.
#[derive(Clone, Debug)]
pub struct Player {
    /// Identifier for URLs: `capablanca-jose-raul`.
    pub id: String,
    /// The name to show where lists sort: `Maróczy, Géza`; `Ding Liren`, where the family's name is said first.
    pub name: String,
    /// The family's name.
    pub surname: String,
    /// The same with an initial, where a namesake of the same years is as well or better known; empty otherwise.
    pub told_apart: String,
    /// The fullest of the spellings in the games.
    pub fullest_spelling: String,
    /// All spellings seen in games, sorted.
    pub spellings: Vec<String>,
    /// What else files of aliases say he is called.
    pub also_called: Vec<String>,
    /// Names in parts, for finding the person on lists.
    pub names: Vec<PersonName>,
    /// His numbers with FIDE, as his games or a spelling file give them; almost always one or none.
    pub fide_ids: Vec<u32>,
    /// First and last year of his games, where any is known.
    pub years: Option<(i16, i16)>,
    /// What a spelling file knows of him.
    pub life: Option<Life>,
}

impl Player {
    /// The surname as it is shown.
    pub fn surname(&self) -> &str {
        &self.surname
    }

    /// The surname with an initial where a namesake of the same years is as well or better known: `Ed. Lasker`.
    pub fn surname_among_namesakes(&self) -> &str {
        if self.told_apart.is_empty() { &self.surname } else { &self.told_apart }
    }

    /// Notes what a table of names knows of him, as far as nothing else does.
    pub(super) fn add_known_life(&mut self, life: &Life) {
        let known = self.life.get_or_insert_default();
        if known.federation.is_empty() {
            known.federation.clone_from(&life.federation);
        }
        known.born = known.born.or(life.born);
        known.died = known.died.or(life.died);
    }

    /// Notes a life, if all of these are one and it is a life in which his games were played. What it does
    /// not tell stays as it was.
    fn set_life(&mut self, mut lives: Vec<Life>) {
        lives.retain(|life| life.spans(self.years));
        lives.dedup();
        let [life] = &lives[..] else { return };
        // A bare surname or an initial may be anybody's; a number with FIDE shuts out all others.
        let is_whole =
            self.names.iter().any(|name| name.given.first().is_some_and(|word| word.len() > 1));
        if self.fide_ids.is_empty() && is_whole {
            self.fide_ids.extend(life.fide_id);
        }
        let known = self.life.get_or_insert_default();
        let Life { titles, federation, fide_id, born, died, birthday, title_years } = life.clone();
        for (mine, theirs) in [(&mut known.titles, titles), (&mut known.federation, federation)] {
            if !theirs.is_empty() {
                *mine = theirs;
            }
        }
        known.fide_id = fide_id.or(known.fide_id);
        known.born = born.or(known.born);
        known.died = died.or(known.died);
        // A day belongs to its year.
        if birthday.is_some() && known.born == born {
            known.birthday = birthday;
        }
        if !title_years.is_empty() {
            known.title_years = title_years;
        }
    }
}

/// Two spellings that were taken for one person.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Merge {
    /// A spelling.
    pub spelling: String,
    /// The name of the person it was given to.
    pub name: String,
    /// Why.
    pub reason: MergeReason,
    /// What speaks for it besides, in words; empty where the reason says all.
    pub evidence: String,
}

/// Two names that may be one person, or one that may be two, and were left as they are.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Doubt {
    /// The name of a person.
    pub name: String,
    /// Another, or the same.
    pub other: String,
    /// All spellings of the other.
    pub spellings: Vec<String>,
    /// What speaks for it and against it, in words.
    pub evidence: String,
}

/// All persons.
#[derive(Clone, Debug, Default)]
pub struct Players {
    pub(super) players: Vec<Player>,
    pub(super) by_name: FxHashMap<NameId, PlayerId>,
    /// What was merged and why.
    pub merges: Vec<Merge>,
    /// What a person should decide, in a file of aliases.
    pub doubts: Vec<Doubt>,
}

impl Players {
    /// The person behind a name in the table's White and Black columns.
    pub fn of_name(&self, name: NameId) -> Option<PlayerId> {
        self.by_name.get(&name).copied()
    }

    /// A person.
    pub fn get(&self, id: PlayerId) -> &Player {
        &self.players[id.index()]
    }

    /// All persons, in the order of their ids.
    pub fn iter(&self) -> impl Iterator<Item = (PlayerId, &Player)> {
        self.players.iter().enumerate().map(|(id, player)| (PlayerId(id as u32), player))
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.players.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.players.is_empty()
    }

    /// Adds what is known of persons: of each who is called as just one of these, and as no other person.
    pub fn add_lives<'a>(&mut self, lives: impl IntoIterator<Item = (&'a PersonName, Life)>) {
        let mut by_key: FxHashMap<String, Vec<Life>> = FxHashMap::default();
        for (name, life) in lives {
            by_key.entry(name.key()).or_default().push(life);
        }
        for player in &mut self.players {
            let lives = player.names.iter().filter_map(|name| by_key.get(&name.key())).flatten();
            let lives = lives.cloned().collect();
            player.set_life(lives);
        }
    }

    /// Adds what else persons are called, for finding them on lists and by those who look for them.
    pub fn add_other_names(&mut self, others: &[(PersonName, Vec<String>)]) {
        let by_key: FxHashMap<String, &[String]> =
            others.iter().map(|(name, others)| (name.key(), others.as_slice())).collect();
        for player in &mut self.players {
            let known = player.names.iter().filter_map(|name| by_key.get(&name.key()));
            let new: Vec<String> = known.copied().flatten().cloned().collect();
            if new.is_empty() {
                continue;
            }
            // Sets, since a file of aliases may have thousands of spellings of one person.
            let mut names: FxHashSet<PersonName> = player.names.iter().cloned().collect();
            let texts = player.spellings.iter().chain(&player.also_called);
            let mut texts: FxHashSet<String> = texts.cloned().collect();
            for text in new {
                let name = PersonName::parse(&text);
                if names.insert(name.clone()) {
                    player.names.push(name);
                }
                if texts.insert(text.clone()) {
                    player.also_called.push(text);
                }
            }
        }
    }

    /// Adds what a spelling file knows of those whom the spellings mean.
    pub fn add_spelled_lives(&mut self, meant: &SpellingMatches, spelled: &[SpelledPlayer]) {
        let mut by_name: FxHashMap<&str, Vec<Life>> = FxHashMap::default();
        for player in spelled {
            by_name.entry(&player.name).or_default().push(player.life());
        }
        for player in &mut self.players {
            let names = player.spellings.iter().filter_map(|text| meant.names.get(text));
            let lives = names.filter_map(|name| by_name.get(name.as_str())).flatten();
            let lives = lives.cloned().collect();
            player.set_life(lives);
        }
    }

    /// All names by surname, for asking whether a name of a list may be anybody's.
    pub fn known_names(&self) -> KnownNames<'_> {
        let mut by_surname: FxHashMap<String, Vec<&PersonName>> = FxHashMap::default();
        for name in self.players.iter().flat_map(|player| &player.names) {
            by_surname.entry(name.surname_key()).or_default().push(name);
            if let [first, _, ..] = &name.surname[..] {
                by_surname.entry(first.clone()).or_default().push(name);
            }
        }
        KnownNames { by_surname }
    }

    /// For each interned text the number of the person, for finding duplicates; texts that are no
    /// names have numbers of their own.
    pub fn numbers(&self, table: &GameTable) -> Vec<u32> {
        (0..table.names.len() as u32)
            .zip(table.names.iter())
            .map(|(other, (name, _))| self.of_name(name).map_or(u32::MAX - other, |id| id.0))
            .collect()
    }
}

/// The names of all persons by surname, and by the first word of surnames of several.
#[derive(Clone, Debug)]
pub struct KnownNames<'a> {
    by_surname: FxHashMap<String, Vec<&'a PersonName>>,
}

impl KnownNames<'_> {
    /// Whether a name, in one of the ways to read it, may be that of a person.
    pub fn may_hold(&self, readings: &[PersonName]) -> bool {
        readings.iter().any(|reading| {
            let namesakes = self.by_surname.get(&reading.surname_key()).into_iter().flatten();
            namesakes.into_iter().any(|name| name.given_compatible(reading, true))
        })
    }
}
