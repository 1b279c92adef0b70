//! The order in which a system that rates event by event may use information.

use jiff::civil::Date;

use super::results::{RatedGame, Results};

/// The beginning or the end of an event.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum EventPhase<'a> {
    /// An event begins, and the current ratings predict its games. The number is the index of its
    /// first game among all games.
    Begins(usize, &'a [RatedGame]),
    /// The event of this number ended, and its games may be rated. Until now, ratings do not use
    /// any game of the event. Otherwise the result of an eight-month league would be known in its
    /// first month.
    Ends(usize, &'a [RatedGame]),
}

/// Beginnings and ends of events in chronological order. On one day, all beginnings precede all
/// ends, because their true order is unknown.
pub(super) fn event_phases(results: &Results) -> Vec<(Date, EventPhase<'_>)> {
    let mut steps = Vec::new();
    let mut place = 0;
    for (number, event) in results.events().enumerate() {
        let days = event.iter().map(|game| game.day);
        let first = days.clone().min().unwrap_or_default();
        steps.push((first, EventPhase::Begins(place, event)));
        steps.push((days.max().unwrap_or_default(), EventPhase::Ends(number, event)));
        place += event.len();
    }
    // The sort is stable: events of one day keep their order.
    steps.sort_by_key(|(day, step)| (*day, matches!(step, EventPhase::Ends(..))));
    steps
}

#[cfg(test)]
mod tests {
    use super::*;
    use jiff::civil::date;

    fn game(event: u32, month: i8) -> RatedGame {
        RatedGame { white: 0, black: 1, score: 1.0, day: date(1990, month, 1), event }
    }

    #[test]
    fn a_league_is_rated_only_after_its_end() {
        // A league from January to September, two tournaments in March, and one event afterwards.
        let games = vec![game(0, 1), game(0, 9), game(1, 3), game(2, 3), game(3, 10)];
        let results = Results { games, ..Results::default() };
        let found: Vec<String> = event_phases(&results)
            .into_iter()
            .map(|(day, step)| match step {
                EventPhase::Begins(place, event) => {
                    format!("{} begins {place} {}", day.month(), event[0].event)
                }
                EventPhase::Ends(number, event) => {
                    format!("{} ends {number} of {}", day.month(), event.len())
                }
            })
            .collect();
        assert_eq!(
            found,
            [
                "1 begins 0 0",
                "3 begins 2 1",
                "3 begins 3 2",
                "3 ends 1 of 1",
                "3 ends 2 of 1",
                "9 ends 0 of 2",
                "10 begins 4 3",
                "10 ends 3 of 1"
            ]
        );
    }
}
