//! The border between history and the rating systems.
//!
//! The rating systems know players as numbers and games as results. [`results_of`] numbers the
//! players of a game table, and [`rating_list`] turns computed lists into rating lists like any
//! other, so that later steps can tell them apart only by their names.

mod lists;
mod player_lookup;
mod results;

pub use lists::{list_names, rating_list};
pub use player_lookup::{UnknownPlayer, player_named};
pub use results::results_of;
