//! Ratings by paired comparison over the whole history: one Bradley-Terry model of all games, in
//! which strengths change with time and have a posterior uncertainty.
//!
//! Sources: R. A. Bradley and M. E. Terry, *Rank analysis of incomplete block designs* (1952); R.
//! Coulom, *Whole-History Rating* (2008). The movement by age, the weights by draws, the cohorts of
//! newcomers, the joint solution and the posterior samples are ours.

mod chains;
mod couplings;
mod curvature;
mod derivatives;
pub mod fit;
pub mod forward;
pub mod forward_run;
pub mod history;
mod levels;
pub mod movement;
mod rank_probabilities;
mod rounds;
mod samples;
mod scale;
pub mod strength_in_year;
mod systems;
mod tendency;

pub use systems::{FittedHistory, Paired, PairedLeftOut, PairedSmoothed};
