//! Running averages of performances, and Elo's logistic system with the exact slope: basic systems that rate event by event.
//!
//! Source: Royal C. Jones, *Back to Basics in Chess Ratings* (2nd edition, 2011), sections 3, 4 and 6; numbers in brackets are his formulas. How a player begins, how
//! the scale does, and when lists appear is as in continuous Elo.

mod attenuated;
mod cumulative;
mod revised_elo;

pub use attenuated::Attenuated;
pub use cumulative::Cumulative;
pub use revised_elo::RevisedElo;

use super::event_by_event::PlayerGame;

/// K of the straight line (points): half of what it takes from no points to all of them.
const SCALE: f64 = 400.0;

/// Games below which a rating is only a beginning, as in continuous Elo.
const INITIAL_GAMES: u32 = 25;

/// The straight line, clipped to what can be predicted.
fn line(difference: f64) -> f64 {
    (0.5 + difference / (2.0 * SCALE)).clamp(0.01, 0.99)
}

/// A performance (points): the opponents' mean and 400 points times what was won more than lost, by fraction (12).
fn performance(mean_opponent: f64, fraction: f64) -> f64 {
    mean_opponent + SCALE * (2.0 * fraction - 1.0)
}

/// The performance (points) in these games.
fn performance_in(games: &[PlayerGame]) -> f64 {
    let count = games.len().max(1) as f64;
    let opponents: f64 = games.iter().map(|game| game.theirs).sum();
    let points: f64 = games.iter().map(|game| game.score).sum();
    performance(opponents / count, points / count)
}

/// The rating (points) of somebody in a round robin of so many whose players' ratings, his own among them, have this mean (9).
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
    fn in_a_round_robin_the_field_stays_where_it_was() {
        // Four players, the points 3, 2, 1 and 0 of three games each.
        let ratings: Vec<f64> = (0..4)
            .map(|points| {
                let game = |place| PlayerGame {
                    player: 0,
                    opponent: place,
                    theirs: 2400.0,
                    score: f64::from(u8::from(place < points)),
                    day: date(1900, 1, 1),
                };
                let games: Vec<PlayerGame> = (0..3).map(game).collect();
                round_robin(2400.0, &games, 4)
            })
            .collect();
        assert_eq!(ratings, [2100.0, 2300.0, 2500.0, 2700.0]);
        // Each is what his opponents are in the mean, and 400 points times his surplus (12).
        assert!((performance((2300.0 + 2500.0 + 2700.0) / 3.0, 0.0) - 2100.0).abs() < 1e-9);
        assert!((performance((2100.0 + 2300.0 + 2500.0) / 3.0, 1.0) - 2700.0).abs() < 1e-9);
    }
}
