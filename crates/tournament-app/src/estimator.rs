//! Fits the estimator line, from which missing ratings are estimated.

use super::fit_test::{DENOMINATOR, FitResult, FitTest};
use super::line::Line;

/// Number of known ratings below which the line is weak. Judged: two points always fit, and Netanya
/// 1968 through two ratings would give Fischer 361.
pub const STRONG_RATINGS: usize = 3;

/// Part of the players with a known rating, in `[0, 1]`, below which the line is weak. Judged: with
/// fewer, most of the result is estimated. The line is computed all the same.
pub const STRONG_PART: f64 = 0.25;

/// Distance (points) from the range of the known ratings beyond which an estimate makes the line
/// weak, and no rating is corrected. Judged: two classes of players.
pub const BEYOND_EVIDENCE: f64 = 200.0;

/// Distance (points) from the range of the known ratings beyond which no rating is estimated.
/// Judged: twice [`BEYOND_EVIDENCE`]. The PRA paper has an estimate 216 points outside (New York
/// 1915). With no limit the line would give 11,438 at Hastings 1967.
pub const FAR_BEYOND_EVIDENCE: f64 = 400.0;

/// The ratings (points) that an estimate far beyond the known ratings may be. Judged: no player has
/// had others; with no limit, a program at Bilbao 2004 would have 3060.
pub const POSSIBLE_RATINGS: std::ops::RangeInclusive<f64> = 500.0..=3000.0;

/// The estimator line of an event with missing ratings, and the ratings that it leaves out.
#[derive(Clone, Debug, PartialEq)]
pub struct Estimator {
    /// The line through the ratings that were kept.
    pub line: Line,
    /// The fit test of that line.
    pub fit_test: FitTest,
    /// The known ratings that were left out, in the order of their removal.
    pub omitted: Vec<Omitted>,
    /// The leader whose rating would be left out next: the player's index, and the rating (points)
    /// that the line through the others gives.
    pub leader_kept: Option<(usize, f64)>,
    /// Whether the line is based on too few ratings.
    pub weak: bool,
}

/// A known rating that the estimator line left out.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Omitted {
    /// Index of the player.
    pub player: usize,
    /// The rating (points).
    pub rating: f64,
    /// Its residual (points) from the line that failed the fit test.
    pub residual: f64,
    /// Its contribution to chi-squared.
    pub contribution: f64,
    /// Chi-squared of the line that failed.
    pub statistic: f64,
    /// The limit that the statistic exceeded.
    pub critical: f64,
}

