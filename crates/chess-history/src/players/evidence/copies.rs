//! Finds games that are under two names in two copies of an event.

use rayon::prelude::*;
use rustc_hash::{FxHashMap, FxHashSet};

use super::field::{EventSeats, RowsCompared};
use super::partners::Partners;
use super::seat::{MOST_NAMES, Seat, equal_games};
use crate::players::cluster::{LinkInput, OpponentClasses};

/// The number of different games in common from which two events of a year may be copies.
///
/// Judged: two matches of the same players have six different games at most, one for each colour
/// and result.
const GAMES_OF_COPIES: usize = 5;

/// The part of the smaller event that must be in common.
///
/// Judged: of copies in which a third of the names are misspelt and half of the games missing,
/// about a third would be. In the shared collection, 524 of 897 pairs of events with five games in
/// common have less than a fifth; of twelve that were read none is a copy, but rapid games, or
/// events of one year. Single games decide further.
const PART_OF_COPIES: f64 = 0.1;

/// Pairs of events that are copies of each other, as far as their games say.
pub(super) struct Copies<'a> {
    games: FxHashMap<u32, FxHashMap<u32, &'a [Seat]>>,
    pairs: Vec<(u32, u32)>,
}

impl<'a> Copies<'a> {
    pub fn new(seats: &'a [Seat], input: &LinkInput, classes: &OpponentClasses) -> Copies<'a> {
        let mut cells: Vec<_> = seats
            .par_iter()
            .filter(|seat| !seat.is_black)
            .map(|seat| {
                let white = classes.surnames[seat.spelling as usize];
                let game = (input.numbers.year(seat.event), white, seat.opponent, seat.result);
                (game, seat.event)
            })
            .collect();
        cells.par_sort_unstable();
        cells.dedup();
        let mut sizes: FxHashMap<u32, usize> = FxHashMap::default();
        let mut common: FxHashMap<(u32, u32), usize> = FxHashMap::default();
        for events in cells.chunk_by(|a, b| a.0 == b.0) {
            for (place, (_, one)) in events.iter().enumerate() {
                *sizes.entry(*one).or_default() += 1;
                if events.len() <= MOST_NAMES {
                    for (_, other) in &events[place + 1..] {
                        *common.entry((*one, *other)).or_default() += 1;
                    }
                }
            }
        }
        let are_copies = |(one, other): &(u32, u32), games: usize| {
            let smaller = sizes[one].min(sizes[other]);
            games >= GAMES_OF_COPIES && games as f64 >= PART_OF_COPIES * smaller as f64
        };
        let mut pairs: Vec<(u32, u32)> = common
            .into_iter()
            .filter(|(pair, games)| are_copies(pair, *games))
            .map(|(pair, _)| pair)
            .collect();
        pairs.sort_unstable();
        let needed: FxHashSet<u32> = pairs.iter().flat_map(|(a, b)| [*a, *b]).collect();
        let games = seats
            .chunk_by(|a, b| a.event == b.event)
            .filter(|event| needed.contains(&event[0].event))
            .map(|event| {
                let players = event.chunk_by(|a, b| a.spelling == b.spelling);
                (event[0].event, players.map(|games| (games[0].spelling, games)).collect())
            })
            .collect();
        Copies { games, pairs }
    }

    /// Returns, by pair of candidates, the games in which both have one opponent, colour and result
    /// in two copies of an event, less those in which they have not.
    pub fn same_games(&self, partners: &Partners) -> impl Iterator<Item = (usize, u32)> {
        let mut found: FxHashMap<usize, i32> = FxHashMap::default();
        for (one, copy) in &self.pairs {
            let copy = &self.games[copy];
            for (&player, mine) in &self.games[one] {
                for &(other, pair) in partners.of(player) {
                    if let Some(theirs) = copy.get(&other) {
                        *found.entry(pair as usize).or_default() += equal_games(mine, theirs);
                    }
                }
            }
        }
        found.into_iter().filter(|(_, games)| *games > 0).map(|(pair, games)| (pair, games as u32))
    }

    /// Compares the games of some spellings with those of their partners in copies of the event.
    pub fn compare_some(&self, partners: &Partners, wanted: &FxHashSet<u32>) -> Vec<EventSeats> {
        let mut found = Vec::new();
        for &(one, copy) in &self.pairs {
            for (event, in_copy) in [(one, copy), (copy, one)] {
                let in_copy = &self.games[&in_copy];
                for (&spelling, mine) in &self.games[&event] {
                    if !wanted.contains(&spelling) {
                        continue;
                    }
                    for &(other, _) in partners.of(spelling) {
                        let Some(theirs) = in_copy.get(&other) else { continue };
                        let equal_games = equal_games(mine, theirs);
                        let rows = RowsCompared { equal_games, ..RowsCompared::default() };
                        found.push(EventSeats { spelling, event, other, rows });
                    }
                }
            }
        }
        found
    }
}
