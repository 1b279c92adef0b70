//! Assembles games into events and determines their kind, completeness and order of games.

mod abbreviations;
mod amend;
mod assembly;
mod bracket;
mod championship;
mod completeness;
mod context;
mod copies;
mod cycle;
mod detection;
mod draft;
mod event;
mod event_format;
mod group;
mod grouping;
mod history;
mod joining;
mod knock_out;
mod known_results;
mod match_of_two;
mod name_words;
mod naming;
mod paired_by_lot;
mod pairing_table;
mod reattach;
mod recognised;
mod repeated;
mod round_robin;
mod same_results;
mod same_tags;
mod scheveningen;
mod series;
mod stages;
mod swiss;
mod tag;
mod tag_token;
mod tempo;
mod thresholds;
mod tie_breaks;

pub use amend::{complete_table, expect_complete_table};
pub use bracket::{Bracket, KnockOutMatch};
pub use context::EventContext;
pub use detection::{Events, FasterGame, TempoRows, events, games_in};
pub use event::{DecidedFacts, DetectedProperties, Event, EventGame};
pub use event_format::{recognise, recognise_pairs};
pub use known_results::{
    Ending, KnownEvent, KnownFormat, KnownResult, KnownResults, KnownResultsError,
};
pub use pairing_table::Pairing;
pub use recognised::{Circumstances, EndEvidence, MatchLength, MissingGame, Recognised};
pub use same_tags::{SameTags, by_tags};
pub use series::{EventWords, IdentifiedSeries, SeriesError};
pub use tag::{EventTag, SegmentKind, SiteTag};
pub use thresholds::EventThresholds;
pub use tie_breaks::tie_breaks;
