//! Compares variants of a rating system with the current one, each on the games that both could
//! rate.
//!
//! A joint comparison of all variants would be limited to the games that every variant could rate.

use crate::evaluation::comparison::{LossDifference, PairwiseComparison, Predictions, compare_two};
use crate::evaluation::draw_model::DrawRates;
use crate::systems::Results;

/// A variant and its comparison with the current system.
#[derive(Clone, Debug, PartialEq)]
pub struct Trial {
    /// Name of the variant.
    pub name: String,
    /// The comparison. The variant is the first system, the current one the second.
    pub pair: PairwiseComparison,
}

impl Trial {
    /// Log loss of the current system minus that of the variant, by their own curves, each with
    /// White's advantage. Above zero the variant predicts better.
    pub fn better_by_own_curve(&self) -> Option<LossDifference> {
        self.pair.own.map(|own| negated(own.behind))
    }

    /// Recalibrated log loss of the current system minus that of the variant. Above zero the
    /// variant predicts better.
    pub fn better(&self) -> LossDifference {
        negated(self.pair.behind)
    }
}

fn negated(behind: LossDifference) -> LossDifference {
    // Avoid a negative zero.
    LossDifference { mean: 0.0 - behind.mean, ..behind }
}

/// Compares the variant `tried` with the current system. `None` if no game was rated by
/// both.
pub fn trial(
    results: &Results,
    tried: &Predictions,
    current: &Predictions,
    rates: &DrawRates,
) -> Option<Trial> {
    let pair = compare_two(results, tried, current, rates)?;
    Some(Trial { name: tried.name.clone(), pair })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::evaluation::expectations::Expectations;
    use crate::evaluation::recalibration::Recalibrated;
    use crate::systems::{RatedGame, RatedPlayer};
    use jiff::civil::date;

    fn predictions(name: &str, expected: impl IntoIterator<Item = Option<f64>>) -> Predictions {
        let expected: Expectations = expected.into_iter().collect();
        let recalibrated =
            Recalibrated { expected: expected.clone(), slope: Some(0.8), white: None };
        Predictions { name: name.into(), own: Some(expected), recalibrated, draws: None }
    }

    /// Expected scores that lie a fraction `by` of the way from one half to the actual score.
    fn informed(results: &Results, by: f64) -> impl Iterator<Item = Option<f64>> {
        results.games.iter().map(move |game| Some(0.5 + by * (game.score - 0.5)))
    }

    #[test]
    fn better_informed_variant_has_the_smaller_log_loss() {
        let mut results =
            Results { players: vec![RatedPlayer::default(); 2], ..Results::default() };
        results.games = (0..40)
            .map(|event| RatedGame::new(0, 1, f64::from(event % 4 / 2), date(1950, 1, 1), event))
            .collect();
        let rates = DrawRates::default();
        let current = predictions("current", informed(&results, 0.2));
        let twenty = informed(&results, 0.3).take(20);
        let better = predictions("better", twenty.chain(vec![None; 20]));
        let worse = predictions("worse", informed(&results, 0.1));
        let never = predictions("never", vec![None; 40]);
        assert_eq!(trial(&results, &never, &current, &rates), None);
        let found = [better, worse].map(|tried| trial(&results, &tried, &current, &rates).unwrap());
        assert_eq!(found.each_ref().map(|trial| trial.pair.games), [20, 40]);
        let by = [0.65f64.ln() - 0.6f64.ln(), 0.55f64.ln() - 0.6f64.ln()];
        for (trial, by) in found.iter().zip(by) {
            assert!((trial.better().mean - by).abs() < 1e-6, "{trial:?}");
            // White and Black win equally often, so White has no advantage.
            assert!((trial.better_by_own_curve().unwrap().mean - by).abs() < 1e-6, "{trial:?}");
            assert_eq!(trial.pair.slope, Some(0.8));
        }
    }
}
