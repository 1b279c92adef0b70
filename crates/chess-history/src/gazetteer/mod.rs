//! Countries and places, as people writing in English call them.
//!
//! The tables are bundled (`data/places`), so that names come out the same wherever the program stands; those of
//! a user go before them.

mod countries;
mod places;

pub use countries::{Country, country, country_code};
pub use places::{Places, PlacesError};
