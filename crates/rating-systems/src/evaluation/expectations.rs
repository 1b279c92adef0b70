//! Holds a system's expected score of each game.

use bitcode::{Decode, Encode};

/// White's expected score of each game that the system could rate. It takes four bytes a game,
/// because there are many games and many systems.
#[derive(Clone, Debug, Default, PartialEq, Encode, Decode)]
pub struct Expectations(Vec<f32>);

impl Expectations {
    /// The expected score of the game with this number. `None` if the system could not rate it.
    pub fn get(&self, game: usize) -> Option<f64> {
        self.0.get(game).filter(|expected| !expected.is_nan()).map(|expected| f64::from(*expected))
    }

    /// Number of games, rated or not.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether it holds no game.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Number of games that the system could rate.
    pub fn rated(&self) -> usize {
        self.0.iter().filter(|expected| !expected.is_nan()).count()
    }
}

impl FromIterator<Option<f64>> for Expectations {
    fn from_iter<I: IntoIterator<Item = Option<f64>>>(games: I) -> Expectations {
        Expectations(
            games
                .into_iter()
                .map(|expected| expected.map_or(f32::NAN, |expected| expected as f32))
                .collect(),
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unrated_games_have_no_expectation() {
        let found: Expectations = [Some(0.5), None, Some(0.75)].into_iter().collect();
        assert_eq!(
            (found.get(0), found.get(1), found.get(2), found.get(3)),
            (Some(0.5), None, Some(0.75), None)
        );
        assert_eq!((found.len(), found.rated()), (3, 2));
    }
}
