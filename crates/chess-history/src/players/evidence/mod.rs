//! Weighs the evidence in games that two spellings belong to one player.

/// A rating (points) that few players share, and that its bearer has in all games.
///
/// Judged: it is the rating that FIDE requires of an international master. Two hundred points less,
/// and namesakes of one level are common; two hundred more, and masters with initials stay apart.
pub(super) const DISTINCTIVE_RATING: u16 = 2400;

/// The greatest number of bearers of a rare surname, in all its spellings.
///
/// Judged: among ten players two rarely have one given name or one rating. Half as many would leave
/// more spellings of one player apart; twice as many would join more namesakes.
pub(super) const FEW_BEARERS: usize = 10;

/// The number of names of one player that the records of a game may have.
///
/// Judged: few events are in more than three sources with different spellings. With two, an event
/// of three sources looks like a simultaneous display; with six, a small display like a tournament.
pub(super) const MOST_NAMES: usize = 3;

/// The evidence that two spellings belong to one player, and against it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct IdentityEvidence {
    /// The number of games that both have, against the same opponent.
    pub games: usize,
    /// The number of games that both have, with two spellings of the opponent as well.
    pub both_differ: usize,
    /// The number of rounds of one event in which they have different games.
    pub contradictions: usize,
    /// The number of events in two sources in which one has the games that the other lacks.
    pub completes: usize,
}

/// At most one contradiction in this many games is tolerated, because sources have errors.
///
/// Judged: one wrong header in a short event must not outweigh its other games. Half as many games
/// would join two players whom a source mixes up; twice as many would let one error decide.
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
