//! Where every game went.

use std::collections::BTreeMap;

use serde::Serialize;

use crate::games::SetAside;

/// Games seen, used, and set aside by reason. They add up.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct GameCounts {
    /// Games read.
    pub seen: usize,
    /// Games in events, unplayed ones included.
    pub used: usize,
    /// Games set aside, by reason in words.
    pub set_aside: BTreeMap<&'static str, usize>,
}

/// The reason for games that count but belong to no event.
pub(crate) const OUTSIDE: &str = "in no event (too few games together)";

impl GameCounts {
    pub(crate) fn set_aside(&mut self, reason: SetAside) {
        *self.set_aside.entry(reason.words()).or_default() += 1;
    }

    pub(crate) fn outside(&mut self, games: usize) {
        if games > 0 {
            *self.set_aside.entry(OUTSIDE).or_default() += games;
        }
    }

    /// Games set aside, all reasons together.
    pub fn set_aside_total(&self) -> usize {
        self.set_aside.values().sum()
    }

    /// Whether no game is lost or invented.
    pub fn add_up(&self) -> bool {
        self.seen == self.used + self.set_aside_total()
    }
}
