//! The Ratings Administrator's desk: the review queue, an event, the effect of each choice at once, and the file of
//! decisions that comes of it.
//!
//! It works on an archive on the disk ([`archive_reader`](crate::archive_reader)): an event is worked out again from its document, so that an effect is
//! there at once, whatever the collection. The archive itself changes with the next build.

mod answers;
mod choice;
mod ledger;
mod routes;

pub use answers::{
    DecisionPreview, Desk, DeskError, EventAnswer, EventFigures, PlayerFigures, QueueLine, compare,
};
pub use choice::{Choice, DateError};
pub use ledger::{Ledger, LedgerError};
pub use routes::{PATH, routes};
