//! Who is who: spellings to persons.

mod aliases;
mod identity;
mod life;
mod meetings;
mod merge_reason;
mod name;
mod namesakes;
mod person;
mod same_games;
mod similarity;
mod slug;
mod spelling_claims;
mod spelling_file;
mod spellings;

pub use aliases::{AliasEntry, AliasError, AliasFile, Aliases};
pub use identity::resolve;
pub use life::Life;
pub use merge_reason::MergeReason;
pub use name::{PersonName, fold};
pub use person::{Doubt, KnownNames, Merge, Player, PlayerId, Players};
pub use slug::{Slugs, slug};
pub use spelling_claims::{SpellingClaims, SpellingMatches};
pub use spelling_file::{BEST_RATINGS, SpelledPlayer, read_spelling_file};
