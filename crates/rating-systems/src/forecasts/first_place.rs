//! Estimates each player's probability of winning an event.

use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64Mcg;

use crate::evaluation::draw_model::Chances;

/// A game of an event to forecast.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ForecastGame {
    /// White, by index of the player.
    pub white: usize,
    /// Black, by index of the player.
    pub black: usize,
    /// Probabilities of the results, from White's side.
    pub chances: Chances,
}

/// Estimates each player's probability, in `[0, 1]`, of the highest score. It simulates all games
/// `draws` times with a seeded generator. Players who tie for first place share its probability.
/// `points` are the points of each player from other sources (byes, forfeits).
pub fn first_place(points: &[f64], games: &[ForecastGame], draws: usize, seed: u64) -> Vec<f64> {
    let mut random = Pcg64Mcg::seed_from_u64(seed);
    let mut first = vec![0.0; points.len()];
    let mut sums = Vec::new();
    for _ in 0..draws {
        sums.clear();
        sums.extend_from_slice(points);
        for game in games {
            let drawn: f64 = random.random();
            let score = if drawn < game.chances.win {
                1.0
            } else if drawn < game.chances.win + game.chances.draw {
                0.5
            } else {
                0.0
            };
            sums[game.white] += score;
            sums[game.black] += 1.0 - score;
        }
        let most = sums.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let share = 1.0 / sums.iter().filter(|sum| **sum == most).count() as f64;
        for (first, sum) in first.iter_mut().zip(&sums) {
            if *sum == most {
                *first += share;
            }
        }
    }
    first.iter_mut().for_each(|chance| *chance /= draws.max(1) as f64);
    first
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_games_of_two_players_are_a_match() {
        let chances = Chances { win: 0.5, draw: 0.25, loss: 0.25 };
        let games = [ForecastGame { white: 0, black: 1, chances }; 2];
        // More than a point: .25 + 2 * .5 * .25 = .5. Level: 2 * .5 * .25 + .0625 = .3125, which
        // both share.
        let found = first_place(&[0.0, 0.0], &games, 100_000, 1);
        assert!((found[0] - 0.65625).abs() < 0.005, "{found:?}");
        assert!((found[0] + found[1] - 1.0).abs() < 1e-9);
        assert_eq!(found, first_place(&[0.0, 0.0], &games, 100_000, 1), "the same seed");
    }
}
