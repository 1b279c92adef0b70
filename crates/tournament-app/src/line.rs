//! Fits the performance line: initial rating against P-Zero by ordinary least squares.

use bitcode::{Decode, Encode};
use serde::Serialize;
use statrs::distribution::{ContinuousCDF, StudentsT};

/// Least-squares line of initial rating (y) on P-Zero (x).
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Encode, Decode)]
pub struct Line {
    /// Rating points per point of P-Zero, with its sign; 0 if the P-Zeros do not differ.
    pub slope: f64,
    /// Rating (points) at P-Zero 0.
    pub intercept: f64,
    /// Correlation in `[-1, 1]`; `None` if ratings or P-Zeros do not differ.
    pub r: Option<f64>,
    /// One-sided p-value of the test on r: H0 no correlation, H1 a positive one, t = r
    /// sqrt((n-2)/(1-r^2)) with n - 2 degrees of freedom. `None` with fewer than three points or
    /// without r, and until [`Line::tested`] computes it.
    pub p_value: Option<f64>,
    /// Number of points (P-Zero, rating) to which it is fitted.
    #[serde(rename = "points")]
    pub n: usize,
}

/// Largest plausible slope (rating points per point of P-Zero). Lines of whole tournaments have
/// slopes of 2 to 6, those of four games up to 15. A steeper line follows from almost equal
/// results, and its ratings are meaningless. The limit is ours; the paper has none.
pub const STEEPEST: f64 = 30.0;

impl Line {
    /// Whether the line is steeper than that of any real event; see [`STEEPEST`].
    pub fn is_too_steep(&self) -> bool {
        self.slope.abs() > STEEPEST
    }

    /// Fits the line through `(P-Zero, rating)` points. Returns `None` with fewer than two.
    ///
    /// If all P-Zeros are equal, the slope is undetermined. The line is then flat through the mean
    /// rating, which is the expected rating of every point at any slope.
    pub fn through(points: impl Iterator<Item = (f64, f64)> + Clone) -> Option<Line> {
        let n = points.clone().count();
        if n < 2 {
            return None;
        }
        let count = n as f64;
        let mean_x = points.clone().map(|(x, _)| x).sum::<f64>() / count;
        let mean_y = points.clone().map(|(_, y)| y).sum::<f64>() / count;
        let (mut sxx, mut sxy, mut syy) = (0.0, 0.0, 0.0);
        for (x, y) in points {
            let (dx, dy) = (x - mean_x, y - mean_y);
            sxx += dx * dx;
            sxy += dx * dy;
            syy += dy * dy;
        }
        // Equal P-Zeros differ by rounding only. Differences up to a millionth of a point count as
        // equal.
        let flat = sxx <= 1e-12 * count;
        let slope = if flat { 0.0 } else { sxy / sxx };
        let level = syy <= 1e-12 * count;
        let r = (!flat && !level).then(|| (sxy / (sxx * syy).sqrt()).clamp(-1.0, 1.0));
        Some(Line { slope, intercept: mean_y - slope * mean_x, r, p_value: None, n })
    }

    /// Adds the p-value. It takes longer than the line itself and most lines do not need it.
    pub fn tested(self) -> Line {
        Line { p_value: self.r.and_then(|r| one_sided_p_value(r, self.n)), ..self }
    }

    /// Expected rating (points) at a P-Zero, with the signed slope.
    pub fn expected(&self, p_zero: f64) -> f64 {
        self.intercept + self.slope * p_zero
    }

    /// Performance rating (points) at a P-Zero. A negative slope is made positive, so that a better
    /// result never has a lower performance rating.
    pub fn performance(&self, p_zero: f64) -> f64 {
        self.intercept + self.slope.abs() * p_zero
    }
}

fn one_sided_p_value(r: f64, n: usize) -> Option<f64> {
    if n < 3 {
        return None;
    }
    let degrees = (n - 2) as f64;
    let rest = 1.0 - r * r;
    if rest <= 0.0 {
        return Some(if r > 0.0 { 0.0 } else { 1.0 });
    }
    let t = r * (degrees / rest).sqrt();
    StudentsT::new(0.0, 1.0, degrees).ok().map(|student| student.sf(t))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_through_collinear_points_is_recovered() {
        let points = [(-10.0, 2480.0), (0.0, 2500.0), (25.0, 2550.0)];
        let line = Line::through(points.into_iter()).unwrap();
        assert!((line.slope - 2.0).abs() < 1e-12);
        assert!((line.intercept - 2500.0).abs() < 1e-9);
        assert!((line.r.unwrap() - 1.0).abs() < 1e-12);
    }

    #[test]
    fn the_line_of_hastings_1895_gives_the_papers_five_ratings() {
        // The paper prints these five ratings from one line of slope 3.324. Any two determine the
        // line within the rounding of a rating point, and it must reproduce all five.
        let printed = [
            (47.90, 2818.0),
            (-8.51, 2631.0),
            (-22.20, 2585.0),
            (-26.22, 2572.0),
            (-64.92, 2443.0),
        ];
        let line = Line::through(printed.into_iter()).unwrap();
        assert_eq!(format!("{:.3}", line.slope), "3.324");
        for (p_zero, rating) in printed {
            assert_eq!(line.performance(p_zero).round(), rating);
        }
    }

    #[test]
    fn equal_p_zeros_give_a_flat_line_without_correlation() {
        let line =
            Line::through([(0.0, 2400.0), (0.0, 2500.0), (0.0, 2600.0)].into_iter()).unwrap();
        assert_eq!((line.slope, line.intercept, line.r), (0.0, 2500.0, None));
    }

    #[test]
    fn the_p_value_agrees_with_a_table_of_student_t() {
        // t = 2.132 at 4 degrees of freedom is the one-sided 5% point.
        let t = 2.131_846_8_f64;
        let r = t / (4.0 + t * t).sqrt();
        assert!((one_sided_p_value(r, 6).unwrap() - 0.05).abs() < 1e-6);
    }
}
