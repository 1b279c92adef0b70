//! What White's side is worth.

use crate::systems::elo::formulas::Expectancy;

/// What White's side is worth (8.93).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Colours {
    /// White's advantage (points).
    pub white: f64,
}

impl Colours {
    /// The book's: 57 to 43 between equals.
    pub const BOOK: Colours = Colours { white: 50.0 };

    /// Expected score of who is rated `difference` points higher, with White, with Black, or (`None`) with either.
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
    fn white_scores_57_of_a_hundred_against_an_equal() {
        let expected = Colours::BOOK.expected(Expectancy::Normal, 0.0, Some(true));
        assert!((expected - 0.5702).abs() < 5e-5, "{expected}");
        let black = Colours::BOOK.expected(Expectancy::Normal, 0.0, Some(false));
        assert!((expected + black - 1.0).abs() < 1e-12);
    }
}
