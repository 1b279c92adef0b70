//! Finds games that are recorded under several headers.

use rayon::prelude::*;

use super::spelling::NameIndex;
use crate::games::{GameResult, GameTable};

/// The number of half-moves from which equal moves are one game.
///
/// Fewer may be an opening that two pairs repeat. Judged: with twenty half-moves, known variations
/// join players; with sixty, most short draws say nothing about the names.
const SAME_GAME: u16 = 30;

/// The number of headers beyond which equal moves are not one game.
///
/// Many collections contain the same few moves. Judged: no game is in fifty sources under different
/// headers, and the work grows with the square of this number.
const MOST_HEADERS: usize = 50;

/// The players, the result and the year of a game in one source.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct SourceHeader {
    /// The spelling of White.
    pub white: usize,
    /// The spelling of Black.
    pub black: usize,
    result: GameResult,
    year: Option<i16>,
}

impl SourceHeader {
    /// Whether the results are equal.
    pub fn has_result_of(&self, other: &SourceHeader) -> bool {
        self.result == other.result
    }

    /// Returns the number of years between two headers, if both years are known.
    ///
    /// Games are often dated by the following year.
    pub fn years_from(&self, other: &SourceHeader) -> Option<i16> {
        self.year.zip(other.year).map(|(one, two)| (one - two).abs())
    }
}

/// Returns the different headers of each game that has several, in order.
pub(super) fn same_moves(table: &GameTable, name_index: &NameIndex) -> Vec<Vec<SourceHeader>> {
    let mut games: Vec<(u64, u32)> = (0..)
        .zip(table.games())
        .filter(|(_, game)| game.plies >= SAME_GAME)
        .map(|(row, game)| (game.fingerprint, row))
        .collect();
    games.par_sort_unstable();
    games
        .chunk_by(|a, b| a.0 == b.0)
        .filter(|copies| copies.len() > 1)
        .map(|copies| {
            let headers = copies.iter().filter_map(|&(_, row)| {
                let game = &table.games()[row as usize];
                let (white, black) = (name_index.get(game.white)?, name_index.get(game.black)?);
                Some(SourceHeader { white, black, result: game.result, year: game.date.year() })
            });
            let mut headers: Vec<SourceHeader> = headers.collect();
            headers.sort_unstable();
            headers.dedup();
            headers
        })
        .filter(|headers| (2..=MOST_HEADERS).contains(&headers.len()))
        .collect()
}
