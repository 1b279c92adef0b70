//! Runs the Tournament App on every event, reads the brackets of knock-outs, and puts the
//! players into the order of finish.

pub mod analyses;
pub mod brackets;
pub mod finish;
mod open_places;
