//! Some games of a database, which can be written as PGN on any thread.

use std::ops::Range;
use std::sync::Arc;

use crate::chessbase::ChessBaseFacts;
use crate::error::Fault;
use crate::place::Place;
use crate::scid::ScidFacts;

/// What is known of all games of a database.
#[derive(Debug)]
pub(crate) enum Facts {
    Scid(ScidFacts),
    ChessBase(ChessBaseFacts),
}

impl Facts {
    pub fn place(&self, record: &[u8]) -> Place {
        match self {
            Facts::Scid(facts) => facts.place(record),
            Facts::ChessBase(facts) => facts.place(record),
        }
    }

    /// Writes a game, and returns its faults.
    fn write(&self, record: &[u8], data: Option<&[u8]>, out: &mut Vec<u8>) -> Vec<String> {
        match self {
            Facts::Scid(facts) => facts.write(record, data, out),
            Facts::ChessBase(facts) => facts.write(record, data, out),
        }
    }
}

/// A game of a block.
#[derive(Clone, Debug)]
pub(crate) struct BlockGame {
    /// Number of the game in its database, from 1.
    pub number: u32,
    /// Its record among those of the block.
    pub record: Range<usize>,
    /// Its tags and moves among those of the block, if they can be read.
    pub data: Option<Range<usize>>,
}

/// Some games of a database, as bytes.
#[derive(Debug)]
pub struct Block {
    pub(crate) facts: Arc<Facts>,
    pub(crate) records: Vec<u8>,
    pub(crate) data: Vec<u8>,
    pub(crate) games: Vec<BlockGame>,
    pub(crate) index_bytes: u64,
}

/// The games of a block that were written.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct BlockGames {
    /// The numbers of the games in their database, from 1, in the order of the text.
    pub numbers: Vec<u32>,
    /// The place of each game in the text (bytes).
    pub starts: Vec<usize>,
    /// The faults of the games, in their order.
    pub faults: Vec<Fault>,
}

impl Block {
    /// Returns how many bytes of the main file were read for the block.
    pub fn index_bytes(&self) -> u64 {
        self.index_bytes
    }

    /// Appends the games to a text as PGN.
    ///
    /// Names are written with the bytes that the database has, in any encoding.
    pub fn write_pgn(&self, text: &mut Vec<u8>) -> BlockGames {
        let mut written = BlockGames::default();
        for game in &self.games {
            let record = self.records.get(game.record.clone()).unwrap_or_default();
            let data = game.data.clone().and_then(|range| self.data.get(range));
            written.starts.push(text.len());
            let faults = self.facts.write(record, data, text);
            let number = game.number;
            written.numbers.push(number);
            let faults = faults.into_iter().map(|message| Fault { game: number, message });
            written.faults.extend(faults);
        }
        written
    }
}
