//! Thresholds that decide what counts as an event.

use serde::Deserialize;

/// The thresholds of grouping.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct EventThresholds {
    /// Days without a game after which games with the same name and place are another event.
    ///
    /// The default is judged: postponed games and stages follow within weeks, and yearly events
    /// after eleven months. With 20 days, long events would be split; with 90, tournaments of every
    /// quarter would be joined.
    pub gap_days: u16,
    /// The least number of games of a match. The default is taken from the project's specification
    /// of events: at least three games against each other.
    pub match_games: usize,
    /// The least number of games of an event with three or more players. The default is judged: it
    /// is the number of a round robin of four. With twelve, small tournaments would be left out.
    pub event_games: usize,
}

impl Default for EventThresholds {
    fn default() -> EventThresholds {
        EventThresholds { gap_days: 45, match_games: 3, event_games: 6 }
    }
}
