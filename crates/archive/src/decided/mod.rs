//! Applies the decisions of the Ratings Administrator: to events and their games, and to the inputs
//! of one event's analysis.

pub mod decide;
pub mod decided_inputs;
mod event_shape;
mod regrouped;
