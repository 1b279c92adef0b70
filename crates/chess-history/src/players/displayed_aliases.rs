//! Resolves aliases that are names as pages show them.
//!
//! A user copies a name from a page, but the games may not have it: the page of `Tarrasch, S` is
//! headed `Tarrasch, Siegbert`. Such a name means the player of the page, with all spellings of
//! that player.

use rustc_hash::{FxHashMap, FxHashSet};

use super::aliases::{Aliases, AssignedSpelling};
use super::name::PersonName;
use super::person::{Player, Players};
use crate::source::CleanName;

/// The players by the names in the games and by the displayed names.
struct ShownNames<'a> {
    in_games: FxHashSet<String>,
    /// `None` where several players are displayed alike.
    displayed: FxHashMap<String, Option<&'a Player>>,
}

impl<'a> ShownNames<'a> {
    fn new(players: &'a Players) -> ShownNames<'a> {
        let mut shown =
            ShownNames { in_games: FxHashSet::default(), displayed: FxHashMap::default() };
        for (_, player) in players.iter() {
            let spellings = player.spellings.iter();
            shown.in_games.extend(spellings.map(|text| PersonName::parse(text).key()));
            let key = PersonName::parse(&player.name).key();
            shown.displayed.entry(key).and_modify(|one| *one = None).or_insert(Some(player));
        }
        shown
    }

    fn is_in_games(&self, name: &str) -> bool {
        self.in_games.contains(&PersonName::parse(name).key())
    }

    /// Returns the only player whom the pages show under a name that the games do not have.
    fn player_shown_as(&self, name: &str) -> Option<&'a Player> {
        let key = PersonName::parse(name).key();
        self.displayed.get(&key).copied().flatten().filter(|_| !self.in_games.contains(&key))
    }
}

/// Resolves the user's names as pages show them, which the games may not contain. Returns the
/// spellings that neither the games nor the pages have.
///
/// A spelling that no game has, but that is the displayed name of one player, means this player:
/// all spellings of the player are then assigned. A player to whom a spelling is assigned may be
/// named as displayed, too. `players` are those that are found without the user's aliases.
pub(super) fn resolve_displayed(aliases: &mut Aliases, players: &Players) -> Vec<AssignedSpelling> {
    let own: Vec<AssignedSpelling> =
        aliases.assigned().iter().filter(|one| !one.is_bundled).cloned().collect();
    let shown = ShownNames::new(players);
    let mut unmatched = Vec::new();
    for one in own {
        let named = shown.player_shown_as(&one.name);
        let name: CleanName =
            named.map_or(one.name.as_str(), |player| &player.fullest_spelling).into();
        if shown.is_in_games(&one.spelling) {
            aliases.assign(AssignedSpelling { name, ..one });
            continue;
        }
        let Some(player) = shown.player_shown_as(&one.spelling) else {
            unmatched.push(one);
            continue;
        };
        for spelling in player.spellings.iter().filter(|spelling| name != ***spelling) {
            let (spelling, name) = (spelling.as_str().into(), name.clone());
            aliases.assign(AssignedSpelling { spelling, name, ..one.clone() });
        }
    }
    unmatched
}

#[cfg(test)]
mod tests {
    use super::super::aliases::DecidedName;
    use super::super::resolve;
    use super::super::table_of_test_games;
    use super::*;

    /// Returns the players after aliases of a user, each with all spellings, and the unmatched
    /// spellings.
    fn players(assigned: &[(&str, &str)]) -> (Vec<String>, Vec<String>) {
        // The pages show `Fischer, Bobby`.
        let table = table_of_test_games(&[
            ("Fischer, Robert James", 1970),
            ("Fischer,RJ", 1971),
            ("Fisher, X", 1972),
        ]);
        let mut aliases = Aliases::default();
        for (name, spelling) in assigned {
            let decided = DecidedName {
                name: (*name).into(),
                spellings: vec![(*spelling).into()],
                file: "own.toml".to_owned(),
                line: 3,
            };
            aliases.add_decided(&decided, false);
        }
        let unmatched = resolve_displayed(&mut aliases, &resolve(&table, &Aliases::default()));
        let all = resolve(&table, &aliases);
        let all = all.iter().map(|(_, player)| player.spellings.join(" = "));
        let unmatched = unmatched.into_iter().map(|one| one.spelling.into());
        (all.filter(|all| !all.starts_with("Opponent")).collect(), unmatched.collect())
    }

    #[test]
    fn a_displayed_name_means_all_spellings_of_its_player() {
        let (all, unmatched) = players(&[("Nemo, Captain", "Fischer, Bobby")]);
        assert_eq!(all, ["Fischer, Robert James = Fischer,RJ", "Fisher, X"]);
        assert!(unmatched.is_empty());
    }

    #[test]
    fn a_spelling_is_assigned_to_the_player_of_a_displayed_name() {
        let (all, unmatched) = players(&[("Fischer, Bobby", "Fisher, X")]);
        assert_eq!(all, ["Fischer, Robert James = Fischer,RJ = Fisher, X"]);
        assert!(unmatched.is_empty());
    }

    #[test]
    fn a_spelling_of_no_player_is_unmatched() {
        let (all, unmatched) = players(&[("Fischer, Bobby", "Karpov, Anatoly")]);
        assert_eq!(all.len(), 2);
        assert_eq!(unmatched, ["Karpov, Anatoly"]);
    }
}
