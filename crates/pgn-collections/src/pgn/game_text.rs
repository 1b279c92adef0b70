//! Reads collections a second time, for the texts of games. The game table has no moves.

use std::path::PathBuf;

use super::chunk_reader::ChunkReader;
use super::collection::{Piece, ReadOptions, pieces};
use crate::games::Game;
use crate::source::for_each_member;

/// Calls `visit` for every game of the files, in their order.
///
/// Its arguments are the name of the member, the row of the game, and the game's text. The row has
/// the reader's numbers of names, not those of a game table. Damage is not reported, because the
/// first pass reported it.
pub fn for_each_game(
    files: &[PathBuf],
    options: ReadOptions,
    visit: &mut dyn FnMut(&str, &Game, &[u8]),
) {
    let mut reader = ChunkReader::default();
    let (mut name, mut lines) = (String::new(), 0);
    for file in files {
        for_each_member(file, options.limits, &|_| (), |member| {
            let Ok(mut member) = member else { return };
            // The first pass reported this error.
            let _ = pieces(&mut member, options.chunk, &|_| (), &mut |piece| match piece {
                Piece::Begin { name: member, .. } => (name, lines) = (member, 0),
                Piece::Text(text) => {
                    let chunk = reader.read(&text, true);
                    for (game, &(start, end)) in chunk.games.iter().zip(&chunk.places) {
                        let game = Game { line: game.line + lines, ..*game };
                        visit(&name, &game, text.get(start..end).unwrap_or_default());
                    }
                    lines += chunk.lines;
                }
                // Tables of results have no texts of games.
                Piece::Results { .. } | Piece::End | Piece::Damaged(_) => {}
            });
        });
    }
}
