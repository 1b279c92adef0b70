//! What was he rated: rating lists, look-up by date, the world's number two.

mod initial;
mod list;
mod number_two;
mod rating;
mod separated;

pub use initial::{InitialRatings, Source, Thresholds, initial_ratings};
pub use list::{Edition, Entry, RatingList};
pub use number_two::{Activity, NumberTwo, number_two};
pub use rating::{LARGEST_RATING, is_rating};
pub use separated::{ListError, read_separated};
