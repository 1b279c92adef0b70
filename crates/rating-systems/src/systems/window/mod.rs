//! Window systems: the list of a year rates all games of the preceding years at once.
//!
//! Source: Royal C. Jones, *Back to Basics in Chess Ratings* (2nd edition, 2011). The windows, the
//! drawn games with a phantom player, the alignment of lists and their final constant are ours.

mod lists;
mod ordinal;
mod ordinal_rounds;
mod systems;

pub use ordinal::Ordinal;
pub use systems::{Berkin, BradleyTerry, Linear, Ratio};
