//! Reads rating lists and finds ratings by date, including that of the world number two.
//!
//! [`read_lists`] reads three formats: CSV or TSV with a header, FIDE's text lists in all their
//! layouts, and FIDE's XML lists. [`crate::players`] reads SCID's spelling files.

mod activity;
mod delimited;
mod deviations;
mod event_scale;
mod fide_text;
mod fide_xml;
mod histories;
mod initial;
mod leaders;
mod line_error;
mod list;
mod list_day;
mod list_file;
mod lookup;
mod official_list;
mod rating;
mod tag_corrections;
mod tags;

pub use activity::Activity;
pub use deviations::Deviations;
pub use histories::{Histories, LONGEST_SILENCE, RatingHistory};
pub use initial::{InitialRatings, LEADERS, RatingsOrigin, TopTenPlayer};
pub use leaders::{NumberTwo, NumberTwoSource, leaders, number_two};
pub use list::{Edition, ListNames, Listed, RatingList, RatingListLine};
pub use list_file::{FIDE_SYSTEM, ListOptions, ReadLists, read_lists, system_of};
pub use lookup::{RatingContext, RatingLookup, Source, Thresholds};
pub use tags::{TagHistory, official_tag};
