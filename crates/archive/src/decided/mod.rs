//! Applies the decisions of the Ratings Administrator: to events and their games, and to the inputs
//! of one event's analysis.

pub mod analysis_inputs;
pub mod decide;
pub mod decided_inputs;
mod event_shape;
mod marked;
mod named_player;
mod regrouped;
mod sentences;
