//! Predicts games by a curve that is fitted to a system's earlier predictions:
//! `P = 1 / (1 + e^-(a + b x))`, with x the rating difference.
//!
//! The method is ours. Systems differ in how far they spread players and in how they treat White's
//! advantage. The fitted curve removes both differences without using any later game.

use crate::evaluation::expectations::Expectations;
use crate::systems::Results;
use crate::systems::logistic::{NATURAL, logistic};
use bitcode::{Decode, Encode};

/// Recalibrated predictions, and the last fitted curve.
#[derive(Clone, Debug, Default, PartialEq, Encode, Decode)]
pub struct Recalibrated {
    /// White's expected score of each game. `None` if the system could not rate it.
    pub expected: Expectations,
    /// The last slope b. Below 1 the system spreads players too far. `None` if there were never
    /// enough games.
    pub slope: Option<f64>,
    /// The last a, converted to White's advantage (points).
    pub white: Option<f64>,
}

/// Fewest games for a fitted curve. Until then the system's own curve predicts. Judged: at a
/// typical spread of ratings the standard error of the slope is then about 0.1.
const ENOUGH: f64 = 500.0;

/// Width of the bins of differences, and the largest difference, in standard deviations. The games
/// of a bin share their mean difference. Judged: the width is far below the error of a rating, and
/// differences beyond twelve standard deviations do not occur in practice.
const STEP: f64 = 1.0 / 200.0;
const FARTHEST: f64 = 12.0;

/// Most steps of Newton's method, and the step at which it ends. The bounded steps reach any
/// plausible curve in fewer.
const MOST: usize = 50;
const NEAR: f64 = 1e-10;

/// The games of a bin: their number, the sum of x, the sum of scores.
type Seen = (f64, f64, f64);

/// Predicts each game by the curve fitted to all games before the first day of its year.
/// `differences` (points) are White's rating minus Black's; `own` is the system's curve.
pub fn recalibrated(
    results: &Results,
    differences: &[Option<f64>],
    own: &dyn Fn(f64) -> f64,
) -> Recalibrated {
    let mut seen: Vec<Seen> = vec![(0.0, 0.0, 0.0); (2.0 * FARTHEST / STEP) as usize + 1];
    let spread = spread(differences);
    let mut curve: Option<(f64, f64)> = None;
    let mut expected = Vec::with_capacity(differences.len());
    let mut year = i16::MIN;
    let mut games = 0.0;
    // Games that do not belong to the fit yet: year, x, score.
    let mut waiting: Vec<(i16, f64, f64)> = Vec::new();
    let mut differences = differences.iter();
    for event in results.events() {
        // Events are ordered by their first days; some continue into the next year.
        let first = event.iter().map(|game| game.day.year()).min().unwrap_or(year);
        if first > year {
            year = first;
            waiting.retain(|(of, x, score)| {
                if *of < year {
                    let bin = ((x / spread).clamp(-FARTHEST, FARTHEST) + FARTHEST) / STEP;
                    let seen = &mut seen[bin.round() as usize];
                    *seen = (seen.0 + 1.0, seen.1 + x, seen.2 + score);
                    games += 1.0;
                }
                *of >= year
            });
            if games >= ENOUGH {
                curve = fit(&seen, curve.unwrap_or((0.0, 1.0))).or(curve);
            }
        }
        for (game, difference) in event.iter().zip(&mut differences) {
            expected.push(difference.map(|difference| {
                let x = difference * NATURAL;
                waiting.push((game.day.year(), x, game.score));
                match curve {
                    Some((white, slope)) => logistic(white + slope * x),
                    None => own(difference),
                }
            }));
        }
    }
    Recalibrated {
        expected: expected.into_iter().collect(),
        slope: curve.map(|(_, slope)| slope),
        white: curve.map(|(white, _)| white / NATURAL),
    }
}

/// The root mean square of x over the games before the first curve, or 1 if it is zero.
fn spread(differences: &[Option<f64>]) -> f64 {
    let known: Vec<f64> = differences
        .iter()
        .flatten()
        .take(ENOUGH as usize)
        .map(|difference| difference * NATURAL)
        .collect();
    let squares: f64 = known.iter().map(|x| x * x).sum();
    let spread = (squares / known.len().max(1) as f64).sqrt();
    if spread > 0.0 && spread.is_finite() { spread } else { 1.0 }
}

