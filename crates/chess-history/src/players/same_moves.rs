//! Games that are there under several headers.

use rayon::prelude::*;

use super::spellings::NameIndex;
use crate::games::{GameResult, GameTable};

/// Half-moves from which the same moves are the same game, and no opening that two pairs repeat.
const SAME_GAME: u16 = 30;

/// Headers of one game beyond which it is no game: many collections hold the same few moves.
const MOST_HEADERS: usize = 50;

/// Who played a game, how it ended and when, as one source tells it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct GameHeader {
    /// The spelling of White.
    pub white: usize,
    /// The spelling of Black.
    pub black: usize,
    result: GameResult,
    year: Option<i16>,
}

impl GameHeader {
    /// Whether the results are the same.
    pub fn has_result_of(&self, other: &GameHeader) -> bool {
        self.result == other.result
    }

    /// How many years lie between the two, where both are known; a game is often dated by the next.
    pub fn years_from(&self, other: &GameHeader) -> Option<i16> {
        self.year.zip(other.year).map(|(one, two)| (one - two).abs())
    }
}

/// The headers of each game that has several, each once however many copies there are of it, in order.
pub(super) fn same_moves(table: &GameTable, of: &NameIndex) -> Vec<Vec<GameHeader>> {
    let mut games: Vec<(u64, u32)> = (0..)
        .zip(table.games())
        .filter(|(_, game)| game.plies >= SAME_GAME)
        .map(|(row, game)| (game.fingerprint, row))
        .collect();
    games.par_sort_unstable();
    games
        .chunk_by(|a, b| a.0 == b.0)
        .filter(|alike| alike.len() > 1)
        .map(|alike| {
            let headers = alike.iter().filter_map(|&(_, row)| {
                let game = &table.games()[row as usize];
                let (white, black) = (of.get(game.white)?, of.get(game.black)?);
                Some(GameHeader { white, black, result: game.result, year: game.date.year() })
            });
            let mut headers: Vec<GameHeader> = headers.collect();
            headers.sort_unstable();
            headers.dedup();
            headers
        })
        .filter(|headers| (2..=MOST_HEADERS).contains(&headers.len()))
        .collect()
}
