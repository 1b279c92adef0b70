//! Converts rating differences to expected scores and back.

/// Rating difference (points) from which the expected score is 0 or 1. Source: Berard, the PRA
/// paper.
pub const CERTAINTY: f64 = 1800.0;

/// Expected score, in `[0, 1]`, of a player rated `difference` points above the opponent.
///
/// The curve is piecewise: on each side, square roots around a linear section. It is continuous and
/// strictly increasing between -1800 and 1800, with `E(0) = 0.5` and `E(-d) = 1 - E(d)`.
///
/// Source: Berard, *The Performance Rating Algorithm*, the expectation table.
///
/// ```
/// use tournament_app::expectation;
/// assert_eq!(expectation(0.0), 0.5);
/// assert!((expectation(82.0) - 0.532669967).abs() < 1e-9);
/// ```
pub fn expectation(difference: f64) -> f64 {
    let d = difference;
    if d > CERTAINTY {
        1.0
    } else if d > 450.0 {
        0.9 + ((d - 450.0) / 135_000.0).sqrt()
    } else if d > 150.0 {
        0.001 * d + 0.45
    } else if d > 0.0 {
        0.6 - ((150.0 - d) / 15_000.0).sqrt()
    } else if d > -150.0 {
        0.4 + ((d + 150.0) / 15_000.0).sqrt()
    } else if d > -450.0 {
        0.001 * d + 0.55
    } else if d > -CERTAINTY {
        0.1 - ((-450.0 - d) / 135_000.0).sqrt()
    } else {
        0.0
    }
}

/// Rating difference (points) at which `score` is the expected score: the inverse of
/// [`expectation`].
///
/// A score of 1 or more returns 1800, meaning "1800 or more". A score of 0 or less returns -1800.
pub fn rating_difference(score: f64) -> f64 {
    if score >= 1.0 {
        CERTAINTY
    } else if score < 0.5 {
        -rating_difference_of_favourite(1.0 - score)
    } else {
        rating_difference_of_favourite(score)
    }
}

fn rating_difference_of_favourite(score: f64) -> f64 {
    if score >= 1.0 {
        CERTAINTY
    } else if score > 0.9 {
        450.0 + 135_000.0 * (score - 0.9).powi(2)
    } else if score > 0.6 {
        (score - 0.45) * 1000.0
    } else {
        150.0 - 15_000.0 * (0.6 - score).powi(2)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn the_papers_example_of_82_points_is_reproduced() {
        assert!((expectation(82.0) - 0.532_669_967).abs() < 5e-10);
        assert!((expectation(82.0).powi(7) - 0.01217).abs() < 5e-6);
    }

    #[test]
    fn the_curve_is_continuous() {
        for edge in [-1800.0, -450.0, -150.0, 0.0, 150.0, 450.0, 1800.0f64] {
            let jump = expectation(edge + 1e-9) - expectation(edge - 1e-9);
            // At 0 and at +-450 the slope of the root is finite but steep; 1e-4 is far above it.
            assert!(jump.abs() < 1e-4, "jump of {jump} at {edge}");
        }
    }

    proptest! {
        #[test]
        fn both_expectations_sum_to_one(d in -3000.0..3000.0f64) {
            prop_assert!((expectation(d) + expectation(-d) - 1.0).abs() < 1e-12);
        }

        #[test]
        fn a_larger_difference_gives_a_higher_expectation(d in -1799.0..1798.0f64, step in 0.01..1.0f64) {
            prop_assert!(expectation(d + step) > expectation(d));
        }

        #[test]
        fn the_inverse_inverts(d in -1799.0..1799.0f64) {
            prop_assert!((rating_difference(expectation(d)) - d).abs() < 1e-6);
        }
    }
}
