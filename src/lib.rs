//! Greatness: the history of chess performance.
//!
//! Game collections go in; out comes an archive in which every tournament and match has been
//! through Tony Berard's Tournament App, with the ranked Greatness List and the list of the
//! strongest events.
//!
//! # The way of the data
//!
//! One direction, no going back; a step uses only those before it (but [`pgn`] fills the table
//! that [`games`] defines). Steps that need no site and no polars are crates of their own, which
//! this one re-exports; `crates/README.md` draws them.
//!
//! What a word means is in the [`glossary`].
//!
//! | step | module | what it does |
//! |---|---|---|
//! | find, open | [`source`] | walks the inputs, unpacks them, gives one member's text at a time |
//! | read | [`pgn`] | cuts a text into games, reads tags and a fingerprint of the moves |
//! | collect | [`games`] | the game table; partial dates; what counts; what is the same game twice |
//! | who | [`players`] | spellings to persons |
//! | where | [`gazetteer`] | what countries and places are called |
//! | which event | [`events`] | games to tournaments and matches, their kind, coverage and order |
//! | what rating | [`ratings`] | rating lists, look-up by date, the world's number two |
//! | the app | [`tournament`] | one event in, everything said about it out: a pure function, in a crate of its own |
//! | numbers for players | [`rated`] | the games as results for the rating systems, and their lists as rating lists |
//! | ratings of our own | [`systems`] | Chessmetrics, Elo, PRA from the games themselves |
//! | rating pools | [`population`] | the number of rated players, their ages, their improvement |
//! | how well they predict | [`evaluation`] | comparison of systems, recalibration, the draw model |
//! | as bytes | [`wire`] | results and ratings for another machine |
//! | how sure, how likely | [`forecasts`] | chances of scores, errors of performances, matches |
//! | where the truth is known | [`laboratory`] | the same systems on made populations: how far they are from true ratings |
//! | overruled | [`decisions`] | what the Ratings Administrator decided, and why |
//! | all together | [`archive`] | settings, the build as a list of steps, ranked lists, studies, the review queue, exports |
//! | files | [`tables`] | tables as Parquet, CSV and JSON, and back |
//! | pages | [`site`] | the archive as a static site |
//! | read back | [`archive_reader`] | an archive on the disk: its lists, its events |
//! | decide | [`review_server`] | the Ratings Administrator's desk: the queue, the effect of each choice, the file |
//!
//! [`cli`] is the program on top.
//!
//! # The app alone
//!
//! ```
//! use greatness::tournament::{analyse, text_input};
//!
//! let input = text_input::read(
//!     "Two_games  2  Elo
//!      2600 Tarrasch
//!      2550 Pillsbury
//!      2650
//!      1 2 1   2 1 .5",
//! )?;
//! let analysis = analyse(&input.event, &input.options)?;
//! assert_eq!(analysis.players[0].name, "Tarrasch");
//! assert_eq!(analysis.players[0].points, 1.5);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub mod archive;
pub mod archive_reader;
pub mod cli;
pub mod decisions;
pub mod rated;
pub mod review_server;
pub mod site;

pub use archive_tables as tables;
pub use chess_history::{events, gazetteer, players, ratings};
pub use intrinsic_ratings as intrinsic;
pub use pgn_collections::{games, pgn, source};
pub use rating_systems::{evaluation, forecasts, laboratory, population, systems, wire};
pub use tournament_app as tournament;

use chess_history::ordinal;
use error_hints as hint;

#[doc = include_str!("../docs/glossary.md")]
pub mod glossary {}