/// Fits White's advantage and the slope by maximum likelihood, from a starting point. `None` if
/// the maximum is not unique.
fn fit(seen: &[Seen], (mut white, mut slope): (f64, f64)) -> Option<(f64, f64)> {
    let bins: Vec<(f64, f64, f64)> = seen
        .iter()
        .filter(|seen| seen.0 > 0.0)
        .map(|(games, x, score)| (*games, x / games, *score))
        .collect();
    for _ in 0..MOST {
        let (mut by_white, mut by_slope) = (0.0, 0.0);
        let (mut white_white, mut white_slope, mut slope_slope) = (0.0, 0.0, 0.0);
        for &(games, x, score) in &bins {
            let expected = logistic(white + slope * x);
            let (rest, information) =
                (score - games * expected, games * expected * (1.0 - expected));
            by_white += rest;
            by_slope += rest * x;
            white_white += information;
            white_slope += information * x;
            slope_slope += information * x * x;
        }
        let determinant = white_white * slope_slope - white_slope * white_slope;
        if determinant <= 1e-12 * white_white * slope_slope {
            return None;
        }
        let to_white = (slope_slope * by_white - white_slope * by_slope) / determinant;
        let to_slope = (white_white * by_slope - white_slope * by_white) / determinant;
        // Far from the maximum a full step may overshoot.
        let part = (2.0 / to_white.abs().max(to_slope.abs())).min(1.0);
        (white, slope) = (white + part * to_white, slope + part * to_slope);
        if to_white.abs().max(to_slope.abs()) < NEAR {
            break;
        }
    }
    (white.is_finite() && slope.is_finite()).then_some((white, slope))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::systems::{RatedGame, RatedPlayer};
    use jiff::civil::date;

    /// Ten years of 400 games each. Scores are those expected from half of the difference and 35
    /// points for White.
    fn history() -> (Results, Vec<Option<f64>>) {
        let mut results =
            Results { players: vec![RatedPlayer::default(); 2], ..Results::default() };
        let mut differences = Vec::new();
        for year in 1900..1910 {
            for number in 0..400 {
                let difference = f64::from(number % 21 - 10) * 40.0;
                let score = logistic((0.5 * difference + 35.0) * NATURAL);
                let day = date(year, 6, 1);
                results.games.push(RatedGame::new(0, 1, score, day, year as u32));
                differences.push((number % 7 != 3).then_some(difference));
            }
        }
        (results, differences)
    }

    #[test]
    fn curve_corrects_a_system_that_spreads_players_too_far() {
        let (results, differences) = history();
        let found = recalibrated(&results, &differences, &|_| 0.9);
        assert!((found.slope.unwrap() - 0.5).abs() < 1e-4, "{:?}", found.slope);
        assert!((found.white.unwrap() - 35.0).abs() < 0.01, "{:?}", found.white);
        for (number, (game, difference)) in results.games.iter().zip(&differences).enumerate() {
            let expected = found.expected.get(number);
            assert_eq!(expected.is_some(), difference.is_some());
            match (expected, game.day.year()) {
                // 343 games are too few, 686 are enough.
                (Some(expected), 1900..=1901) => assert!((expected - 0.9).abs() < 1e-6),
                (Some(expected), _) => assert!((expected - game.score).abs() < 1e-5, "{number}"),
                (None, _) => {}
            }
        }
    }

    #[test]
    fn later_games_do_not_change_earlier_predictions() {
        let (mut results, differences) = history();
        let before = recalibrated(&results, &differences, &|_| 0.5);
        for game in results.games.iter_mut().filter(|game| game.day.year() >= 1905) {
            game.score = 1.0 - game.score;
        }
        let after = recalibrated(&results, &differences, &|_| 0.5);
        let until = results.games.partition_point(|game| game.day.year() <= 1905);
        let [before, after] = [before, after].map(|found| -> Vec<Option<f64>> {
            (0..results.games.len()).map(|game| found.expected.get(game)).collect()
        });
        assert_eq!(before[..until], after[..until]);
        assert_ne!(before[until..], after[until..]);
    }

    #[test]
    fn equal_ratings_give_no_curve() {
        let (results, differences) = history();
        let zeros: Vec<Option<f64>> = differences.iter().map(|known| known.map(|_| 0.0)).collect();
        let found = recalibrated(&results, &zeros, &|_| 0.5);
        assert_eq!(found.slope, None);
        assert!((0..zeros.len()).filter_map(|game| found.expected.get(game)).all(|one| one == 0.5));
    }
}
