//! Compares a player's score with the score that the rating predicts (3.63).

use serde::{Deserialize, Serialize};
use statrs::distribution::{ContinuousCDF, Normal};

use super::distribution::ScoreDistribution;
use crate::evaluation::draw_model::Chances;

/// A predicted score and the actual one.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct ScorePrediction {
    /// Number of games over which the score is summed.
    pub games: usize,
    /// Actual score: points from all these games.
    pub score: f64,
    /// Expected score (points) from all these games.
    pub expected: f64,
    /// Standard deviation of the predicted score.
    pub sigma: f64,
    /// Actual minus expected score, in standard deviations. `None` if the score could not vary.
    pub z: Option<f64>,
    /// Probability of the actual score or a more extreme one: of this score or more if it is at
    /// least the expected score, otherwise of this score or less.
    pub chance: f64,
    /// Mean of this probability over the error of the player's own rating.
    pub chance_with_error: f64,
}

/// How exceptional a performance is (3.63), by the probability that includes the rating's own
/// error.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exceptional {
    /// A probability below 5%.
    InTwenty,
    /// A probability below 1%.
    InHundred,
}

impl ScorePrediction {
    /// Actual minus expected score.
    pub fn over(&self) -> f64 {
        self.score - self.expected
    }

    /// How exceptional the score is. `None` from a probability of 5%.
    pub fn exceptional(&self) -> Option<Exceptional> {
        match self.chance_with_error {
            ..0.01 => Some(Exceptional::InHundred),
            ..0.05 => Some(Exceptional::InTwenty),
            _ => None,
        }
    }
}

/// Standard error (points) of a rating without a known error: Elo's for 80 games (8.25).
pub const USUAL_ERROR: f64 = 31.6;

/// Number of ratings over which [`ScorePrediction::chance_with_error`] averages. Judged: they are
/// the middles of nine equally probable parts, and more change the mean little.
const PLACES: u32 = 9;

/// A player's games and score.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PlayedGames {
    /// Number of games over which the score is summed.
    pub games: usize,
    /// Points that the player scored in these games.
    pub score: f64,
    /// The proportion of games between equals that are drawn, in `[0, 1]`.
    pub draws: f64,
}

impl PlayedGames {
    /// Compares the score with the one that the player's rating (points) with its standard error
    /// (points) predicts. `expected` gives the expected score of a game from the player's rating
    /// and the index of the game.
    pub fn predicted_by(
        &self,
        rating: f64,
        error: f64,
        expected: impl Fn(f64, usize) -> f64,
    ) -> ScorePrediction {
        let PlayedGames { games, score, .. } = *self;
        let found = self.distribution(rating, &expected);
        let is_above = score >= found.mean();
        let normal = Normal::standard();
        let with_error = (1..=PLACES).map(|place| {
            let part = (f64::from(place) - 0.5) / f64::from(PLACES);
            let rating = rating + error * normal.inverse_cdf(part);
            tail(&self.distribution(rating, &expected), score, is_above)
        });
        let sigma = found.sigma();
        ScorePrediction {
            games,
            score,
            expected: found.mean(),
            sigma,
            z: (sigma > 0.0).then(|| (score - found.mean()) / sigma),
            chance: tail(&found, score, is_above),
            chance_with_error: with_error.sum::<f64>() / f64::from(PLACES),
        }
    }

    /// The distribution of the score that a rating (points) predicts.
    fn distribution(
        &self,
        rating: f64,
        expected: &impl Fn(f64, usize) -> f64,
    ) -> ScoreDistribution {
        let games = 0..self.games;
        ScoreDistribution::from_games(
            games.map(|game| Chances::new(expected(rating, game), self.draws)),
        )
    }
}

/// The probability of a score or a more extreme one, above or below it.
fn tail(scores: &ScoreDistribution, score: f64, is_above: bool) -> f64 {
    if is_above { scores.at_least(score) } else { scores.at_most(score) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::systems::elo::formulas::Expectancy;

    /// Ratings and scores of Wijk aan Zee 1975 (2.41).
    const FIELD: [(f64, f64); 16] = [
        (2635.0, 10.5),
        (2600.0, 10.0),
        (2600.0, 9.5),
        (2555.0, 9.0),
        (2575.0, 8.5),
        (2615.0, 8.5),
        (2470.0, 8.5),
        (2550.0, 8.0),
        (2600.0, 8.0),
        (2510.0, 8.0),
        (2560.0, 7.0),
        (2410.0, 6.5),
        (2470.0, 5.5),
        (2485.0, 5.0),
        (2445.0, 4.0),
        (2460.0, 3.5),
    ];

    fn prediction(player: usize, draws: f64) -> ScorePrediction {
        let opponents: Vec<f64> =
            (0..FIELD.len()).filter(|other| *other != player).map(|other| FIELD[other].0).collect();
        let (rating, score) = FIELD[player];
        let played = PlayedGames { games: opponents.len(), score, draws };
        played.predicted_by(rating, USUAL_ERROR, |rating, game| {
            Expectancy::Normal.expected(rating - opponents[game])
        })
    }

    #[test]
    fn sosonko_at_wijk_aan_zee_1975() {
        for (draws, sigma, chance, with_error) in
            [(0.0, 1.869, 0.1012, 0.1127), (0.5, 1.426, 0.0687, 0.0855)]
        {
            let found = prediction(6, draws);
            assert!((found.expected - 6.109).abs() < 5e-4, "{found:?}");
            assert!((found.sigma - sigma).abs() < 5e-4, "{found:?}");
            assert!((found.chance - chance).abs() < 5e-5, "{found:?}");
            assert!((found.chance_with_error - with_error).abs() < 5e-5, "{found:?}");
        }
    }

    #[test]
    fn ignoring_draws_makes_predictions_look_too_good() {
        for (draws, expected) in [(0.0, 0.69), (0.5, 0.89)] {
            let squares: f64 = (0..FIELD.len())
                .filter_map(|player| prediction(player, draws).z)
                .map(|z| z * z)
                .sum();
            let root = (squares / FIELD.len() as f64).sqrt();
            assert!((root - expected).abs() < 0.005, "{draws}: {root}");
        }
    }

    #[test]
    fn exceptional_scores_are_those_of_the_books_table() {
        // W - We exceeded with probability 10%, 5% and 1%, with sigma cut to hundredths (3.64).
        let games = [5.0_f64, 7.0, 9.0, 12.0, 15.0, 19.0];
        for (z, expected) in [
            (1.28, [1.43, 1.69, 1.92, 2.21, 2.48, 2.79]),
            (1.64, [1.84, 2.16, 2.46, 2.84, 3.18, 3.58]),
            (2.33, [2.61, 3.08, 3.50, 4.03, 4.52, 5.08]),
        ] {
            for (games, expected) in games.iter().zip(expected) {
                let exact = z * games.sqrt() / 2.0;
                assert!((exact - expected).abs() <= 0.0165, "{games} {z}: {exact} {expected}");
            }
        }
    }
}
