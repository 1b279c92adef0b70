//! Interned text: each tag value is kept once and named by a number.

use std::hash::Hasher;

use hashbrown::HashTable;
use rustc_hash::FxHasher;

/// Number of an interned text, dense from 0 in the order of first appearance.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct NameId(u32);

impl NameId {
    /// As an index.
    pub fn index(self) -> usize {
        self.0 as usize
    }

    pub(super) fn from_number(number: u32) -> NameId {
        NameId(number)
    }
}

/// The texts behind the numbers.
#[derive(Clone, Debug, Default)]
pub struct NameTable {
    /// All texts, one behind the other.
    text: String,
    /// Where each ends.
    ends: Vec<usize>,
    hashes: Vec<u64>,
    /// Numbers by the hash of their texts.
    numbers: HashTable<u32>,
}

impl NameTable {
    /// The number of a text, given now if it is new.
    pub fn intern(&mut self, text: &str) -> NameId {
        self.intern_hashed(text, hash(text.as_bytes()))
    }

    /// The same for a text whose hash is known: that of its bytes in a [`super::NameBytes`].
    pub fn intern_hashed(&mut self, text: &str, hash: u64) -> NameId {
        let NameTable { text: all, ends, hashes, numbers } = self;
        let is_it = |number: &u32| {
            hashes[*number as usize] == hash && slice(all, ends, *number as usize) == text
        };
        if let Some(number) = numbers.find(hash, is_it) {
            return NameId(*number);
        }
        let number = ends.len() as u32;
        all.push_str(text);
        ends.push(all.len());
        hashes.push(hash);
        numbers.insert_unique(hash, number, |number| hashes[*number as usize]);
        NameId(number)
    }

    /// The text of a number that this collection gave.
    pub fn text(&self, id: NameId) -> &str {
        slice(&self.text, &self.ends, id.index())
    }

    /// The hash of the text of a number, by which it is found.
    pub(super) fn hash_of(&self, id: NameId) -> u64 {
        self.hashes[id.index()]
    }

    /// How many texts there are.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// All texts with their numbers.
    pub fn iter(&self) -> impl Iterator<Item = (NameId, &str)> {
        (0..self.ends.len())
            .map(|number| (NameId(number as u32), slice(&self.text, &self.ends, number)))
    }
}

fn slice<'a>(text: &'a str, ends: &[usize], number: usize) -> &'a str {
    let start = number.checked_sub(1).map_or(0, |before| ends[before]);
    &text[start..ends[number]]
}

/// The hash by which texts and bytes are found.
pub(super) fn hash(bytes: &[u8]) -> u64 {
    let mut hasher = FxHasher::default();
    hasher.write(bytes);
    hasher.finish()
}
/// Bytes of a name that are kept.
pub const LONGEST_NAME: usize = 250;

/// A name as it is kept: white space folded, control characters out and those that nobody sees but that
/// turn the text around them (overrides of its direction, joiners), its length bounded.
pub fn clean_name(text: &str) -> String {
    let visible: String = text.chars().filter(|c| !is_invisible(*c)).collect();
    let mut clean = visible
        .split(|c: char| c.is_whitespace() || c.is_control())
        .filter(|word| !word.is_empty())
        .collect::<Vec<_>>()
        .join(" ");
    if clean.len() > LONGEST_NAME {
        let end = (0..=LONGEST_NAME).rev().find(|end| clean.is_char_boundary(*end)).unwrap_or(0);
        clean.truncate(end);
    }
    clean
}

/// A text without what nobody sees and what is no character, as [`clean_name`], but with its lines, and as long as it is.
pub fn visible(text: &str) -> String {
    text.chars()
        .filter(|c| !is_invisible(*c) && (!c.is_control() || matches!(c, '\n' | '\t')))
        .collect()
}

/// What turns the text around it or is not seen at all, and code points that are no characters, which no XML may hold.
fn is_invisible(c: char) -> bool {
    let is_no_character = u32::from(c) & 0xfffe == 0xfffe || ('\u{fdd0}'..='\u{fdef}').contains(&c);
    is_no_character
        || matches!(c, '\u{ad}' | '\u{61c}' | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}'
        | '\u{2060}'..='\u{206f}' | '\u{feff}' | '\u{fff9}'..='\u{fffb}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_cleaned_and_bounded() {
        assert_eq!(clean_name(" Nimzowitsch,\t Aaron \u{7}"), "Nimzowitsch, Aaron");
        assert_eq!(clean_name("\u{202e}Tal, Mi\u{200b}hail\u{2066}"), "Tal, Mihail");
        assert_eq!(clean_name("Tal\u{ffff}, M\u{fdd0}\u{1fffe}ihail\u{9b}"), "Tal, Mihail");
        assert_eq!(visible("a\u{202e}b\nc\u{1b}[2J\td"), "ab\nc[2J\td");
        assert!(clean_name(&"ä".repeat(1000)).len() <= LONGEST_NAME);
    }
}
