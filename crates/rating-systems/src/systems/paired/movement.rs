//! How strengths move in time, and how far newcomers are apart.

use crate::systems::logistic::NATURAL;

/// How a strength moves between two years: variances and means in points.
///
/// Source: ours; normal steps after R. Coulom, *Whole-History Rating* (2008), section 3, with steps that depend on age.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Movement {
    /// Variance of an adult's step of a year (points squared).
    pub variance: f64,
    /// By how much more it is for the young (points squared a year).
    pub young_variance: f64,
    /// Up to this age (years) it is so much more.
    pub young_age: f64,
    /// In so many years behind that age it falls to one part in e.
    pub young_years: f64,
    /// How much the young rise (points a year).
    pub rise: f64,
    /// Up to this age (years).
    pub rise_age: f64,
    /// In so many years behind that age it falls to one part in e.
    pub rise_years: f64,
    /// How much somebody falls (points a year) ten years behind the age from which he does.
    pub fall: f64,
    /// That age (years).
    pub fall_age: f64,
}

impl Movement {
    /// The variance (points squared) that a strength gains in so many years from an age on.
    pub fn variance_of(&self, age: f64, years: f64) -> f64 {
        // Children below the age at which it begins to fall move as those of that age do.
        let from = (age - self.young_age).max(0.0);
        let young = |years: f64| (-years / self.young_years).exp();
        self.variance * years
            + self.young_variance * self.young_years * (young(from) - young(from + years))
    }

    /// By how much (points) it is expected to change.
    pub fn mean_of(&self, age: f64, years: f64) -> f64 {
        let rise = |age: f64| (-(age - self.rise_age).max(0.0) / self.rise_years).exp();
        let fall = |age: f64| (age - self.fall_age).max(0.0).powi(2) / 20.0;
        self.rise * self.rise_years * (rise(age) - rise(age + years))
            - self.fall * (fall(age + years) - fall(age))
    }
}

impl Default for Movement {
    fn default() -> Movement {
        Movement {
            variance: 100.0,
            young_variance: 1500.0,
            young_age: 14.0,
            young_years: 4.0,
            rise: 70.0,
            rise_age: 12.0,
            rise_years: 5.0,
            fall: 2.0,
            fall_age: 40.0,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_year_of_the_young_and_of_the_old() {
        let movement = Movement::default();
        assert!((movement.mean_of(16.0, 1.0) - 28.507).abs() < 5e-4);
        assert!((movement.variance_of(16.0, 1.0) - 904.98).abs() < 5e-3);
        let falling = Movement { rise: 0.0, ..movement };
        assert!((falling.mean_of(50.0, 1.0) + 2.1).abs() < 1e-9);
    }
}
