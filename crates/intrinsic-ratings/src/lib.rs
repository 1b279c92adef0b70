//! How good the moves were, whatever the results: intrinsic performance ratings.

mod analysis;
mod answers;
mod cache;
mod calibrating;
mod calibration;
mod calibration_sample;
mod choices;
mod collect;
mod engine;
mod fitting;
mod line;
mod model;
mod rating;
mod turn_table;
mod turns;
mod uci;

use chess_history::{events, players};
use pgn_collections::{games, guarded, pgn};
use tournament_app as tournament;

pub use analysis::{
    Analysed, AnalysisError, Failure, Introduced, Job, analyse, introduce, missing,
};
pub use answers::{Answer, answers};
pub use cache::{Cache, CacheError, CacheRow, Entry, engine_number, hash};
pub use calibrating::{RatedTurns, calibrate};
pub use calibration::{
    Calibration, CalibrationError, FIRST_MOVE, Milepost, PUBLISHED_FACTOR, reference_path,
};
pub use calibration_sample::{Candidate, MILEPOSTS, TURNS_OF_A_SIDE, by_lot, candidates};
pub use choices::{Choices, Expected, Terms, TurnValues};
pub use collect::{GameOfEvent, GameTurns, collect, games_of, jobs};
pub use engine::{Engine, EngineError, EngineSettings, Fault, Found};
pub use fitting::{Fit, Method, fit};
pub use line::{Line, line};
pub use model::{CAP, Column, Model, Skill, chances, scaled};
pub use rating::{FEWEST_TURNS, Performance, Quality, Rating, WEAK_BELOW, rate, rate_choices};
pub use turn_table::{AnsweredGame, TurnTable};
pub use turns::{Asked, LeftOut, PositionKey, Turn, turns};
pub use uci::{MATE, Valued};
