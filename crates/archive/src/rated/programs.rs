//! Finds the players that are programs.
//!
//! Rating lists have persons only, and games against programs are not rated.

use rustc_hash::{FxHashMap, FxHashSet};

use chess_history::players::{PlayerId, Players};
use pgn_collections::games::{GameTable, NameId, Rateable, may_name_a_program};

/// Returns the programs among the players of some games.
///
/// A player is a program if one of its names or the tags of one of its games state it. A name that
/// persons have too (`Hydra`, `Junior`) is that of a program if it is in an event with one.
pub(super) fn programs(
    table: &GameTable,
    rows: &[usize],
    players: &Players,
) -> FxHashSet<PlayerId> {
    let mut rateable = Rateable::default();
    let mut found: FxHashSet<PlayerId> = FxHashSet::default();
    let mut events_with_programs: FxHashSet<(NameId, NameId, Option<i16>)> = FxHashSet::default();
    let mut possible: Vec<(PlayerId, usize)> = Vec::new();
    let mut may_be: FxHashMap<NameId, bool> = FxHashMap::default();
    for &row in rows {
        let game = &table.games()[row];
        for (name, is_white) in [(game.white, true), (game.black, false)] {
            if rateable.is_program(table, game, is_white) {
                found.extend(players.of_name(name));
                events_with_programs.insert((game.event, game.site, game.date.year()));
            } else if *may_be.entry(name).or_insert_with(|| may_name_a_program(table.text(name))) {
                possible.extend(players.of_name(name).map(|player| (player, row)));
            }
        }
    }
    for (player, row) in possible {
        let game = &table.games()[row];
        if events_with_programs.contains(&(game.event, game.site, game.date.year())) {
            found.insert(player);
        }
    }
    found
}
