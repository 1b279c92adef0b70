//! Births by month, compared with the numbers that the lengths of the months predict.
//!
//! The test is Pearson's chi-squared test. Its application to births of chess players is ours.

/// Mean number of days of each month over four years.
const DAYS: [f64; 12] = [31.0, 28.25, 31.0, 30.0, 31.0, 30.0, 31.0, 31.0, 30.0, 31.0, 30.0, 31.0];

/// The expected births in each month, in proportion to its days.
pub fn expected(births: usize) -> [f64; 12] {
    let days: f64 = DAYS.iter().sum();
    DAYS.map(|of_month| births as f64 * of_month / days)
}

/// Pearson's chi-squared (eleven degrees of freedom) of births by month, under births in proportion
/// to days. `None` without births.
pub fn chi_squared(births: &[usize; 12]) -> Option<f64> {
    let all: usize = births.iter().sum();
    let months = births.iter().zip(expected(all));
    (all > 0)
        .then(|| months.map(|(born, expected)| (*born as f64 - expected).powi(2) / expected).sum())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn even_births_have_no_chi_squared_and_a_single_month_a_large_one() {
        assert_eq!(chi_squared(&[0; 12]), None);
        // Four years with one birth a day, divided by twelve.
        let even = [124, 113, 124, 120, 124, 120, 124, 124, 120, 124, 120, 124];
        assert!(chi_squared(&even).unwrap() < 1e-9);
        // All births are in one month of 31 of 365.25 days: n (365.25 / 31 - 1).
        let mut january = [0; 12];
        january[0] = 62;
        let wanted = 62.0 * (365.25 / 31.0 - 1.0);
        assert!((chi_squared(&january).unwrap() - wanted).abs() < 1e-9);
    }
}
