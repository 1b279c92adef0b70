//! Months of birth beside what their days expect.
//!
//! The test is Pearson's; that it is asked of births of chess players is ours.

/// Days of the months, of four years in the mean.
const DAYS: [f64; 12] = [31.0, 28.25, 31.0, 30.0, 31.0, 30.0, 31.0, 31.0, 30.0, 31.0, 30.0, 31.0];

/// How many of so many births the days of each month expect.
pub fn expected(births: usize) -> [f64; 12] {
    let days: f64 = DAYS.iter().sum();
    DAYS.map(|of_month| births as f64 * of_month / days)
}

/// Chi-squared, of eleven degrees of freedom, of births by month beside what the days expect; `None` without any.
pub fn chi_squared(births: &[usize; 12]) -> Option<f64> {
    let all: usize = births.iter().sum();
    let of = |(count, expected): (&usize, f64)| (*count as f64 - expected).powi(2) / expected;
    (all > 0).then(|| births.iter().zip(expected(all)).map(of).sum())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn births_as_the_days_expect_them_make_nothing_and_others_what_they_are_off() {
        assert_eq!(chi_squared(&[0; 12]), None);
        // Four years, a birth each day.
        let even = [124, 113, 124, 120, 124, 120, 124, 124, 120, 124, 120, 124];
        assert!(chi_squared(&even).unwrap() < 1e-9);
        // All in one month of 31 days of 365.25: n (365.25 / 31 - 1).
        let mut january = [0; 12];
        january[0] = 62;
        let wanted = 62.0 * (365.25 / 31.0 - 1.0);
        assert!((chi_squared(&january).unwrap() - wanted).abs() < 1e-9);
    }
}
