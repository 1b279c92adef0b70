//! The score of predictions, and the difference between the losses of two systems.

use crate::systems::logistic::{NATURAL, logistic};

/// The score of predictions: the sums of their losses over games.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Score {
    /// Number of games whose losses are summed.
    pub games: usize,
    /// Sum of log losses.
    log_loss: f64,
    /// Sum of squared errors of the expected score.
    squared: f64,
}

impl Score {
    /// Adds a prediction with the actual score.
    pub(super) fn add(&mut self, expected: f64, score: f64) {
        self.games += 1;
        self.log_loss += log_loss(expected, score);
        self.squared += (score - expected).powi(2);
    }

    /// Mean log loss (natural logarithm); a draw counts as half a win and half a loss. `None`
    /// without games.
    pub fn log_loss(&self) -> Option<f64> {
        (self.games > 0).then(|| self.log_loss / self.games as f64)
    }

    /// Brier score: the mean squared error of the expected score. `None` without games.
    pub fn brier_score(&self) -> Option<f64> {
        (self.games > 0).then(|| self.squared / self.games as f64)
    }
}

/// The score of corrected predictions. The correction is a factor for rating differences, and
/// White's advantage. It is fitted to the predicted games themselves, so the score is optimistic.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Adjusted {
    /// Factor by which rating differences are multiplied.
    pub slope: f64,
    /// White's advantage (points; 400 points multiply the odds by ten).
    pub white: f64,
    /// Score of the corrected predictions.
    pub score: Score,
}

/// Maximum number of steps of Newton's method. With two unknowns it needs fewer.
const STEPS: usize = 30;

impl Adjusted {
    /// Fits White's advantage, and the slope if `with_slope`, to pairs of prediction (logit) and
    /// score.
    pub(super) fn fit(games: &[(f64, f64)], with_slope: bool) -> Adjusted {
        let (mut slope, mut white) = (1.0, 0.0);
        for _ in 0..STEPS {
            // First derivatives of the log likelihood with respect to White's advantage and the
            // slope, and its negative second derivatives.
            let (mut by_white, mut by_slope) = (0.0, 0.0);
            let (mut white_white, mut white_slope, mut slope_slope) = (0.0, 0.0, 0.0);
            for &(z, score) in games {
                let expected = logistic(slope * z + white);
                let (rest, information) = (score - expected, expected * (1.0 - expected));
                by_white += rest;
                by_slope += rest * z;
                white_white += information;
                white_slope += information * z;
                slope_slope += information * z * z;
            }
            let determinant = white_white * slope_slope - white_slope * white_slope;
            let (to_white, to_slope) = if with_slope && determinant > 1e-9 * white_white {
                (
                    (slope_slope * by_white - white_slope * by_slope) / determinant,
                    (white_white * by_slope - white_slope * by_white) / determinant,
                )
            } else if white_white > 0.0 {
                (by_white / white_white, 0.0)
            } else {
                (0.0, 0.0)
            };
            white += to_white;
            slope += to_slope;
            if to_white.abs().max(to_slope.abs()) < 1e-10 {
                break;
            }
        }
        let mut score = Score::default();
        for &(z, scored) in games {
            score.add(logistic(slope * z + white), scored);
        }
        Adjusted { slope, white: white / NATURAL, score }
    }
}

/// The difference between two systems' mean log losses (natural logarithm) on the same games.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct LossDifference {
    /// Difference of the mean log losses, per game.
    pub mean: f64,
    /// Standard error of the difference. The games of an event count as one observation, because
    /// they are correlated. `None` with fewer than ten events.
    pub standard_error: Option<f64>,
}

impl LossDifference {
    /// Whether the difference is more than `errors` standard errors above zero. `false` without a
    /// standard error.
    pub fn is_above(&self, errors: f64) -> bool {
        self.standard_error.is_some_and(|error| self.mean > errors * error)
    }

    /// Whether the difference is within `errors` standard errors of zero, or has no standard error.
    pub fn is_noise(&self, errors: f64) -> bool {
        self.standard_error.is_none_or(|error| self.mean.abs() <= errors * error)
    }
}

/// The log loss (natural logarithm) of a prediction. Both arguments are in `[0, 1]`.
pub(super) fn log_loss(expected: f64, score: f64) -> f64 {
    // Clamp the prediction: a wrong prediction of 0 or 1 would have an infinite log loss.
    let p = expected.clamp(0.001, 0.999);
    -(score * p.ln() + (1.0 - score) * (1.0 - p).ln())
}

/// The inverse of the logistic function, for predictions clamped to 0.001 to 0.999.
pub(super) fn logit(expected: f64) -> f64 {
    let p = expected.clamp(0.001, 0.999);
    (p / (1.0 - p)).ln()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fit_recovers_a_known_advantage_and_slope() {
        // The scores are those expected from half the difference and 50 points for White.
        let games: Vec<(f64, f64)> = (-20..=20)
            .map(|step| f64::from(step) / 10.0)
            .map(|z| (z, logistic(0.5 * z + 50.0 * NATURAL)))
            .collect();
        let best = Adjusted::fit(&games, true);
        assert!((best.slope - 0.5).abs() < 1e-6 && (best.white - 50.0).abs() < 1e-4, "{best:?}");
        let with_white = Adjusted::fit(&games, false);
        assert_eq!(with_white.slope, 1.0);
        assert!(best.score.log_loss() < with_white.score.log_loss());
    }
}
