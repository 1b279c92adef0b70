//! Ranks an event by other methods: pure functions of its pairing table.
//!
//! Source: Royal C. Jones, *Back to Basics in Chess Ratings* (2nd edition, 2011); numbers in
//! parentheses are the book's formulas. Its methods have their standard names in mathematics here:
//! Copeland scores, least squares (Massey, Colley), fair bets (Daniels; Moon and Pullman), the
//! Zermelo-Bradley-Terry model, and the power method (Kendall, Wei). Tie-breaks follow tournament
//! practice.

mod berkin;
mod bradley_terry;
mod dominance;
mod gradients;
mod iterations;
mod linear;
mod orders;
mod power;
mod ratio;
mod rows;
mod table;
mod tie_breaks;

pub use berkin::berkin;
pub use bradley_terry::bradley_terry;
pub use dominance::{
    Dominance, dominances, fewest_violations, places_by_direct_encounter, places_by_dominance,
    violations,
};
pub use gradients::{LinearSystem, conjugate_gradients};
pub use iterations::{Iterations, PerformanceRule, StepChange, UndefinedPerformance};
pub use linear::linear;
pub use orders::{
    ConnectedRating, MOST_PLAYERS, OtherOrder, OtherOrders, Violations, other_orders,
};
pub use power::power;
pub use ratio::{Divergence, RatioRatings, ratio, ratio_with_fixed};
pub use table::{PairScore, PairingTable};
pub use tie_breaks::{buchholz, koya, sonneborn_berger};
