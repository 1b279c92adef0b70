//! Splits a file into pieces: a database, or the members of any other file.

use std::path::Path;

use chess_databases::Format;

use super::database_pieces::pieces_of_database;
use super::member_pieces::pieces_of_member;
use super::piece::{Piece, PieceSink, UnannouncedGames};
use crate::source::{Damaged, Limits, SourceError, for_each_member, is_read_once, unreadable};

/// Produces the pieces of a file. `chunk` is the size of pieces of text (bytes).
pub(super) fn pieces_of_file(
    file: &Path,
    limits: Limits,
    chunk: usize,
    advance: &(dyn Fn(u64) + Sync),
    give: PieceSink<'_>,
) {
    if !is_read_once(file) {
        if let Some(format) = Format::of_main_file(file) {
            return pieces_of_database(file, format, limits, advance, give);
        }
        if let Some(reason) = unreadable(file) {
            let name = file.display().to_string();
            return give(Piece::Damaged(Damaged { name, error: SourceError::NoFile(reason) }));
        }
    }
    let games = UnannouncedGames::default();
    for_each_member(file, limits, &|bytes| advance(bytes), |member| match member {
        Ok(mut member) => {
            let outcome = pieces_of_member(&mut member, chunk, advance, &games, give);
            if let Err(damaged) = outcome {
                give(Piece::Damaged(damaged));
            }
        }
        Err(damaged) => give(Piece::Damaged(damaged)),
    });
}
