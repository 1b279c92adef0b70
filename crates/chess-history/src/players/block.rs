//! Finds the pairs of spellings that may be one player by their names.

use std::collections::{BTreeMap, BTreeSet};

use rayon::prelude::*;
use rustc_hash::FxHashMap;

use super::evidence::name::{NameForm, NameMatch, compare, compare_exchanged};
use super::evidence::partners::Partners;
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

/// The spellings by surname and initial.
struct Blocks<'a> {
    surnames: Vec<&'a str>,
    by_initial: Vec<BTreeMap<u8, Vec<u32>>>,
    /// The further blocks of a spelling: of a part of its surname, or with its names exchanged.
    others: Vec<(u32, u8, u32)>,
    /// The surname and the number of each spelling without a given name.
    without_given: Vec<(u32, u32)>,
}

/// The number of spellings of a surname beyond which a surname alone identifies no player.
///
/// Judged: only the commonest surnames have so many.
const MOST_BEARERS: usize = 40;

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
                        Some((*numbers.get(part.as_str())?, initial, spelling))
                    }));
                }
                if let [given] = &form.given[..]
                    && let Some(&number) = numbers.get(given.as_str())
                {
                    others.push((number, form.surname.as_bytes()[0], spelling));
                }
            }
        }
        Blocks { surnames, by_initial, others, without_given }
    }

    /// Returns the pairs of spellings in one block or in those of similar surnames.
    fn pairs(&self) -> Vec<(u32, u32)> {
        let mut similar: Vec<(usize, usize)> =
            similar_surnames(&self.surnames).into_iter().map(|(a, b, _)| (a, b)).collect();
        similar.extend((0..self.surnames.len()).map(|one| (one, one)));
        let mut pairs: Vec<(u32, u32)> = similar
            .par_iter()
            .flat_map_iter(|&(one, other)| {
                let both = self.by_initial[one].iter().filter_map(move |(initial, mine)| {
                    Some((mine, self.by_initial[other].get(initial)?))
                });
                both.flat_map(move |(mine, theirs)| {
                    mine.iter()
                        .flat_map(move |&a| theirs.iter().map(move |&b| (a.min(b), a.max(b))))
                })
            })
            .collect();
        for &(surname, initial, spelling) in &self.others {
            let block = self.by_initial[surname as usize].get(&initial);
            let others = block.into_iter().flatten();
            pairs.extend(others.map(|other| (spelling.min(*other), spelling.max(*other))));
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
}
