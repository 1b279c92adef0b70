//! Greatness: the history of chess performance.
//!
//! The input is game collections. The output is an archive in which the Tournament App of Tony
//! Berard has analysed every tournament and match, with the ranked Greatness List and the list of
//! the strongest events.
//!
//! # Flow of data
//!
//! Data flows in one direction: each step uses only the steps before it. The exception is [`pgn`],
//! which with [`results`] fills the table that [`games`] defines. Most steps are
//! separate crates, which this crate re-exports. `DESIGN.md` draws them.
//!
//! The [`glossary`] defines the terms.
//!
//! | step | module | what it does |
//! |---|---|---|
//! | find, open | [`source`] | unpacks the inputs and yields the text of one member at a time |
//! | read | [`pgn`] | cuts a text into games; reads their tags and a fingerprint of their moves |
//! | read tables | [`results`] | reads tournament reports and crosstables, which have no moves |
//! | collect | [`games`] | holds the game table; decides which games count; finds duplicates |
//! | players | [`players`] | resolves spellings to players |
//! | places | [`gazetteer`] | names countries and places |
//! | events | [`events`] | groups games into tournaments and matches; counts missing games |
//! | ratings | [`ratings`] | reads rating lists; looks up ratings and the number two |
//! | the app | [`tournament`] | computes all figures of one event: a pure function |
//! | results | [`rated`] | converts games to results, and computed lists to rating lists |
//! | rating systems | [`systems`] | computes Chessmetrics, Elo, PRA and other ratings |
//! | rating pools | [`population`] | counts rated players; their ages and improvement |
//! | evaluation | [`evaluation`] | compares the predictions of systems; the draw model |
//! | exchange | [`wire`] | encodes results and ratings for another machine |
//! | forecasts | [`forecasts`] | chances of scores, errors of performance ratings, matches |
//! | simulation | [`laboratory`] | tests the systems where true ratings are known |
//! | decisions | [`decisions`] | reads the decisions of the Ratings Administrator |
//! | build | [`archive`] | settings, the steps of a build, lists, studies, review, exports |
//! | tables | [`tables`] | writes tables as CSV and JSON; the codebook of their columns |
//! | Parquet | [`parquet`] | writes tables as Parquet, and reads them back |
//! | pages | [`site`] | publishes the archive as a static site |
//! | read back | [`archive_reader`] | reads the lists and events of an archive on disk |
//! | serve | `preview` | serves an archive folder, with the feature `server` |
//! | desk | [`review_server`] | serves the administrator's desk: the queue, effects, the file |
//!
//! [`cli`] contains the commands.
//!
//! # Features
//!
//! `server`, a default feature, is the command `serve` with its web server: the preview of an
//! archive, and the routes of the desk.
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

pub mod archive_reader;
pub mod cli;
#[cfg(feature = "server")]
pub mod preview;
pub mod review_server;

pub use archive::{self, decisions, rated};
pub use chess_history::{WikidataId, events, gazetteer, players, ratings};
pub use intrinsic_ratings as intrinsic;
pub use parquet_files as parquet;
pub use pgn_collections::{games, pgn, results, source};
pub use rating_systems::{evaluation, forecasts, laboratory, population, systems, wire};
pub use site;
pub use tables;
pub use tournament_app as tournament;

use error_hints as hint;

#[doc = include_str!("../docs/glossary.md")]
pub mod glossary {}
