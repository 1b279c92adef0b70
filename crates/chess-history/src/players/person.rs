//! Stores the players, their names and the merges of spellings.

use bitcode::{Decode, Encode};
use rustc_hash::{FxHashMap, FxHashSet};
use serde::Serialize;

use super::aliases::Aliases;
use super::life::Life;
use super::merge_reason::MergeReason;
use super::name::PersonName;
use super::spelling_claims::SpellingMatches;
use super::spelling_file::SpelledPlayer;
use crate::games::{GameTable, NameId};

/// The number of a player, dense from 0 in the order of the identifiers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Encode, Decode)]
pub struct PlayerId(pub(super) u32);

impl PlayerId {
    /// Returns the player with this index.
    pub fn of_index(index: u32) -> PlayerId {
        PlayerId(index)
    }

    /// Returns the index of the player.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// A player of the games.
#[derive(Clone, Debug)]
pub struct Player {
    /// The identifier in URLs: `capablanca-jose-raul`.
    pub id: String,
    /// The display name for sorted lists: `Maróczy, Géza`; `Ding Liren`, whose family name comes
    /// first.
    pub name: String,
    /// The family name, without initials that distinguish namesakes.
    pub surname: String,
    /// The surname with an initial; empty unless a namesake of the same years is as well known.
    pub surname_with_initials: String,
    /// The fullest spelling in the games.
    pub fullest_spelling: String,
    /// All spellings in the games, sorted.
    pub spellings: Vec<String>,
    /// Further spellings in files of aliases.
    pub also_called: Vec<String>,
    /// Names in parts, for finding the player on lists.
    pub names: Vec<PersonName>,
    /// FIDE numbers in the games or a spelling file; almost always one or none.
    pub fide_ids: Vec<u32>,
    /// The first and the last year of the games, if any is known.
    pub years: Option<(i16, i16)>,
    /// Facts about the player's life, if any are known.
    pub life: Option<Life>,
}

impl Player {
    /// Returns the player's FIDE number: that of the life, or else the only one in the games.
    pub fn fide_id(&self) -> Option<u32> {
        let known = self.life.as_ref().and_then(|life| life.fide_id);
        known.or(match self.fide_ids[..] {
            [only] => Some(only),
            _ => None,
        })
    }

    /// Returns the surname for display.
    pub fn surname(&self) -> &str {
        &self.surname
    }

    /// Returns the surname, with an initial if a namesake of the same years is as well known: `Ed.
    /// Lasker`.
    pub fn surname_among_namesakes(&self) -> &str {
        if self.surname_with_initials.is_empty() {
            &self.surname
        } else {
            &self.surname_with_initials
        }
    }

    /// Sets the facts of a life, if all these lives are equal and the player's games fall into it.
    ///
    /// Facts that the life does not state stay as they were. The years of a bundled life give way
    /// to those that are known, both together: with another year of birth, the year of death is
    /// another player's, too.
    fn set_life(&mut self, mut lives: Vec<Life>, is_bundled: bool) {
        lives.retain(|life| life.spans(self.years));
        lives.dedup();
        let [life] = &lives[..] else { return };
        // A bare surname or an initial may be any player's, and a FIDE number excludes all others.
        let has_full_name =
            self.names.iter().any(|name| name.given.first().is_some_and(|word| word.len() > 1));
        let known = self.life.get_or_insert_default();
        // A user may correct the number of a bundled life.
        let is_of_life = !is_bundled && self.fide_ids[..] == *known.fide_id.as_slice();
        if has_full_name && life.fide_id.is_some() && (self.fide_ids.is_empty() || is_of_life) {
            self.fide_ids = life.fide_id.into_iter().collect();
        }
        // Only the table of names has identifiers of Wikidata.
        let Life { titles, federation, fide_id, born, died, birthday, title_years, wikidata: _ } =
            life.clone();
        if !titles.is_empty() {
            known.titles = titles;
        }
        // A history of federations says more than one of them, which may be of another time. The
        // bundled aliases are less reliable than the table of names.
        let is_checked = is_bundled && !known.federation.is_empty();
        let says_more = federation.contains('/') || !known.federation.contains('/');
        if !federation.is_empty() && !is_checked && says_more {
            known.federation = federation;
        }
        known.fide_id = fide_id.or(known.fide_id);
        let contradicts = [(known.born, born), (known.died, died)]
            .into_iter()
            .any(|(mine, theirs)| mine.zip(theirs).is_some_and(|(mine, theirs)| mine != theirs));
        let (born, died) = if is_bundled && contradicts { (None, None) } else { (born, died) };
        known.born = born.or(known.born);
        known.died = died.or(known.died);
        // A birthday belongs to its year of birth.
        if birthday.is_some() && known.born == born {
            known.birthday = birthday;
        }
        if !title_years.is_empty() {
            known.title_years = title_years;
        }
    }
}

/// A spelling that was assigned to a player with another name.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Merge {
    /// The spelling, as in the games.
    pub spelling: String,
    /// The name of the player.
    pub name: String,
    /// The reason for the merge.
    pub reason: MergeReason,
    /// Further evidence in words; empty if the reason is sufficient.
    pub evidence: String,
}

