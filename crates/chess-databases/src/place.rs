//! Where the data of a game are.

/// Where the moves of a game are, or why it has none.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Place {
    /// A game. Without a length, the moves themselves state it.
    Game { offset: u64, length: Option<u64> },
    /// A game that is marked as deleted.
    Deleted,
    /// A text without a game.
    Text,
}
