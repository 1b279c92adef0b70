//! Computes the exact distribution of the score of several games.

use crate::evaluation::draw_model::Chances;

/// The probabilities of all scores, in steps of half a point from 0. Equations (69) and (72) of
/// the book.
#[derive(Clone, Debug, PartialEq)]
pub struct ScoreDistribution {
    chances: Vec<f64>,
    mean: f64,
    variance: f64,
}

/// Scores within this distance of a limit count as equal to it, because sums of expected scores are
/// rounded.
const ROUNDING: f64 = 1e-9;

impl ScoreDistribution {
    /// Computes the distribution for games with these probabilities.
    pub fn from_games(games: impl IntoIterator<Item = Chances>) -> ScoreDistribution {
        let mut found = ScoreDistribution { chances: vec![1.0], mean: 0.0, variance: 0.0 };
        for game in games {
            let mut next = vec![0.0; found.chances.len() + 2];
            for (half_points, chance) in found.chances.iter().enumerate() {
                next[half_points] += chance * game.loss;
                next[half_points + 1] += chance * game.draw;
                next[half_points + 2] += chance * game.win;
            }
            found.chances = next;
            found.mean += game.expected();
            found.variance += game.variance();
        }
        found
    }

    /// The probabilities, in steps of half a point from 0.
    pub fn chances(&self) -> &[f64] {
        &self.chances
    }

    /// The expected score: the sum of the expected scores of the games.
    pub fn mean(&self) -> f64 {
        self.mean
    }

    /// The standard deviation of the score.
    pub fn sigma(&self) -> f64 {
        self.variance.max(0.0).sqrt()
    }

    /// The probability of this score or more.
    pub fn at_least(&self, score: f64) -> f64 {
        let least = (2.0 * (score - ROUNDING)).ceil().max(0.0) as usize;
        self.chances.iter().skip(least).sum()
    }

    /// The probability of this score or less.
    pub fn at_most(&self, score: f64) -> f64 {
        let most = (2.0 * (score + ROUNDING)).floor();
        if most < 0.0 { 0.0 } else { self.chances.iter().take(most as usize + 1).sum() }
    }

    /// The most probable score; of several the lowest.
    pub fn likeliest(&self) -> f64 {
        let mut best = 0;
        for (half_points, chance) in self.chances.iter().enumerate() {
            if *chance > self.chances[best] {
                best = half_points;
            }
        }
        best as f64 / 2.0
    }

    /// The lower and the upper quartile of the score.
    pub fn middle_half(&self) -> (f64, f64) {
        (self.quantile(0.25), self.quantile(0.75))
    }

    /// The lowest score that is reached or fallen short of with at least this probability.
    fn quantile(&self, probability: f64) -> f64 {
        let mut sum = 0.0;
        let place = self.chances.iter().position(|chance| {
            sum += chance;
            sum >= probability - ROUNDING
        });
        place.unwrap_or(self.chances.len() - 1) as f64 / 2.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn four(win: f64, loss: f64, draw: f64) -> ScoreDistribution {
        ScoreDistribution::from_games([Chances { win, draw, loss }; 4])
    }

    #[test]
    fn four_games_of_the_book() {
        let third = 1.0 / 3.0;
        for (found, expected) in [
            (four(third, third, third), &[0.0123, 0.0494, 0.1235, 0.1975, 0.2346][..]),
            (four(0.4, 0.4, 0.2), &[0.0256, 0.0512, 0.1408, 0.1664, 0.2320]),
            (
                four(0.5, 0.25, 0.25),
                &[0.0039, 0.0156, 0.0547, 0.1094, 0.1914, 0.2188, 0.2188, 0.1250, 0.0625],
            ),
        ] {
            for (found, expected) in found.chances().iter().zip(expected) {
                assert!((found - expected).abs() <= 5e-5 + 1e-12, "{found} {expected}");
            }
        }
    }

    fn factorial(n: u32) -> f64 {
        (1..=n).map(f64::from).product()
    }

    #[test]
    fn ten_games_agree_with_the_sum_over_all_partitions() {
        let found = ScoreDistribution::from_games([Chances { win: 0.5, draw: 0.3, loss: 0.2 }; 10]);
        assert!((found.mean() - 6.5).abs() < 1e-12);
        assert!((found.sigma() - 1.2349).abs() < 5e-5, "{}", found.sigma());
        assert!((found.chances()[13] - 0.158_103).abs() < 5e-7);
        assert!((found.at_least(8.0) - 0.157_203).abs() < 5e-7);
        // The multinomial formula (2) gives the same: N! / (W! L! D!) w^W l^L d^D over the 66
        // partitions.
        let mut by_score = vec![0.0; 21];
        let mut partitions = 0;
        for wins in 0..=10 {
            for losses in 0..=10 - wins {
                let draws = 10 - wins - losses;
                let ways = factorial(10) / (factorial(wins) * factorial(losses) * factorial(draws));
                let of_each = 0.5_f64.powi(wins as i32)
                    * 0.2_f64.powi(losses as i32)
                    * 0.3_f64.powi(draws as i32);
                by_score[(2 * wins + draws) as usize] += ways * of_each;
                partitions += 1;
            }
        }
        assert_eq!(partitions, 66);
        for (found, by_partitions) in found.chances().iter().zip(&by_score) {
            assert!((found - by_partitions).abs() < 1e-12);
        }
    }

    #[test]
    fn probability_of_one_standard_deviation_or_more_above_expectation() {
        let third = 1.0 / 3.0;
        for (found, expected) in [
            (four(third, third, third), 0.1852),
            (four(0.4, 0.4, 0.2), 0.2176),
            (four(0.5, 0.25, 0.25), 0.1875),
        ] {
            let above = found.at_least(found.mean() + found.sigma());
            assert!((above - expected).abs() < 5e-5, "{found:?}");
        }
        for (games, expected) in [(4, 0.3125), (9, 0.254), (16, 0.227), (25, 0.212)] {
            let found = ScoreDistribution::from_games(vec![Chances::new(0.5, 0.0); games]);
            let above = found.at_least(found.mean() + found.sigma());
            assert!((above - expected).abs() < 5e-4, "{games}: {above}");
        }
    }

    proptest! {
        #[test]
        fn probabilities_sum_to_one_and_both_tails_include_the_score(
            games in prop::collection::vec((0.0..1.0f64, 0.0..1.0f64), 1..40),
            half_points in 0usize..80,
        ) {
            let found = ScoreDistribution::from_games(games.iter().map(|(e, draws)| Chances::new(*e, *draws)));
            let sum: f64 = found.chances().iter().sum();
            prop_assert!((sum - 1.0).abs() < 1e-9);
            let mean: f64 = found.chances().iter().enumerate().map(|(at, p)| at as f64 / 2.0 * p).sum();
            prop_assert!((mean - found.mean()).abs() < 1e-9);
            let score = half_points as f64 / 2.0;
            let own = found.chances().get(half_points).copied().unwrap_or(0.0);
            prop_assert!((found.at_least(score) + found.at_most(score) - 1.0 - own).abs() < 1e-9);
        }
    }
}
