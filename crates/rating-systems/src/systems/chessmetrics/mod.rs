//! Chessmetrics: simultaneous, weighted, padded performance ratings.
//!
//! Source: Jeff Sonas, *Chessmetrics: Formulas* (the formulas of 2005).

mod formulas;
mod monthly;
mod performance;
mod rounds;

pub use monthly::{Chessmetrics, level};
pub use performance::{ChessmetricsPerformance, PADDED_GAMES, padded_performance};
