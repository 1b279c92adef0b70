//! The CCLA system, which rates game by game without performances.
//!
//! Source: the system of the Correspondence Chess League of America, as described by Arpad E. Elo,
//! *The Rating of Chessplayers, Past and Present* (second edition), 8.5. A newcomer begins with the
//! opponents' mean rating; this rule is ours.

use super::{ESTABLISHED, line};
use crate::systems::about::{About, Role};
use crate::systems::event_by_event::{EventRule, PlayerGame, PlayerState, event_by_event};
use crate::systems::parameters::parameters;
use crate::systems::results::Results;
use crate::systems::system::{RatingSystem, Registered, SystemRatings};

parameters! {
    /// Parameters of the CCLA system.
    Ccla {
        /// Mean rating (points) of the players of the first event that can be rated.
        anchor: f64 = 2400.0, 0.0..=4000.0;
    }
}

impl Registered for Ccla {
    const ABOUT: About = About {
        word: "ccla",
        name: "CCLA",
        list_name: "Computed CCLA",
        summary: "CCLA, a system of the past: a straight line, game by game",
        role: Role::Past,
        counts_games: true,
        ..About::PLAIN
    };
}

/// Points for a win against an equal opponent, and the deduction for each point of difference
/// (8.5).
const WIN: f64 = 16.0;
const OF_DIFFERENCE: f64 = 0.06;

/// The rating (points) after a game against an opponent with this rating.
pub(super) fn after(rating: f64, opponent: f64, score: f64) -> f64 {
    rating + WIN * (2.0 * score - 1.0) - OF_DIFFERENCE * (rating - opponent)
}

impl RatingSystem for Ccla {
    /// The score that leaves the rating unchanged.
    fn expected(&self, difference: f64) -> f64 {
        line(difference, 2.0 * WIN / OF_DIFFERENCE)
    }

    fn explained(&self) -> String {
        "16 points for a win minus six hundredths of the difference, game by game; a newcomer begins with the \
         opponents’ mean; with a straight line."
            .into()
    }

    fn elo_equivalent(&self, _rating: f64) -> Option<f64> {
        None
    }

    fn rate(&self, results: &Results) -> SystemRatings {
        event_by_event(results, self)
    }
}

impl EventRule for Ccla {
    type Memory = ();

    fn anchor(&self) -> f64 {
        self.anchor
    }

    fn newcomer(&self, mean_opponent: f64, _points: f64, _games: f64) -> f64 {
        mean_opponent
    }

    fn update(&self, state: &mut PlayerState<()>, games: &[PlayerGame]) {
        for game in games {
            state.rating = after(state.rating, game.opponent_rating, game.score);
        }
    }

    fn most_games(&self, _state: &PlayerState<()>) -> Option<u32> {
        Some(1)
    }

    fn is_provisional(&self, state: &PlayerState<()>) -> bool {
        state.games < ESTABLISHED
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_expected_score_leaves_the_rating_unchanged() {
        // 1/2 + D/533.
        let ccla = Ccla::default();
        assert!((ccla.expected(100.0) - (0.5 + 100.0 / 533.33)).abs() < 1e-5);
        assert_eq!(after(2000.0, 1900.0, 1.0), 2010.0);
        let mean = ccla.expected(100.0);
        let change = mean * (after(2000.0, 1900.0, 1.0) - 2000.0)
            + (1.0 - mean) * (after(2000.0, 1900.0, 0.0) - 2000.0);
        assert!(change.abs() < 1e-9, "{change}");
    }
}
