//! The game table, partial dates, rounds, results, which games count, which are the same, which
//! nobody played.

mod columns;
mod date;
mod duplicates;

mod game;
mod name_bytes;
mod names;
mod rateable;
mod result;
mod round;
mod sources;
mod table;
mod tempo;
mod walkovers;

pub use columns::{ColumnError, GameColumn, GameColumns, Members};
pub use date::{MONTHS, PartialDate};
pub use duplicates::{Duplicate, duplicates};
pub use game::{Game, GameFlags, REAL_MOVES};
pub use name_bytes::{NameBytes, same_bytes};
pub use names::{LONGEST_NAME, NameId, NameTable, clean_name, visible};
pub use rateable::{
    Rateable, SetAside, is_server, may_name_a_program, names_a_player, names_a_program, tag_words,
};
pub use result::GameResult;
pub use round::Round;
pub use sources::Sources;
pub use table::GameTable;
pub use tempo::{Tempo, TempoReason};
pub use walkovers::mark_walkovers;
