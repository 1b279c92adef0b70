//! The game table, and rules about single games.
//!
//! The table holds partial dates, rounds and results. The rules find the games that are not rated,
//! the copies of one game, and the games that were not played.

mod columns;
mod date;
mod details;
mod duplicates;
mod game;
pub mod lexicon;
mod name_bytes;
mod names;
mod rateable;
mod result;
mod round;
mod servers;
mod sources;
mod table;
pub(crate) mod tag_flags;
mod tempo;
mod walkovers;
mod written_date;

pub use columns::{ColumnError, GameColumn, GameColumns, Members};
pub use date::{MONTHS, PartialDate};
pub use details::{DetailTable, GameDetails, PlayerDetails};
pub use duplicates::{Duplicate, duplicates};
pub(crate) use game::rating_points;
pub use game::{Game, GameFlags, REAL_MOVES};
pub(crate) use name_bytes::{NameBytes, same_bytes};
pub use names::{NameId, NameTable};
pub use rateable::{Rateable, SetAside, may_name_a_program, names_a_player, tag_words};
pub use result::GameResult;
pub use round::Round;
pub use servers::is_server;
pub use sources::Sources;
pub use table::GameTable;
pub use tempo::{Tempo, TempoReason};
pub use walkovers::mark_walkovers;
