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
//! [vienna-1898]
//! author = "A. Archivist"
//! date = 2026-11-21
//! reason = "Why all of this was decided."
//! field = "Alapin to Walbrodt, 20 players"              # refused if the players differ now
//! name = "Vienna (Kaiser-Jubiläumsturnier) 1898"        # rename
//! kind = "double_round_robin"
//! policy = "keep"                                       # correct | rebuild | keep
//! move_pressure = false
//! elo_k = 32                                            # of the ratings after the event
//! listed = false                                        # such as casual games, a display
//! tempo = "rapid"                                       # classical | rapid | blitz
//! complete = true                                       # all of its games are known
//! number_two = 2750
//! expected_games = 342                                  # if the table does not show it
//! reviewed = true                                       # keep it as it is
//! ratings = [
//!     { player = "Alapin, Simon", set = 2650, reason = "..." },
//!     { player = "Schwarz, Adolf", delete = true },     # estimated from the line
//! ]
//! segments = { play_off = false, extra = true }         # which enter the analysis
//! special_conditions = ["illness"]
//! merge = ["vienna-2-1898"]                             # events to merge into this one
//! split = [{ name = "Vienna B 1898", players = ["...", "..."] }]
//! note = "Markdown."
//! ```
//!
//! `listed` overrides the rules of the lists. `reviewed = true` removes the event from the review
//! queue.
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
//! A rule may set `listed`, `tempo`, `complete`, `kind`, `policy`, `move_pressure`, `reviewed`,
//! `special_conditions` and `note`.
//!
//! Every table needs an author and a reason, and should have a date: without it each build warns. A
//! player is named as on the event's page, or as in the games. Unknown keys, events and players are
//! errors. All errors are reported at once.

mod decision;
mod error;
mod file;
mod rule;

pub use decision::{Decision, Forfeit, RatingDecision, Segments, Split};
pub use error::DecisionError;
pub use file::Decisions;
pub use rule::Rule;
