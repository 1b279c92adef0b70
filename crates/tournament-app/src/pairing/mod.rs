//! Other ways to rank an event: pure functions of its pairing table.
//!
//! Source: Royal C. Jones, *Back to Basics in Chess Ratings* (2nd edition, 2011); numbers in brackets are his formulas. Standard terms of
//! mathematics name what he describes: Copeland scores, least squares (Massey, Colley), fair bets (Daniels; Moon and Pullman), the model of
//! Zermelo, Bradley and Terry, the power method (Kendall, Wei). Tie-breaks are those of tournament practice.

mod berkin;
mod bradley_terry;
mod dominance;
mod gradients;
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
pub use linear::linear;
pub use orders::{OtherOrder, OtherOrders, SOUGHT, Strong, Violations, other_orders};
pub use power::power;
pub use ratio::{Grows, RatioRatings, ratio, ratio_beside};
pub use table::{PairScore, PairingTable};
pub use tie_breaks::{buchholz, koya, sonneborn_berger};
