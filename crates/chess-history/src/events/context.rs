//! The inputs of event detection.

use super::series::EventWords;
use super::thresholds::EventThresholds;
use crate::games::GameTable;
use crate::gazetteer::Places;
use crate::players::Players;

/// The games, their players, and the names and thresholds for events.
#[derive(Clone, Copy, Debug)]
pub struct EventContext<'a> {
    /// All games.
    pub table: &'a GameTable,
    /// All players.
    pub players: &'a Players,
    /// The names of places.
    pub places: &'a Places,
    /// The names of events.
    pub words: &'a EventWords,
    /// The thresholds for events.
    pub thresholds: EventThresholds,
}
