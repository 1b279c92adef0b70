//! Arpad Elo's formulas, and his continuous and his historical rating system.
//!
//! The app computes the change of ratings by one event, *Elo after*:
//! [`elo_after`](crate::tournament::basic_system::elo_after).

pub mod ageing;
mod continuous;
mod elo_variants;
mod fide_1978;
mod first_list;
mod five_year_averages;
pub mod formulas;
mod historical;
mod historical_players;
mod levels;
mod on_the_day;
mod period_pool;
mod periods;
mod rounds;
mod rules;
mod small_samples;
mod successive;

pub use continuous::Elo;
pub use elo_variants::{EloVariant, elo_variants};
pub use first_list::{FirstList, first_list};
pub use historical::EloHistorical;
pub use historical_players::HistoricalPlayers;
pub use on_the_day::{CareerPoint, CareerYear, HistoricalEloByDay};
pub use rules::EloRules;
pub use small_samples::{small_sample_factor, small_sample_performance};
