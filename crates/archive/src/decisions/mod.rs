//! Reads the Ratings Administrator's decisions: what a person overruled for an event, and why.
//!
//! A file of decisions is TOML with one table for each event id:
//!
//! ```toml
//! [fischer-spassky-reykjavik-1972]
//! author = "A. Archivist"
//! date = 2026-11-21
//! reason = "The second game was not played."
//! forfeits = [{ white = "Fischer, Robert James", black = "Spassky, Boris V", round = "2" }]
//!
//! [mannheim-1914]
//! author = "A. Archivist"
//! date = 2026-11-21
//! reason = "The war stopped the tournament, and Alekhine was declared the winner."
//! outcome = "stopped"
//! winners = ["Alekhine, Alexander"]
//! ```
//!
//! `docs/decisions.md` documents all keys. A test compares it with [`Decision::KEYS`].
//!
//! Rules decide about many events at once, by name or id. An event's own table has priority:
//!
//! ```toml
//! [[rule]]
//! event = "Bundesliga*"
//! author = "A. Archivist"
//! date = 2026-11-21
//! reason = "Games of many teams, of which collections have few."
//! listed = false
//! ```
//!
//! A user's decision about an event replaces the bundled one as a whole
//! ([`Decisions::add_bundled`]).
//!
//! Every table needs an author and a reason, and should have a date: without it each build warns. A
//! player is named as on the event's page, or as in the games. Unknown keys, events and players are
//! errors. All errors are reported at once.

mod day;
mod decision;
mod decision_file;
mod error;
mod file;
mod read;
mod regrouping;
mod replaced_decision;
mod rule;

pub use day::parse_day;
pub use decision::{Decision, Forfeit, MovedGame, Person, RatingDecision, Segments, Split};
pub use decision_file::{DecisionFile, file_and_line};
pub use error::{AT_THE_DESK, DecisionError};
pub use file::Decisions;
pub use read::read_decisions;
pub use regrouping::Regrouping;
pub use replaced_decision::ReplacedDecision;
pub use rule::Rule;
