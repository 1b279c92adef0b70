//! Who is who: spellings to persons.

mod aliases;
mod identity;
mod name;
mod slug;
mod spelling_claims;
mod spelling_file;

pub use aliases::{AliasEntry, AliasError, AliasFile, Aliases};
pub use identity::{Life, Merge, MergeReason, Player, PlayerId, Players, resolve};
pub use name::{PersonName, fold};
pub use slug::{Slugs, slug};
pub use spelling_claims::SpellingClaims;
pub use spelling_file::{SpelledPlayer, read_spelling_file};
