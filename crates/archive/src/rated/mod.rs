//! Connects the history of chess with the rating systems.
//!
//! The rating systems know players as numbers and games as results. [`results_of`] numbers the
//! players of a game table, and [`rating_list`] turns computed lists into rating lists like any
//! other. Later steps can distinguish them only by name.

mod linked_players;
mod listed_ratings;
mod lists;
mod player_lookup;
mod programs;
mod results;

pub use linked_players::linked_players;
pub use listed_ratings::{listed_births, listed_ratings};
pub use lists::{ListedPlayers, rating_list};
pub use player_lookup::{NamedPlayer, UnknownPlayer, most_active_named, player_named};
pub use results::{RatedGames, rated_games, results_of};
