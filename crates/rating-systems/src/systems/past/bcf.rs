//! The BCF system: the performance of the last two years.
//!
//! Source: the system of Richard Clarke for the British Chess Federation, as described by Arpad E.
//! Elo, *The Rating of Chessplayers, Past and Present* (second edition), 8.5. Two rules are ours:
//! ratings are computed after each event, and a player without games for two years keeps the last
//! rating.

use std::collections::VecDeque;

use jiff::civil::Date;

use super::{ESTABLISHED, line, sums};
use crate::systems::about::{About, Role};
use crate::systems::event_by_event::{EventRule, PlayerGame, PlayerState, event_by_event};
use crate::systems::parameters::parameters;
use crate::systems::results::Results;
use crate::systems::system::{RatingSystem, Registered, SystemRatings};

parameters! {
    /// Parameters of the BCF system.
    Bcf {
        /// Mean rating (BCF points) of the players of the first event that can be rated.
        anchor: f64 = 225.0, -200.0..=1000.0;
    }
}

impl Registered for Bcf {
    const ABOUT: About = About {
        word: "bcf",
        name: "BCF",
        list_name: "Computed BCF",
        summary: "BCF, a system of the past: a straight line, the performance of two years",
        role: Role::Past,
        counts_games: true,
        ..About::PLAIN
    };
}

/// Years whose games determine a rating (8.5).
const YEARS: i16 = 2;

/// A performance (BCF points): the opponents' mean plus the percentage score minus 50.
pub(super) fn performance(mean_opponent: f64, fraction: f64) -> f64 {
    mean_opponent + (100.0 * fraction - 50.0)
}

impl RatingSystem for Bcf {
    fn expected(&self, difference: f64) -> f64 {
        line(difference, 100.0)
    }

    fn explained(&self) -> String {
        format!(
            "the performance of the last two years, from {ESTABLISHED} games on: the opponents’ mean plus the percentage score minus \
             50; with a straight line."
        )
    }

    fn rate(&self, results: &Results) -> SystemRatings {
        event_by_event(results, self)
    }

    /// The usual conversion is 600 + 8 R.
    fn elo_equivalent(&self, rating: f64) -> Option<f64> {
        Some(600.0 + 8.0 * rating)
    }
}

/// The games of two years: day, opponent's rating and score.
#[derive(Clone, Debug, Default)]
pub(in crate::systems) struct TwoYears(VecDeque<(Date, f64, f64)>);

impl EventRule for Bcf {
    type Memory = TwoYears;

    fn anchor(&self) -> f64 {
        self.anchor
    }

    fn newcomer(&self, mean_opponent: f64, points: f64, games: f64) -> f64 {
        performance(mean_opponent, points / games)
    }

    fn update(&self, state: &mut PlayerState<TwoYears>, games: &[PlayerGame]) {
        let TwoYears(known) = &mut state.memory;
        known.extend(games.iter().map(|game| (game.day, game.opponent_rating, game.score)));
        let last = known.iter().map(|game| game.0).max().unwrap_or_default();
        let from = Date::new(last.year() - YEARS, last.month(), last.day().min(28)).unwrap_or(last);
        known.retain(|game| game.0 >= from);
        let count = known.len() as f64;
        let (opponents, points) = known
            .iter()
            .fold((0.0, 0.0), |(opponents, points), game| (opponents + game.1, points + game.2));
        state.rating = performance(opponents / count, points / count);
    }

    /// All opponents of the first event are rated at the anchor.
    fn rate_founder(
        &self,
        state: &mut PlayerState<TwoYears>,
        games: &[PlayerGame],
        _players: usize,
    ) {
        let (_, points, count) = sums(games);
        state.memory.0.extend(games.iter().map(|game| (game.day, self.anchor, game.score)));
        state.rating = performance(self.anchor, points / count);
    }

    fn is_provisional(&self, state: &PlayerState<TwoYears>) -> bool {
        state.memory.0.len() < ESTABLISHED as usize
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn portisch_at_wijk_aan_zee_1975_in_elo_points() {
        let opponents = (2527.0 - 600.0) / 8.0;
        let bcf = Bcf::default();
        assert_eq!(bcf.elo_equivalent(performance(opponents, 0.7)).unwrap().round(), 2687.0);
        assert_eq!(bcf.expected(20.0), 0.7);
    }

    #[test]
    fn games_older_than_two_years_do_not_count() {
        use jiff::civil::date;
        let bcf = Bcf::default();
        let mut state = PlayerState::default();
        let days = [date(1960, 5, 1), date(1961, 5, 1), date(1962, 6, 1)];
        let games: Vec<PlayerGame> = days
            .into_iter()
            .zip([1.0, 0.5, 0.0])
            .map(|(day, score)| PlayerGame {
                player: 0,
                opponent: 1,
                opponent_rating: 200.0,
                score,
                day,
            })
            .collect();
        bcf.update(&mut state, &games[..2]);
        assert_eq!(state.rating, 225.0);
        bcf.update(&mut state, &games[2..]);
        assert_eq!(state.rating, 175.0, "the win of 1960 counts no longer");
    }
}
