//! Reads and writes PGN.
//!
//! [`read_files`] reads collections into the game table. It splits the files into pieces, which
//! several threads read ([`ChunkReader`]). Games of databases are converted to PGN and read in the
//! same way. This module decides where a game begins and what damage
//! means. The general parser pgn-reader is used only to replay moves.

mod chunk;
mod chunk_reader;
mod clocks;
mod collection;
mod cursor;
mod database_pieces;
mod file_pieces;
mod fingerprint;
mod game_reader;
mod game_text;
mod legality;
mod masks;
mod member_pieces;
mod movetext;
mod piece;
mod replay;
mod tag_line;
mod tag_values;
mod writer;

pub use chunk::{Chunk, ChunkDetails, NewNames};
pub use chunk_reader::ChunkReader;
pub use collection::{ReadOptions, read_files, read_text};
pub use game_text::for_each_game;
pub use replay::{Replayed, replay};
pub use writer::{PgnGame, write_results};
