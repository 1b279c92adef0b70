//! Which games make one event, of which kind, how complete, in which order.

mod amend;
mod assembly;
mod bracket;
mod copies;
mod cycle;
mod detection;
mod draft;
mod event;
mod group;
mod grouping;
mod joining;
mod knock_out;
mod material;
pub mod naming;
mod orphans;
mod pairing_table;
mod recognised;
mod repeated;
mod round_robin;
mod same_results;
mod same_tags;
mod series;
mod tag;
mod tempo;
mod thresholds;

pub use amend::complete_table;
pub use cycle::knock_out_rounds;
pub use detection::{Events, FasterGame, RowsOf, events, games_in};
pub use event::{Event, EventGame, Found};
pub use material::Material;
pub use pairing_table::Pairing;
pub use recognised::{Circumstances, MissingGame, Recognised, recognise, recognise_pairs};
pub use same_tags::{SameTags, by_tags};
pub use series::{EventWords, SeriesError};
pub use tag::{EventTag, SegmentKind, SiteTag};
pub use thresholds::EventThresholds;
