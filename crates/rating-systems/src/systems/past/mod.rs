//! Historical systems with a straight line as their curve: Ingo, Harkness, BCF, CCLA.
//!
//! Source: Arpad E. Elo, *The Rating of Chessplayers, Past and Present* (second edition), 8.5. They
//! are only compared with other systems, and are not a source of ratings.
//!
//! In all of them, a player who wins every game can lose points: five wins against 1800 make a
//! performance of 2050 (8.53). Because the straight line rewards wins too little, pools shrink to
//! four class intervals (8.57).

mod bcf;
mod ccla;
mod harkness;
mod ingo;

pub use bcf::Bcf;
pub use ccla::Ccla;
pub use harkness::Harkness;
pub use ingo::Ingo;

use super::event_by_event::PlayerGame;

/// Minimum number of games of an established rating. The book states it for its own system (2.59)
/// and for BCF.
const ESTABLISHED: u32 = 30;

/// Sum of the opponents' ratings (own points), points scored and number of games.
fn sums(games: &[PlayerGame]) -> (f64, f64, f64) {
    games.iter().fold((0.0, 0.0, 0.0), |(opponents, points, count), game| {
        (opponents + game.opponent_rating, points + game.score, count + 1.0)
    })
}

/// Expected score on a straight line that rises from 0 to 1 over `points`, limited to 0.01 to 0.99.
fn line(difference: f64, points: f64) -> f64 {
    (0.5 + difference / points).clamp(0.01, 0.99)
}