/// Fits the estimator line (Berard, "missing initial ratings").
///
/// `p_zeros`, `ratings` and `decided` are parallel over the players with games.
///
/// 1. While the known ratings fail the fit test, the one with the largest contribution is left out
///    (the later of equals).
/// 2. A rating decided by the Ratings Administrator is never left out. If only decided ratings
///    remain, the line is weak.
/// 3. A rating that is at least that of the world number two is not left out if the line through
///    the others gives a lower one than the number two's. No other rating is left out instead: the
///    largest misfit stays. Source: Berard, on Hastings 1919.
/// 4. If `omits` is `false`, no rating is left out.
///
/// Returns `None` with fewer than two known ratings.
pub fn estimate(
    p_zeros: &[f64],
    ratings: &[Option<f64>],
    decided: &[bool],
    omits: bool,
    number_two: Option<f64>,
) -> Option<Estimator> {
    let mut known: Vec<(usize, f64)> = ratings
        .iter()
        .enumerate()
        .filter_map(|(player, rating)| rating.map(|rating| (player, rating)))
        .collect();
    let mut omitted = Vec::new();
    let mut leader_kept = None;
    loop {
        let line = Line::through(known.iter().map(|&(player, rating)| (p_zeros[player], rating)))?;
        let residuals: Vec<f64> =
            known.iter().map(|&(player, rating)| rating - line.expected(p_zeros[player])).collect();
        let fit_test = FitTest::from_residuals(&residuals);
        if omits
            && leader_kept.is_none()
            && let (FitResult::Failed, Some(statistic), Some(critical)) =
                (fit_test.result, fit_test.statistic, fit_test.critical)
        {
            let worst = residuals
                .iter()
                .enumerate()
                .filter(|(index, _)| !decided[known[*index].0])
                .max_by(|a, b| a.1.abs().total_cmp(&b.1.abs()))
                .map(|(index, _)| index);
            let Some(worst) = worst else {
                return Some(Estimator { line, fit_test, omitted, leader_kept, weak: true });
            };
            let residual = residuals[worst];
            let (player, rating) = known[worst];
            if number_two.is_some_and(|number_two| rating >= number_two) {
                let others = known.iter().filter(|(other, _)| *other != player);
                let others =
                    Line::through(others.map(|&(other, rating)| (p_zeros[other], rating)))?;
                let estimated = others.performance(p_zeros[player]).round();
                if number_two.is_some_and(|number_two| estimated < number_two) {
                    leader_kept = Some((player, estimated));
                    continue;
                }
            }
            known.remove(worst);
            omitted.push(Omitted {
                player,
                rating,
                residual,
                contribution: residual * residual / DENOMINATOR,
                statistic,
                critical,
            });
            continue;
        }
        let weak = known.len() < STRONG_RATINGS
            || (known.len() as f64) < STRONG_PART * ratings.len() as f64;
        return Some(Estimator { line, fit_test, omitted, leader_kept, weak });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn the_worst_outlier_is_left_out() {
        let p_zeros = [40.0, 30.0, 20.0, 0.0, -20.0, -30.0, -40.0];
        let ratings = [2720.0, 2690.0, 2660.0, 2990.0, 2540.0, 2510.0].map(Some);
        let ratings = [&ratings[..], &[None]].concat();
        let estimator = estimate(&p_zeros, &ratings, &[false; 20], true, None).unwrap();
        let omitted: Vec<usize> = estimator.omitted.iter().map(|omitted| omitted.player).collect();
        assert_eq!(omitted, [3]);
        assert_eq!(estimator.line.performance(-40.0).round(), 2480.0);
        assert!(!estimator.weak);
    }

    #[test]
    fn no_rating_is_left_out_if_that_is_not_allowed() {
        let p_zeros = [40.0, 30.0, 20.0, 0.0, -20.0, -30.0, -40.0];
        let ratings = [2720.0, 2690.0, 2660.0, 2990.0, 2540.0, 2510.0].map(Some);
        let ratings = [&ratings[..], &[None]].concat();
        let estimator = estimate(&p_zeros, &ratings, &[false; 20], false, None).unwrap();
        assert!(estimator.omitted.is_empty());
        assert_eq!(estimator.fit_test.result, FitResult::Failed);
        assert_eq!(estimator.line.n, 6);
        assert!(!estimator.weak, "six ratings of seven are enough");
    }

    #[test]
    fn two_ratings_make_a_weak_line_and_one_makes_none() {
        let p_zeros = [10.0, 0.0, -10.0];
        assert!(
            estimate(&p_zeros, &[Some(2600.0), None, Some(2500.0)], &[false; 3], true, None)
                .unwrap()
                .weak
        );
        assert_eq!(estimate(&p_zeros, &[Some(2600.0), None, None], &[false; 3], true, None), None);
        assert_eq!(estimate(&p_zeros, &[None, None, None], &[false; 3], true, None), None);
    }

    #[test]
    fn three_ratings_in_a_field_of_sixteen_are_weak() {
        let p_zeros: Vec<f64> = (0..16).map(|i| f64::from(i) - 7.5).collect();
        let mut ratings = vec![None; 16];
        for player in [0, 8, 15] {
            ratings[player] = Some(2500.0 + 3.0 * p_zeros[player]);
        }
        assert!(estimate(&p_zeros, &ratings, &[false; 20], true, None).unwrap().weak);
        ratings[4] = Some(2500.0 + 3.0 * p_zeros[4]);
        assert!(!estimate(&p_zeros, &ratings, &[false; 20], true, None).unwrap().weak);
    }

    proptest! {
        #[test]
        fn known_points_that_lie_on_a_line_are_reproduced(
            p_zeros in prop::collection::vec(-80.0..80.0f64, 4..20),
            slope in 0.5..6.0f64,
            hidden in prop::collection::vec(any::<bool>(), 20),
        ) {
            let ratings: Vec<Option<f64>> = p_zeros
                .iter()
                .enumerate()
                .map(|(i, x)| (i < 3 || !hidden[i]).then_some(2500.0 + slope * x))
                .collect();
            let spread = p_zeros[..3].iter().fold(f64::MIN, |a, b| a.max(*b))
                - p_zeros[..3].iter().fold(f64::MAX, |a, b| a.min(*b));
            prop_assume!(spread > 1.0);
            let estimator = estimate(&p_zeros, &ratings, &[false; 20], true, None).unwrap();
            prop_assert!(estimator.omitted.is_empty());
            for x in p_zeros {
                prop_assert!((estimator.line.performance(x) - (2500.0 + slope * x)).abs() < 1e-6);
            }
        }
    }
}
