//! Tests which curve of expected scores fits the results, by scores per rating difference (8.74,
//! 8.96).

use statrs::distribution::{ChiSquared, ContinuousCDF};

use super::decade_rates::KnownGame;
use crate::systems::elo::formulas::Expectancy;

/// Width (points) of the bins, and the difference from which all games share one bin. The width is
/// that of the book's table (8.96); larger differences are too rare for separate bins.
const STEP: f64 = 50.0;
const LAST: f64 = 500.0;
const CELLS: usize = 11;

/// Fewest bins of a test, and fewest expected points of each (8.96).
const FEWEST_CELLS: usize = 6;
const FEWEST_EXPECTED: f64 = 5.0;

/// A bin of the test: games of about the same rating difference.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct DifferenceBin {
    /// Smallest difference (points).
    pub from: f64,
    /// Largest difference (points). `None` of the last bin.
    pub to: Option<f64>,
    /// Number of games, drawn ones included.
    pub games: usize,
    /// Number of drawn games.
    pub draws: usize,
    /// Mean difference (points).
    pub difference: f64,
    /// Points that the higher rated players scored.
    pub scored: f64,
    /// Points that each curve expects of them, in the order of [`Expectancy::ALL`].
    pub expected: [f64; 4],
}

impl DifferenceBin {
    /// Variance of the points that the higher rated players scored, estimated from the results:
    /// `n ((wins + draws / 4) / n - (score / n)²)`. It is the same for all curves.
    ///
    /// The variance that a curve implies, less a quarter of the draws, would approach zero where
    /// the curve expects much and draws are frequent.
    pub fn variance(&self) -> f64 {
        let (games, draws) = (self.games.max(1) as f64, self.draws as f64);
        let wins = self.scored - draws / 2.0;
        (wins + draws / 4.0 - self.scored * self.scored / games).max(0.0)
    }
}

/// The fit of one curve: a chi-squared test.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CurveFit {
    /// Sum of the squared deviations of the points divided by their variances.
    pub statistic: f64,
    /// The book's statistic (8.96), which ignores draws: sum of the squared deviations of the lower
    /// rated players' points, divided by their expected points.
    pub book_statistic: f64,
    /// Number of bins, which is the number of degrees of freedom.
    pub cells: usize,
    /// Probability of this statistic or a greater one, if the curve were right.
    pub probability: f64,
}

/// Scores by rating difference, and the fit of each curve.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct CurveTest {
    /// The bins, in ascending order of the difference.
    pub cells: Vec<DifferenceBin>,
    /// Fit of each curve, in the order of [`Expectancy::ALL`]. `None` if too few bins have enough
    /// games.
    pub fits: [Option<CurveFit>; 4],
}

/// Compares scores by rating difference with those that the four curves expect.
pub fn curve_test(games: &[KnownGame]) -> CurveTest {
    let mut cells: Vec<DifferenceBin> = (0..CELLS)
        .map(|place| {
            let from = STEP * place as f64;
            DifferenceBin {
                from,
                to: (from < LAST).then_some(from + STEP),
                ..DifferenceBin::default()
            }
        })
        .collect();
    for game in games {
        let size = game.difference.abs();
        let cell = &mut cells[((size / STEP) as usize).min(CELLS - 1)];
        let is_drawn = game.score == 0.5;
        cell.games += 1;
        cell.draws += usize::from(is_drawn);
        cell.difference += size;
        cell.scored += if game.difference < 0.0 { 1.0 - game.score } else { game.score };
        for (place, curve) in Expectancy::ALL.into_iter().enumerate() {
            cell.expected[place] += curve.expected(size);
        }
    }
    for cell in &mut cells {
        cell.difference /= cell.games.max(1) as f64;
    }
    let fits = [0, 1, 2, 3].map(|place| fit(&cells, place));
    CurveTest { cells, fits }
}

