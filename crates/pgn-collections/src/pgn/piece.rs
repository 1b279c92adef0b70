//! The pieces into which the inputs are split.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use chess_databases::Block;

use crate::source::{Damaged, Finding, ResultsForm, TextForm};

/// Receives the pieces that were produced.
pub(super) type PieceSink<'g> = &'g mut dyn FnMut(Piece);

/// The number of games that were found in a file and not yet deducted from its budget.
#[derive(Clone, Default)]
pub(super) struct FoundGames(Arc<AtomicU64>);

impl FoundGames {
    pub fn add(&self, games: usize) {
        self.0.fetch_add(games as u64, Ordering::Relaxed);
    }

    /// Returns the number and sets it to zero.
    pub fn take(&self) -> u64 {
        self.0.swap(0, Ordering::Relaxed)
    }
}

/// One step of reading the files.
pub(super) enum Piece {
    /// A member begins.
    Begin { name: String, form: TextForm },
    /// A piece of the member's text follows. Its games are added to those found.
    Text { text: Vec<u8>, found: FoundGames },
    /// Games of the member, which is a database.
    Games(Box<Block>),
    /// Findings about the member as a whole.
    Notes(Vec<Finding>),
    /// The member is a table of results, with this whole text.
    Results { form: ResultsForm, name: String, text: Vec<u8> },
    /// The member ends.
    End,
    /// A member, or its remainder, cannot be read.
    Damaged(Damaged),
}
