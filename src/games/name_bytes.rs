//! Names as the bytes that a file holds, before anybody asks for their encoding.

use hashbrown::HashTable;

use super::names::{NameId, hash};

/// Interned bytes: each value once, one behind the other, named by a number that is dense from 0 in
/// the order of first appearance.
#[derive(Clone, Debug, Default)]
pub struct NameBytes {
    bytes: Vec<u8>,
    ends: Vec<u32>,
    hashes: Vec<u64>,
    numbers: HashTable<u32>,
}

impl NameBytes {
    /// The number of a value, given now if it is new; whether it is.
    pub fn intern(&mut self, value: &[u8]) -> (NameId, bool) {
        let hash = hash(value);
        let NameBytes { bytes, ends, hashes, numbers } = self;
        let is_it = |number: &u32| {
            hashes[*number as usize] == hash && slice(bytes, ends, *number) == value
        };
        let known = numbers.find(hash, is_it);
        if let Some(number) = known {
            return (NameId::from_number(*number), false);
        }
        let number = ends.len() as u32;
        bytes.extend_from_slice(value);
        ends.push(bytes.len() as u32);
        hashes.push(hash);
        numbers.insert_unique(hash, number, |number| hashes[*number as usize]);
        (NameId::from_number(number), true)
    }

    /// The value at a place, and its hash (see [`super::Names`]).
    pub fn get(&self, place: usize) -> Option<(&[u8], u64)> {
        let hash = *self.hashes.get(place)?;
        Some((slice(&self.bytes, &self.ends, place as u32), hash))
    }

    /// The values from a number on, to be gone through; nothing is found in them by its bytes.
    pub fn since(&self, number: usize) -> NameBytes {
        let start = number.checked_sub(1).map_or(0, |before| self.ends[before]);
        NameBytes {
            bytes: self.bytes[start as usize..].to_vec(),
            ends: self.ends[number..].iter().map(|end| end - start).collect(),
            hashes: self.hashes[number..].to_vec(),
            numbers: HashTable::new(),
        }
    }

    /// All values, by number.
    pub fn iter(&self) -> impl Iterator<Item = &[u8]> {
        (0..self.ends.len() as u32).map(|number| slice(&self.bytes, &self.ends, number))
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
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
