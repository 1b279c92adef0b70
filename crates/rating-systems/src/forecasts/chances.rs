//! What may become of a game.

use crate::systems::elo::formulas::Expectancy;
use crate::systems::three_way::ThreeWay;

/// The chances of a game to be won, drawn and lost; their sum is 1.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Chances {
    /// To win.
    pub win: f64,
    /// To draw.
    pub draw: f64,
    /// To lose.
    pub loss: f64,
}

impl Chances {
    /// Of a game of expected score `expected`, in `[0, 1]`, where `draws`, in `[0, 1]`, is the part of the games between equals
    /// that are drawn: a draw has the chance `draws` × 2 min(e, 1 − e), so that nothing is negative. (The book, 8.91, lacks the numbers;
    /// the form is ours.)
    pub fn of(expected: f64, draws: f64) -> Chances {
        let draw = draws * 2.0 * expected.min(1.0 - expected);
        Chances { win: expected - draw / 2.0, draw, loss: 1.0 - expected - draw / 2.0 }
    }

    /// Of a game of expected score `expected`, in `[0, 1]`, draws being as Davidson has them: see [`ThreeWay::of`].
    pub fn davidson(expected: f64, nu: f64) -> Chances {
        let ThreeWay { win, draw, loss } = ThreeWay::of(expected, nu);
        Chances { win, draw, loss }
    }

    /// The expected score, in `[0, 1]`.
    pub fn expected(&self) -> f64 {
        self.win + self.draw / 2.0
    }

    /// The variance of the score.
    pub fn variance(&self) -> f64 {
        let expected = self.expected();
        expected * (1.0 - expected) - self.draw / 4.0
    }
}

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

    #[test]
    fn chances_add_up_and_keep_the_expected_score() {
        for expected in [0.0, 0.1, 0.5, 0.76, 1.0] {
            for draws in [0.0, 0.5, 1.0] {
                let chances = Chances::of(expected, draws);
                assert!((chances.win + chances.draw + chances.loss - 1.0).abs() < 1e-12);
                assert!((chances.expected() - expected).abs() < 1e-12);
                assert!(chances.win >= 0.0 && chances.loss >= 0.0, "{chances:?}");
                assert!(chances.variance() >= -1e-12);
            }
        }
    }
}
