//! Addresses of events and players.
//!
//! Some have their own page (see [`OwnPages`](archive::OwnPages)). One page shows all
//! others. Its address has the identifier after `?e=` or `?p=`, which selects a data file.

use archive::{Archive, EventRecord};
use chess_history::players::PlayerId;

/// The page that shows every event without its own page.
pub(super) const ANY_EVENT: &str = "event.html";

/// The page that shows every player without their own page.
pub(super) const ANY_PLAYER: &str = "player.html";

/// The address of an event, relative to the archive's folder.
pub(super) fn of_event(record: &EventRecord) -> String {
    if record.has_page {
        format!("events/{}.html", record.event.id)
    } else {
        format!("{ANY_EVENT}?e={}", record.event.id)
    }
}

/// The address of a player, relative to the archive's folder.
pub(super) fn of_player(archive: &Archive, player: PlayerId) -> String {
    let id = &archive.players.get(player).id;
    if archive.player_pages[player.index()] {
        format!("players/{id}.html")
    } else {
        format!("{ANY_PLAYER}?p={id}")
    }
}

/// The key from which scripts make the address of an event: its identifier, after a `#` if it has
/// no page.
pub(super) fn key_of_event(record: &EventRecord) -> String {
    key(&record.event.id, record.has_page)
}

/// The key from which scripts make the address of a player.
pub(super) fn key_of_player(archive: &Archive, player: PlayerId) -> String {
    key(&archive.players.get(player).id, archive.player_pages[player.index()])
}

fn key(id: &str, has_page: bool) -> String {
    format!("{}{id}", if has_page { "" } else { "#" })
}

/// The number of the file with the data of an identifier. Scripts compute the same number.
fn file_of(id: &str, files: usize) -> usize {
    let sum = id.bytes().fold(0u32, |sum, byte| sum.wrapping_mul(31).wrapping_add(byte.into()));
    sum as usize % files
}

/// Groups places by the file that has their data, in order.
pub(super) fn by_file<'a>(
    ids: impl Iterator<Item = (usize, &'a str)>,
    files: usize,
) -> Vec<Vec<usize>> {
    let mut held = vec![Vec::new(); files];
    for (place, id) in ids {
        held[file_of(id, files)].push(place);
    }
    held
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn data_is_in_the_file_that_a_page_looks_for_it_in() {
        // The same as `fileOf` in `templates/compare.js` and `templates/any.js`, which the browser
        // tests check.
        assert_eq!(file_of("fischer-bobby", 1), 0);
        assert_eq!(file_of("ab", 1000), (97 * 31 + 98) % 1000);
    }

    #[test]
    fn every_place_is_in_one_file() {
        let ids = ["ab", "cd", "ef", "gh"];
        let held = by_file(ids.iter().copied().enumerate(), 3);
        assert_eq!(held.iter().map(Vec::len).sum::<usize>(), ids.len());
        assert!(held[file_of("cd", 3)].contains(&1));
    }
}
