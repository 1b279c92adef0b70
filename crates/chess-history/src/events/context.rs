//! The inputs of event detection.

use super::series::EventWords;
use super::thresholds::EventThresholds;
use crate::games::GameTable;
use crate::gazetteer::Places;
use crate::players::Players;

/// The games, their players, and the names and thresholds for events.
#[derive(Clone, Copy, Debug)]
pub struct EventContext<'a> {
    /// The games of the collection.
    pub table: &'a GameTable,
    /// The players whom the spellings of the games name.
    pub players: &'a Players,
    /// The common names and the countries of places.
    pub places: &'a Places,
    /// The known series, abbreviations, names and results of events.
    pub words: &'a EventWords,
    /// What counts as an event, in games and days.
    pub thresholds: EventThresholds,
}
