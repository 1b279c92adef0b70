//! Systems of the past, each with a straight line for a curve: Ingo, Harkness, BCF, CCLA.
//!
//! Source: Arpad E. Elo, *The Rating of Chessplayers, Past and Present* (second edition), 8.5. They are there to be compared, and never a
//! source of ratings. In all of them who wins everything can lose by it: five wins against 1800 make a performance of 2050 (8.53), and since a
//! straight line gives little for what it takes to win, pools shrink to four class intervals (8.57).

mod bcf;
mod ccla;
mod harkness;
mod ingo;

pub use bcf::Bcf;
pub use ccla::Ccla;
pub use harkness::Harkness;
pub use ingo::Ingo;

use super::event_by_event::PlayerGame;

/// Games from which a rating is more than a beginning: what the book says of its own (2.59), and of BCF's.
const ESTABLISHED: u32 = 30;

/// Sum of the opponents' ratings (own points), points and number of games.
fn sums(games: &[PlayerGame]) -> (f64, f64, f64) {
    games.iter().fold((0.0, 0.0, 0.0), |(opponents, points, count), game| {
        (opponents + game.theirs, points + game.score, count + 1.0)
    })
}

/// A straight line as a curve, from one to ninety-nine hundredths.
fn line(difference: f64, points: f64) -> f64 {
    (0.5 + difference / points).clamp(0.01, 0.99)
}
