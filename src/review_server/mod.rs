//! Serves the Ratings Administrator's desk: the review queue, events, the effect of each choice,
//! and the file of decisions.
//!
//! The desk works on an archive on disk ([`archive_reader`](crate::archive_reader)). It re-analyses
//! an event from its document, so that effects appear at once for any collection. The archive
//! itself changes with the next build, which the desk starts on request.

mod answers;
mod choice;
mod decision_preview;
mod desk_error;
mod ledger;
mod rebuild;
#[cfg(feature = "server")]
mod routes;
mod toml_text;

pub use answers::{Desk, EventAnswer, OwnDecision, QueueLine, SavedAnswer};
pub use choice::{Choice, ChoiceError};
pub use decision_preview::{DecisionPreview, EventFigures, PlayerFigures, compare, decided_inputs};
pub use desk_error::DeskError;
pub use ledger::{Ledger, LedgerError, revision};
pub use rebuild::{RebuildAnswer, RebuildCommand, RebuildState, RunningBuild};
#[cfg(feature = "server")]
pub use routes::{PATH, routes};
