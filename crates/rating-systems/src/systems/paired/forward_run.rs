//! Runs the forward fit through all events: a forecast of each game from the events that ended
//! before its own began, and the state on the first day of each quarter.

use std::ops::Range;

use jiff::civil::{Date, date};

use super::forward::ForwardFit;
use super::history::{PairedGame, PairedModel};
use crate::systems::results::{EventSpan, Results};

/// The forecasts of all games by the forward fit.
#[derive(Clone, Debug, PartialEq)]
pub struct ForwardForecasts {
    /// The model of the fit.
    pub model: PairedModel,
    /// White's expected score in each game of [`Results::games`]. `None` if one of the players has
    /// no game in an event that ended before.
    pub expected: Vec<Option<f64>>,
}

impl ForwardForecasts {
    /// Forecasts all games. `each_quarter` sees the state on the first day of each quarter, from
    /// the first one after a game to the first one after all games.
    pub fn run(
        results: &Results,
        model: PairedModel,
        mut each_quarter: impl FnMut(Date, &ForwardFit),
    ) -> ForwardForecasts {
        let births: Vec<Option<i16>> = results.players.iter().map(|player| player.born).collect();
        let mut fit = ForwardFit::new(model, &births);
        let mut expected = vec![None; results.games.len()];
        let events = scheduled(results);
        let mut ending: Vec<&ScheduledEvent> = events.iter().collect();
        ending.sort_by_key(|event| event.span.last);
        let mut ended = ending.chunk_by(|a, b| a.span.last == b.span.last).peekable();
        let mut beginning: Vec<&ScheduledEvent> = events.iter().collect();
        beginning.sort_by_key(|event| event.span.first);
        let mut next_quarter: Option<Date> = None;
        let mut beginning = beginning.into_iter().peekable();
        loop {
            // What begins on the day on which another event ends is forecast without it.
            let ends = ended.peek().map(|of_day| of_day[0].span.last);
            while let Some(event) =
                beginning.next_if(|event| ends.is_none_or(|day| event.span.first <= day))
            {
                for place in event.games.clone() {
                    let game = results.games[place];
                    let year = event.span.first.year();
                    expected[place] = fit.forecast(game.white, game.black, year, 0.0);
                }
            }
            let (Some(day), Some(of_day)) = (ends, ended.next()) else { break };
            while let Some(quarter) = next_quarter.filter(|quarter| *quarter <= day) {
                each_quarter(quarter, &fit);
                next_quarter = Some(quarter_after(quarter));
            }
            next_quarter.get_or_insert_with(|| quarter_after(day));
            let games = of_day.iter().flat_map(|event| &results.games[event.games.clone()]);
            let mut games: Vec<PairedGame> = games.map(PairedGame::from_game).collect();
            games.sort_by_key(|game| game.year);
            fit.add(&games);
        }
        if let Some(quarter) = next_quarter {
            each_quarter(quarter, &fit);
        }
        ForwardForecasts { model, expected }
    }
}

/// An event with the places of its games in [`Results::games`].
struct ScheduledEvent {
    games: Range<usize>,
    span: EventSpan,
}

fn scheduled(results: &Results) -> Vec<ScheduledEvent> {
    let mut events = Vec::new();
    let mut first = 0;
    for (games, EventSpan { first: begins, last }) in results.events().zip(results.spans()) {
        let span = EventSpan { first: begins, last: last.max(begins) };
        events.push(ScheduledEvent { games: first..first + games.len(), span });
        first += games.len();
    }
    events
}

/// The first day of the next quarter.
fn quarter_after(day: Date) -> Date {
    let quarters = i32::from(day.year()) * 4 + i32::from(day.month() - 1) / 3 + 1;
    date(quarters.div_euclid(4) as i16, (quarters.rem_euclid(4) * 3 + 1) as i8, 1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::systems::results::{RatedGame, RatedPlayer};

    /// Four events of the same two players, one in the middle of each of four months.
    fn results() -> Results {
        let mut results =
            Results { players: vec![RatedPlayer::default(); 2], ..Results::default() };
        for (event, month) in [(0, 1), (1, 2), (2, 4), (3, 8)] {
            let day = date(1990, month, 15);
            results.games.push(RatedGame::new(0, 1, 1.0, day, event));
            results.published.spans.push(EventSpan { first: day, last: day });
        }
        results
    }

    fn forecasts(results: &Results) -> Vec<Option<f64>> {
        ForwardForecasts::run(results, PairedModel::default(), |_, _| ()).expected
    }

    #[test]
    fn an_event_is_forecast_from_those_that_ended_before_it_began() {
        let mut results = results();
        let alone = forecasts(&results);
        assert!(alone[0].is_none() && alone[1] < alone[2] && alone[2] < alone[3]);
        // The first event now ends on the day on which the third begins.
        results.published.spans[0].last = date(1990, 4, 15);
        let later = forecasts(&results);
        assert_eq!((later[1], later[2]), (None, alone[1]));
        assert!(later[3] > later[2]);
    }

    #[test]
    fn a_quarter_begins_with_the_games_of_events_that_ended_before_it() {
        let mut results = results();
        // The second event ends on the first day of the second quarter.
        results.published.spans[1].last = date(1990, 4, 1);
        let mut games = Vec::new();
        ForwardForecasts::run(&results, PairedModel::default(), |day, fit| {
            games.push((day.month(), fit.games(0)));
        });
        assert_eq!(games, [(4, 1), (7, 3), (10, 4)]);
    }
}
