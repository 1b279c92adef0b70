//! Runs the Tournament App on every event, and reads the brackets of knock-outs.

pub mod analyses;
pub mod brackets;
