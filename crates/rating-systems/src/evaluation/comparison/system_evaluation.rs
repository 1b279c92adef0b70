//! The evaluation of one system's predictions.

use super::common_games::CommonGames;
use super::predictions::Predictions;
use super::score::{Adjusted, LossDifference, Score};

/// First years of the eras, each of which also has separate scores. Judged: each has enough games
/// for a comparison. FIDE's first official list is of 1971.
pub const ERAS: [i16; 7] = [i16::MIN, 1900, 1925, 1950, 1970, 1990, 2010];

/// Number of calibration bins. Each is five per cent of the expected score wide.
pub const BINS: usize = 20;

/// The evaluation of one system's predictions, on the games that all systems could rate.
#[derive(Clone, Debug, PartialEq)]
pub struct SystemEvaluation {
    /// Name of the system or baseline.
    pub system: String,
    /// Number of games that the system could rate, including those that others could not.
    pub rated: usize,
    /// Score of the predictions by the system's own curve; no games for a system without one.
    pub overall: Score,
    /// The score with the advantage of White that minimises the log loss. `None` for a system
    /// without its own curve.
    pub with_white: Option<Adjusted>,
    /// The score with the advantage of White and the slope that minimise the log loss. `None` for a
    /// system without its own curve.
    pub at_best: Option<Adjusted>,
    /// Log loss minus the smallest log loss of all systems, both with White's advantage. `None` for
    /// baselines, for a system without its own curve, and without common games.
    pub behind: Option<LossDifference>,
    /// Score of the recalibrated predictions, by a curve that is fitted to the system's earlier
    /// predictions.
    pub recalibrated: Score,
    /// The last slope of the fitted curve, relative to Elo's curve. Below 1, the system spreads
    /// players too far. `None` for a system whose ratings have no Elo equivalent.
    pub slope: Option<f64>,
    /// Mean log loss of the probabilities of win, draw and loss, which follow from the recalibrated
    /// expected score and [`Predictions::draws`]. `None` without common games.
    pub three_way: Option<f64>,
    /// Recalibrated log loss minus that of the standard system. `None` if the standard system is
    /// not compared, or without common games.
    pub behind_standard: Option<LossDifference>,
    /// Recalibrated log loss minus the smallest of all systems; 0 without common games.
    pub behind_best: LossDifference,
    /// Scores by the system's own curve for each era of [`ERAS`].
    pub eras: Vec<Score>,
    /// Recalibrated scores for each era of [`ERAS`].
    pub eras_recalibrated: Vec<Score>,
    /// Calibration of the system's own curve, in [`BINS`] bins of White's expected score.
    pub bins: Vec<Bin>,
}

/// One bin of the calibration.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Bin {
    /// Number of games whose expected score is in the bin.
    pub games: usize,
    /// Sum of White's expected scores.
    pub expected: f64,
    /// Sum of White's actual scores.
    pub actual: f64,
}

impl SystemEvaluation {
    /// Evaluates one system. The differences from other systems remain empty.
    pub(super) fn new(common: &CommonGames<'_>, predictions: &Predictions) -> SystemEvaluation {
        let mut judged = SystemEvaluation {
            system: predictions.name.clone(),
            rated: predictions.recalibrated.expected.rated(),
            overall: Score::default(),
            with_white: predictions.own.as_ref().map(|own| common.adjusted(own, false)),
            at_best: predictions.own.as_ref().map(|own| common.adjusted(own, true)),
            behind: None,
            recalibrated: Score::default(),
            slope: predictions.recalibrated.slope,
            three_way: common.three_way(predictions),
            behind_standard: None,
            behind_best: LossDifference::default(),
            eras: vec![Score::default(); ERAS.len()],
            eras_recalibrated: vec![Score::default(); ERAS.len()],
            bins: vec![Bin::default(); BINS],
        };
        for &game in &common.games {
            let played = &common.results.games[game];
            let era = ERAS.iter().rposition(|first| played.day.year() >= *first).unwrap_or(0);
            if let Some(expected) = predictions.recalibrated.expected.get(game) {
                judged.recalibrated.add(expected, played.score);
                judged.eras_recalibrated[era].add(expected, played.score);
            }
            let own = predictions.own.as_ref().and_then(|own| own.get(game));
            let Some(expected) = own else { continue };
            judged.overall.add(expected, played.score);
            judged.eras[era].add(expected, played.score);
            let bin = &mut judged.bins[((expected * BINS as f64) as usize).min(BINS - 1)];
            bin.games += 1;
            bin.expected += expected;
            bin.actual += played.score;
        }
        judged
    }
}
