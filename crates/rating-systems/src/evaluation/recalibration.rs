//! Predictions by a curve that is fitted to what a system predicted before: `P = 1 / (1 + e^-(a + b x))`, x the difference in rating.
//!
//! Ours. Systems differ in how far they spread players and in what they know of White; this takes both away, without knowing anything that was
//! played later.

use crate::evaluation::expectations::Expectations;
use crate::systems::Results;
use crate::systems::logistic::{NATURAL, logistic};
use bitcode::{Decode, Encode};

/// Predictions, and the last curve.
#[derive(Clone, Debug, Default, PartialEq, Encode, Decode)]
pub struct Recalibrated {
    /// White's expected score of each game; `None` where the system could not rate it.
    pub expected: Expectations,
    /// The last b: below 1 the system spreads players too far. `None` where there were never games enough.
    pub slope: Option<f64>,
    /// The last a, White's advantage (points).
    pub white: Option<f64>,
}

/// Games before which a system predicts by its own curve.
const ENOUGH: f64 = 500.0;

/// How finely differences are told apart, in their standard deviations, and how far they go: games within a step have their mean.
const STEP: f64 = 1.0 / 200.0;
const FARTHEST: f64 = 12.0;

/// Steps of Newton's, and how near.
const MOST: usize = 50;
const NEAR: f64 = 1e-10;

/// What was seen of differences within a step: games, the sum of x, the sum of scores.
type Seen = (f64, f64, f64);

/// Predicts each game by what the system predicted until the first day of its year. `differences` tell how much (points) White was rated higher;
/// `own` is the system's curve.
pub fn recalibrated(
    results: &Results,
    differences: &[Option<f64>],
    own: &dyn Fn(f64) -> f64,
) -> Recalibrated {
    let mut seen: Vec<Seen> = vec![(0.0, 0.0, 0.0); (2.0 * FARTHEST / STEP) as usize + 1];
    let spread = spread(differences);
    let bin = |x: f64| {
        let place = ((x / spread).clamp(-FARTHEST, FARTHEST) + FARTHEST) / STEP;
        place.round() as usize
    };
    let mut curve: Option<(f64, f64)> = None;
    let mut expected = Vec::with_capacity(differences.len());
    let mut year = i16::MIN;
    let mut games = 0.0;
    // Games that are not learnt yet, by year.
    let mut waiting: Vec<(i16, f64, f64)> = Vec::new();
    let mut differences = differences.iter();
    for event in results.events() {
        // Events stand in the order of their first days; some go on into the next year.
        let first = event.iter().map(|game| game.day.year()).min().unwrap_or(year);
        if first > year {
            year = first;
            waiting.retain(|(of, x, score)| {
                if *of < year {
                    let seen = &mut seen[bin(*x)];
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

/// The standard deviation of x, around nought, of the games before the first curve; 1 where it is none.
fn spread(differences: &[Option<f64>]) -> f64 {
    let known = || {
        let known = differences.iter().flatten().take(ENOUGH as usize);
        known.map(|difference| difference * NATURAL)
    };
    let squares: f64 = known().map(|x| x * x).sum();
    let spread = (squares / known().count().max(1) as f64).sqrt();
    if spread > 0.0 && spread.is_finite() { spread } else { 1.0 }
}

/// White's advantage and the slope that make what was seen most likely, from a start; `None` where nothing does.
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
        // Far from the end a whole step may go too far.
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

    /// Ten years of 400 games each; scores are what half of the difference and 35 points for White let expect.
    fn history() -> (Results, Vec<Option<f64>>) {
        let mut results =
            Results { players: vec![RatedPlayer::default(); 2], ..Results::default() };
        let mut differences = Vec::new();
        for year in 1900..1910 {
            for place in 0..400 {
                let difference = f64::from(place % 21 - 10) * 40.0;
                let score = logistic((0.5 * difference + 35.0) * NATURAL);
                let day = date(year, 6, 1);
                results.games.push(RatedGame {
                    white: 0,
                    black: 1,
                    score,
                    day,
                    event: year as u32,
                });
                differences.push((place % 7 != 3).then_some(difference));
            }
        }
        (results, differences)
    }

    #[test]
    fn a_system_that_spreads_players_too_far_is_drawn_together_from_what_it_predicted_before() {
        let (results, differences) = history();
        let own = |_: f64| 0.9;
        let found = recalibrated(&results, &differences, &own);
        assert!((found.slope.unwrap() - 0.5).abs() < 1e-4, "{:?}", found.slope);
        assert!((found.white.unwrap() - 35.0).abs() < 0.01, "{:?}", found.white);
        for (place, (game, difference)) in results.games.iter().zip(&differences).enumerate() {
            let expected = found.expected.get(place);
            assert_eq!(expected.is_some(), difference.is_some());
            match (expected, game.day.year()) {
                // 343 games are too few, 686 are enough.
                (Some(expected), 1900..=1901) => assert!((expected - 0.9).abs() < 1e-6),
                (Some(expected), _) => assert!((expected - game.score).abs() < 1e-5, "{place}"),
                (None, _) => {}
            }
        }
    }

    #[test]
    fn nothing_that_comes_later_is_known() {
        let (mut results, differences) = history();
        let before = recalibrated(&results, &differences, &|_| 0.5);
        for game in results.games.iter_mut().filter(|game| game.day.year() >= 1905) {
            game.score = 1.0 - game.score;
        }
        let after = recalibrated(&results, &differences, &|_| 0.5);
        let until = results.games.partition_point(|game| game.day.year() <= 1905);
        let part = |of: &Recalibrated, range: std::ops::Range<usize>| -> Vec<Option<f64>> {
            range.map(|game| of.expected.get(game)).collect()
        };
        assert_eq!(part(&before, 0..until), part(&after, 0..until));
        let all = results.games.len();
        assert_ne!(part(&before, until..all), part(&after, until..all));
    }

    #[test]
    fn where_all_are_rated_alike_there_is_no_curve() {
        let (results, differences) = history();
        let alike: Vec<Option<f64>> = differences.iter().map(|known| known.map(|_| 0.0)).collect();
        let found = recalibrated(&results, &alike, &|_| 0.5);
        assert_eq!(found.slope, None);
        assert!((0..alike.len()).filter_map(|game| found.expected.get(game)).all(|one| one == 0.5));
    }
}
