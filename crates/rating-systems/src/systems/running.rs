//! Rating systems round by round: all players have a rating from the start, and play at most one
//! game per round.
//!
//! The [laboratory](crate::laboratory) runs systems in this form. Each system uses the same
//! arithmetic as for historical games.

/// A game of a round.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RoundGame {
    /// White's number, from 0.
    pub white: u32,
    /// Black's number, from 0.
    pub black: u32,
    /// White's score, in `[0, 1]`.
    pub score: f32,
}

/// A rating system that rates round by round.
pub trait Running: Send {
    /// Rates a round. No player plays twice in it.
    fn play(&mut self, round: &[RoundGame]);

    /// Writes all current ratings (points) to `ratings`, whose memory is reused. A system that
    /// solves for ratings does so here.
    fn ratings(&mut self, ratings: &mut Vec<f64>);

    /// The maximum number of rounds whose games are kept in memory. 0 for a system that rates
    /// round by round.
    fn keeps_rounds(&self) -> usize {
        0
    }

    /// Whether a query solves for the ratings of all kept games at once. This takes long, and the
    /// results determine such ratings only up to a constant.
    fn solves(&self) -> bool {
        self.keeps_rounds() > 0
    }

    /// A new player with this initial rating (points) takes the number of a player who leaves.
    fn replace(&mut self, player: u32, rating: f64);

    /// Announces that events begin. A system that corrects ratings by event holds their games back
    /// until they end.
    fn begin_events(&mut self) {}

    /// Announces that the events since [`Running::begin_events`] ended. `_fields` holds the player
    /// numbers of each event.
    fn close_events(&mut self, _fields: &[Vec<u32>]) {}

    /// Boosts only these players, if the system boosts at all.
    fn boost_only(&mut self, _players: &[u32]) {}
}
