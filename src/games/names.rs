//! Interned text: each tag value is kept once and named by a number.

use rustc_hash::FxHashMap;

/// Number of an interned text, dense from 0 in the order of first appearance.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct NameId(u32);

impl NameId {
    /// As an index.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// The texts behind the numbers.
#[derive(Clone, Debug, Default)]
pub struct Names {
    texts: Vec<Box<str>>,
    ids: FxHashMap<Box<str>, u32>,
}

impl Names {
    /// The number of a text, given now if it is new.
    pub fn intern(&mut self, text: &str) -> NameId {
        if let Some(id) = self.ids.get(text) {
            return NameId(*id);
        }
        let id = self.texts.len() as u32;
        self.texts.push(text.into());
        self.ids.insert(text.into(), id);
        NameId(id)
    }

    /// The text of a number that this collection gave.
    pub fn text(&self, id: NameId) -> &str {
        &self.texts[id.index()]
    }

    /// How many texts there are.
    pub fn len(&self) -> usize {
        self.texts.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.texts.is_empty()
    }

    /// All texts with their numbers.
    pub fn iter(&self) -> impl Iterator<Item = (NameId, &str)> {
        self.texts.iter().enumerate().map(|(id, text)| (NameId(id as u32), &**text))
    }
}
