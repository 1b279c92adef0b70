//! Compares two systems on the games that both could rate.

use super::common_games::CommonGames;
use super::predictions::Predictions;
use super::score::{LossDifference, Score};
use crate::evaluation::draw_model::DrawRates;
use crate::systems::Results;

/// The comparison of two systems on the games that both could rate.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PairwiseComparison {
    /// Number of games that both systems could rate.
    pub games: usize,
    /// Comparison by their own curves; `None` unless both have one.
    pub own: Option<OwnCurves>,
    /// Scores of the first and the second system by recalibrated predictions.
    pub recalibrated: (Score, Score),
    /// Recalibrated log loss of the first system minus that of the second.
    pub behind: LossDifference,
    /// The last slope of the first system's fitted curve (see `SystemEvaluation::slope`).
    pub slope: Option<f64>,
    /// Mean log losses of the probabilities of win, draw and loss: of the first, and of the second.
    pub three_way: (f64, f64),
}

/// The comparison of two systems by their own curves.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct OwnCurves {
    /// Log losses of the first and the second, each with the advantage of White that minimises it.
    pub log_losses: (f64, f64),
    /// Log loss of the first minus that of the second, both with White's advantage.
    pub behind: LossDifference,
    /// The slope that, with White's advantage, minimises the first system's log loss.
    pub slope: f64,
}

/// Compares two systems on the games that both could rate. `None` without such games.
pub(crate) fn compare_two(
    results: &Results,
    one: &Predictions,
    other: &Predictions,
    rates: &DrawRates,
) -> Option<PairwiseComparison> {
    let common = CommonGames::new(results, &[one, other], rates);
    let three_way = (common.three_way(one)?, common.three_way(other)?);
    let own = one.own.as_ref().zip(other.own.as_ref()).and_then(|(one, other)| {
        let (with_one, with_other) = (common.adjusted(one, false), common.adjusted(other, false));
        Some(OwnCurves {
            log_losses: (with_one.score.log_loss()?, with_other.score.log_loss()?),
            behind: common.difference(
                &common.losses_with_white(one, with_one),
                &common.losses_with_white(other, with_other),
            ),
            slope: common.adjusted(one, true).slope,
        })
    });
    Some(PairwiseComparison {
        games: common.games.len(),
        own,
        recalibrated: (common.score(one), common.score(other)),
        behind: common.difference(&common.losses(one), &common.losses(other)),
        slope: one.recalibrated.slope,
        three_way,
    })
}
