//! Greatness
pub mod archive;
pub mod cli;
pub mod events;
pub mod games;
pub mod pgn;
pub mod players;
pub mod ratings;
pub mod site;
pub mod source;
pub mod tournament;