/// A doubt: two names that may be one player's, or one name that may be two players'.
///
/// They were left as they are.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Doubt {
    /// The name of a player.
    pub name: String,
    /// The name of another player, or the same name.
    pub other: String,
    /// All spellings of the other name.
    pub spellings: Vec<String>,
    /// The evidence for and against one player, in words.
    pub evidence: String,
}

/// All players of the games.
#[derive(Clone, Debug, Default)]
pub struct Players {
    pub(super) players: Vec<Player>,
    pub(super) by_name: FxHashMap<NameId, PlayerId>,
    /// The merges and their reasons.
    pub merges: Vec<Merge>,
    /// The doubts that a user should decide in a file of aliases.
    pub doubts: Vec<Doubt>,
}

impl Players {
    /// Returns the player behind a name in the table's White and Black columns.
    pub fn of_name(&self, name: NameId) -> Option<PlayerId> {
        self.by_name.get(&name).copied()
    }

    /// Returns the player with this identifier, which must be of these players.
    pub fn get(&self, id: PlayerId) -> &Player {
        &self.players[id.index()]
    }

    /// Returns all players, in the order of their identifiers.
    pub fn iter(&self) -> impl Iterator<Item = (PlayerId, &Player)> {
        self.players.iter().enumerate().map(|(id, player)| (PlayerId(id as u32), player))
    }

    /// Returns the number of players.
    pub fn len(&self) -> usize {
        self.players.len()
    }

    /// Whether the games name no player.
    pub fn is_empty(&self) -> bool {
        self.players.is_empty()
    }

    /// Adds the facts of files of aliases: of the bundled ones, then of the user's.
    ///
    /// A life belongs to each player with that name, unless another life has a name of theirs too.
    /// The years of the table of names were checked by hand, so bundled files do not change them.
    pub fn add_lives(&mut self, aliases: &Aliases) {
        for (lives, is_bundled) in [(aliases.bundled_lives(), true), (aliases.lives(), false)] {
            let mut by_key: FxHashMap<String, Vec<&Life>> = FxHashMap::default();
            for (name, life) in lives {
                by_key.entry(name.key()).or_default().push(life);
            }
            for player in &mut self.players {
                let lives = player.names.iter().filter_map(|name| by_key.get(&name.key()));
                let lives = lives.flatten().copied().cloned().collect();
                player.set_life(lives, is_bundled);
            }
        }
    }

