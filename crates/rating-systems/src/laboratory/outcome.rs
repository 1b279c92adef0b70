//! How results are drawn: the ground on which a system is judged.

use serde::Serialize;

use crate::hint::no_such;
use crate::systems::elo::formulas::Expectancy;
use crate::tournament::expectation;

/// From the difference of true ratings to the expected score.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Outcome {
    /// The paper's table of steps.
    #[default]
    Table,
    /// The PRA's smooth curve, of which the table is made.
    Curve,
    /// Elo's logistic curve.
    Logistic,
    /// Elo's normal curve.
    Normal,
}

/// Points of true difference that a step of [`STEPS`] is wide.
const STEP: f64 = 50.0;

/// Chance of the weaker player, by steps of 50 points of true difference; nothing from 1800 on. Source: Berard, the PRA
/// paper, the simulations' table, whose bounds are all multiples of 50. From 100 points on these are the PRA's expectation in
/// the middle of each interval, but for 0.0473 (0.0439), which is kept as it is printed.
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

impl Outcome {
    /// All of them.
    pub const ALL: [Outcome; 4] =
        [Outcome::Table, Outcome::Curve, Outcome::Logistic, Outcome::Normal];

    /// The word for it.
    pub fn word(self) -> &'static str {
        match self {
            Outcome::Table => "table",
            Outcome::Curve => "curve",
            Outcome::Logistic => "logistic",
            Outcome::Normal => "normal",
        }
    }

    /// The one with this word.
    ///
    /// # Errors
    ///
    /// Where there is none; with the nearest word.
    pub fn named(word: &str) -> Result<Outcome, String> {
        let all = Outcome::ALL.map(Outcome::word);
        let found = Outcome::ALL.into_iter().find(|outcome| outcome.word() == word);
        found.ok_or_else(|| no_such("way to draw results", word, &all))
    }

    /// Expected score, in `[0, 1]`, of who is truly rated this many points higher.
    pub fn expected(self, difference: f64) -> f64 {
        match self {
            Outcome::Table => {
                let step = ((difference.abs() / STEP) as usize).min(STEPS.len() - 1);
                if difference >= 0.0 { 1.0 - STEPS[step] } else { STEPS[step] }
            }
            Outcome::Curve => expectation(difference),
            Outcome::Logistic => Expectancy::Logistic.expected(difference),
            Outcome::Normal => Expectancy::Normal.expected(difference),
        }
    }
}

/// The score of a game whose expected score is `expected`, from a number that is drawn evenly from `[0, 1)`; `draws` is how many
/// of the games that could be drawn are.
pub(super) fn score(expected: f64, draws: f64, drawn: f64) -> f32 {
    let draw = draws * expected.min(1.0 - expected);
    // Half a point for each of the two: who guesses the branch of a game of chess is wrong too often.
    0.5 * (f32::from(drawn < expected - draw) + f32::from(drawn < expected + draw))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_has_the_expectation_in_the_middle_of_each_interval_but_for_one() {
        let bounds = [100.0, 200.0, 300.0, 400.0, 500.0, 750.0, 1000.0, 1400.0, 1800.0];
        for pair in bounds.windows(2) {
            let chance = 1.0 - Outcome::Table.expected(pair[0]);
            assert_eq!(chance, 1.0 - Outcome::Table.expected(pair[1] - 1e-9));
            let middle = 1.0 - expectation((pair[0] + pair[1]) / 2.0);
            match pair[0] as i32 {
                750 => assert_eq!((chance * 1e4).round(), 473.0),
                _ => assert!((chance - middle).abs() <= 5e-5, "{pair:?}: {chance} {middle}"),
            }
        }
        assert_eq!(Outcome::Table.expected(99.9), 0.5);
        assert_eq!(Outcome::Table.expected(1800.0), 1.0);
        assert!((Outcome::Table.expected(-250.0) - 0.3).abs() < 1e-12);
    }

    #[test]
    fn draws_leave_the_expected_score() {
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
