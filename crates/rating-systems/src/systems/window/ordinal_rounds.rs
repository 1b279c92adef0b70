//! Ordinal ratings round by round: each player's quantile follows from those of the last four
//! opponents. The author calls it a toy; only the laboratory uses it.
//!
//! Source: Royal C. Jones, *Back to Basics in Chess Ratings* (2nd edition, 2011), section 2. The
//! effect of half a point, and initial quantiles by initial ratings, are ours.

use std::collections::VecDeque;

use crate::systems::running::{RoundGame, Running};

/// Number of games that determine a quantile, as in the article.
const LAST: usize = 4;
/// The quantile of a newcomer, of whom nothing is known.
const MIDDLE: f64 = 0.5;

/// Quantiles, in `[0, 1]`, and last opponents of all players.
#[derive(Debug)]
pub(super) struct Quantiles {
    quantiles: Vec<f64>,
    /// The opponents' quantiles at the time of the games, and the scores against them.
    last: Vec<VecDeque<(f64, f64)>>,
}

impl Quantiles {
    /// From all players' initial ratings. Players with equal ratings are in arbitrary order.
    pub fn new(start: &[f64]) -> Quantiles {
        let mut order: Vec<usize> = (0..start.len()).collect();
        order.sort_by(|a, b| {
            let by_rating = start[*a].total_cmp(&start[*b]);
            by_rating.then_with(|| scattered(*a).cmp(&scattered(*b)))
        });
        let mut quantiles = vec![MIDDLE; start.len()];
        for (place, player) in order.into_iter().enumerate() {
            quantiles[player] = (place as f64 + 0.5) / start.len() as f64;
        }
        Quantiles { quantiles, last: vec![VecDeque::with_capacity(LAST); start.len()] }
    }

    /// The quantile of a player with these results: s points put it between the s-th and the next
    /// of the opponents' quantiles, extended by 0 and 1.
    fn between(last: &VecDeque<(f64, f64)>) -> f64 {
        let mut steps: Vec<f64> = last.iter().map(|(quantile, _)| *quantile).collect();
        steps.extend([0.0, 1.0]);
        steps.sort_by(f64::total_cmp);
        let points: f64 = last.iter().map(|(_, score)| score).sum();
        // Half a point moves halfway to the next gap.
        let (whole, part) = (points.floor() as usize, points.fract());
        let below = middle_of_gap(&steps, whole.min(last.len()));
        below + part * (middle_of_gap(&steps, (whole + 1).min(last.len())) - below)
    }
}

/// A number that puts players in arbitrary order.
fn scattered(player: usize) -> u64 {
    (player as u64 + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15)
}

/// The middle between a step and the next one.
fn middle_of_gap(steps: &[f64], number: usize) -> f64 {
    (steps[number] + steps[number + 1]) / 2.0
}

impl Running for Quantiles {
    fn play(&mut self, round: &[RoundGame]) {
        for game in round {
            let sides = [
                (game.white as usize, game.black as usize, f64::from(game.score)),
                (game.black as usize, game.white as usize, 1.0 - f64::from(game.score)),
            ];
            for (player, opponent, score) in sides {
                let last = &mut self.last[player];
                if last.len() == LAST {
                    last.pop_front();
                }
                last.push_back((self.quantiles[opponent], score));
            }
            for (player, ..) in sides {
                self.quantiles[player] = Quantiles::between(&self.last[player]);
            }
        }
    }

    /// Ratings are percentages, as on the lists.
    fn ratings(&mut self, ratings: &mut Vec<f64>) {
        ratings.clear();
        ratings.extend(self.quantiles.iter().map(|quantile| 100.0 * quantile));
    }

    fn replace(&mut self, player: u32, _rating: f64) {
        self.quantiles[player as usize] = MIDDLE;
        self.last[player as usize].clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::{RngExt, SeedableRng};

    #[test]
    fn rank_correlation_after_1_10_and_25_cycles_matches_jones() {
        // 400 players in random order. A cycle is 200 games of random pairs.
        const PLAYERS: usize = 400;
        let mut random = rand_pcg::Pcg64Mcg::seed_from_u64(12);
        let start: Vec<f64> = (0..PLAYERS).map(|_| random.random()).collect();
        let mut running = Quantiles::new(&start);
        let mut spearman = Vec::new();
        for cycle in 1..=25 {
            for _ in 0..200 {
                let white = random.random_range(0..PLAYERS as u32);
                let black = (white + random.random_range(1..PLAYERS as u32)) % PLAYERS as u32;
                running.play(&[RoundGame {
                    white,
                    black,
                    score: if white > black { 1.0 } else { 0.0 },
                }]);
            }
            if [1, 10, 25].contains(&cycle) {
                let mut ratings = Vec::new();
                running.ratings(&mut ratings);
                let mut order: Vec<usize> = (0..PLAYERS).collect();
                order.sort_by(|a, b| ratings[*a].total_cmp(&ratings[*b]));
                let squares: f64 = order
                    .iter()
                    .enumerate()
                    .map(|(place, player)| (place as f64 - *player as f64).powi(2))
                    .sum();
                let n = PLAYERS as f64;
                spearman.push(1.0 - 6.0 * squares / (n * (n * n - 1.0)));
            }
        }
        for (found, published) in spearman.iter().zip([0.36, 0.87, 0.89]) {
            assert!((found - published).abs() < 0.06, "{spearman:?}");
        }
    }

    #[test]
    fn points_determine_the_quantiles_around_a_player() {
        for (scores, expected) in [
            ([0.0, 0.0, 0.0], 0.1),
            ([1.0, 1.0, 0.0], 0.6),
            ([0.0, 1.0, 0.5], 0.45),
            ([1.0, 1.0, 1.0], 0.9),
        ] {
            let found = Quantiles::between(&[0.2, 0.4, 0.8].into_iter().zip(scores).collect());
            assert!((found - expected).abs() < 1e-12, "{scores:?}: {found}");
        }
    }
}
