//! The game table, partial dates, rounds, results, which games count, which are the same.

mod date;
mod duplicates;
mod names;
mod rateable;
mod round;
mod score;
mod table;

pub use date::PartialDate;
pub use duplicates::{Duplicate, duplicates};
pub use names::{NameId, Names};
pub use rateable::{Rateable, SetAside, tag_words};
pub use round::Round;
pub use score::GameResult;
pub use table::{Game, GameTable, REAL_MOVES, Signs};
