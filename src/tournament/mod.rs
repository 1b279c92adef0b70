//! The Tournament App: a pure function from one event to everything that is said about it.
//!
//! No files, no tables, no clock in here; [`analyse`] may run anywhere. The steps in the order of
//! their work: [`basic_system`] (P-Zeros), [`estimator`] (missing ratings), [`correction`]
//! (ratings that do not fit), [`line`](mod@line) and [`fit_test`], [`greatness`] (G-scores, strength), all
//! put together in [`analysis`].
//!
//! Source: Tony Berard, *The Performance Rating Algorithm (PRA) and the Tournament App*.

pub mod analysis;
pub mod basic_system;
pub mod correction;
pub mod estimator;
pub mod event;
mod expectation;
pub mod fit_test;
pub mod greatness;
pub mod line;
pub mod order_spread;
pub mod report;
pub mod steps;
pub mod text_input;

pub use analysis::{Analysis, NumberTwoOrigin, Options, PlayerAnalysis, analyse};
pub use correction::{Policy, RatingOrigin, Spec};
pub use event::{Event, EventError, Game, Order, Part, Player};
pub use expectation::{CERTAINTY, expectation, rating_difference};
pub use fit_test::{FitResult, FitTest};
pub use greatness::Band;
pub use line::Line;
pub use steps::{Step, StepKind};
