//! Window systems: the list of a year rests on the games of the years before it, all of which are rated at once.
//!
//! Source: Royal C. Jones, *Back to Basics in Chess Ratings* (2nd edition, 2011). Windows, the drawn games with a phantom, the alignment of lists and
//! their last constant are ours.

mod lists;
mod ordinal;
mod ordinal_rounds;
mod systems;

pub use ordinal::Ordinal;
pub use systems::{Berkin, BradleyTerry, Linear, Ratio};
