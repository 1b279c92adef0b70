//! Chessmetrics: simultaneous, weighted, padded performance ratings.
//!
//! Source: Jeff Sonas, *Chessmetrics: Formulas* (the formulas of 2005).

mod formulas;
mod monthly;
mod rounds;

pub use monthly::{Chessmetrics, padded_performance};
