//! Rating systems, forecasts from their ratings, and a laboratory that tests them on simulated
//! players whose true ratings are known.
//!
//! A player is a number here, and a game is a result with a date: [`systems::Results`]. The crate
//! knows nothing of names, files or tables.

pub mod evaluation;
pub mod forecasts;
pub mod laboratory;
pub mod population;
pub mod systems;
pub mod wire;

use error_hints as hint;
use tournament_app as tournament;
