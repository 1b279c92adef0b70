//! Reads an archive on disk: the documents of its events, and its lists as far as they determine
//! ranks. The effect of a decision is computed from these, without the games.

mod documents;
mod event;
mod lists;

pub use documents::{LookupError, ids, named, read};
pub use event::FiledEvent;
pub use lists::{FiledError, QueuedEvent, names_of_events, published_lists, queue};
