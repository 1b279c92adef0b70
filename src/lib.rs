//! Greatness
pub mod events;
pub mod games;
pub mod pgn;
pub mod players;
pub mod source;
pub mod tournament;
