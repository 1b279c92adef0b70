//! Rating systems that we compute ourselves from the games: Chessmetrics, Elo (event by event, and by half
//! decades), the PRA, systems of the past; and how well each predicts.
//!
//! A system is a file, or a folder, of its own: parameters, a curve of expected scores, lists. The
//! [registry](System) has a line for each; everything else reads from it. Each takes [`Results`] and
//! gives lists by day.

mod about;
mod averages;
pub(crate) mod bisection;
pub mod chessmetrics;
pub mod elo;
mod event_by_event;
mod game_by_game;
mod initial_period;
mod lists;
pub(crate) mod logistic;
pub mod months;
pub mod paired;
mod parameters;
mod past;
mod pra;
mod registry;
mod results;
pub mod running;
pub mod simultaneous;
mod system;
mod timeline;
mod window;

pub use about::{About, Role, Shorthand};
pub use lists::{CareerPeak, ComputedList, ListedRating, RankProbabilities, known_from, stretched};
pub use parameters::{InvalidParameter, Overrides, Parameter, ParameterError, Parameters, Value};
pub use registry::{System, UnknownSystem, register};
pub use results::{Anchor, RatedGame, RatedPlayer, Results};
pub(crate) use system::differences;
pub use system::{Flow, Flows, PreEventRatings, RatingSystem, Registered, SystemRatings};
