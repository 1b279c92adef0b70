//! Values of cells that several tables have.

use crate::record::EventRecord;
use crate::run::Archive;
use chess_history::players::Player;

/// The player with this place in the list of an event's players.
pub(super) fn player_of<'a>(
    archive: &'a Archive,
    record: &EventRecord,
    index: usize,
) -> &'a Player {
    archive.players.get(record.event.players[index])
}

pub(super) fn year(record: &EventRecord) -> Option<usize> {
    usize::try_from(record.event.start.year()?).ok()
}

/// A rating from a tag, where 0 is unknown.
pub(super) fn known_rating(elo: u16) -> Option<usize> {
    (elo > 0).then_some(usize::from(elo))
}
