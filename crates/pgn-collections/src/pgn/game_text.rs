//! Reads collections a second time, for the texts of games. The game table has no moves.

use std::path::PathBuf;

use super::chunk_reader::ChunkReader;
use super::collection::ReadOptions;
use super::database_pieces::read_block;
use super::file_pieces::pieces_of_file;
use super::piece::Piece;
use crate::games::Game;

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
    let mut of_block = Vec::new();
    for file in files {
        pieces_of_file(file, options.limits, options.chunk, &|_| (), &mut |piece| {
            let (chunk, text) = match &piece {
                Piece::Begin { name: member, .. } => {
                    (name, lines) = (member.clone(), 0);
                    return;
                }
                Piece::Text { text, .. } => (reader.read(text, true), text),
                Piece::Games(block) => {
                    (read_block(&mut reader, block, false, &mut of_block), &of_block)
                }
                // Tables of results have no texts of games.
                Piece::Results { .. } | Piece::Notes(_) | Piece::End | Piece::Damaged(_) => return,
            };
            for (game, &(start, end)) in chunk.games.iter().zip(&chunk.places) {
                let game = Game { line: game.line + lines, ..*game };
                visit(&name, &game, text.get(start..end).unwrap_or_default());
            }
            lines += chunk.lines;
        });
    }
}
