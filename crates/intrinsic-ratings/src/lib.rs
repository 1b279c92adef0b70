//! Intrinsic performance ratings: measures the quality of moves with an engine, independent of
//! results.

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
mod move_quality;
mod rating;
mod rating_means;
mod turn_sets;
mod turn_table;
mod turns;
mod uci;

use chess_history::{events, players};
use pgn_collections::{games, guarded, pgn};
use tournament_app as tournament;

pub use analysis::{
    AnalysisError, AnalysisSummary, EngineAnalysis, Failure, Introduced, Job, introduce, missing,
};
pub use answers::{AnsweredTurn, answers};
pub use cache::{Cache, CacheEntry, CacheError, CacheRow, engine_number, hash};
pub use calibrating::{RatedTurns, calibrate};
pub use calibration::{Calibration, CalibrationError, FIRST_MOVE, Milepost, reference_path};
pub use calibration_sample::{CandidateGame, MILEPOSTS, TURNS_OF_A_SIDE, candidates, sample_turns};
pub use choices::{Choices, Expected, Terms, TurnValues};
pub use collect::{GameOfEvent, GameTurns, collect, games_of, games_of_rows, jobs};
pub use engine::{Engine, EngineError, EngineFault, EngineSettings, SearchResult};
pub use fitting::Method;
pub use line::{PUBLISHED_ENGINE, RatingLine, line};
pub use model::{ChoiceModel, Skill, scaled};
pub use move_quality::{CollectedTurns, MoveQuality};
pub use rating::{FEWEST_TURNS, IntrinsicPerformance, Quality, Rating, rate};
pub use rating_means::{MeanTerm, RatingMeans};
pub use turn_sets::{
    ALL_TURNS, GameSide, MeasuredGame, Movers, TurnDivision, TurnSet, band, turn_sets,
};
pub use turn_table::{AnsweredGame, TurnTable};
pub use turns::{EnginePosition, LeftOut, PositionKey, Turn, turns};
pub use uci::Valued;
