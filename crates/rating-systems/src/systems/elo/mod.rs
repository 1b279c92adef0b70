//! Arpad Elo's formulas, and the two systems that he built on them. (What an event does to a rating, *Elo after*, is
//! worked out by the app: [`elo_after`](crate::tournament::basic_system::elo_after).)

pub mod ageing;
mod continuous;
mod elo_variants;
mod fide_1978;
pub mod formulas;
mod historical;
mod on_the_day;
mod periods;
mod rounds;
mod rules;
mod successive;

pub use continuous::Elo;
pub use elo_variants::{EloVariant, elo_variants};
pub use historical::EloHistorical;
pub use on_the_day::{CareerPoint, CareerYear, OnTheDay};
pub use rules::EloRules;
