//! An archive on the disk, read back: documents of its events, and its lists as far as ranks go. What a decision would do to it
//! is worked out from these, without the games.

mod documents;
mod event;
mod lists;

pub use documents::{LookupError, ids, named, read};
pub use event::FiledEvent;
pub use lists::{FiledError, QueuedEvent, published_lists, queue};
