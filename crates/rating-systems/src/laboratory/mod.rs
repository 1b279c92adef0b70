//! The laboratory: every rating system judged where the truth is known.
//!
//! Players have true ratings, results are drawn by them, and a rating system sees only the results. So what it makes of them
//! can be measured. The systems are those of [`systems`](crate::systems), run by the code that rates history.
//!
//! Source: Tony Berard, *The Performance Rating Algorithm (PRA) and the Tournament App*, found its system so; other populations,
//! grounds, measures and systems, and the experiments, are ours.

mod accuracy;
mod batch_solver;
pub mod bundled;
mod chance;
mod contestant;
pub mod experiments;
mod outcome;
mod pairing;
mod plan;
mod population;
pub mod published;
pub mod report;
mod simulation;
mod table;

pub use accuracy::{Band, Measures, SPEC};
pub use contestant::Contestant;
pub use outcome::Outcome;
pub use pairing::Pairing;
pub use plan::Plan;
pub use population::{Population, Start, read_population};
pub use simulation::{Bands, Point, Probe, Run, Simulated, Simulation, simulate};
pub use table::{Cell, Table};
