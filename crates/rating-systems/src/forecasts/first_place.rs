//! Who was likely to win an event.

use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64Mcg;

use crate::evaluation::draw_model::Chances;

/// A game of an event, from White's side.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct EventGame {
    /// Number of White.
    pub white: usize,
    /// Number of Black.
    pub black: usize,
    /// What may become of it.
    pub chances: Chances,
}

/// Each player's chance, in `[0, 1]`, to have most points, by seeded draws of all games; those who share the first place share
/// its chance too. `points` has what everybody has without these games (byes, forfeits).
pub fn first_place(points: &[f64], games: &[EventGame], draws: usize, seed: u64) -> Vec<f64> {
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
    fn of_two_games_between_two_players_the_chances_are_those_of_the_match() {
        let chances = Chances { win: 0.5, draw: 0.25, loss: 0.25 };
        let games = [EventGame { white: 0, black: 1, chances }; 2];
        // More than a point: .25 + 2 * .5 * .25 = .5; level: 2 * .5 * .25 + .0625 = .3125, which both share.
        let found = first_place(&[0.0, 0.0], &games, 100_000, 1);
        assert!((found[0] - 0.65625).abs() < 0.005, "{found:?}");
        assert!((found[0] + found[1] - 1.0).abs() < 1e-9);
        assert_eq!(found, first_place(&[0.0, 0.0], &games, 100_000, 1), "the same seed");
    }
}
