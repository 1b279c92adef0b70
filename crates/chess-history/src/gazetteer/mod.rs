//! Gives countries and places their usual English names.
//!
//! The tables are bundled (`data/places`), so names do not depend on the machine. A user's tables
//! take precedence.

mod countries;
mod places;

pub use countries::{Country, country, country_code, country_of_adjective, country_of_name};
pub use places::{Places, PlacesError};
