//! Evaluates rating systems by how well their ratings predict results.
//!
//! Every system and every published list is judged on the same games by [`comparison`]. The
//! [`draw_model`], [`shared_draws`] and the curves of [`recalibration`] turn rating differences
//! into probabilities.

pub mod comparison;
pub mod consistency;
pub mod draw_model;
pub mod expectations;
pub mod published_trial;
pub mod recalibration;
pub mod shared_draws;
pub mod trials;
