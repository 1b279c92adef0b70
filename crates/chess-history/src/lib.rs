//! History made of games: who played, in which events, with which ratings.
//!
//! [`players`] resolves spellings to persons, [`gazetteer`] names places, [`events`] assembles games
//! into tournaments and matches, and [`ratings`] reads rating lists and looks ratings up by date.

mod disjoint_sets;
pub mod events;
pub mod gazetteer;
pub mod ordinal;
pub mod players;
pub mod ratings;

#[cfg(test)]
use pgn_collections::pgn;
use pgn_collections::{games, prefilter, source};
use tournament_app as tournament;
