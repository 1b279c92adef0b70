//! Finds the pairs of spellings that may be one player by their names.

use std::collections::{BTreeMap, BTreeSet};

use rayon::prelude::*;
use rustc_hash::FxHashMap;

use super::evidence::name::{NameForm, NameMatch, compare, compare_exchanged};
use super::evidence::partners::Partners;
use super::given_names::{GivenNameIndex, LARGE};
use super::similarity::similar_surnames;

/// How the most similar readings of two spellings compare, with their places.
type BestMatch = (NameMatch, usize, usize);

/// The pairs of spellings that may be one player, in order.
#[derive(Debug)]
pub(super) struct Candidates {
    pub forms: Vec<Vec<NameForm>>,
    pub pairs: Vec<(u32, u32)>,
    /// How the most similar readings of each pair compare, with their places.
    pub matches: Vec<BestMatch>,
    pub partners: Partners,
}

impl Candidates {
    /// Finds the pairs of spellings with different homes: those with similar names, and those of
    /// `recorded_twice` whose names may be one.
    pub fn new(
        forms: Vec<Vec<NameForm>>,
        homes: &[usize],
        recorded_twice: impl Iterator<Item = (u32, u32)>,
    ) -> Candidates {
        let mut compared: Vec<(u32, u32)> = Blocks::new(&forms).pairs();
        compared.extend(recorded_twice);
        compared.par_sort_unstable();
        compared.dedup();
        let found: Vec<((u32, u32), BestMatch)> = compared
            .into_par_iter()
            .filter(|(a, b)| homes[*a as usize] != homes[*b as usize])
            .filter_map(|(a, b)| {
                Some(((a, b), best_match(&forms[a as usize], &forms[b as usize])?))
            })
            .collect();
        let (pairs, matches): (Vec<(u32, u32)>, Vec<_>) = found.into_iter().unzip();
        let partners = Partners::new(forms.len(), &pairs);
        Candidates { forms, pairs, matches, partners }
    }
}

/// Returns how the most similar readings of two spellings compare, and their places.
fn best_match(a: &[NameForm], b: &[NameForm]) -> Option<BestMatch> {
    let mut best: Option<BestMatch> = None;
    for (x, one) in a.iter().enumerate() {
        for (y, other) in b.iter().enumerate() {
            let exchanged = if a.len() + b.len() == 2 {
                other.exchanged().and_then(|other| compare_exchanged(one, &other))
            } else {
                None
            };
            for found in [compare(one, other), exchanged].into_iter().flatten() {
                if best.as_ref().is_none_or(|best| found.rank() < best.0.rank()) {
                    best = Some((found, x, y));
                }
            }
        }
    }
    best
}

/// The number of spellings of a surname beyond which a surname alone identifies no player.
///
/// Judged: only the commonest surnames have so many.
const MOST_BEARERS: usize = 40;

/// The spellings by surname and initial.
struct Blocks<'a> {
    forms: &'a [Vec<NameForm>],
    surnames: Vec<&'a str>,
    by_initial: Vec<BTreeMap<u8, Vec<u32>>>,
    others: Vec<FurtherBlock<'a>>,
    /// The surname and the number of each spelling without a given name.
    without_given: Vec<(u32, u32)>,
    /// The given names of large blocks, by surname and initial.
    indexes: FxHashMap<(u32, u8), GivenNameIndex>,
}

/// A further block of a spelling: of a part of its surname, or with its names exchanged.
struct FurtherBlock<'a> {
    surname: u32,
    initial: u8,
    spelling: u32,
    /// The given names that the spelling has in this block.
    given: &'a [String],
}

