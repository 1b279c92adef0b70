//! What events are made of.

use super::series::EventWords;
use super::thresholds::EventThresholds;
use crate::games::GameTable;
use crate::gazetteer::Places;
use crate::players::Players;

/// The games, who played them, and what makes an event.
#[derive(Clone, Copy, Debug)]
pub struct EventContext<'a> {
    /// All games.
    pub table: &'a GameTable,
    /// All persons.
    pub players: &'a Players,
    /// What places are called.
    pub places: &'a Places,
    /// What events are called.
    pub words: &'a EventWords,
    /// What makes an event.
    pub thresholds: EventThresholds,
}
