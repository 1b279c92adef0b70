//! Thresholds that decide what counts as an event.

use serde::Deserialize;

/// The thresholds of grouping.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct EventThresholds {
    /// Days without a game after which games with the same name and place are another event.
    pub gap_days: u16,
    /// The least number of games of a match.
    pub match_games: usize,
    /// The least number of games of an event with three or more players.
    pub event_games: usize,
}

impl Default for EventThresholds {
    fn default() -> EventThresholds {
        EventThresholds { gap_days: 45, match_games: 3, event_games: 6 }
    }
}
