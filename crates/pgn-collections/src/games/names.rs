//! Interned texts. Each tag value is stored once and identified by a number.

use std::hash::Hasher;

use hashbrown::HashTable;
use rustc_hash::FxHasher;

use crate::source::CleanName;

/// Number of an interned text, from 0 without gaps, in the order of first appearance.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct NameId(u32);

impl NameId {
    /// Returns the number as an index.
    pub fn index(self) -> usize {
        self.0 as usize
    }

    pub(super) fn from_number(number: u32) -> NameId {
        NameId(number)
    }
}

/// The interned texts and their numbers.
#[derive(Clone, Debug, Default)]
pub struct NameTable {
    /// All texts, concatenated.
    text: String,
    /// The end of each text.
    ends: Vec<usize>,
    hashes: Vec<u64>,
    /// Numbers by the hash of their texts.
    numbers: HashTable<u32>,
}

impl NameTable {
    /// Returns the number of a text, which is cleaned first ([`CleanName`]). A new text gets the
    /// next number.
    pub fn intern(&mut self, text: &str) -> NameId {
        if CleanName::is_clean(text.as_bytes()) {
            return self.intern_hashed(text, hash(text.as_bytes()));
        }
        let name = CleanName::new(text);
        self.intern_hashed(&name, hash(name.as_bytes()))
    }

    /// Returns the number of a clean text whose hash is already known, like
    /// [`intern`](NameTable::intern).
    ///
    /// The hash must be that of the text's bytes in a `NameBytes`.
    pub(crate) fn intern_hashed(&mut self, text: &str, hash: u64) -> NameId {
        let NameTable { text: all, ends, hashes, numbers } = self;
        let known = numbers.find(hash, |number| {
            hashes[*number as usize] == hash && slice(all, ends, *number as usize) == text
        });
        if let Some(number) = known {
            return NameId(*number);
        }
        let number = ends.len() as u32;
        all.push_str(text);
        ends.push(all.len());
        hashes.push(hash);
        numbers.insert_unique(hash, number, |number| hashes[*number as usize]);
        NameId(number)
    }

    /// Returns the text of a number that this table assigned.
    pub fn text(&self, id: NameId) -> &str {
        slice(&self.text, &self.ends, id.index())
    }

    pub(super) fn hash_of(&self, id: NameId) -> u64 {
        self.hashes[id.index()]
    }

    /// Returns the number of texts.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Returns whether the table has no texts.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// Iterates over all texts with their numbers.
    pub fn iter(&self) -> impl Iterator<Item = (NameId, &str)> {
        (0..self.ends.len())
            .map(|number| (NameId(number as u32), slice(&self.text, &self.ends, number)))
    }
}

fn slice<'a>(text: &'a str, ends: &[usize], number: usize) -> &'a str {
    let start = number.checked_sub(1).map_or(0, |before| ends[before]);
    &text[start..ends[number]]
}

/// The hash by which texts and byte strings are looked up.
pub(super) fn hash(bytes: &[u8]) -> u64 {
    let mut hasher = FxHasher::default();
    hasher.write(bytes);
    hasher.finish()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_table_has_only_clean_names() {
        let mut names = NameTable::default();
        let name = names.intern(" \u{202e}Tal,\tMihail\u{9b}");
        assert_eq!(names.text(name), "Tal, Mihail");
        assert_eq!(names.intern("Tal,  Mihail"), name);
    }
}
