//! Names as the bytes that a file holds, before their encoding is known.

use hashbrown::HashTable;

use super::names::{NameId, hash};

/// Interned byte strings. Each value is stored once.
///
/// Values are numbered from 0, without gaps, in the order of first appearance.
#[derive(Clone, Debug, Default)]
pub struct NameBytes {
    bytes: Vec<u8>,
    ends: Vec<u32>,
    hashes: Vec<u64>,
    places: HashTable<ValueLocation>,
}

/// Location of a value, with everything that a search needs.
#[derive(Clone, Copy, Debug)]
struct ValueLocation {
    hash: u32,
    start: u32,
    length: u32,
    number: u32,
}

impl NameBytes {
    /// Returns the number of a value, and whether the value is new.
    pub fn intern(&mut self, value: &[u8]) -> (NameId, bool) {
        let hash = hash(value);
        let NameBytes { bytes, ends, hashes, places } = self;
        let known = places.find(hash, |place| {
            let (start, length) = (place.start as usize, place.length as usize);
            place.hash == hash as u32
                && bytes.get(start..start + length).is_some_and(|bytes| same_bytes(bytes, value))
        });
        if let Some(place) = known {
            return (NameId::from_number(place.number), false);
        }
        let number = ends.len() as u32;
        let (start, length) = (bytes.len() as u32, value.len() as u32);
        bytes.extend_from_slice(value);
        ends.push(bytes.len() as u32);
        hashes.push(hash);
        let place = ValueLocation { hash: hash as u32, start, length, number };
        places.insert_unique(hash, place, |place| hashes[place.number as usize]);
        (NameId::from_number(number), true)
    }

    /// Returns the value at a place, and its hash (see [`super::NameTable`]).
    pub fn get(&self, place: usize) -> Option<(&[u8], u64)> {
        let hash = *self.hashes.get(place)?;
        Some((slice(&self.bytes, &self.ends, place as u32), hash))
    }

    /// Returns a copy of the values from a number on. The copy can be iterated, but not searched.
    pub fn since(&self, number: usize) -> NameBytes {
        let start = number.checked_sub(1).map_or(0, |before| self.ends[before]);
        NameBytes {
            bytes: self.bytes[start as usize..].to_vec(),
            ends: self.ends[number..].iter().map(|end| end - start).collect(),
            hashes: self.hashes[number..].to_vec(),
            places: HashTable::new(),
        }
    }

    /// Iterates over all values in the order of their numbers.
    pub fn iter(&self) -> impl Iterator<Item = &[u8]> {
        (0..self.ends.len() as u32).map(|number| slice(&self.bytes, &self.ends, number))
    }

    /// Returns the number of values.
    pub fn len(&self) -> usize {
        self.ends.len()
    }
}

/// Returns whether two values are equal.
///
/// Values are short and mostly differ in their first or last eight bytes, which are compared
/// first.
#[inline(always)]
pub fn same_bytes(a: &[u8], b: &[u8]) -> bool {
    if a.len() != b.len() {
        return false;
    }
    match (a.first_chunk::<8>(), b.first_chunk::<8>(), a.last_chunk::<8>(), b.last_chunk::<8>()) {
        (Some(a0), Some(b0), Some(a1), Some(b1)) => {
            a0 == b0 && a1 == b1 && (a.len() <= 16 || a[8..a.len() - 8] == b[8..b.len() - 8])
        }
        _ => a.iter().eq(b),
    }
}

fn slice<'a>(bytes: &'a [u8], ends: &[u32], number: u32) -> &'a [u8] {
    let number = number as usize;
    let start = number.checked_sub(1).map_or(0, |before| ends[before]);
    &bytes[start as usize..ends[number] as usize]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_bytes_have_one_number() {
        let mut names = NameBytes::default();
        let numbers: Vec<usize> = [&b"Tal"[..], b"Keres", b"Tal", b"", b"S\xe4misch"]
            .iter()
            .map(|value| names.intern(value).0.index())
            .collect();
        assert_eq!(numbers, [0, 1, 0, 2, 3]);
        assert_eq!(names.iter().collect::<Vec<_>>(), [&b"Tal"[..], b"Keres", b"", b"S\xe4misch"]);
    }
}
