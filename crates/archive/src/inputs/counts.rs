//! Counts the games that are used and set aside.

use std::collections::BTreeMap;

use serde::Serialize;

use pgn_collections::games::SetAside;

/// The numbers of games seen, used, and set aside by reason. They add up.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct GameCounts {
    /// The number of games read.
    pub seen: usize,
    /// The number of games in events, including unplayed games.
    pub used: usize,
    /// The number of games set aside, by reason in words.
    pub set_aside: BTreeMap<&'static str, usize>,
}

/// The reason for games that count but belong to no event.
pub const OUTSIDE: &str = "in no event (too few games together)";

impl GameCounts {
    pub fn set_aside(&mut self, reason: SetAside) {
        *self.set_aside.entry(reason.words()).or_default() += 1;
    }

    pub fn outside(&mut self, games: usize) {
        if games > 0 {
            *self.set_aside.entry(OUTSIDE).or_default() += games;
        }
    }

    /// The number of games set aside, for all reasons together.
    pub fn set_aside_total(&self) -> usize {
        self.set_aside.values().sum()
    }

    /// Whether the numbers add up: no game is lost or counted twice.
    pub fn add_up(&self) -> bool {
        self.seen == self.used + self.set_aside_total()
    }
}
