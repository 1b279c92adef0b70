//! Reading and writing PGN.
//!
//! pgn-reader parses one game at a time; where games begin is decided here ([`boundaries`]), so
//! that damage in one game stays in it and every game has its line number.

pub mod boundaries;
mod headers;
mod reader;
mod writer;

pub use reader::read_member;
pub use writer::write_results;
