//! Rating systems that are computed from the games: Chessmetrics, Elo, the PRA, paired comparison,
//! basic systems and systems of the past.
//!
//! A system is one file or folder: parameters, a curve of expected scores, lists. It takes
//! [`Results`] and returns lists by day. The [registry](System) has one line for each system, and
//! everything else reads the registry.

mod about;
mod averages;
pub(crate) mod bisection;
pub mod chessmetrics;
pub mod draw_tendency;
pub mod elo;
mod event_by_event;
mod game_by_game;
mod initial_period;
pub(crate) mod linear_equations;
mod lists;
pub(crate) mod logistic;
pub(crate) mod mean;
pub mod months;
pub mod paired;
mod parameters;
mod past;
mod pra;
pub mod published;
mod registry;
mod results;
pub mod running;
pub mod simultaneous;
mod system;
mod timeline;
mod window;
mod wording;
pub(crate) mod yearly_regression;

pub use about::{About, Role, Shorthand};
pub use lists::{
    CareerPeak, CareerWindow, ComputedList, FiveYearAverage, FiveYearCareer, ListedRating,
    RankProbabilities, established_from, stretched,
};
pub use parameters::{InvalidParameter, Overrides, Parameter, ParameterError, Parameters, Value};
pub use registry::{System, UnknownSystem, register};
pub use results::{Anchor, EventSpan, PublishedFacts, RatedGame, RatedPlayer, Results};
pub(crate) use system::differences;
pub use system::{Flow, Flows, PreEventRatings, RatingSystem, Registered, SystemRatings};
