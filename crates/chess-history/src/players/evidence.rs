//! What games say for and against two spellings being one person's.

/// What speaks for two spellings being one person's.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct IdentityEvidence {
    /// Games that are there under both against the same opponent.
    pub games: usize,
    /// Games that are there under both, and under two names of the opponent as well.
    pub both_differ: usize,
    /// Rounds of one event in which each has a game of his own.
    pub contradictions: usize,
    /// Events of two sources in which one has the games that the other lacks.
    pub completes: usize,
}

/// One in so many games under two names may contradict that they are one person's: sources err.
const ONE_ERROR_IN: usize = 4;

impl IdentityEvidence {
    /// Whether more speaks for one person than against it.
    pub fn outweighs(self) -> bool {
        self.contradictions * ONE_ERROR_IN <= self.games + self.both_differ + self.completes
    }

    /// How many games are there under both names, in words.
    pub fn told(self) -> String {
        match self.games + self.both_differ {
            0 => "one has the games of an event that the other lacks, and none".to_owned(),
            1 => "1 game of an event is".to_owned(),
            games => format!("{games} games of events are"),
        }
    }
}
