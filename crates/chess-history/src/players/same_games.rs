//! Counts the games that two spellings have in common.

use std::collections::BTreeSet;

use rayon::prelude::*;
use rustc_hash::FxHashMap;

use super::same_moves::SourceHeader;
use super::similarity::phonetic_key;
use super::spelling::Spelling;

/// Returns for each pair of spellings the number of games that both have, on the same side.
pub(super) fn same_games(
    same_moves: &[Vec<SourceHeader>],
    spellings: &[Spelling],
) -> FxHashMap<(usize, usize), usize> {
    let keys: Vec<String> =
        spellings.par_iter().map(|spelling| phonetic_key(&spelling.name.surname_key())).collect();

    let mut found: FxHashMap<(usize, usize), usize> = FxHashMap::default();
    for headers in same_moves {
        let mut pairs: BTreeSet<(usize, usize)> = BTreeSet::new();
        for (place, a) in headers.iter().enumerate() {
            for b in &headers[place + 1..] {
                let sides = [(a.white, b.white), (a.black, b.black)];
                if a.has_result_of(b)
                    && a.years_from(b).is_none_or(|years| years <= 1)
                    && sides.iter().all(|&(x, y)| x == y || keys[x] == keys[y])
                {
                    for (x, y) in sides.into_iter().filter(|(x, y)| x != y) {
                        pairs.insert((x.min(y), x.max(y)));
                    }
                }
            }
        }
        for pair in pairs {
            *found.entry(pair).or_default() += 1;
        }
    }
    found
}
