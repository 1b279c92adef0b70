//! Result models: the probabilities from which results are drawn.

use serde::Serialize;
use strum::IntoStaticStr;

use super::errors::PlanError;
use crate::systems::elo::formulas::Expectancy;
use crate::tournament::expectation;

/// A result model: the expected score as a function of the difference in true ratings.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, IntoStaticStr)]
#[serde(rename_all = "lowercase")]
#[strum(serialize_all = "snake_case")]
pub enum ResultModel {
    /// The paper's step function, a table.
    #[default]
    Table,
    /// The PRA's continuous curve, from which the table was made.
    Curve,
    /// Elo's logistic curve, [`Expectancy::Logistic`].
    Logistic,
    /// Elo's normal curve, [`Expectancy::Normal`].
    Normal,
}

/// Width (points of true difference) of the steps of [`STEPS`].
const STEP: f64 = 50.0;

/// Expected score of the weaker player in steps of 50 points of true difference; zero from 1800
/// points. Source: Berard, the PRA paper, table of the simulations, whose bounds are multiples of
/// 50. From 100 points the values are the PRA's expectation at the middle of each interval, except
/// 0.0473 (0.0439), which is kept as printed.
const STEPS: [f64; 37] = {
    let bounds = [0, 2, 4, 6, 8, 10, 15, 20, 28, 36];
    let chances = [0.5, 0.4, 0.3, 0.2, 0.1, 0.0640, 0.0473, 0.0255, 0.0077, 0.0];
    let mut steps = [0.0; 37];
    let mut step = 0;
    let mut line = 0;
    while step < steps.len() {
        if line + 1 < bounds.len() && bounds[line + 1] == step {
            line += 1;
        }
        steps[step] = chances[line];
        step += 1;
    }
    steps
};

impl ResultModel {
    /// All result models, the default first.
    pub const ALL: [ResultModel; 4] =
        [ResultModel::Table, ResultModel::Curve, ResultModel::Logistic, ResultModel::Normal];

    /// Name of the model.
    pub fn word(self) -> &'static str {
        self.into()
    }

    /// The model with this name.
    ///
    /// # Errors
    ///
    /// Returns an error with the most similar name if no model has this name.
    pub fn named(word: &str) -> Result<ResultModel, PlanError> {
        let found = ResultModel::ALL.into_iter().find(|outcome| outcome.word() == word);
        found.ok_or_else(|| PlanError::UnknownWord {
            kind: "way to draw results",
            word: word.to_owned(),
            words: ResultModel::ALL.map(ResultModel::word).to_vec(),
        })
    }

    /// Expected score, in `[0, 1]`, of a player whose true rating is `difference` points higher.
    pub fn expected(self, difference: f64) -> f64 {
        match self {
            ResultModel::Table => {
                let step = ((difference.abs() / STEP) as usize).min(STEPS.len() - 1);
                if difference >= 0.0 { 1.0 - STEPS[step] } else { STEPS[step] }
            }
            ResultModel::Curve => expectation(difference),
            ResultModel::Logistic => Expectancy::Logistic.expected(difference),
            ResultModel::Normal => Expectancy::Normal.expected(difference),
        }
    }
}

/// The score of a game with expected score `expected`, from `drawn`, which is uniform on `[0, 1)`.
/// `draws`, in `[0, 1]`, is the proportion of draws relative to the largest possible one.
pub(super) fn score(expected: f64, draws: f64, drawn: f64) -> f32 {
    let draw = draws * expected.min(1.0 - expected);
    // Without branches: a processor often mispredicts the result of a random game.
    0.5 * (f32::from(drawn < expected - draw) + f32::from(drawn < expected + draw))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn table_is_the_expectation_at_the_middle_of_each_interval_except_one() {
        let bounds = [100.0, 200.0, 300.0, 400.0, 500.0, 750.0, 1000.0, 1400.0, 1800.0];
        for pair in bounds.windows(2) {
            let chance = 1.0 - ResultModel::Table.expected(pair[0]);
            assert_eq!(chance, 1.0 - ResultModel::Table.expected(pair[1] - 1e-9));
            let middle = 1.0 - expectation((pair[0] + pair[1]) / 2.0);
            match pair[0] as i32 {
                750 => assert_eq!((chance * 1e4).round(), 473.0),
                _ => assert!((chance - middle).abs() <= 5e-5, "{pair:?}: {chance} {middle}"),
            }
        }
        assert_eq!(ResultModel::Table.expected(99.9), 0.5);
        assert_eq!(ResultModel::Table.expected(1800.0), 1.0);
        assert!((ResultModel::Table.expected(-250.0) - 0.3).abs() < 1e-12);
    }

    #[test]
    fn draws_keep_the_expected_score() {
        let steps = 100_000;
        for (expected, draws) in [(0.7, 0.5), (0.2, 1.0), (0.5, 0.0)] {
            let scores = (0..steps).map(|step| {
                f64::from(score(expected, draws, (f64::from(step) + 0.5) / f64::from(steps)))
            });
            let mean = scores.sum::<f64>() / f64::from(steps);
            assert!((mean - expected).abs() < 1e-4, "{expected} {draws}: {mean}");
        }
    }
}
