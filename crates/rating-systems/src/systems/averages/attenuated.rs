//! The weighted mean of performances (50), (51): an exponentially weighted moving average in which
//! older performances weigh less.

use super::{INITIAL_GAMES, line, performance, performance_in, round_robin};
use crate::systems::about::{About, Role};
use crate::systems::event_by_event::{EventRule, PlayerGame, PlayerState, event_by_event};
use crate::systems::parameters::parameters;
use crate::systems::results::Results;
use crate::systems::system::{RatingSystem, Registered, SystemRatings};

parameters! {
    /// Parameters of attenuated interval ratings.
    Attenuated {
        /// Factor by which each further game reduces the weight of earlier games.
        attenuation: f64 = 0.98, 0.01..=1.0;
        /// Games below which a rating is provisional.
        initial_games: u32 = INITIAL_GAMES, 0..=1000;
        /// Mean rating (points) of the players of the first event that can be rated.
        anchor: f64 = 2400.0, 0.0..=4000.0;
    }
}

impl Registered for Attenuated {
    const ABOUT: About = About {
        word: "attenuated",
        name: "Attenuated",
        list_name: "Computed attenuated",
        summary: "the mean of all performances, event by event, with less weight for older ones",
        role: Role::Basic,
        ..About::PLAIN
    };
}

/// The rating (points) and its weight (games) after a performance in this many games. `kept` is the
/// factor that reduces the earlier weight.
fn attenuated_mean(
    (rating, known): (f64, f64),
    kept: f64,
    performance: f64,
    games: f64,
) -> (f64, f64) {
    let weight = kept * known + games;
    ((kept * rating * known + performance * games) / weight, weight)
}

impl RatingSystem for Attenuated {
    fn expected(&self, difference: f64) -> f64 {
        line(difference)
    }

    fn explained(&self) -> String {
        let remembers = 1.0 / (1.0 - self.attenuation);
        let games = if remembers.is_finite() {
            format!(", so that a rating remembers about {} games", remembers.round())
        } else {
            String::new()
        };
        format!(
            "the mean of all performances, event by event, weighted by games; each further game multiplies the weight of earlier ones by {}{games}; with the straight line.",
            self.attenuation
        )
    }

    fn rate(&self, results: &Results) -> SystemRatings {
        event_by_event(results, self)
    }
}

impl EventRule for Attenuated {
    /// The weight (games) of the rating.
    type Memory = f64;

    fn anchor(&self) -> f64 {
        self.anchor
    }

    fn newcomer(&self, mean_opponent: f64, points: f64, games: f64) -> f64 {
        performance(mean_opponent, points / games)
    }

    fn rate_founder(&self, state: &mut PlayerState<f64>, games: &[PlayerGame], players: usize) {
        state.rating = round_robin(self.anchor, games, players);
        state.memory = games.len() as f64;
    }

    fn update(&self, state: &mut PlayerState<f64>, games: &[PlayerGame]) {
        let count = games.len() as f64;
        let kept = self.attenuation.powf(count);
        let before = (state.rating, state.memory);
        (state.rating, state.memory) = attenuated_mean(before, kept, performance_in(games), count);
    }

    fn is_provisional(&self, state: &PlayerState<f64>) -> bool {
        state.games < self.initial_games
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_weight_of_three_events_is_the_sum_of_attenuated_games() {
        // Jones prints alpha^2 N0 + alpha N1 + N for (52). The recursion gives alpha (alpha N0 +
        // N1) + N: 13.55 for three events of five games and alpha = .9.
        let weight = (0..3).fold(0.0, |known, _| attenuated_mean((0.0, known), 0.9, 0.0, 5.0).1);
        assert!((weight - 13.55).abs() < 1e-9, "{weight}");
    }

    #[test]
    fn the_weight_converges_to_that_of_elo_and_of_ingo() {
        // N converges to n / (1 - a): to N_o for a = (N_o - n) / N_o (35), and to N_o + n for a =
        // N_o / (N_o + n) (34).
        for (kept, limit) in [((50.0 - 10.0) / 50.0, 50.0), (50.0 / (50.0 + 10.0), 60.0)] {
            let weight =
                (0..2000).fold(0.0, |known, _| attenuated_mean((0.0, known), kept, 0.0, 10.0).1);
            assert!((weight - limit).abs() < 1e-9, "{weight}");
        }
    }

    #[test]
    fn without_attenuation_it_is_the_cumulative_mean() {
        let once = attenuated_mean((2000.0, 10.0), 1.0, 2300.0, 20.0);
        assert_eq!(once, (2200.0, 30.0));
    }
}
