//! Logistic Elo with the exact slope (64): each game is one step of Fisher scoring.

use super::INITIAL_GAMES;
use crate::systems::about::{About, Role};
use crate::systems::elo::formulas::{Expectancy, revised_change};
use crate::systems::event_by_event::{EventRule, PlayerGame, PlayerState, event_by_event};
use crate::systems::initial_period::{InitialPeriod, InitialRule};
use crate::systems::parameters::parameters;
use crate::systems::results::Results;
use crate::systems::system::{RatingSystem, Registered, SystemRatings};

parameters! {
    /// Parameters of revised Elo.
    RevisedElo {
        /// Games to which an established rating is equivalent.
        established: f64 = 50.0, 2.0..=10_000.0;
        /// Games of the initial period, in which a rating is a performance and provisional.
        initial_games: u32 = INITIAL_GAMES, 0..=1000;
        /// Mean rating (points) of the players of the first event that can be rated.
        anchor: f64 = 2400.0, 0.0..=4000.0;
    }
}

impl Registered for RevisedElo {
    const ABOUT: About = About {
        word: "revised-elo",
        name: "Revised Elo",
        list_name: "Computed revised Elo",
        summary: "logistic Elo with the exact slope, game by game",
        role: Role::Basic,
        ..About::PLAIN
    };
}

/// Limit of expected scores. Closer to 0 or 1, a game would change the rating without bound.
/// Judged: a game changes a rating by at most 347 points; with 0.001 it would be 3,474.
const CERTAIN: f64 = 0.01;

/// The change by a game (points): 400 (S - P) / (P (1 - P) N ln 10) (64).
fn change(difference: f64, score: f64, established: f64) -> f64 {
    let expected = Expectancy::Logistic.expected(difference).clamp(CERTAIN, 1.0 - CERTAIN);
    revised_change(score, expected, established)
}

impl RatingSystem for RevisedElo {
    fn expected(&self, difference: f64) -> f64 {
        Expectancy::Logistic.expected(difference)
    }

    fn explained(&self) -> String {
        format!(
            "a performance for the first {} games, then game by game (score − expectation) divided by the slope of the curve, as a \
             rating equivalent to {} games; with the logistic curve.",
            self.initial_games, self.established
        )
    }

    fn rate(&self, results: &Results) -> SystemRatings {
        event_by_event(results, self)
    }
}

impl EventRule for RevisedElo {
    type Memory = InitialPeriod;

    fn anchor(&self) -> f64 {
        self.anchor
    }

    fn newcomer(&self, mean_opponent: f64, points: f64, games: f64) -> f64 {
        InitialPeriod::newcomer(
            InitialRule::new(Expectancy::Logistic),
            mean_opponent,
            points,
            games,
        )
    }

    fn rate_founder(
        &self,
        state: &mut PlayerState<InitialPeriod>,
        games: &[PlayerGame],
        players: usize,
    ) {
        (state.memory, state.rating) = InitialPeriod::of_first_event(
            InitialRule::new(Expectancy::Logistic),
            self.anchor,
            games,
            players,
        );
    }

    fn update(&self, state: &mut PlayerState<InitialPeriod>, games: &[PlayerGame]) {
        if self.is_provisional(state) {
            state.rating = state.memory.add(InitialRule::new(Expectancy::Logistic), games);
            return;
        }
        for game in games {
            let difference = state.rating - game.opponent_rating;
            state.rating += change(difference, game.score, self.established);
        }
    }

    /// Established ratings change game by game.
    fn most_games(&self, state: &PlayerState<InitialPeriod>) -> Option<u32> {
        (!self.is_provisional(state)).then_some(1)
    }

    fn is_provisional(&self, state: &PlayerState<InitialPeriod>) -> bool {
        state.memory.games < self.initial_games
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rounded(points: f64) -> f64 {
        (points * 100.0).round() / 100.0
    }

    #[test]
    fn a_win_gives_three_and_a_half_points_divided_by_its_expectation() {
        // 3.474 / P. Against an equal opponent 6.95, like Elo with K = 13.9.
        assert_eq!(rounded(change(0.0, 1.0, 50.0)), 6.95);
        let expected = Expectancy::Logistic.expected(-200.0);
        assert!((change(-200.0, 1.0, 50.0) - 3.4744 / expected).abs() < 1e-3);
        // Against an opponent rated 800 points higher, at odds of 100 to 1.
        assert_eq!(change(-800.0, 1.0, 50.0).round(), 347.0);
        assert_eq!(rounded(-change(0.0, 0.0, 50.0)), 6.95);
    }

    #[test]
    fn recomputed_values_of_the_printed_table() {
        // Table 10 prints 4.88 and 90.95, which the formula does not give.
        assert_eq!(rounded(change(160.0, 1.0, 50.0)), 4.86);
        assert_eq!(rounded(change(-560.0, 1.0, 50.0)), 90.75);
        // The table's logistic column, K = 16, has 14.70.
        let of_k = 16.0 * (1.0 - Expectancy::Logistic.expected(-420.0));
        assert_eq!(rounded(of_k), 14.69);
    }
}
