//! What makes an event, as far as that is a matter of opinion.

use serde::Deserialize;

/// The thresholds of grouping.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct EventThresholds {
    /// Days without a game after which games of one name and place are another event.
    pub gap_days: u16,
    /// Games of a pair that make a match.
    pub match_games: usize,
    /// Games that make an event of three players or more.
    pub event_games: usize,
}

impl Default for EventThresholds {
    fn default() -> EventThresholds {
        EventThresholds { gap_days: 45, match_games: 3, event_games: 6 }
    }
}
