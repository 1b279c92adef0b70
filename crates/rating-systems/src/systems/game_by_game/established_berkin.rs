//! Established Berkin ratings (89): each game transfers part of the loser's rating to the winner.
//! Their cumulative form (87) gives all games the same weight.

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
        /// Whether all games weigh the same: the points lost so far replace the number of games.
        cumulative: bool = false;
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
        let divisor = if self.cumulative {
            "the points lost so far".to_owned()
        } else {
            self.established.to_string()
        };
        format!(
            "each game adds the points won times the opponent’s rating and subtracts the points lost times the own rating, both \
             divided by {divisor}; all players begin with the same rating; with the logistic curve."
        )
    }

    fn rate(&self, results: &Results) -> SystemRatings {
        game_by_game(results, self)
    }
}

/// A Berkin rating, and the points lost so far.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct BerkinRating {
    /// Rating, which is positive.
    rating: f64,
    /// Points lost so far, including one at the start.
    lost: f64,
}

impl EstablishedBerkin {
    /// A player's rating after a game against an opponent with rating `other`.
    fn after_game(&self, own: BerkinRating, other: f64, score: f64) -> BerkinRating {
        let lost = own.lost + (1.0 - score);
        let divisor = if self.cumulative { lost } else { self.established };
        let change = (other * score - own.rating * (1.0 - score)) / divisor;
        BerkinRating { rating: own.rating + change, lost }
    }
}

impl GameRule for EstablishedBerkin {
    type Rating = BerkinRating;

    /// As if a player had won a point and lost a point against an opponent of the same rating. So
    /// the cumulative form also rates players who never lost (ours).
    const START: BerkinRating = BerkinRating { rating: 1.0, lost: 1.0 };

    fn after(
        &self,
        white: BerkinRating,
        black: BerkinRating,
        score: f64,
    ) -> (BerkinRating, BerkinRating) {
        (
            self.after_game(white, black.rating, score),
            self.after_game(black, white.rating, 1.0 - score),
        )
    }

    fn points(&self, of: BerkinRating) -> f64 {
        // Ratings too small to represent have the smallest positive value.
        of.rating.max(f64::MIN_POSITIVE).ln() / NATURAL
    }

    fn anchor(&self) -> f64 {
        self.anchor
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rated(rating: f64) -> BerkinRating {
        BerkinRating { rating, ..EstablishedBerkin::START }
    }

    /// The ratings after a game by the default rule.
    fn after(white: f64, black: f64, score: f64) -> (f64, f64) {
        let (white, black) = EstablishedBerkin::default().after(rated(white), rated(black), score);
        (white.rating, black.rating)
    }

    #[test]
    fn a_win_transfers_part_of_the_losers_rating() {
        let rule = EstablishedBerkin::default();
        assert_eq!(after(1.0, 1.0, 1.0), (1.04, 0.96));
        assert_eq!(after(1.0, 1.0, 0.5), (1.0, 1.0));
        // A draw against an opponent with twice the rating.
        assert_eq!(after(1.0, 2.0, 0.5), (1.02, 1.98));
        // Ratings stay positive if they are equivalent to more than one game.
        let (mut strong, mut weak) = (rated(1.0), rated(1.0));
        for _ in 0..10_000 {
            (strong, weak) = rule.after(strong, weak, 1.0);
        }
        assert!(strong.rating > 1.0 && rule.points(weak).is_finite(), "{strong:?} {weak:?}");
    }

    #[test]
    fn cumulative_ratings_are_points_won_times_opponents_divided_by_points_lost() {
        // (78), with the opponents' ratings at the time of the games: R L = 1 + sum of S Rc.
        let rule = EstablishedBerkin { cumulative: true, ..EstablishedBerkin::default() };
        let games = [(2.0, 1.0), (0.5, 0.0), (4.0, 0.5), (1.5, 1.0)];
        let found = games.into_iter().fold(EstablishedBerkin::START, |own, (other, score)| {
            rule.after_game(own, other, score)
        });
        let taken: f64 = games.iter().map(|(other, score)| other * score).sum();
        let lost: f64 = games.iter().map(|(_, score)| 1.0 - score).sum();
        assert!((found.rating - (1.0 + taken) / (1.0 + lost)).abs() < 1e-12, "{found:?}");
        assert_eq!(found.lost, 1.0 + lost);
    }

    #[test]
    fn cumulative_ratings_of_a_player_who_never_loses_stay_finite() {
        let rule = EstablishedBerkin { cumulative: true, ..EstablishedBerkin::default() };
        let unbeaten =
            (0..20).fold(EstablishedBerkin::START, |own, _| rule.after_game(own, 1.0, 1.0));
        // 21 points won against one lost.
        assert_eq!(unbeaten.rating, 21.0);
    }
}
