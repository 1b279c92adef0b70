//! The games on which systems are compared.

use super::predictions::Predictions;
use super::score::{Adjusted, LossDifference, Score, log_loss, logit};
use crate::evaluation::draw_model::{Chances, DrawRates};
use crate::evaluation::expectations::Expectations;
use crate::systems::Results;
use crate::systems::logistic::{NATURAL, logistic};

/// The assumed proportion of draws between equals, for years with too few predicted games. Judged:
/// a game without further information has three equally likely results.
const USUAL: f64 = 1.0 / 3.0;

/// Fewest events from which a standard error is computed. Judged: with ten, the standard error is
/// itself uncertain by a quarter; with five, by a third.
const ENOUGH_EVENTS: usize = 10;

/// The games on which systems are compared: those that all of them could rate.
pub(in crate::evaluation) struct CommonGames<'a> {
    pub results: &'a Results,
    /// Numbers of the games, in ascending order.
    pub games: Vec<usize>,
    pub rates: &'a DrawRates,
}

impl<'a> CommonGames<'a> {
    pub fn new(
        results: &'a Results,
        systems: &[&Predictions],
        rates: &'a DrawRates,
    ) -> CommonGames<'a> {
        let games = (0..results.games.len())
            .filter(|game| systems.iter().all(|of| of.recalibrated.expected.get(*game).is_some()))
            .collect();
        CommonGames { results, games, rates }
    }

    /// The score of the recalibrated predictions of these games. Games without one are skipped.
    pub fn score(&self, predictions: &Predictions) -> Score {
        let mut score = Score::default();
        for &game in &self.games {
            if let Some(expected) = predictions.recalibrated.expected.get(game) {
                score.add(expected, self.results.games[game].score);
            }
        }
        score
    }

    /// The mean log loss of the probabilities of win, draw and loss. `None` without games.
    pub fn three_way(&self, predictions: &Predictions) -> Option<f64> {
        let mut sum = 0.0;
        for &game in &self.games {
            let played = &self.results.games[game];
            if let Some(expected) = predictions.recalibrated.expected.get(game) {
                let own = predictions.draws.as_ref().and_then(|draws| draws.get(game));
                let chances = if let Some(draw) = own {
                    Chances::with_draw(expected, draw)
                } else {
                    let draws = self.rates.year(played.day.year()).unwrap_or(USUAL);
                    Chances::new(expected, draws)
                };
                sum += chances.log_loss(played.score);
            }
        }
        (!self.games.is_empty()).then(|| sum / self.games.len() as f64)
    }

    /// The log loss of each game by the recalibrated predictions. A missing one counts as one half.
    pub fn losses(&self, predictions: &Predictions) -> Vec<f64> {
        let expected = &predictions.recalibrated.expected;
        self.games
            .iter()
            .map(|game| {
                log_loss(expected.get(*game).unwrap_or(0.5), self.results.games[*game].score)
            })
            .collect()
    }

    /// The log loss of each game, after adding White's advantage. A missing prediction counts as
    /// one half.
    pub fn losses_with_white(&self, expected: &Expectations, with: Adjusted) -> Vec<f64> {
        let white = with.white * NATURAL;
        self.games
            .iter()
            .map(|game| {
                let expected = expected.get(*game).unwrap_or(0.5);
                log_loss(logistic(logit(expected) + white), self.results.games[*game].score)
            })
            .collect()
    }

    /// Fits White's advantage, and the slope if `with_slope`, to predictions of these games.
    pub fn adjusted(&self, expected: &Expectations, with_slope: bool) -> Adjusted {
        let logits = self.games.iter().filter_map(|game| {
            Some((logit(expected.get(*game)?), self.results.games[*game].score))
        });
        Adjusted::fit(&logits.collect::<Vec<(f64, f64)>>(), with_slope)
    }

    /// The mean of `one` minus `other`, the losses of two systems in each of these games. There
    /// must be a game. The games of an event count as one observation.
    pub fn difference(&self, one: &[f64], other: &[f64]) -> LossDifference {
        let count = self.games.len() as f64;
        let mean = one.iter().zip(other).map(|(a, b)| a - b).sum::<f64>() / count;
        let (mut squares, mut events) = (0.0, 0_i32);
        let mut next = 0;
        for of_event in
            self.games.chunk_by(|a, b| self.results.games[*a].event == self.results.games[*b].event)
        {
            let places = next..next + of_event.len();
            next = places.end;
            let rest: f64 = places.map(|place| one[place] - other[place] - mean).sum();
            squares += rest.powi(2);
            events += 1;
        }
        // Bessel's correction: the mean is estimated from the same events.
        let few = f64::from(events) / f64::from((events - 1).max(1));
        let standard_error =
            (events as usize >= ENOUGH_EVENTS).then(|| (squares * few).sqrt() / count);
        LossDifference { mean, standard_error }
    }
}

/// The mean log loss of all predictions, with the advantage of White that minimises it. `None`
/// without predictions.
pub fn log_loss_with_white(results: &Results, predictions: &Expectations) -> Option<f64> {
    let games = (0..predictions.len()).collect();
    let all = CommonGames { results, games, rates: &DrawRates::default() };
    all.adjusted(predictions, false).score.log_loss()
}
