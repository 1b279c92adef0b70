//! Defines a player's figures over all games of a knock-out, with its rapid and blitz tie-breaks.

/// A player's figures over all games of a knock-out.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AllGamesFigures {
    /// The number of games, tie-breaks included.
    pub games: usize,
    pub points: f64,
    /// The P-Zero (rating points).
    pub p_zero: f64,
    /// The G-score; `None` if a rating is unknown.
    pub g_score: Option<f64>,
}
