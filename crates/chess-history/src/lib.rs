//! The history of chess that games contain: players, events and ratings.
//!
//! [`players`] resolves spellings of names to players. [`gazetteer`] names places. [`events`]
//! assembles games into tournaments and matches. [`ratings`] reads rating lists and looks up
//! ratings by date.

mod disjoint_sets;
pub mod events;
pub mod gazetteer;
pub mod ordinal;
pub mod players;
pub mod ratings;
mod wikidata;

pub use wikidata::{WikidataId, WikidataIdError};

#[cfg(test)]
use pgn_collections::pgn;
use pgn_collections::{games, prefilter, source};
use tournament_app as tournament;
