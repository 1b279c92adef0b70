//! Reads SCID 4 and 5 and ChessBase databases, and writes their games as PGN.
//!
//! [`Database::open`] opens a database by its main file and reads its names.
//! [`Database::next_block`] reads some hundred games, and [`Block::write_pgn`] writes them on any
//! thread. The text has the tags and the main line of each game. Variations, comments and symbols
//! are left out.
//!
//! A fault in one game loses only what it damages: the moves from there on, or one name. Games are
//! found by their records alone, so no tree or list within the files is followed.

mod block;
mod bytes;
mod chessbase;
mod database;
mod error;
mod format;
mod game_file;
mod main_line;
mod pgn_text;
mod place;
mod record_file;
mod scid;

pub use block::{Block, BlockGames};
pub use database::{Database, LeftOut};
pub use error::{DatabaseError, Fault};
pub use format::Format;
