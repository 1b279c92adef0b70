//! The weeks in which events begin and end.

use std::iter::Peekable;
use std::ops::Range;

use jiff::civil::Date;

use crate::systems::results::Results;

/// Days of a step of the filter. From the specification of these forecasts, which found steps of a
/// day equally good.
pub(super) const WEEK: i32 = 7;

/// An event and the days between which it was played, as numbers (see [`day_number`]).
#[derive(Clone, Debug, PartialEq)]
pub(super) struct ScheduledEvent {
    /// Places of its games in [`Results::games`].
    pub games: Range<usize>,
    /// First day.
    pub first: i32,
    /// Last day, at least the first.
    pub last: i32,
    /// Calendar years of both days.
    pub years: (i16, i16),
}

/// The number of a day: days since the beginning of the year 0, so that a year has 365.25.
pub(super) fn day_number(day: Date) -> i32 {
    (day - Date::ZERO).get_days()
}

/// The events of the results, in their order.
pub(super) fn schedule(results: &Results) -> Vec<ScheduledEvent> {
    let mut next = 0;
    let events = results.events().zip(results.spans()).map(|(games, span)| {
        let begins = next;
        next += games.len();
        let (first, last) = (span.first, span.last.max(span.first));
        ScheduledEvent {
            games: begins..next,
            first: day_number(first),
            last: day_number(last),
            years: (first.year(), last.year()),
        }
    });
    events.collect()
}

/// The events that begin and that end in a week.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct EventsOfWeek {
    /// First day of the week, as a number.
    pub day: i32,
    /// Places of the events that begin, in the order of their first days.
    pub beginning: Vec<usize>,
    /// Places of the events that end.
    pub ending: Vec<usize>,
}

/// Days and the places of events, in chronological order.
type EventsByDay = Peekable<std::vec::IntoIter<(i32, usize)>>;

/// The events in the order of their first or last days.
fn by_day(events: &[ScheduledEvent], day: impl Fn(&ScheduledEvent) -> i32) -> EventsByDay {
    let mut places: Vec<(i32, usize)> =
        events.iter().enumerate().map(|(place, event)| (day(event), place)).collect();
    places.sort_unstable();
    places.into_iter().peekable()
}

/// Takes the places of the events whose days lie in a week.
fn take_week(events: &mut EventsByDay, week: i32) -> Vec<usize> {
    let mut places = Vec::new();
    while let Some((_, place)) = events.next_if(|(day, _)| day.div_euclid(WEEK) == week) {
        places.push(place);
    }
    places
}

/// The weeks in which events begin or end, in chronological order.
pub(super) fn weeks(events: &[ScheduledEvent]) -> impl Iterator<Item = EventsOfWeek> {
    let mut beginning = by_day(events, |event| event.first);
    let mut ending = by_day(events, |event| event.last);
    std::iter::from_fn(move || {
        let days = [beginning.peek(), ending.peek()];
        let week = days.into_iter().flatten().map(|(day, _)| day.div_euclid(WEEK)).min()?;
        Some(EventsOfWeek {
            day: week * WEEK,
            beginning: take_week(&mut beginning, week),
            ending: take_week(&mut ending, week),
        })
    })
}
