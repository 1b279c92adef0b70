//! The games of one piece of text, not yet in a table.

use crate::games::{Game, GameDetails, NameBytes, NameId};
use crate::source::{DiagnosticKind, Finding};

/// The result of reading one piece of text.
///
/// Its games are not yet rows of a whole table: names are numbers of the `ChunkReader`, lines are
/// counted from the beginning of the piece, and the member is missing.
#[derive(Debug, Default)]
pub struct Chunk {
    /// The games, in the order of the text.
    pub games: Vec<Game>,
    /// The names that the reader met for the first time.
    pub names: NewNames,
    /// The first thousand findings of each kind, in the order of their lines.
    pub findings: Vec<Finding>,
    /// The number of findings beyond the first thousand, by kind.
    pub not_listed: Vec<(DiagnosticKind, usize)>,
    /// Number of line feeds in the text.
    pub lines: u32,
    /// Number of values, comments and lines that are not UTF-8, and the line of the first.
    pub not_utf_8: (u64, u32),
    /// The line of the first name that is UTF-8 encoded twice.
    pub encoded_twice: Option<u32>,
    /// Number of NUL bytes, and the line of the first.
    pub nul: (u64, u32),
    /// First line of the last game, if the end of the text seems to have cut that game off.
    pub cut_off: Option<u32>,
    /// The start and end of each game in the text (bytes). Empty unless the caller requested them.
    pub places: Vec<(usize, usize)>,
    /// The details of the games, if the reader keeps them.
    pub details: Option<ChunkDetails>,
}

/// The details of the games of one piece of text.
#[derive(Clone, Debug, Default)]
pub struct ChunkDetails {
    /// The details, in the order of the games. Their numbers are those of [`texts`](Self::texts).
    pub rows: Vec<GameDetails>,
    pub(super) texts: NameBytes,
}

impl ChunkDetails {
    pub(super) fn new() -> ChunkDetails {
        let mut details = ChunkDetails::default();
        // The empty text gets the number 0, which stands for a missing tag.
        details.texts.intern(b"");
        details
    }

    /// Iterates over the values of the tags, as the text has them, in the order of their numbers.
    pub fn texts(&self) -> impl Iterator<Item = &[u8]> {
        self.texts.iter()
    }
}

/// Names that occur for the first time in a piece of text.
#[derive(Clone, Debug, Default)]
pub struct NewNames {
    /// The reader's number of the first of these names.
    pub(super) first: usize,
    pub(super) names: NameBytes,
    /// Whether each name is ASCII and needs no cleaning.
    pub(super) clean: Vec<bool>,
}

impl NewNames {
    /// Returns the number of names.
    pub fn len(&self) -> usize {
        self.clean.len()
    }

    /// Returns whether the table has no names.
    pub fn is_empty(&self) -> bool {
        self.clean.is_empty()
    }

    /// Iterates over the names that are not UTF-8, with their numbers.
    pub(super) fn undecoded(&self) -> impl Iterator<Item = (usize, &[u8])> {
        let named = self.names.iter().zip(&self.clean).enumerate();
        let others =
            named.filter(|(_, (name, clean))| !**clean && std::str::from_utf8(name).is_err());
        others.map(|(place, (name, _))| (self.first + place, name))
    }

    /// Returns the bytes of a name, their hash, and whether they are ASCII that needs no cleaning.
    ///
    /// Returns `None` for a name that did not occur in this piece of text for the first time.
    pub fn get(&self, id: NameId) -> Option<(&[u8], u64, bool)> {
        self.at(id.index())
    }

    /// Returns the same as [`get`](NewNames::get) for the name with the reader's number `number`.
    pub fn at(&self, number: usize) -> Option<(&[u8], u64, bool)> {
        let place = number.checked_sub(self.first)?;
        let clean = *self.clean.get(place)?;
        let (bytes, hash) = self.names.get(place)?;
        Some((bytes, hash, clean))
    }
}
