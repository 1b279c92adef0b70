//! The model of how strengths change with time and age.

/// Mean and variance (points) of a strength's change between two years.
///
/// Source: ours; normal steps after R. Coulom, *Whole-History Rating* (2008), section 3, with steps
/// that depend on age.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Movement {
    /// Variance of an adult's yearly step (points squared).
    pub variance: f64,
    /// Additional variance of young players (points squared a year).
    pub young_variance: f64,
    /// Age (years) up to which the additional variance is constant.
    pub young_age: f64,
    /// Years after that age in which it falls by a factor of e.
    pub young_years: f64,
    /// Mean rise of young players (points a year).
    pub rise: f64,
    /// Age (years) up to which the rise is constant.
    pub rise_age: f64,
    /// Years after that age in which it falls by a factor of e.
    pub rise_years: f64,
    /// Decline (points a year) ten years after the age at which it begins.
    pub fall: f64,
    /// Age (years) at which the decline begins.
    pub fall_age: f64,
}

impl Movement {
    /// Variance (points squared) of the change in this many years, from this age on.
    pub fn variance_of(&self, age: f64, years: f64) -> f64 {
        // Below the age at which the additional variance begins to fall, it has its value of that
        // age.
        let from = (age - self.young_age).max(0.0);
        let at_start = (-from / self.young_years).exp();
        let at_end = (-(from + years) / self.young_years).exp();
        self.variance * years + self.young_variance * self.young_years * (at_start - at_end)
    }

    /// Mean (points) of the change in this many years, from this age on.
    pub fn mean_of(&self, age: f64, years: f64) -> f64 {
        let later = age + years;
        self.rise * self.rise_years * (self.part_of_rise(age) - self.part_of_rise(later))
            - self.fall * (self.part_of_fall(later) - self.part_of_fall(age))
    }

    /// Mean change (points a year) at this age.
    pub fn yearly_at(&self, age: f64) -> f64 {
        self.rise * self.part_of_rise(age) - self.fall * (age - self.fall_age).max(0.0) / 10.0
    }

    /// The part of the rise of the youngest players that remains at this age.
    fn part_of_rise(&self, age: f64) -> f64 {
        (-(age - self.rise_age).max(0.0) / self.rise_years).exp()
    }

    /// The decline up to this age, as a multiple of [`Movement::fall`].
    fn part_of_fall(&self, age: f64) -> f64 {
        (age - self.fall_age).max(0.0).powi(2) / 20.0
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
    fn yearly_steps_of_young_and_old_players() {
        let movement = Movement::default();
        assert!((movement.mean_of(16.0, 1.0) - 28.507).abs() < 5e-4);
        assert!((movement.variance_of(16.0, 1.0) - 904.98).abs() < 5e-3);
        let falling = Movement { rise: 0.0, ..movement };
        assert!((falling.mean_of(50.0, 1.0) + 2.1).abs() < 1e-9);
    }
}
