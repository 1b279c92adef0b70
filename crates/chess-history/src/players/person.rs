//! Stores the players and their names.

use bitcode::{Decode, Encode};
use rustc_hash::FxHashMap;

use super::life::Life;
use super::merge::{Doubt, Merge, WeighedPair};
use super::name::PersonName;
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
    /// The names similar to the [explained](super::NameSources::explained) one, with the evidence.
    pub weighed: Vec<WeighedPair>,
    /// The names with an initial that are a player's in an event, which has a number.
    pub(crate) divided: Vec<(NameId, u32, PlayerId)>,
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