fn fit(cells: &[DifferenceBin], place: usize) -> Option<CurveFit> {
    let used: Vec<&DifferenceBin> = cells
        .iter()
        .filter(|cell| {
            cell.games as f64 - cell.expected[place] >= FEWEST_EXPECTED && cell.variance() > 0.0
        })
        .collect();
    if used.len() < FEWEST_CELLS {
        return None;
    }
    let squares = |cell: &DifferenceBin| (cell.scored - cell.expected[place]).powi(2);
    let statistic = used.iter().map(|cell| squares(cell) / cell.variance()).sum();
    let book_statistic =
        used.iter().map(|cell| squares(cell) / (cell.games as f64 - cell.expected[place])).sum();
    let probability = ChiSquared::new(used.len() as f64).ok()?.sf(statistic);
    Some(CurveFit { statistic, book_statistic, cells: used.len(), probability })
}

/// The best use of rating differences for predictions: a slope, and White's advantage.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SlopeAndWhite {
    /// Factor for differences that makes the predictions best.
    pub slope: f64,
    /// White's advantage (points of the list).
    pub white: f64,
}

/// Most steps of Newton's method, and half the step (points, or parts of the slope) of numerical
/// derivatives.
const NEWTON: usize = 40;
const HALF: f64 = 1e-4;

/// Fits the slope and White's advantage. With them two sums over games are zero: of score minus
/// expected score, and of that times the difference. `None` of too few games, or if the method does
/// not converge.
pub fn slope_and_white(
    games: &[KnownGame],
    expected: &dyn Fn(usize, f64) -> f64,
) -> Option<SlopeAndWhite> {
    /// Fewest games for a fit. Judged: the standard error of the slope is then about 0.15.
    const ENOUGH: usize = 300;
    if games.len() < ENOUGH {
        return None;
    }
    let (mut slope, mut white) = (1.0, 0.0);
    for _ in 0..NEWTON {
        let (a, b) = residual_sums(games, slope, white, expected);
        let up = residual_sums(games, slope + HALF, white, expected);
        let down = residual_sums(games, slope - HALF, white, expected);
        let by_slope = ((up.0 - down.0) / (2.0 * HALF), (up.1 - down.1) / (2.0 * HALF));
        let step = HALF * 100.0;
        let up = residual_sums(games, slope, white + step, expected);
        let down = residual_sums(games, slope, white - step, expected);
        let by_white = ((up.0 - down.0) / (2.0 * step), (up.1 - down.1) / (2.0 * step));
        let determinant = by_slope.0 * by_white.1 - by_slope.1 * by_white.0;
        if !determinant.is_normal() {
            return None;
        }
        let to_slope = -(a * by_white.1 - b * by_white.0) / determinant;
        let to_white = -(by_slope.0 * b - by_slope.1 * a) / determinant;
        slope = (slope + to_slope).clamp(0.0, 5.0);
        white = (white + to_white).clamp(-400.0, 400.0);
        if to_slope.abs() < 1e-9 && to_white.abs() < 1e-7 {
            return Some(SlopeAndWhite { slope, white });
        }
    }
    // The method does not converge for step functions, or for games without information.
    None
}

