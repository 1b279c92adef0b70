//! Players, tournaments, sources and teams of a ChessBase database.
//!
//! Each kind has a file of records of one size. A record is also a node of a search tree, which
//! this program does not use: games have the numbers of records.

use std::path::Path;

use crate::bytes::little_endian;
use crate::error::{DatabaseError, Fault};
use crate::record_file::{name, read_whole};

/// The header of a file without its additional bytes, whose number it states (bytes).
const HEADER: usize = 28;

/// The number at the third place of each header.
const MAGIC: u64 = 1_234_567_890;

/// Number of bytes before the facts of a record: two branches of the tree, and its balance.
const NODE: usize = 9;

/// The left branch of a record that is deleted: -999.
const DELETED: u64 = 0xffff_fc19;

/// The records of one kind.
#[derive(Debug, Default)]
pub(super) struct Entities {
    bytes: Vec<u8>,
    /// Size of the header, and of a record (bytes).
    header: usize,
    size: usize,
}

impl Entities {
    /// Reads a file of at most `largest` bytes.
    pub fn read(
        path: &Path,
        largest: u64,
        faults: &mut Vec<Fault>,
    ) -> Result<Entities, DatabaseError> {
        let bytes = read_whole(path, largest)?;
        let number = |at| little_endian(&bytes, at, 4);
        let (count, magic, size, more) = (number(0), number(8), number(12), number(24));
        let is_plausible = magic == MAGIC && size > 0 && more <= 1 << 10;
        if bytes.len() < HEADER || !is_plausible {
            let message = "it does not begin like a file of a ChessBase database".to_owned();
            return Err(DatabaseError::Damaged(name(path), message));
        }
        let (header, size) = (HEADER + more as usize, NODE + size as usize);
        let room = bytes.len().saturating_sub(header) / size;
        if count > room as u64 {
            let file = name(path);
            faults
                .push(Fault::of_database(format!("{file} states {count} records, but has {room}")));
        }
        Ok(Entities { bytes, header, size })
    }

    /// Returns whether there is no record, because the file is missing or empty.
    pub fn is_empty(&self) -> bool {
        self.bytes.len() <= self.header
    }

    /// Returns the facts of a record, unless it is deleted.
    pub fn get(&self, number: u64) -> Option<&[u8]> {
        let start =
            usize::try_from(number).ok()?.checked_mul(self.size)?.checked_add(self.header)?;
        let record = self.bytes.get(start..start.checked_add(self.size)?)?;
        (!record.is_empty() && little_endian(record, 0, 4) != DELETED).then(|| &record[NODE..])
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    fn file(more: u32, records: &[(i32, &str)]) -> Vec<u8> {
        let mut bytes = Vec::new();
        for number in [records.len() as u32, 0, 1_234_567_890, 5, 0, 0, more] {
            bytes.extend(number.to_le_bytes());
        }
        bytes.resize(HEADER + more as usize, 0);
        for (left, text) in records {
            bytes.extend(left.to_le_bytes());
            bytes.extend([0xff, 0xff, 0xff, 0xff, 0]);
            bytes.extend(text.as_bytes());
        }
        bytes
    }

    fn read(bytes: &[u8]) -> (Result<Entities, DatabaseError>, Vec<Fault>) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.cbp");
        fs::write(&path, bytes).unwrap();
        let mut faults = Vec::new();
        (Entities::read(&path, 10_000, &mut faults), faults)
    }

    #[test]
    fn records_are_found_by_their_numbers_in_old_and_new_files() {
        for more in [0, 4] {
            // The first record is its own child, which does not matter.
            let (read, faults) = read(&file(more, &[(0, "Tal.."), (-999, "Gone."), (-1, "Keres")]));
            let entities = read.unwrap();
            assert!(faults.is_empty());
            let texts = [0, 1, 2, 3, u64::MAX].map(|number| entities.get(number));
            assert_eq!(texts, [Some(&b"Tal.."[..]), None, Some(b"Keres"), None, None]);
        }
    }

    #[test]
    fn a_file_that_is_cut_off_has_its_first_records() {
        let whole = file(4, &[(-1, "Tal.."), (-1, "Keres")]);
        let (cut, faults) = read(&whole[..whole.len() - 1]);
        assert_eq!(cut.unwrap().get(0), Some(&b"Tal.."[..]));
        assert_eq!(faults[0].message, "a.cbp states 2 records, but has 1");
        assert!(read(&whole[..20]).0.is_err() && read(b"").0.is_err());
    }
}