impl<'a> Blocks<'a> {
    fn new(forms: &'a [Vec<NameForm>]) -> Blocks<'a> {
        let mut surnames: Vec<&str> =
            forms.iter().flatten().map(|form| form.surname.as_str()).collect();
        surnames.par_sort_unstable();
        surnames.dedup();
        let numbers: FxHashMap<&str, u32> = surnames.iter().copied().zip(0..).collect();
        let mut by_initial: Vec<BTreeMap<u8, Vec<u32>>> = vec![BTreeMap::new(); surnames.len()];
        let (mut others, mut without_given) = (Vec::new(), Vec::new());
        for (spelling, forms) in (0..).zip(forms) {
            for form in forms {
                let surname = numbers[form.surname.as_str()];
                if form.given.is_empty() {
                    without_given.push((surname, spelling));
                }
                let block = &mut by_initial[surname as usize];
                for initial in form.initials() {
                    block.entry(initial).or_default().push(spelling);
                    others.extend(form.parts().filter_map(|part| {
                        let surname = *numbers.get(part.as_str())?;
                        Some(FurtherBlock { surname, initial, spelling, given: &form.given })
                    }));
                }
                if let [given] = &form.given[..]
                    && let Some(&surname) = numbers.get(given.as_str())
                {
                    let (initial, given) = (form.surname.as_bytes()[0], form.surname_words());
                    others.push(FurtherBlock { surname, initial, spelling, given });
                }
            }
        }
        let indexes = FxHashMap::default();
        Blocks { forms, surnames, by_initial, others, without_given, indexes }.with_indexes()
    }

    /// Adds the indexes of the large blocks.
    fn with_indexes(mut self) -> Blocks<'a> {
        let large: Vec<(u32, u8)> = (0..)
            .zip(&self.by_initial)
            .flat_map(|(surname, blocks)| {
                let large = blocks.iter().filter(|(_, block)| block.len() >= LARGE);
                large.map(move |(initial, _)| (surname, *initial))
            })
            .collect();
        self.indexes = large.into_par_iter().map(|block| (block, self.index(block))).collect();
        self
    }

    fn index(&self, (surname, initial): (u32, u8)) -> GivenNameIndex {
        let mut index = GivenNameIndex::default();
        for spelling in &self.by_initial[surname as usize][&initial] {
            for given in self.given_names(*spelling, surname) {
                index.add(*spelling, given);
            }
        }
        index.sort();
        index
    }

    /// The given names of the readings of a spelling that have a surname.
    fn given_names(&self, spelling: u32, surname: u32) -> impl Iterator<Item = &'a [String]> {
        let surname = self.surnames[surname as usize];
        let forms = self.forms[spelling as usize].iter();
        forms.filter(move |form| form.surname == surname).map(|form| &form.given[..])
    }

    /// Returns the pairs of spellings in one block or in those of similar surnames.
    fn pairs(&self) -> Vec<(u32, u32)> {
        let mut similar: Vec<(u32, u32)> = similar_surnames(&self.surnames)
            .into_iter()
            .map(|(a, b, _)| (a as u32, b as u32))
            .collect();
        similar.extend((0..self.surnames.len() as u32).map(|one| (one, one)));
        let mut pairs: Vec<(u32, u32)> =
            similar.par_iter().flat_map_iter(|&(one, other)| self.pairs_of(one, other)).collect();
        for further in &self.others {
            let others = self.similar_in_block(further);
            pairs.extend(
                others.map(|other| (further.spelling.min(other), further.spelling.max(other))),
            );
        }
        for &(surname, spelling) in &self.without_given {
            let bearers: BTreeSet<u32> =
                self.by_initial[surname as usize].values().flatten().copied().collect();
            if bearers.len() <= MOST_BEARERS {
                pairs.extend(bearers.into_iter().map(|one| (spelling.min(one), spelling.max(one))));
            }
        }
        pairs.retain(|(a, b)| a != b);
        pairs
    }

    /// Returns the pairs of spellings with these surnames and the same initial.
    fn pairs_of(&self, one: u32, other: u32) -> Vec<(u32, u32)> {
        let mut pairs = Vec::new();
        for (initial, mine) in &self.by_initial[one as usize] {
            let Some(theirs) = self.by_initial[other as usize].get(initial) else { continue };
            let index = self.indexes.get(&(other, *initial)).filter(|_| mine.len() >= LARGE);
            for &a in mine {
                match index {
                    Some(index) => {
                        for given in self.given_names(a, one) {
                            let found = index.similar(given).into_iter();
                            pairs.extend(found.map(|b| (a.min(b), a.max(b))));
                        }
                    }
                    None => pairs.extend(theirs.iter().map(|&b| (a.min(b), a.max(b)))),
                }
            }
        }
        pairs
    }

    /// Returns the spellings of a further block that may be the player.
    fn similar_in_block(&self, further: &FurtherBlock<'_>) -> impl Iterator<Item = u32> {
        let FurtherBlock { surname, initial, given, .. } = *further;
        let (found, all) = match self.indexes.get(&(surname, initial)) {
            Some(index) => (index.similar(given), None),
            None => (Vec::new(), self.by_initial[surname as usize].get(&initial)),
        };
        found.into_iter().chain(all.into_iter().flatten().copied())
    }
}
