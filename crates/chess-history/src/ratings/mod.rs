//! What was he rated: rating lists, look-up by date, the world's number two.
//!
//! Formats: CSV and TSV with a header ([`read_lists`] finds the columns), FIDE's lists in all layouts of
//! their texts, and as XML; SCID's spelling files are read by [`crate::players`].

mod activity;
mod delimited;
mod deviations;
mod fide_text;
mod fide_xml;
mod histories;
mod initial;
mod leaders;
mod list;
mod list_day;
mod list_file;
mod rating;
mod tags;

pub use activity::Activity;
pub use deviations::Deviations;
pub use histories::{Histories, LONGEST_SILENCE, RatingHistory};
pub use initial::{
    InitialRatings, LEADERS, Leader, RatingsOrigin, Source, Thresholds, World, initial_ratings,
};
pub use leaders::{NumberTwo, NumberTwoSource, leaders, number_two};
pub use list::{Edition, Line, ListNames, Listed, RatingList};
pub use list_file::{FIDE_SYSTEM, ListError, read_lists, system_of};
pub use tags::{POSSIBLE, TagHistory};
