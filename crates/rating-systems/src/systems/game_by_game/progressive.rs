//! Progressive ratings (92): no game reduces a rating.

use super::{GameRule, game_by_game};
use crate::systems::about::{About, Role};
use crate::systems::logistic::{NATURAL, logistic};
use crate::systems::parameters::parameters;
use crate::systems::results::Results;
use crate::systems::system::{RatingSystem, Registered, SystemRatings};

parameters! {
    /// Parameters of progressive ratings.
    Progressive {
        /// Games to which a rating is equivalent.
        established: f64 = 50.0, 1.5..=10_000.0;
        /// Mean rating (points) of the ten best of 1970, or else of the last list with ten players.
        anchor: f64 = 2640.0, 0.0..=4000.0;
    }
}

impl Registered for Progressive {
    const ABOUT: About = About {
        word: "progressive",
        name: "Progressive",
        list_name: "Computed progressive",
        summary: "ratings that never fall: activity as much as strength; not a source of ratings",
        role: Role::Order,
        ..About::PLAIN
    };
}

impl RatingSystem for Progressive {
    fn expected(&self, difference: f64) -> f64 {
        logistic(NATURAL * difference)
    }

    fn explained(&self) -> String {
        format!(
            "each game adds the points won times the opponent’s rating, divided by {}, and subtracts nothing: ratings measure \
             activity as much as strength; with the logistic curve.",
            self.established
        )
    }

    fn rate(&self, results: &Results) -> SystemRatings {
        game_by_game(results, self)
    }
}

/// `R + ln(1 + S e^(Rc - R) / N)`, the logarithm of (92). It avoids the powers, which overflow. The
/// first term alone is (97), which diverges.
fn after(own: f64, other: f64, score: f64, established: f64) -> f64 {
    if score <= 0.0 {
        return own;
    }
    let gained = other + (score / established).ln();
    let (more, less) = if gained > own { (gained, own) } else { (own, gained) };
    more + (less - more).exp().ln_1p()
}

impl GameRule for Progressive {
    /// The logarithm of the rating.
    type Rating = f64;

    /// The logarithm of a rating of 1.
    const START: f64 = 0.0;

    fn after(&self, white: f64, black: f64, score: f64) -> (f64, f64) {
        let white_after = after(white, black, score, self.established);
        let black_after = after(black, white, 1.0 - score, self.established);
        (white_after, black_after)
    }

    fn points(&self, rating: f64) -> f64 {
        rating / NATURAL
    }

    fn anchor(&self) -> f64 {
        self.anchor
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_score_adds_a_part_of_the_opponents_rating_and_a_loss_subtracts_nothing() {
        // dR = Rc S / N (92), for ratings e^R.
        for (own, other, score) in [(1.0_f64, 1.0_f64, 1.0), (1.0, 20.0, 0.5), (30.0, 2.0, 1.0)] {
            let found = after(own.ln(), other.ln(), score, 50.0).exp();
            assert!((found - (own + other * score / 50.0)).abs() < 1e-9, "{found}");
        }
        assert_eq!(after(3.0, 900.0, 0.0, 50.0), 3.0);
        // Powers would overflow here.
        let found = after(0.0, 5000.0, 1.0, 50.0);
        assert!((found - (5000.0 - 50.0_f64.ln())).abs() < 1e-9, "{found}");
    }
}
