//! Ways to rate that are tried beside one that stands: each on the games that both could rate.
//!
//! A comparison of all on the games of all would have only the games of whoever can rate fewest.

use crate::evaluation::comparison::{Difference, Pair, Predictions, compare_two};
use crate::evaluation::draw_model::DrawRates;
use crate::systems::Results;

/// One way beside the one that stands.
#[derive(Clone, Debug, PartialEq)]
pub struct Trial {
    /// What it is called.
    pub name: String,
    /// How they compare, the standing one being the other.
    pub pair: Pair,
}

impl Trial {
    /// How much smaller its log loss is than that of what stands, by own curves, each with White's advantage; above nought it predicts better.
    pub fn better_by_own_curve(&self) -> Option<Difference> {
        self.pair.own.map(|own| turned(own.behind))
    }

    /// The same by the curves that are fitted to what they predicted before.
    pub fn better(&self) -> Difference {
        turned(self.pair.behind)
    }
}

fn turned(behind: Difference) -> Difference {
    // No minus nought.
    Difference { mean: 0.0 - behind.mean, ..behind }
}

/// Tries one way beside what stands; `None` where they have no game together.
pub fn trial(
    results: &Results,
    tried: &Predictions,
    standing: &Predictions,
    rates: &DrawRates,
) -> Option<Trial> {
    let pair = compare_two(results, tried, standing, rates)?;
    Some(Trial { name: tried.name.clone(), pair })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::evaluation::expectations::Expectations;
    use crate::evaluation::recalibration::Recalibrated;
    use crate::systems::{RatedGame, RatedPlayer};
    use jiff::civil::date;

    #[test]
    fn who_knows_more_is_better_on_the_games_of_both() {
        let mut results =
            Results { players: vec![RatedPlayer::default(); 2], ..Results::default() };
        results.games = (0..40)
            .map(|event| RatedGame {
                white: 0,
                black: 1,
                score: f64::from(event % 4 / 2),
                day: date(1950, 1, 1),
                event,
            })
            .collect();
        let of = |name: &str, expected: Vec<Option<f64>>| {
            let expected: Expectations = expected.into_iter().collect();
            let recalibrated =
                Recalibrated { expected: expected.clone(), slope: Some(0.8), white: None };
            Predictions { name: name.into(), own: Some(expected), recalibrated }
        };
        let knows =
            |by: f64| results.games.iter().map(move |game| Some(0.5 + by * (game.score - 0.5)));
        let rates = DrawRates::default();
        let standing = of("stands", knows(0.2).collect());
        let better = of("better", knows(0.3).take(20).chain(vec![None; 20]).collect());
        let worse = of("worse", knows(0.1).collect());
        let tried = |tried: &Predictions| trial(&results, tried, &standing, &rates);
        assert_eq!(tried(&of("never", vec![None; 40])), None);
        let found = [tried(&better).unwrap(), tried(&worse).unwrap()];
        assert_eq!(found.each_ref().map(|trial| trial.pair.games), [20, 40]);
        let by = [0.65f64.ln() - 0.6f64.ln(), 0.55f64.ln() - 0.6f64.ln()];
        for (trial, by) in found.iter().zip(by) {
            assert!((trial.better().mean - by).abs() < 1e-6, "{trial:?}");
            // Both colours are won as often, so that there is no advantage to be found.
            assert!((trial.better_by_own_curve().unwrap().mean - by).abs() < 1e-6, "{trial:?}");
            assert_eq!(trial.pair.slope, Some(0.8));
        }
    }
}
