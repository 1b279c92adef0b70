//! Running averages of performances, and Elo's logistic system with the exact slope. These basic
//! systems rate event by event.
//!
//! Source: Royal C. Jones, *Back to Basics in Chess Ratings* (2nd edition, 2011), sections 3, 4 and
//! 6. Numbers in brackets are those of its formulas. Initial ratings, the start of the scale and
//! the days of lists are as in continuous Elo.

mod attenuated;
mod cumulative;
mod revised_elo;

pub use attenuated::Attenuated;
pub use cumulative::Cumulative;
pub use revised_elo::RevisedElo;

use super::event_by_event::PlayerGame;

/// K of the straight line (points): half of the difference between expected scores of 0 and 1, as
/// on Elo's straight line.
const SCALE: f64 = 400.0;

/// Number of games below which a rating is provisional, as in continuous Elo.
const INITIAL_GAMES: u32 = 25;

/// Expected score on the straight line, limited to 0.01 to 0.99.
fn line(difference: f64) -> f64 {
    (0.5 + difference / (2.0 * SCALE)).clamp(0.01, 0.99)
}

/// A performance (points): the opponents' mean plus 400 points times the fraction won minus the
/// fraction lost (12).
fn performance(mean_opponent: f64, fraction: f64) -> f64 {
    mean_opponent + SCALE * (2.0 * fraction - 1.0)
}

/// The performance (points) in these games.
fn performance_in(games: &[PlayerGame]) -> f64 {
    let count = games.len().max(1) as f64;
    let opponents: f64 = games.iter().map(|game| game.opponent_rating).sum();
    let points: f64 = games.iter().map(|game| game.score).sum();
    performance(opponents / count, points / count)
}

/// The rating (points) of a player in a round robin of `players`. `mean` is the mean rating of all
/// of them (9).
fn round_robin(mean: f64, games: &[PlayerGame], players: usize) -> f64 {
    let points: f64 = games.iter().map(|game| game.score).sum();
    let fraction = points / games.len().max(1) as f64;
    let part = (players.max(1) - 1) as f64 / players.max(1) as f64;
    mean + SCALE * (2.0 * fraction - 1.0) * part
}

#[cfg(test)]
mod tests {
    use super::*;
    use jiff::civil::date;

    #[test]
    fn a_round_robin_keeps_the_mean_of_its_field() {
        // Four players score 3, 2, 1 and 0 points in three games each.
        let ratings: Vec<f64> = (0..4)
            .map(|points| {
                let games = [0, 1, 2].map(|place| PlayerGame {
                    player: 0,
                    opponent: place,
                    opponent_rating: 2400.0,
                    score: f64::from(u8::from(place < points)),
                    day: date(1900, 1, 1),
                });
                round_robin(2400.0, &games, 4)
            })
            .collect();
        assert_eq!(ratings, [2100.0, 2300.0, 2500.0, 2700.0]);
        // Each rating is the opponents' mean plus 400 points times the surplus (12).
        assert!((performance((2300.0 + 2500.0 + 2700.0) / 3.0, 0.0) - 2100.0).abs() < 1e-9);
        assert!((performance((2100.0 + 2300.0 + 2500.0) / 3.0, 1.0) - 2700.0).abs() < 1e-9);
    }
}
