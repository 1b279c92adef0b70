//! A rating system as it runs along: everybody has a rating from the beginning, and plays one game a round.
//!
//! This is how the [laboratory](crate::laboratory) sees a system. The arithmetic is that of the system's run
//! through history: states that take a game, or a round, at a time.

/// A game of a round.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RoundGame {
    /// Number of one player.
    pub white: u32,
    /// Number of the other.
    pub black: u32,
    /// White's score, in `[0, 1]`.
    pub score: f32,
}

/// A rating system that rates round by round.
pub trait Running: Send {
    /// Takes a round, in which nobody plays twice.
    fn play(&mut self, round: &[RoundGame]);

    /// Everybody's rating (points) now; a system that solves does it here.
    fn ratings(&mut self, ratings: &mut Vec<f64>);

    /// Whether ratings are worked out from all games at once when they are asked for, which takes long.
    fn solves(&self) -> bool {
        false
    }

    /// How many rounds' games it keeps at most, each of which takes memory.
    fn keeps_rounds(&self) -> usize {
        0
    }

    /// Whether results determine ratings but for a constant that may be added to all of them.
    fn has_free_level(&self) -> bool {
        false
    }

    /// Somebody else takes the number of a player who leaves, with a rating to begin with (points).
    fn replace(&mut self, player: u32, rating: f64);

    /// Events begin: a system that hears them as a whole rates their games when they are over.
    fn begin_events(&mut self) {}

    /// The events that began with [`Running::begin_events`] are over; each is the numbers of its players.
    fn close_events(&mut self, _fields: &[Vec<u32>]) {}

    /// Boosts these players only, where the system boosts at all.
    fn boost_only(&mut self, _players: &[u32]) {}
}
