//! How good the moves were, whatever the results: intrinsic performance ratings.

mod analysis;
mod cache;
mod collect;
mod engine;
mod turns;
mod uci;

pub use analysis::{
    Analysed, AnalysisError, Failure, Introduced, Job, analyse, introduce, missing,
};
pub use cache::{Cache, CacheError, Entry, engine_number, hash};
pub use collect::{GameOfEvent, GameTurns, collect, games_of, jobs};
pub use engine::{Engine, EngineError, EngineSettings, Fault, Found};
pub use turns::{Asked, LeftOut, PositionKey, Turn, turns};
pub use uci::{MATE, Valued};
