//! Computes standard errors of performances.

use statrs::distribution::{Continuous, ContinuousCDF, Normal};

use crate::evaluation::draw_model::Chances;
use crate::systems::elo::formulas::Expectancy;

/// Class interval C (points), and the standard deviation (points) of the difference of two
/// performances.
const CLASS_INTERVAL: f64 = 200.0;
const SPREAD: f64 = CLASS_INTERVAL * std::f64::consts::SQRT_2;

/// Standard deviations in a probable error: the true value lies within it with probability one
/// half.
pub const PROBABLE: f64 = 0.6745;

/// Fewest games for a standard error. By FIDE's rules of 1978, too, fewer than four games of an
/// event are not calculated.
const FEWEST: usize = 4;

/// The standard normal distribution.
fn normal() -> Normal {
    Normal::standard()
}

/// The variance of a game's score with expected score `expected`, in `[0, 1]`. `draws`, in
/// `[0, 1]`, is the proportion of draws between equals.
pub(super) fn game_variance(expected: f64, draws: f64) -> f64 {
    Chances::new(expected, draws).variance()
}

/// Standard error (points) of an exact performance rating against these opponents (points).
/// `draws`, in `[0, 1]`, is the proportion of draws between equals. `None` for fewer than four
/// games.
///
/// It is the error of the score divided by the slope of the normal curve, both at the performance.
pub fn performance_error(performance: f64, opponents: &[f64], draws: f64) -> Option<f64> {
    if opponents.len() < FEWEST {
        return None;
    }
    let (mut variance, mut slope) = (0.0, 0.0);
    for opponent in opponents {
        let ahead = performance - opponent;
        variance += game_variance(Expectancy::Normal.expected(ahead), draws);
        slope += normal().pdf(ahead / SPREAD) / SPREAD;
    }
    (slope > 0.0).then(|| variance.max(0.0).sqrt() / slope)
}

/// Standard error (points) of a performance rating by any curve, as [`performance_error`] computes
/// it for the normal curve. `None` for fewer than four games, or if the curve is flat.
pub fn performance_error_by(
    expected: &dyn Fn(f64) -> f64,
    performance: f64,
    opponents: &[f64],
    draws: f64,
) -> Option<f64> {
    if opponents.len() < FEWEST {
        return None;
    }
    const STEP: f64 = 0.5;
    let (mut variance, mut slope) = (0.0, 0.0);
    for opponent in opponents {
        let ahead = performance - opponent;
        variance += game_variance(expected(ahead), draws);
        slope += (expected(ahead + STEP) - expected(ahead - STEP)) / (2.0 * STEP);
    }
    (slope > 1e-9).then(|| variance.max(0.0).sqrt() / slope)
}

/// The book's errors of a number of games between equals (2.55, 8.95), which ignore draws.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BookErrors {
    /// Standard deviation of the score.
    pub sigma_score: f64,
    /// Standard deviation of the performance rating (points).
    pub sigma_rating: f64,
    /// Probable error of the performance rating (points).
    pub probable_error: f64,
    /// Probability that the performance is within 100 points of the true rating.
    pub confidence: f64,
}

/// Computes the book's errors of `games` games.
///
/// The two errors are inconsistent: divided by the slope of the curve, the error of the score gives
/// a rating error that is a quarter greater. They would agree if 36.3% of the games were drawn.
pub fn book_errors(games: u32) -> BookErrors {
    let root = f64::from(games).sqrt();
    let sigma_rating = SPREAD / root;
    BookErrors {
        sigma_score: root / 2.0,
        sigma_rating,
        probable_error: PROBABLE * sigma_rating,
        confidence: 2.0 * normal().cdf(100.0 / sigma_rating) - 1.0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::systems::elo::formulas::{exact_performance, performance_by};

    #[test]
    fn any_curve_agrees_with_the_normal_curve() {
        let opponents = [2500.0, 2600.0, 2450.0, 2700.0, 2550.0];
        let normal: &dyn Fn(f64) -> f64 = &|ahead| Expectancy::Normal.expected(ahead);
        let found = performance_by(normal, &opponents, 3.5).unwrap();
        let exact = exact_performance(Expectancy::Normal, &opponents, 3.5).unwrap();
        assert!((found - exact).abs() < 1e-6);
        let errors = [
            performance_error_by(normal, found, &opponents, 0.5).unwrap(),
            performance_error(found, &opponents, 0.5).unwrap(),
        ];
        assert!((errors[0] - errors[1]).abs() < 1e-3, "{errors:?}");
        assert_eq!(performance_by(normal, &[], 0.0), None);
    }

    #[test]
    fn errors_are_those_of_the_books_table() {
        // Games, errors of the score and of the rating, probable error, confidence.
        let table = [
            (5, 1.12, 126.5, 85.3, 0.57),
            (10, 1.58, 89.4, 60.3, 0.74),
            (15, 1.94, 73.0, 49.2, 0.83),
            (20, 2.24, 63.2, 42.6, 0.89),
            (30, 2.74, 51.6, 34.8, 0.95),
            // The book prints 3.53 for the error of the score.
            (50, 3.54, 40.0, 27.0, 0.988),
        ];
        for (games, score, rating, probable, confidence) in table {
            let found = book_errors(games);
            assert!((found.sigma_score - score).abs() <= 0.0051, "{games}: {found:?}");
            assert!((found.sigma_rating - rating).abs() <= 0.051, "{games}: {found:?}");
            assert!((found.probable_error - probable).abs() <= 0.06, "{games}: {found:?}");
            assert!((found.confidence - confidence).abs() <= 0.0051, "{games}: {found:?}");
        }
        // Two errors of the book: it prints 25.3 and 0.998.
        assert!((book_errors(60).probable_error - 24.6).abs() < 0.06);
        assert!(book_errors(100).confidence > 0.9995);
    }

    /// Portisch's opponents at Wijk aan Zee 1975.
    const OPPONENTS: [f64; 15] = [
        2600.0, 2600.0, 2555.0, 2575.0, 2615.0, 2470.0, 2550.0, 2600.0, 2510.0, 2560.0, 2410.0,
        2470.0, 2485.0, 2445.0, 2460.0,
    ];

    #[test]
    fn portisch_at_wijk_aan_zee_1975() {
        let performance = exact_performance(Expectancy::Normal, &OPPONENTS, 10.5).unwrap();
        assert!((performance - 2679.2).abs() < 0.05, "{performance}");
        for (draws, expected) in [(0.0, 97.3), (0.5, 77.4)] {
            let found = performance_error(performance, &OPPONENTS, draws).unwrap();
            assert!((found - expected).abs() < 0.05, "{draws}: {found}");
        }
        assert_eq!(performance_error(performance, &OPPONENTS[..3], 0.0), None);
    }

    #[test]
    fn the_books_errors_agree_at_36_per_cent_draws() {
        let opponents = [2500.0; 15];
        let without_draws = performance_error(2500.0, &opponents, 0.0).unwrap();
        assert!((without_draws - 91.5).abs() < 0.05, "{without_draws}");
        let agree = 1.0 - 2.0 / std::f64::consts::PI;
        let with_draws = performance_error(2500.0, &opponents, agree).unwrap();
        assert!((with_draws - book_errors(15).sigma_rating).abs() < 1e-9);
    }
}
