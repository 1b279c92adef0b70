//! Collections of chess games in, a game table out.
//!
//! [`source`] finds and unpacks the inputs, [`pgn`] reads their games, [`games`] holds them. The
//! crate knows nothing of players, events or ratings.

pub mod games;
pub mod guarded;
pub mod pgn;
pub mod prefilter;
pub mod source;
