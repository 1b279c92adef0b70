//! Which games make one event, of which kind, how complete, in which order.

mod amend;
mod copies;
mod cycle;
mod event;
mod group;
pub mod kind;
pub mod naming;
mod repeated;
mod same_tags;
mod tag;
mod thresholds;

pub use cycle::knock_out_rounds;
pub use event::{Event, EventGame, Events, events, games_in};
pub use kind::Kind;
pub use same_tags::{SameTags, by_tags};
pub use tag::{EventTag, SegmentKind, SiteTag};
pub use thresholds::EventThresholds;
