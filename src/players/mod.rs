//! Who is who: spellings to persons.

mod aliases;
mod identity;
mod name;
mod slug;

pub use aliases::{AliasEntry, AliasError, AliasFile, Aliases};
pub use identity::{Merge, MergeReason, Player, PlayerId, Players, resolve};
pub use name::{PersonName, fold};
pub use slug::{Slugs, slug};
