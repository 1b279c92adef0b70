//! Games that are there under two spellings.

use std::collections::BTreeSet;

use rayon::prelude::*;
use rustc_hash::FxHashMap;

use super::similarity::phonetic_key;
use super::spellings::{NameIndex, Spelling};
use crate::games::GameTable;

/// Half-moves from which the same moves are the same game, and no opening that two pairs repeat.
const SAME_GAME: u16 = 30;

/// Headers of one game beyond which it is no game: many collections hold the same few moves.
const MOST_HEADERS: usize = 50;

/// For each pair of spellings how many games are there under both, on the same side.
pub(super) fn same_games(
    table: &GameTable,
    spellings: &[Spelling],
    of: &NameIndex,
) -> FxHashMap<(usize, usize), usize> {
    let mut games: Vec<(u64, u32)> = (0..)
        .zip(table.games())
        .filter(|(_, game)| game.plies >= SAME_GAME)
        .map(|(row, game)| (game.fingerprint, row))
        .collect();
    games.par_sort_unstable();
    let keys: Vec<String> =
        spellings.par_iter().map(|spelling| phonetic_key(&spelling.name.surname_key())).collect();
    let are_alike = |a: usize, b: usize| a == b || keys[a] == keys[b];
    let mut found: FxHashMap<(usize, usize), usize> = FxHashMap::default();
    for alike in games.chunk_by(|a, b| a.0 == b.0).filter(|alike| alike.len() > 1) {
        // Each header once, however many copies there are of it.
        let headers: BTreeSet<(usize, usize, u8, Option<i16>)> = alike
            .iter()
            .filter_map(|&(_, row)| {
                let game = &table.games()[row as usize];
                let (white, black) = (of.get(game.white)?, of.get(game.black)?);
                Some((white, black, game.result as u8, game.date.year()))
            })
            .collect();
        if headers.len() > MOST_HEADERS {
            continue;
        }
        let headers: Vec<_> = headers.into_iter().collect();
        let mut pairs: BTreeSet<(usize, usize)> = BTreeSet::new();
        for (place, a) in headers.iter().enumerate() {
            for b in &headers[place + 1..] {
                let years = a.3.zip(b.3);
                let same_game = a.2 == b.2
                    && years.is_none_or(|(a, b)| (a - b).abs() <= 1)
                    && are_alike(a.0, b.0)
                    && are_alike(a.1, b.1);
                if same_game {
                    for (x, y) in [(a.0, b.0), (a.1, b.1)].into_iter().filter(|(x, y)| x != y) {
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
