//! Arpad Elo's formulas, and the two systems that he built on them.

mod continuous;
pub mod formulas;
mod historical;

pub use continuous::Elo;
pub use historical::EloHistorical;
