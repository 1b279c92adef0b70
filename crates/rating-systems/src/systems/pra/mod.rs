//! Tony Berard's Performance Rating Algorithm (PRA) for a population of players.

mod boosting;
mod corrections;
mod history;
mod population;
mod rounds;
mod systems;

pub use systems::{Pra, PraWhole};