/// Sums over games of score minus expected score, and of that times the difference.
fn residual_sums(
    games: &[KnownGame],
    slope: f64,
    white: f64,
    expected: &dyn Fn(usize, f64) -> f64,
) -> (f64, f64) {
    games.iter().fold((0.0, 0.0), |(plain, weighted), game| {
        let side = if game.has_colours { white } else { 0.0 };
        let rest = game.score - expected(game.curve, slope * game.difference + side);
        (plain + rest, weighted + rest * game.difference)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The book's statistic, which ignores draws: squared deviations of the lower rated players'
    /// points, divided by the expected points.
    fn book_statistic(cells: &[(f64, f64)]) -> f64 {
        cells.iter().map(|(scored, expected)| (scored - expected).powi(2) / expected).sum()
    }

    /// The book's games (8.96): middles of the differences (0-50, 51-100 ...), points of the lower
    /// rated, games, and the expected points as printed.
    const BOOK: [(f64, f64, f64, f64); 9] = [
        (25.0, 144.5, 327.0, 151.7),
        (75.5, 193.0, 509.0, 200.5),
        (125.5, 290.5, 862.0, 281.9),
        (175.5, 314.5, 1064.0, 284.1),
        (225.5, 168.0, 775.0, 166.6),
        (275.5, 69.0, 481.0, 81.8),
        (325.5, 62.0, 462.0, 61.4),
        (375.5, 17.5, 176.0, 18.3),
        (450.5, 9.0, 139.0, 9.7),
    ];

    #[test]
    fn the_books_expected_points_are_those_of_the_logistic_curve() {
        let normal = [152.0, 200.9, 283.3, 284.6, 164.8, 79.4, 57.7, 16.2, 7.7];
        for ((difference, _, games, printed), normal) in BOOK.into_iter().zip(normal) {
            let logistic = games * Expectancy::Logistic.expected(-difference);
            assert!((logistic - printed).abs() <= 0.5, "{difference}");
            let found = games * Expectancy::Normal.expected(-difference);
            assert!((found - normal).abs() <= 0.5, "{difference}: {found}");
        }
        let printed = BOOK.map(|(_, scored, _, expected)| (scored, expected));
        assert!((book_statistic(&printed) - 6.23).abs() < 0.02, "{}", book_statistic(&printed));
        let mut by_normal: Vec<(f64, f64)> = BOOK
            .iter()
            .zip(normal)
            .map(|((_, scored, ..), expected)| (*scored, expected))
            .collect();
        // The table prints 69.0 points, but its games add up to 69.5.
        by_normal[5].0 = 69.5;
        assert!((book_statistic(&by_normal) - 5.9).abs() < 0.06, "{}", book_statistic(&by_normal));
    }

    #[test]
    fn frequent_draws_of_unequal_players_do_not_make_the_statistic_explode() {
        // 1,000 games at each difference: 18% drawn, and the score that the normal curve expects.
        let mut games = Vec::new();
        for step in 0..8 {
            let difference = 25.0 + 50.0 * f64::from(step);
            let expected = Expectancy::Normal.expected(difference);
            let won = (1000.0 * (expected - 0.09)).round() as usize;
            for place in 0..1000 {
                let score = match place {
                    place if place < won => 1.0,
                    place if place < won + 180 => 0.5,
                    _ => 0.0,
                };
                games.push(KnownGame {
                    year: 1980,
                    difference,
                    score,
                    has_colours: true,
                    curve: 0,
                });
            }
        }
        let test = curve_test(&games);
        let fit = test.fits[0].unwrap();
        assert!(fit.statistic < 0.1 && fit.book_statistic < 0.1, "{fit:?}");
        // Of 1,000 games at 225 points, 697 won and 180 drawn: 787 points, variance 742 - 619.4.
        let bin = &test.cells[4];
        assert_eq!((bin.scored, bin.games), (787.0, 1000));
        assert!((bin.variance() - (742.0 - 619.369)).abs() < 1e-9, "{bin:?}");
    }

    #[test]
    fn fit_recovers_a_slope_of_one_half() {
        let mut games = Vec::new();
        for step in -8..=8 {
            let difference = 50.0 * f64::from(step);
            let expected = Expectancy::Normal.expected(0.5 * difference + 40.0);
            let won = (1000.0 * expected).round() as usize;
            for place in 0..1000 {
                let score = f64::from(u8::from(place < won));
                games.push(KnownGame {
                    year: 1980,
                    difference,
                    score,
                    has_colours: true,
                    curve: 0,
                });
            }
        }
        let found =
            slope_and_white(&games, &|_, difference| Expectancy::Normal.expected(difference))
                .unwrap();
        assert!((found.slope - 0.5).abs() < 0.01 && (found.white - 40.0).abs() < 1.0, "{found:?}");
        let test = curve_test(&games);
        assert_eq!(test.cells.iter().map(|cell| cell.games).sum::<usize>(), games.len());
        assert!(test.fits.iter().flatten().all(|fit| fit.probability < 0.001), "{:?}", test.fits);
        assert_eq!(slope_and_white(&games[..10], &|_, _| 0.5), None);
    }
}
