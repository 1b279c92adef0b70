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
}

/// The number of names of one game beyond which it is no evidence.
pub(super) const MOST_NAMES: usize = 12;
