//! The pieces into which the inputs are split.

use chess_databases::Block;

use crate::source::{Damaged, Finding, ResultsForm, TextForm};

/// Receives the pieces that were produced.
pub(super) type PieceSink<'g> = &'g mut dyn FnMut(Piece);

/// One step of reading the files.
pub(super) enum Piece {
    /// A member begins.
    Begin { name: String, form: TextForm },
    /// A piece of the member's text follows.
    Text(Vec<u8>),
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
