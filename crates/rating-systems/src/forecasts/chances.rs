//! Holds White's advantage.

use crate::systems::elo::formulas::Expectancy;

/// White's advantage (8.93).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Colours {
    /// White's advantage (points).
    pub white: f64,
}

impl Colours {
    /// The advantage of Elo's book: White scores 57% between equals.
    pub const BOOK: Colours = Colours { white: 50.0 };

    /// Expected score, in `[0, 1]`, of a player who is rated `difference` points higher and has
    /// White, Black, or (`None`) an unknown colour.
    pub fn expected(self, expectancy: Expectancy, difference: f64, is_white: Option<bool>) -> f64 {
        let side = match is_white {
            Some(true) => self.white,
            Some(false) => -self.white,
            None => 0.0,
        };
        expectancy.expected(difference + side)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn white_scores_57_per_cent_against_an_equal() {
        let expected = Colours::BOOK.expected(Expectancy::Normal, 0.0, Some(true));
        assert!((expected - 0.5702).abs() < 5e-5, "{expected}");
        let black = Colours::BOOK.expected(Expectancy::Normal, 0.0, Some(false));
        assert!((expected + black - 1.0).abs() < 1e-12);
    }
}
