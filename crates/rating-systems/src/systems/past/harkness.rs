//! The Harkness system: the mean of the last four performances.
//!
//! Source: the system of Kenneth Harkness, as described by Arpad E. Elo, *The Rating of
//! Chessplayers, Past and Present* (second edition), 8.5.

use super::{ESTABLISHED, line, sums};
use crate::systems::about::{About, Role};
use crate::systems::event_by_event::{EventRule, PlayerGame, PlayerState, event_by_event};
use crate::systems::parameters::parameters;
use crate::systems::results::Results;
use crate::systems::system::{RatingSystem, Registered, SystemRatings};

parameters! {
    /// Parameters of the Harkness system.
    Harkness {
        /// Mean rating (Harkness points) of the players of the first event that can be rated.
        anchor: f64 = 2400.0, 0.0..=4000.0;
    }
}

impl Registered for Harkness {
    const ABOUT: About = About {
        word: "harkness",
        name: "Harkness",
        list_name: "Computed Harkness",
        summary: "Harkness, a system of the past: a straight line, the mean of the last four performances",
        role: Role::Past,
        counts_games: true,
        ..About::PLAIN
    };
}

/// Number of performances in the mean (8.5).
const LAST: usize = 4;

/// Maximum number of games for which wins minus losses count instead of the percentage (8.5).
const FEW_GAMES: f64 = 9.0;

/// A performance (Harkness points): ten points for each per cent above 50. For up to nine games,
/// fifty points for each win more than losses.
pub(super) fn performance(mean_opponent: f64, points: f64, games: f64) -> f64 {
    if games <= FEW_GAMES {
        of_few_games(mean_opponent, points, games)
    } else {
        mean_opponent + 10.0 * (100.0 * points / games - 50.0)
    }
}

/// The form for few games: fifty points for each win more than losses.
fn of_few_games(mean_opponent: f64, points: f64, games: f64) -> f64 {
    mean_opponent + 50.0 * (2.0 * points - games)
}

impl RatingSystem for Harkness {
    fn expected(&self, difference: f64) -> f64 {
        line(difference, 1000.0)
    }

    fn explained(&self) -> String {
        "a performance is the opponents’ mean plus ten points for each per cent above 50 (for up to nine games: fifty for each \
         win more than losses); the rating is the mean of the last four; with a straight line. Five wins against 1800 make \
         2050: a player rated 2400 loses points by winning every game."
            .into()
    }

    fn rate(&self, results: &Results) -> SystemRatings {
        event_by_event(results, self)
    }

    /// A Harkness point is 0.8 Elo points. 2400 is the same on both scales.
    fn elo_equivalent(&self, rating: f64) -> Option<f64> {
        Some(2400.0 + 0.8 * (rating - 2400.0))
    }
}

/// The last performances (points), the oldest first.
#[derive(Clone, Copy, Debug, Default)]
pub(in crate::systems) struct LastPerformances {
    performances: [f64; LAST],
    count: usize,
}

impl LastPerformances {
    fn add(&mut self, performance: f64) {
        if self.count == LAST {
            self.performances.rotate_left(1);
            self.count -= 1;
        }
        self.performances[self.count] = performance;
        self.count += 1;
    }

    fn mean(&self) -> f64 {
        self.performances[..self.count].iter().sum::<f64>() / self.count.max(1) as f64
    }
}

impl EventRule for Harkness {
    type Memory = LastPerformances;

    fn anchor(&self) -> f64 {
        self.anchor
    }

    fn newcomer(&self, mean_opponent: f64, points: f64, games: f64) -> f64 {
        performance(mean_opponent, points, games)
    }

    fn update(&self, state: &mut PlayerState<LastPerformances>, games: &[PlayerGame]) {
        let (opponents, points, count) = sums(games);
        state.memory.add(performance(opponents / count, points, count));
        state.rating = state.memory.mean();
    }

    fn is_provisional(&self, state: &PlayerState<LastPerformances>) -> bool {
        state.games < ESTABLISHED
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn portisch_at_wijk_aan_zee_1975_by_both_forms() {
        assert_eq!(performance(2527.0, 10.5, 15.0), 2727.0);
        // The book also prints the form for up to nine games: six wins more than losses.
        assert_eq!(of_few_games(2527.0, 10.5, 15.0), 2827.0);
        // 8.53: a player rated 2400 loses points with five wins.
        assert_eq!(performance(1800.0, 5.0, 5.0), 2050.0);
    }

    #[test]
    fn a_rating_is_the_mean_of_the_last_four() {
        let mut last = LastPerformances::default();
        for performance in [2000.0, 2100.0, 2200.0, 2300.0, 2400.0] {
            last.add(performance);
        }
        assert_eq!(last.mean(), 2250.0);
    }
}
