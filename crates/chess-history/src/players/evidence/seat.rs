//! A game of a spelling in an event.

/// The opponent of a game, known by the sound of the surname.
pub(super) type OpponentClass = u32;

/// A game of a spelling.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Seat {
    pub event: u32,
    pub spelling: u32,
    /// 0 if it is unknown, or the same in all games of the event.
    pub round: u16,
    /// The day as a number; 0 if it is unknown, or the same in all games of the event.
    pub day: i32,
    pub opponent: OpponentClass,
    pub opponent_with_initial: OpponentClass,
    pub is_black: bool,
    pub result: u8,
    /// The spelling of the opponent.
    pub opponent_spelling: u32,
}

/// The number of names of one game beyond which it is no evidence.
pub(super) const MOST_NAMES: usize = 12;

/// How much more two different games against one opponent say than two equal ones.
///
/// Judged: if nine of ten are equal in copies, and a quarter of those of two players, the odds are
/// 4 to 1 for an equal one, and 1 to 8 for a different one.
const DIFFERENT_GAMES: i32 = 2;

/// Returns the number of equal games of two copies, less that of different ones against the same
/// opponent.
pub(super) fn equal_games(mine: &[Seat], theirs: &[Seat]) -> i32 {
    let mut equal = 0;
    for seat in theirs {
        let mut against_opponent = mine.iter().filter(|one| one.opponent == seat.opponent);
        if against_opponent.clone().next().is_some() {
            let is_equal = against_opponent
                .any(|one| (one.is_black, one.result) == (seat.is_black, seat.result));
            equal += if is_equal { 1 } else { -DIFFERENT_GAMES };
        }
    }
    equal
}
