//! Reads rating lists and finds ratings by date, including that of the world number two.
//!
//! [`read_lists`] reads three formats: CSV or TSV with a header, FIDE's text lists in all their
//! layouts, and FIDE's XML lists. [`crate::players`] reads SCID's spelling files.

mod activity;
mod delimited;
mod deviations;
mod edition;
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
mod list_line;
mod list_names;
mod lookup;
mod missing_list;
mod names_on_list;
mod nearby;
mod nearby_tags;
mod numbered_tags;
mod official_list;
mod old_tags;
mod rating;
mod tag_corrections;
mod tags;

pub use activity::Activity;
pub use deviations::Deviations;
pub use edition::{Edition, Listed};
pub use histories::{Histories, LONGEST_SILENCE, RatingHistory};
pub use initial::{InitialRatings, RatingsOrigin};
pub use leaders::{LEADERS, NumberTwo, NumberTwoSource, TopTenPlayer, leaders, number_two};
pub use list::RatingList;
pub use list_file::{FIDE_SYSTEM, ListOptions, ReadLists, read_lists, system_of};
pub use list_line::RatingListLine;
pub use list_names::ListNames;
pub use lookup::{RatingContext, RatingLookup, Source, Thresholds};
pub use nearby_tags::NearbyTags;
pub use numbered_tags::discard_numbered_tags;
pub use old_tags::{DiscardedTags, discard_old_tags};
pub use tags::{TagHistory, official_tag};
