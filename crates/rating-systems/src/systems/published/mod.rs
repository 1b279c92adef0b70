//! Forecasts from games and published ratings.
//!
//! Published ratings have seen games that a collection lacks, and a collection shows form that a
//! rating shows late. This system reads both. It is for forecasts only: it repeats what FIDE
//! published, so it may not rank players of history. The method is ours.

mod features;
mod filter;
mod forecasts;
mod schedule;
mod systems;

pub use forecasts::GameForecast;
pub use systems::PairedAndPublished;
