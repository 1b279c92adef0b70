//! Who is who: spellings to persons.

mod aliases;
mod identity;
mod name;
mod slug;
mod spelling_claims;
mod spelling_file;

pub use aliases::{AliasEntry, AliasError, AliasFile, Aliases};
pub use identity::{KnownNames, Life, Merge, MergeReason, Player, PlayerId, Players, resolve};
pub use name::{PersonName, fold};
pub use slug::{Slugs, slug};
pub use spelling_claims::SpellingClaims;
pub use spelling_file::{BEST_RATINGS, SpelledPlayer, read_spelling_file};
