//! Former addresses of players.
//!
//! The identifier of a player is made from the name, so a better name gives another one. Addresses
//! of earlier archives have a spelling that the player still has.

use std::collections::BTreeMap;

use archive::Archive;
use chess_history::players::{PlayerId, slug};

/// Returns the identifiers that the spellings of players with an address would give, without those
/// of present players and those that several players share.
pub(super) fn former_ids(archive: &Archive) -> BTreeMap<String, PlayerId> {
    let mut players_of: BTreeMap<String, Vec<PlayerId>> = BTreeMap::new();
    for row in &archive.lists.player_rows {
        let player = archive.players.get(row.player);
        let spellings = player.spellings.iter().chain(&player.also_called);
        let mut ids: Vec<String> =
            spellings.chain([&player.fullest_spelling]).map(|text| slug(text)).collect();
        ids.sort_unstable();
        ids.dedup();
        for id in ids.into_iter().filter(|id| !id.is_empty()) {
            players_of.entry(id).or_default().push(row.player);
        }
    }
    for (_, player) in archive.players.iter() {
        players_of.remove(&player.id);
    }
    let of_one = players_of.into_iter().filter(|(_, players)| players.len() == 1);
    of_one.map(|(id, players)| (id, players[0])).collect()
}
