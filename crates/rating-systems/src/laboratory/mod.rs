//! The laboratory tests rating systems on simulated players whose true ratings are known.
//!
//! Players have true ratings, results are drawn from them, and a rating system sees only the
//! results. Its ratings can therefore be compared with the true ones. The systems are those of
//! [`systems`](crate::systems), run by the same code that rates the historical games.
//!
//! Source: Tony Berard, *The Performance Rating Algorithm (PRA) and the Tournament App*, developed
//! its system by such simulations. Other populations, result models, measures and systems, and the
//! experiments, are ours.

mod accuracy;
mod batch_solver;
pub mod bundled;
mod chance;
mod contestant;
mod errors;
pub mod experiments;
mod limits;
mod outcome;
mod pairing;
mod plan;
mod population;
pub mod published;
pub mod report;
mod simulation;
mod table;

pub use accuracy::{Measures, RatingBand, SPEC};
pub use contestant::Contestant;
pub use errors::PlanError;
pub use outcome::ResultModel;
pub use pairing::PairingRule;
pub use plan::Plan;
pub use population::{Population, Start, read_population};
pub use simulation::{
    Measurement, Probe, RatingBands, SimulatedSystem, Simulation, SimulationRun, simulate,
};
pub use table::{ResultTable, TableCell};
