//! Reads collections of chess games into a game table.
//!
//! [`source`] finds and unpacks the inputs, [`pgn`] reads their games, [`results`] reads tables of
//! results without moves, and [`games`] holds them all.
//! The crate knows nothing of players, events or ratings.

pub mod games;
pub mod guarded;
pub mod pgn;
pub mod prefilter;
pub mod results;
pub mod source;
