//! The index of a SCID database: a record of fixed size for each game.

use crate::bytes::{big_endian, bits, little_endian};
use crate::error::DatabaseError;
use crate::pgn_text::PackedDate;

/// Size of the header of a `.si4` file (bytes).
pub(crate) const SI4_HEADER: usize = 182;

/// The first bytes of a `.si4` file.
const SI4_MAGIC: &[u8] = b"Scid.si\0";

/// The flags of a game: it begins from another position, it is marked as deleted.
const DELETED: u32 = 1 << 3;

/// The layout of the records of an index.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Layout {
    /// Version 4: 47 bytes, the most significant byte of a number first.
    Si4,
    /// Version 5: 56 bytes, the least significant byte of a number first.
    Si5,
}

/// The record of a game.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct IndexRecord {
    /// Place of the game in the file of moves, and its length (bytes).
    pub offset: u64,
    pub length: u32,
    pub white: u32,
    pub black: u32,
    pub event: u32,
    pub site: u32,
    pub round: u32,
    pub date: PackedDate,
    pub event_date: PackedDate,
    /// The ratings, with the numbers of their systems.
    pub white_elo: (u32, u8),
    pub black_elo: (u32, u8),
    pub result: u8,
    pub eco: u32,
    pub is_chess960: bool,
    pub is_deleted: bool,
}

impl Layout {
    /// The size of a record (bytes).
    pub fn size(self) -> usize {
        match self {
            Layout::Si4 => 47,
            Layout::Si5 => 56,
        }
    }

    pub(super) fn read(self, record: &[u8]) -> IndexRecord {
        match self {
            Layout::Si4 => si4(record),
            Layout::Si5 => si5(record),
        }
    }
}

/// Reads the header of a `.si4` file, and returns the number of games that it states.
pub(crate) fn si4_games(name: String, header: &[u8]) -> Result<u64, DatabaseError> {
    let damaged = |message: &str| DatabaseError::Damaged(name.clone(), message.to_owned());
    if !header.starts_with(SI4_MAGIC) || header.len() < SI4_HEADER {
        return Err(damaged("it does not begin like the index of a SCID database"));
    }
    match big_endian(header, 8, 2) {
        400 => Ok(big_endian(header, 14, 3)),
        version => Err(damaged(&format!(
            "its version is {version}, not 400; open it with SCID, which makes a new database"
        ))),
    }
}

fn si4(record: &[u8]) -> IndexRecord {
    let number = |at, size| big_endian(record, at, size);
    let byte = |at| big_endian(record, at, 1) as u32;
    let low = |at| big_endian(record, at, 2) as u32;
    let players = byte(9);
    let others = byte(14);
    let dates = number(25, 4);
    let date = PackedDate(bits(dates, 0, 20));
    let rating = |at| (bits(number(at, 2), 0, 12), bits(number(at, 2), 12, 4) as u8);
    IndexRecord {
        offset: number(0, 4),
        length: low(4) | (byte(6) & 0x80) << 9,
        white: (players & 0xf0) << 12 | low(10),
        black: (players & 0x0f) << 16 | low(12),
        event: (others & 0xe0) << 11 | low(15),
        site: (others & 0x1c) << 14 | low(17),
        round: (others & 0x03) << 16 | low(19),
        date,
        event_date: si4_event_date(date, bits(dates, 20, 12)),
        white_elo: rating(29),
        black_elo: rating(31),
        result: bits(number(21, 2), 12, 4) as u8,
        eco: low(23),
        is_chess960: false,
        is_deleted: low(7) & DELETED != 0,
    }
}

/// The date of the event. Its year is stored as the difference from that of the game, plus four.
fn si4_event_date(date: PackedDate, stored: u32) -> PackedDate {
    let difference = stored >> 9 & 7;
    if difference == 0 {
        return PackedDate::default();
    }
    let year = (date.year() + difference).saturating_sub(4);
    PackedDate(year << 9 | stored & 0x1ff)
}

fn si5(record: &[u8]) -> IndexRecord {
    let word = |place: usize| little_endian(record, 4 * place, 4);
    let mixed = bits(word(11), 16, 8);
    IndexRecord {
        offset: u64::from(bits(word(8), 0, 15)) << 32 | word(9),
        length: bits(word(8), 15, 17),
        white: bits(word(0), 0, 28),
        black: bits(word(1), 0, 28),
        event: bits(word(2), 0, 28),
        site: word(3) as u32,
        round: bits(word(4), 0, 31),
        date: PackedDate(bits(word(5), 0, 20)),
        event_date: PackedDate(bits(word(6), 0, 20)),
        white_elo: (bits(word(5), 20, 12), (mixed >> 5 & 7) as u8),
        black_elo: (bits(word(6), 20, 12), (mixed >> 2 & 7) as u8),
        result: (mixed & 3) as u8,
        eco: bits(word(11), 0, 16),
        is_chess960: bits(word(4), 31, 1) == 1,
        is_deleted: bits(word(7), 0, 22) & DELETED != 0,
    }
}

impl IndexRecord {
    /// The code of the opening, without SCID's extension; empty if it is unknown.
    ///
    /// Each of the 500 codes has 131 numbers for its extensions.
    pub fn eco(&self) -> Vec<u8> {
        match self.eco.checked_sub(1).map(|number| number / 131) {
            Some(code @ 0..500) => {
                let letter = char::from(b'A' + (code / 100) as u8);
                format!("{letter}{:02}", code % 100).into_bytes()
            }
            _ => Vec::new(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_date_of_an_event_is_near_that_of_the_game() {
        let date = PackedDate(2013 << 9 | 1 << 5 | 2);
        let stored = |difference: u32| difference << 9 | 12 << 5 | 28;
        assert_eq!(si4_event_date(date, stored(3)), PackedDate(2012 << 9 | 12 << 5 | 28));
        assert_eq!(si4_event_date(date, stored(0)), PackedDate::default());
        assert_eq!(si4_event_date(PackedDate::default(), stored(1)).year(), 0);
    }

    #[test]
    fn codes_of_openings_are_numbered_with_their_extensions() {
        let eco = |eco| String::from_utf8(IndexRecord { eco, ..IndexRecord::default() }.eco());
        assert_eq!(eco(0).unwrap(), "");
        assert_eq!((eco(1).unwrap(), eco(131).unwrap()), ("A00".to_owned(), "A00".to_owned()));
        assert_eq!((eco(132).unwrap(), eco(65_500).unwrap()), ("A01".to_owned(), "E99".to_owned()));
        assert_eq!(eco(65_535).unwrap(), "");
    }
}
