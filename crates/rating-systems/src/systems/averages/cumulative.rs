//! The mean of all performances so far, weighted by games (44), (45).

use super::{INITIAL_GAMES, line, performance, performance_in, round_robin};
use crate::systems::about::{About, Role};
use crate::systems::event_by_event::{EventRule, PlayerGame, PlayerState, event_by_event};
use crate::systems::parameters::parameters;
use crate::systems::results::Results;
use crate::systems::system::{RatingSystem, Registered, SystemRatings};

parameters! {
    /// Parameters of cumulative interval ratings.
    Cumulative {
        /// Games below which a rating is provisional.
        initial_games: u32 = INITIAL_GAMES, 0..=1000;
        /// Mean rating (points) of the players of the first event that can be rated.
        anchor: f64 = 2400.0, 0.0..=4000.0;
        /// Whether each event changes a rating by half as much, because the opponents' ratings
        /// change too.
        halved: bool = false;
    }
}

impl Registered for Cumulative {
    const ABOUT: About = About {
        word: "cumulative",
        name: "Cumulative",
        list_name: "Computed cumulative",
        summary: "the mean of all performances so far, event by event",
        role: Role::Basic,
        ..About::PLAIN
    };
}

/// The mean of a rating (points) from `known` games and a performance in `games` games.
fn weighted_mean(rating: f64, known: f64, performance: f64, games: f64) -> f64 {
    (rating * known + performance * games) / (known + games)
}

impl RatingSystem for Cumulative {
    fn expected(&self, difference: f64) -> f64 {
        line(difference)
    }

    fn explained(&self) -> String {
        let halved = if self.halved { ", with halved changes" } else { "" };
        format!(
            "the mean of all performances so far, weighted by games, event by event{halved}; old games count as much as new ones; with the straight line."
        )
    }

    fn rate(&self, results: &Results) -> SystemRatings {
        event_by_event(results, self)
    }
}

impl EventRule for Cumulative {
    type Memory = ();

    fn anchor(&self) -> f64 {
        self.anchor
    }

    fn newcomer(&self, mean_opponent: f64, points: f64, games: f64) -> f64 {
        performance(mean_opponent, points / games)
    }

    fn rate_founder(&self, state: &mut PlayerState<()>, games: &[PlayerGame], players: usize) {
        state.rating = round_robin(self.anchor, games, players);
    }

    fn update(&self, state: &mut PlayerState<()>, games: &[PlayerGame]) {
        let known = f64::from(state.games);
        let whole = weighted_mean(state.rating, known, performance_in(games), games.len() as f64);
        let part = if self.halved { 0.5 } else { 1.0 };
        state.rating += part * (whole - state.rating);
    }

    fn is_provisional(&self, state: &PlayerState<()>) -> bool {
        state.games < self.initial_games
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn single_games_follow_the_linear_established_formula() {
        // dR = 2K (S - P_e) / (N + 1), P_e = 0.5 + D / 2K (71).
        for (known, opponent, score) in
            [(9.0, 2100.0, 1.0), (24.0, 1950.0, 0.5), (0.0, 2300.0, 0.0)]
        {
            let after = weighted_mean(2000.0, known, performance(opponent, score), 1.0);
            let expected = 0.5 + (2000.0 - opponent) / 800.0;
            let change = 800.0 * (score - expected) / (known + 1.0);
            assert!((after - (2000.0 + change)).abs() < 1e-9, "{after}");
        }
    }

    /// The rating of a player rated 2400 after a game against an equal opponent.
    fn after(rule: &Cumulative, score: f64) -> f64 {
        let mut state = PlayerState::<()>::default();
        state.rating = 2400.0;
        let game = PlayerGame {
            player: 0,
            opponent: 1,
            opponent_rating: 2400.0,
            score,
            day: jiff::civil::date(1900, 1, 1),
        };
        rule.update(&mut state, &[game]);
        state.rating
    }

    #[test]
    fn halved_changes_separate_two_players_as_far_as_their_game_shows() {
        // Section 6, figure 3. One win makes 400 points of difference, as simultaneous linear
        // ratings do. If each player alone changes by the whole, they end 800 points apart.
        for (halved, apart) in [(true, 400.0), (false, 800.0)] {
            let rule = Cumulative { halved, ..Cumulative::default() };
            assert_eq!(after(&rule, 1.0) - after(&rule, 0.0), apart);
        }
    }
}
