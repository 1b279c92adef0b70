//! The Ingo system, the first rating system. Smaller ratings are better.
//!
//! Source: the system of Anton Hoesslinger, as described by Arpad E. Elo, *The Rating of
//! Chessplayers, Past and Present* (second edition), 8.5.

use super::{ESTABLISHED, line, sums};
use crate::systems::about::{About, Role};
use crate::systems::event_by_event::{EventRule, PlayerGame, PlayerState, event_by_event};
use crate::systems::parameters::parameters;
use crate::systems::results::Results;
use crate::systems::system::{RatingSystem, Registered, SystemRatings};

parameters! {
    /// Parameters of the Ingo system.
    Ingo {
        /// Mean rating (Ingo points) of the players of the first event that can be rated.
        anchor: f64 = 55.0, -200.0..=400.0;
    }
}

impl Registered for Ingo {
    const ABOUT: About = About {
        word: "ingo",
        name: "Ingo",
        list_name: "Computed Ingo",
        summary: "Ingo, a system of the past in which smaller is better: a straight line, a quarter of each event's performance",
        role: Role::Past,
        counts_games: true,
        ..About::PLAIN
    };
}

/// Weight of the old rating, in performances, in the new rating (8.5).
const OLD: f64 = 3.0;

/// A performance (Ingo points): the opponents' mean minus the excess of the percentage score over
/// 50.
pub(super) fn performance(mean_opponent: f64, fraction: f64) -> f64 {
    mean_opponent - (100.0 * fraction - 50.0)
}

impl RatingSystem for Ingo {
    fn expected(&self, difference: f64) -> f64 {
        line(-difference, 100.0)
    }

    fn explained(&self) -> String {
        "smaller is better. A performance is the opponents’ mean minus the percentage score above 50; the new rating is \
         three quarters of the old one plus one quarter of the performance; with a straight line."
            .into()
    }

    fn rate(&self, results: &Results) -> SystemRatings {
        event_by_event(results, self)
    }

    /// The usual conversion is 2840 - 8 R.
    fn elo_equivalent(&self, rating: f64) -> Option<f64> {
        Some(2840.0 - 8.0 * rating)
    }
}

impl EventRule for Ingo {
    type Memory = ();

    fn anchor(&self) -> f64 {
        self.anchor
    }

    fn newcomer(&self, mean_opponent: f64, points: f64, games: f64) -> f64 {
        performance(mean_opponent, points / games)
    }

    fn update(&self, state: &mut PlayerState<()>, games: &[PlayerGame]) {
        let (opponents, points, count) = sums(games);
        let performance = performance(opponents / count, points / count);
        state.rating = match state.games {
            0 => performance,
            _ => (OLD * state.rating + performance) / (OLD + 1.0),
        };
    }

    fn is_provisional(&self, state: &PlayerState<()>) -> bool {
        state.games < ESTABLISHED
    }

    fn smaller_is_better(&self) -> bool {
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn portisch_at_wijk_aan_zee_1975_in_elo_points() {
        // The opponents' mean is 2527, the score 10.5 of 15.
        let opponents = (2840.0 - 2527.0) / 8.0;
        let ingo = Ingo::default();
        assert_eq!(ingo.elo_equivalent(performance(opponents, 0.7)).unwrap().round(), 2687.0);
        assert_eq!(ingo.expected(-20.0), 0.7, "smaller is better");
        assert_eq!((ingo.expected(80.0), ingo.expected(-80.0)), (0.01, 0.99));
    }

    #[test]
    fn performances_match_another_implementation() {
        use skillratings::Outcomes;
        use skillratings::ingo::{IngoRating, ingo_rating_period};
        // That implementation weights by games (34), with twenty games for an adult's old rating.
        let player = IngoRating { rating: 150.0, age: 40 };
        let games = [
            (IngoRating { rating: 130.0, age: 40 }, Outcomes::WIN),
            (IngoRating { rating: 160.0, age: 40 }, Outcomes::DRAW),
            (IngoRating { rating: 95.0, age: 40 }, Outcomes::LOSS),
        ];
        let found = ingo_rating_period(&player, &games).rating;
        let of_it = (found * 23.0 - 150.0 * 20.0) / 3.0;
        assert!((performance(385.0 / 3.0, 0.5) - of_it).abs() < 1e-9, "{of_it}");
    }
}
