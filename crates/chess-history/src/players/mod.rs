//! Resolves identities: maps spellings of names to players.

mod aliases;
mod block;
mod careers;
mod cluster;
mod comma_less_names;
mod display_names;
mod displayed_aliases;
mod divided_initials;
mod event_numbers;
mod evidence;
mod explain;
mod facts;
mod given_names;
mod identify;
mod joining;
mod life;
mod link;
mod merge;
mod name;
mod naming;
mod person;
mod resolve;
mod same_games;
mod similarity;
mod slug;
mod spelling;
mod spelling_claims;
mod spelling_file;
mod spellings;

pub use aliases::{AliasEntry, AliasFile, DecidedName};
pub use identify::{IdentifiedPlayers, NameSources, identify};
pub use life::Life;
pub use merge::{Doubt, Merge, MergeReason, WeighedPair};
pub use name::{PersonName, fold};
pub use person::{KnownNames, Player, PlayerId, Players};
pub use slug::{Slugs, slug};
pub use spelling_claims::{SpellingClaims, SpellingMatches, SpellingTags};
pub use spelling_file::{BEST_RATINGS, SpelledPlayer, read_spelling_file};

#[cfg(test)]
pub(crate) use aliases::Aliases;
#[cfg(test)]
pub(crate) use resolve::resolve;

/// Builds a table with a game of each name and year, each against another opponent.
#[cfg(test)]
fn table_of_test_games(games: &[(&str, u16)]) -> crate::games::GameTable {
    use crate::games::{Game, GameResult, GameTable, PartialDate};
    let mut table = GameTable::default();
    for &(white, year) in games {
        let [event, white, black] =
            ["A", white, &format!("Opponent of {year}")].map(|text| table.names.intern(text));
        table.push(Game {
            event,
            site: event,
            white,
            black,
            date: PartialDate::of_year(year),
            result: GameResult::Draw,
            ..Game::default()
        });
    }
    table
}
