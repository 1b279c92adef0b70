//! Established Berkin ratings (89): each game transfers part of the loser's rating to the winner.

use super::{GameRule, game_by_game};
use crate::systems::about::{About, Role};
use crate::systems::logistic::{NATURAL, logistic};
use crate::systems::parameters::parameters;
use crate::systems::results::Results;
use crate::systems::system::{RatingSystem, Registered, SystemRatings};

parameters! {
    /// Parameters of established Berkin ratings.
    EstablishedBerkin {
        /// Games to which a rating is equivalent.
        established: f64 = 25.0, 1.5..=10_000.0;
        /// Mean rating (points) of the ten best of 1970, or else of the last list with ten players.
        anchor: f64 = 2640.0, 0.0..=4000.0;
    }
}

impl Registered for EstablishedBerkin {
    const ABOUT: About = About {
        word: "established-berkin",
        name: "Established Berkin",
        list_name: "Computed established Berkin",
        summary: "Berkin's ratings, updated game by game",
        role: Role::Basic,
        ..About::PLAIN
    };
}

impl RatingSystem for EstablishedBerkin {
    fn expected(&self, difference: f64) -> f64 {
        logistic(NATURAL * difference)
    }

    fn explained(&self) -> String {
        format!(
            "each game adds the points won times the opponent’s rating and subtracts the points lost times the own rating, both \
             divided by {}; all players begin with the same rating; with the logistic curve.",
            self.established
        )
    }

    fn rate(&self, results: &Results) -> SystemRatings {
        game_by_game(results, self)
    }
}

impl GameRule for EstablishedBerkin {
    const START: f64 = 1.0;

    fn after(&self, white: f64, black: f64, score: f64) -> (f64, f64) {
        let change = |own: f64, other: f64, score: f64| {
            (other * score - own * (1.0 - score)) / self.established
        };
        (white + change(white, black, score), black + change(black, white, 1.0 - score))
    }

    fn points(&self, rating: f64) -> f64 {
        // Ratings too small to represent have the smallest positive value.
        rating.max(f64::MIN_POSITIVE).ln() / NATURAL
    }

    fn anchor(&self) -> f64 {
        self.anchor
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_win_transfers_part_of_the_losers_rating() {
        let rule = EstablishedBerkin::default();
        assert_eq!(rule.after(1.0, 1.0, 1.0), (1.04, 0.96));
        assert_eq!(rule.after(1.0, 1.0, 0.5), (1.0, 1.0));
        // A draw against an opponent with twice the rating.
        assert_eq!(rule.after(1.0, 2.0, 0.5), (1.02, 1.98));
        // Ratings stay positive if they are equivalent to more than one game.
        let (mut strong, mut weak) = (1.0, 1.0);
        for _ in 0..10_000 {
            (strong, weak) = rule.after(strong, weak, 1.0);
        }
        assert!(strong > 1.0 && rule.points(weak).is_finite(), "{strong} {weak}");
    }
}
