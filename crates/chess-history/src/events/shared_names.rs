//! Finds names under which two players stand.
//!
//! Collections confuse namesakes. A name that has both sides of a game is the name of two players,
//! and so is one that has two opponents in one round.

use rustc_hash::{FxHashMap, FxHashSet};

use super::event::Event;
use super::group::GroupedGame;
use crate::games::{GameTable, NameId, names_a_player};
use crate::players::PlayerId;

/// At most one player in this many is doubled. Judged: where more have two games in one round, the
/// rounds are days or stages, and say nothing.
const DOUBLED: usize = 4;

/// Returns the players of a group who have two opponents in one round.
pub(super) fn doubled_players(table: &GameTable, members: &[&GroupedGame]) -> FxHashSet<PlayerId> {
    let mut opponent_of: FxHashMap<_, PlayerId> = FxHashMap::default();
    let mut field: FxHashSet<PlayerId> = FxHashSet::default();
    let mut doubled: FxHashSet<PlayerId> = FxHashSet::default();
    for member in members {
        let round = table.games()[member.row].round;
        for (player, opponent) in [(member.white, member.black), (member.black, member.white)] {
            field.insert(player);
            let known = round.is_known().then(|| opponent_of.insert((player, round), opponent));
            if known.flatten().is_some_and(|other| other != opponent) {
                doubled.insert(player);
            }
        }
    }
    if doubled.len() * DOUBLED <= field.len() { doubled } else { FxHashSet::default() }
}

/// Marks events as uncertain in which one name has both sides of a game.
pub(super) fn doubt_shared_names(events: &mut [Event], table: &GameTable) {
    let both_sides = table.games().iter().filter(|game| game.white == game.black);
    let shared: FxHashSet<(NameId, NameId, NameId)> = both_sides
        .filter(|game| names_a_player(table.text(game.white)))
        .map(|game| (game.event, game.site, game.white))
        .collect();
    if shared.is_empty() {
        return;
    }
    for event in events {
        let name = event.games.iter().find_map(|game| {
            let row = &table.games()[game.row];
            let mut names = [row.white, row.black].into_iter();
            names.find(|name| shared.contains(&(row.event, row.site, *name)))
        });
        if let Some(name) = name {
            event.recognised.is_certain = false;
            event.reasons.push(format!(
                "a game has the name {} on both sides, so it is the name of two players",
                table.text(name)
            ));
        }
    }
}
