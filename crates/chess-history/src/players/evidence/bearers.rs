//! Counts the bearers of a surname whom a given name may mean.

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::ops::Range;

use rayon::prelude::*;
use rustc_hash::FxHashMap;

use super::name::match_words;
use crate::players::given_names::{GivenNameIndex, LARGE};

/// The first given names in full of the bearers of a surname.
#[derive(Debug, Default)]
pub(super) struct Bearers {
    /// In order.
    names: Vec<String>,
    /// The similar names of many.
    index: Option<GivenNameIndex>,
    /// What each of many names, and the initials, may mean.
    meant: FxHashMap<String, Vec<u32>>,
}

impl Bearers {
    /// `names` are in order, without repetition; `initials` are the given names of one letter or
    /// two.
    pub fn new(names: Vec<String>, initials: &BTreeSet<&str>) -> Bearers {
        let mut bearers = Bearers { names, ..Bearers::default() };
        if bearers.names.len() >= LARGE {
            let mut index = GivenNameIndex::default();
            for (place, name) in (0..).zip(&bearers.names) {
                index.add(place, std::slice::from_ref(name));
            }
            index.sort();
            bearers.index = Some(index);
            let names = bearers.names.iter().map(String::as_str);
            let all: Vec<&str> = names.chain(initials.iter().copied()).collect();
            bearers.meant = all
                .into_par_iter()
                .map(|name| (name.to_owned(), bearers.meant(name).into_owned()))
                .collect();
        }
        bearers
    }

    /// Returns how many of the bearers with the initial of a given name it may mean and a fuller
    /// one may not.
    ///
    /// Short forms with another initial are few, so they don't count.
    pub fn rivals(&self, vague: &str, full: &str) -> usize {
        if self.index.is_some() {
            return self.rivals_by_index(vague, full);
        }
        let with_initial = &self.names[self.with_initial(vague)];
        with_initial
            .iter()
            .filter(|name| match_words(name, vague).is_some() && match_words(name, full).is_none())
            .count()
    }

    fn rivals_by_index(&self, vague: &str, full: &str) -> usize {
        let meant = self.meant(vague);
        if vague.get(..1) != full.get(..1) {
            let names = meant.iter().map(|place| &self.names[*place as usize]);
            return names.filter(|name| match_words(name, full).is_none()).count();
        }
        let other = self.meant(full);
        let (few, many) =
            if meant.len() < other.len() { (&meant, &other) } else { (&other, &meant) };
        meant.len() - few.iter().filter(|place| many.binary_search(place).is_ok()).count()
    }

    /// Returns the places of the names that a given name with their initial may mean, in order.
    fn meant(&self, given: &str) -> Cow<'_, [u32]> {
        if let Some(known) = self.meant.get(given) {
            return Cow::Borrowed(known);
        }
        let similar = self.index.as_ref().map(|index| index.similar(&[given.to_owned()]));
        let mut meant = similar.unwrap_or_default();
        let with_initial = self.with_initial(given);
        meant.retain(|place| {
            let place = *place as usize;
            with_initial.contains(&place) && match_words(&self.names[place], given).is_some()
        });
        Cow::Owned(meant)
    }

    /// Returns the places of the names with the initial of a given name; all if that is empty.
    fn with_initial(&self, given: &str) -> Range<usize> {
        let initial = given.get(..1).unwrap_or_default();
        let start = self.names.partition_point(|name| name.as_str() < initial);
        let names = &self.names[start..];
        start..start + names.partition_point(|name| name.starts_with(initial))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rivals_of_many_names_are_those_that_comparing_all_finds() {
        let letters = || ('a'..='z').step_by(4);
        let mut names: Vec<String> = letters()
            .flat_map(|second| letters().map(move |third| format!("j{second}{third}n")))
            .chain(
                ["john", "johann", "johannes", "jack", "jonathan", "bob", "robert"]
                    .map(String::from),
            )
            .flat_map(|name| [format!("{name}a"), name])
            .collect();
        names.sort();
        names.dedup();
        let large = Bearers::new(names.clone(), &BTreeSet::from(["j", "jo"]));
        let compared = Bearers { names: names.clone(), ..Bearers::default() };
        assert!(large.index.is_some());
        let others = ["", "j", "jo", "r", "zoe", "bobby", "jochann"].map(String::from);
        let mut all = 0;
        for vague in names.iter().chain(&others) {
            for full in names.iter().chain(&others) {
                let rivals = large.rivals(vague, full);
                assert_eq!(rivals, compared.rivals(vague, full), "{vague} {full}");
                all += rivals;
            }
        }
        assert!(all > 10 * names.len(), "{all}");
    }
}
