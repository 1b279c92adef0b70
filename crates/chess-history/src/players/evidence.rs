//! Weighs the evidence in games that two spellings are one player's.

/// A rating (points) that few players share, and that its bearer has in all his games.
pub(super) const STRONG: u16 = 2400;

/// The greatest number of bearers of a rare surname, in all its spellings.
pub(super) const FEW_BEARERS: usize = 10;

/// The evidence that two spellings are one player's, and against it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct IdentityEvidence {
    /// The number of games that both have, against the same opponent.
    pub games: usize,
    /// The number of games that both have, with two spellings of the opponent as well.
    pub both_differ: usize,
    /// The number of rounds of one event in which each has a game of its own.
    pub contradictions: usize,
    /// The number of events in two sources in which one has the games that the other lacks.
    pub completes: usize,
}

/// At most one contradiction in this many games is tolerated, because sources have errors.
const ONE_ERROR_IN: usize = 4;

impl IdentityEvidence {
    /// Whether the evidence for one player outweighs that against it.
    pub fn outweighs(self) -> bool {
        self.contradictions * ONE_ERROR_IN <= self.games + self.both_differ + self.completes
    }

    /// Describes the games that both names have.
    pub fn in_words(self) -> String {
        match self.games + self.both_differ {
            0 => "one has the games of an event that the other lacks".to_owned(),
            1 => "1 game of an event is recorded under both".to_owned(),
            games => format!("{games} games of events are recorded under both"),
        }
    }
}
