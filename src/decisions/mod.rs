//! The Ratings Administrator's decisions: what a person overruled for an event, and why.
//!
//! They stand in a file of TOML, one table for each event id:
//!
//! ```toml
//! [fischer-spassky-reykjavik-1972]
//! author = "A. Archivist"
//! date = 2026-11-21
//! reason = "The second game was not played."
//! forfeits = [{ white = "Fischer, Robert James", black = "Spassky, Boris V", round = "2" }]
//!
//! [vienna-1898]
//! author = "A. Archivist"
//! date = 2026-11-21
//! reason = "Why all of this was decided."
//! field = "Alapin to Walbrodt, 20 players"              # refused where the event has others now
//! name = "Vienna (Kaiser-Jubiläumsturnier) 1898"        # rename
//! kind = "double_round_robin"
//! policy = "keep"                                       # correct | rebuild | keep
//! move_pressure = false
//! number_two = 2750
//! expected_games = 342                                  # games that it had, where the table does not tell
//! reviewed = true                                       # it stands as it is: out of the review queue
//! ratings = [
//!     { player = "Alapin, Simon", set = 2650, reason = "..." },
//!     { player = "Schwarz, Adolf", delete = true },     # the line fills it
//! ]
//! segments = { play_off = false, extra = true }         # which enter the analysis
//! special_conditions = ["illness"]
//! merge = ["vienna-2-1898"]                             # events that belong to this one
//! split = [{ name = "Vienna B 1898", players = ["...", "..."] }]
//! note = "Markdown."
//! ```
//!
//! Every table needs an author, a date and a reason. A player is named as the event's page names
//! him, or as the games spell him. Unknown keys, events and players are errors.

mod file;

pub use file::{Decision, DecisionError, Decisions, Forfeit, RatingDecision, Segments, Split};