    /// Adds further spellings, for finding players on lists and in searches.
    pub fn add_other_names(&mut self, others: &[(PersonName, Vec<String>)]) {
        let by_key: FxHashMap<String, &[String]> =
            others.iter().map(|(name, others)| (name.key(), others.as_slice())).collect();
        for player in &mut self.players {
            let known = player.names.iter().filter_map(|name| by_key.get(&name.key()));
            let new: Vec<String> = known.copied().flatten().cloned().collect();
            if new.is_empty() {
                continue;
            }
            // Sets are fast even if a file of aliases has thousands of spellings of one player.
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

    /// Adds the facts of a spelling file to the players whom it identifies.
    pub fn add_spelled_lives(&mut self, matches: &SpellingMatches, spelled: &[SpelledPlayer]) {
        let mut by_name: FxHashMap<&str, Vec<Life>> = FxHashMap::default();
        for player in spelled {
            by_name.entry(&player.name).or_default().push(player.life());
        }
        for player in &mut self.players {
            let names = player.spellings.iter().filter_map(|text| matches.names.get(text));
            let lives = names.filter_map(|name| by_name.get(name.as_str())).flatten();
            let lives = lives.cloned().collect();
            player.set_life(lives, false);
        }
    }

    /// Returns all names by surname, for checking whether a name on a list may be a player's.
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

    /// Returns the number of the player for each interned text, for finding duplicates.
    ///
    /// A text that names no player has a number that no player and no other text has.
    pub fn numbers(&self, table: &GameTable) -> Vec<u32> {
        (0..table.names.len() as u32)
            .zip(table.names.iter())
            .map(|(other, (name, _))| self.of_name(name).map_or(u32::MAX - other, |id| id.0))
            .collect()
    }
}

/// The names of all players by surname, and by the first word of compound surnames.
#[derive(Clone, Debug)]
pub struct KnownNames<'a> {
    by_surname: FxHashMap<String, Vec<&'a PersonName>>,
}

impl KnownNames<'_> {
    /// Whether a name, in one of its readings, may be a player's.
    pub fn may_contain(&self, readings: &[PersonName]) -> bool {
        readings.iter().any(|reading| {
            let namesakes = self.by_surname.get(&reading.surname_key()).into_iter().flatten();
            namesakes.into_iter().any(|name| name.given_compatible(reading, true))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::super::identity::resolve;
    use super::super::table_of_test_games;
    use super::*;

    /// The years of Tarjan, whom the table of names has as born in 1952.
    fn born(bundled: &str, own: &str) -> Option<i16> {
        let table = table_of_test_games(&[("Tarjan, James Edward", 1974)]);
        let folder = tempfile::tempdir().unwrap();
        let [bundled, own] = [("bundled.toml", bundled), ("own.toml", own)].map(|(name, facts)| {
            let path = folder.path().join(name);
            let text = format!("[[player]]\nname = \"Tarjan, James Edward\"\n{facts}\n");
            std::fs::write(&path, text).unwrap();
            path
        });
        let mut aliases = Aliases::default();
        assert!(aliases.read_bundled(&bundled).is_empty());
        assert!(aliases.read(&own).is_empty());
        let mut players = resolve(&table, &aliases);
        players.add_lives(&aliases);
        let tarjan = players.iter().find(|(_, player)| player.id.starts_with("tarjan")).unwrap();
        tarjan.1.life.as_ref().and_then(|life| life.born)
    }

    #[test]
    fn bundled_years_give_way_to_those_checked_by_hand_and_these_to_the_users() {
        assert_eq!(born("", ""), Some(1952), "the table of names");
        assert_eq!(born("born = 1963", ""), Some(1952));
        assert_eq!(born("born = 1963", "born = 1951"), Some(1951));
    }

    #[test]
    fn a_bundled_life_with_another_birth_gives_no_death_either() {
        let known = Life { born: Some(1918), ..Life::default() };
        let mut player = Player {
            id: String::new(),
            name: String::new(),
            surname: String::new(),
            surname_with_initials: String::new(),
            fullest_spelling: String::new(),
            spellings: Vec::new(),
            also_called: Vec::new(),
            names: Vec::new(),
            fide_ids: Vec::new(),
            years: None,
            life: Some(known.clone()),
        };
        let titles = "IM".to_owned();
        let other = Life { born: Some(1926), died: Some(2007), titles, ..Life::default() };
        player.set_life(vec![other], true);
        assert_eq!(player.life, Some(Life { titles: "IM".into(), ..known }));
    }
}
