//! The Tournament App: a pure function that takes one event and returns its analysis.
//!
//! [`analyse`] uses no files, tables or clock. Its steps, in order:
//!
//! 1. [`basic_system`] computes the P-Zeros.
//! 2. [`estimator`] estimates missing ratings.
//! 3. [`correction`] corrects ratings that do not fit.
//! 4. [`line`](mod@line) and [`fit_test`] fit the performance line and test it.
//! 5. [`greatness`] computes G-scores and strength.
//!
//! [`analysis`] combines the steps, and [`uncertainty`] computes the standard errors of the
//! results.
//!
//! ```
//! use tournament_app::{analyse, text_input};
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
//!
//! Each [`Step`] records what happened to a rating, with the numbers. [`words`] describes steps in
//! sentences, and [`report`](mod@report) writes an analysis as text.
//!
//! Source: Tony Berard, *The Performance Rating Algorithm (PRA) and the Tournament App*.

pub mod analysis;
pub mod basic_system;
pub mod correction;
pub mod estimator;
pub mod event;
mod expectation;
pub mod fit_test;
pub mod follow_up;
pub mod greatness;
mod kind;
pub mod line;
mod options;
pub mod order_spread;
pub mod order_test;
pub mod pairing;
mod rating;
pub mod report;
mod simulated;
pub mod steps;
pub mod text_input;
pub mod uncertainty;
pub mod words;

pub use analysis::{
    Analysis, BeforeCorrection, Inversion, NumberTwoOrigin, PlayerAnalysis, analyse,
    analyse_with_errors,
};
pub use correction::{RatingOrigin, Spec};
pub use event::{Event, EventError, EventPart, Game, Player, PlayingOrder};
pub use expectation::{CERTAINTY, expectation, rating_difference};
pub use fit_test::{FitResult, FitTest};
pub use greatness::GreatnessBand;
pub use kind::Kind;
pub use line::Line;
pub use options::{LARGEST_FIELD, Options, Policy};
pub use rating::{LARGEST_RATING, is_rating};
pub use simulated::{Simulated, SimulatedFigures};
pub use steps::{Step, StepKind, TagCorrection};
pub use uncertainty::{StandardError, StandardErrors};
