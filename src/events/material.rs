//! What events are made of.

use super::thresholds::EventThresholds;
use crate::games::GameTable;
use crate::players::Players;

/// The games, who played them, and what makes an event.
#[derive(Clone, Copy, Debug)]
pub struct Material<'a> {
    /// All games.
    pub table: &'a GameTable,
    /// All persons.
    pub players: &'a Players,
    /// What makes an event.
    pub thresholds: EventThresholds,
}
