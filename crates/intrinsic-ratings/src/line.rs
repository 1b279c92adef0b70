//! Converts expected errors to ratings.

use serde::{Deserialize, Serialize};

/// The line IPR = intercept + slope AE_e, where AE_e is the expected error in scaled pawns.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct RatingLine {
    /// The rating of play without errors (Elo).
    pub intercept: f64,
    /// Elo points per scaled pawn of expected error; negative.
    pub slope: f64,
}

impl RatingLine {
    /// The line of Regan's measurements: IPR = 3571 - 15413 AE_e.
    ///
    /// It belongs to [`PUBLISHED_ENGINE`]. The unit of value, the depth and the number of listed
    /// moves of another engine differ, so its ratings by this line are comparable only with each
    /// other.
    ///
    /// Source: K. Regan, *Intrinsic Ratings Compendium* (2012), equation (4).
    pub const PUBLISHED: RatingLine = RatingLine { intercept: 3571.0, slope: -15413.0 };

    /// The rating (Elo) that corresponds to an expected error (scaled pawns).
    pub fn rating(&self, error: f64) -> f64 {
        self.intercept + self.slope * error
    }
}

/// The engine of [`RatingLine::PUBLISHED`], with its depth of search.
pub const PUBLISHED_ENGINE: &str = "Rybka 3 at depth 13";

/// Fits the line through points (rating, expected error), and returns it with the correlation.
///
/// The errors are regressed on the ratings and the line is inverted, so that no rating is drawn to
/// the mean. Returns `None` with fewer than two points, or if errors do not decrease with the
/// rating.
///
/// Source: K. Regan, *Intrinsic Ratings Compendium* (2012). The direction of the regression follows
/// from its figures.
pub fn line(points: &[(f64, f64)]) -> Option<(RatingLine, f64)> {
    let count = points.len() as f64;
    let elo = points.iter().map(|point| point.0).sum::<f64>() / count;
    let error = points.iter().map(|point| point.1).sum::<f64>() / count;
    let (mut elo_elo, mut elo_error, mut error_error) = (0.0, 0.0, 0.0);
    for point in points {
        let (x, y) = (point.0 - elo, point.1 - error);
        elo_elo += x * x;
        elo_error += x * y;
        error_error += y * y;
    }
    let slope = elo_error / elo_elo;
    if points.len() < 2 || !(slope < 0.0 && slope.is_finite()) {
        return None;
    }
    let line = RatingLine { intercept: elo - error / slope, slope: 1.0 / slope };
    Some((line, elo_error / (elo_elo * error_error).sqrt()))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Regan's Table 1, with the ratings of his line from Table 2.
    const TABLE: [(f64, f64, f64); 6] = [
        (2700.0, 0.0572, 2690.0),
        (2600.0, 0.0624, 2611.0),
        (2500.0, 0.0689, 2510.0),
        (2400.0, 0.0749, 2422.0),
        (2300.0, 0.0843, 2293.0),
        (2200.0, 0.0883, 2213.0),
    ];

    #[test]
    fn the_published_line_follows_from_the_published_points() {
        let points: Vec<(f64, f64)> = TABLE.iter().map(|row| (row.0, row.1)).collect();
        let (found, r) = line(&points).unwrap();
        assert!((found.intercept - 3569.4).abs() < 0.05, "{found:?}");
        assert!((found.slope + 15404.9).abs() < 0.05, "{found:?}");
        assert!(r < -0.99, "{r}");
        // Try all corners of the rounding of the errors: the printed pair (3571, -15413) is within.
        let (mut intercepts, mut slopes) = ((f64::MAX, f64::MIN), (f64::MAX, f64::MIN));
        for signs in 0..64u32 {
            let moved: Vec<(f64, f64)> = (0..6)
                .map(|place| {
                    let by = if signs >> place & 1 == 1 { 0.00005 } else { -0.00005 };
                    (points[place].0, points[place].1 + by)
                })
                .collect();
            let (found, _) = line(&moved).unwrap();
            intercepts = (intercepts.0.min(found.intercept), intercepts.1.max(found.intercept));
            slopes = (slopes.0.min(found.slope), slopes.1.max(found.slope));
        }
        let RatingLine { intercept, slope } = RatingLine::PUBLISHED;
        assert_eq!((intercept, slope), (3571.0, -15413.0));
        assert!(intercepts.0 < intercept && intercept < intercepts.1, "{intercepts:?}");
        assert!(slopes.0 < slope && slope < slopes.1, "{slopes:?}");
        assert!((intercepts.0 - 3565.0).abs() < 0.1 && (intercepts.1 - 3573.9).abs() < 0.1);
    }

    #[test]
    fn ratings_by_the_printed_line_match_table_2_except_two() {
        for (elo, error, rating) in TABLE {
            let found = RatingLine::PUBLISHED.rating(error);
            // The two tables come from different computations.
            let allowed = match elo {
                2400.0 => 5.5,
                2300.0 => 21.5,
                _ => 3.5,
            };
            assert!((found - rating).abs() <= allowed, "{elo}: {found} {rating}");
        }
    }

    #[test]
    fn uninformative_points_give_no_line() {
        assert_eq!(line(&[]), None);
        assert_eq!(line(&[(2700.0, 0.1)]), None);
        assert_eq!(line(&[(2700.0, 0.1), (2600.0, 0.1)]), None);
        assert_eq!(
            line(&[(2700.0, 0.1), (2600.0, 0.05)]),
            None,
            "worse players with smaller errors"
        );
    }
}
