//! The Ratings Administrator's decisions: what a person overruled for an event, and why.

mod file;

pub use file::{Decision, DecisionError, Decisions, Forfeit, RatingDecision, Segments, Split};
