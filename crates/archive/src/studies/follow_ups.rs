//! Follows the official ratings of the players of corrected events month by month.
//!
//! Source: Tony Berard, *The Performance Rating Algorithm (PRA) and the Tournament App*: after a
//! correction, later official ratings come nearer to the ratings that the event left. The means
//! over all events are ours.

use jiff::ToSpan;
use jiff::civil::Date;
use rayon::prelude::*;

use crate::record::status::Status;
use crate::record::{AnalysedEvent, EventRecord};
use crate::studies::later_lists::LaterLists;
use chess_history::events::Event;
use chess_history::players::Players;
use chess_history::ratings::{FIDE_SYSTEM, RatingContext, Source};
use tournament_app::follow_up::{FollowedMonth, MONTHS, follow_up};
use tournament_app::{EventError, RatingOrigin};

/// The official ratings after corrected events.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct FollowUps {
    /// The events, in the order of the records.
    pub events: Vec<FollowedEvent>,
    /// The means over the events, by month.
    pub means: Vec<MonthMean>,
}

/// The official ratings after one event.
#[derive(Clone, Debug, PartialEq)]
pub struct FollowedEvent {
    /// Index of the event's record.
    pub event: usize,
    /// The months with official ratings, the first one first.
    pub months: Vec<FollowedMonth>,
}

impl FollowedEvent {
    /// The month in which the official ratings are nearest to those that the event left.
    ///
    /// Months may have different players, so the measure is chi-squared by degree of freedom.
    pub fn nearest(&self) -> Option<&FollowedMonth> {
        self.months.iter().min_by(|a, b| {
            let [a, b] = [a, b].map(|month| month.by_degree(month.corrected));
            a.total_cmp(&b)
        })
    }

    /// The first month in which they are unusually close.
    pub fn first_close(&self) -> Option<&FollowedMonth> {
        self.months.iter().find(|month| month.corrected < month.lower)
    }

    /// The first month from which on the corrected ratings are the better forecast.
    pub fn first_better(&self) -> Option<&FollowedMonth> {
        let worse = self.months.iter().rposition(|month| month.corrected >= month.uncorrected);
        self.months.get(worse.map_or(0, |worse| worse + 1))
    }
}

/// Mean chi-squared by degree of freedom of one month after the events.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MonthMean {
    /// Months after the first day of the event.
    pub month: usize,
    pub events: usize,
    /// Against the PRA ratings after the event, from corrected initial ratings.
    pub corrected: f64,
    /// Against the PRA ratings after the event, from the ratings found.
    pub uncorrected: f64,
    /// Against the ratings found.
    pub initial: f64,
}

impl FollowUps {
    /// Follows the ranked events whose FIDE ratings were corrected and whose first month is known.
    pub fn new(
        records: &[EventRecord],
        players: &Players,
        sources: &[Source],
        world: &RatingContext,
    ) -> FollowUps {
        let lists = LaterLists::new(players, sources, world);
        let events: Vec<FollowedEvent> = records
            .par_iter()
            .enumerate()
            .filter_map(|(event, record)| {
                let months = followed(record, &lists)?;
                Some(FollowedEvent { event, months })
            })
            .collect();
        FollowUps { means: means(&events), events }
    }

    /// The official ratings after the event with this index.
    pub fn of_event(&self, event: usize) -> Option<&FollowedEvent> {
        let place = self.events.binary_search_by_key(&event, |followed| followed.event).ok()?;
        Some(&self.events[place])
    }
}

/// The months after an event of a record; `None` if its FIDE ratings were not corrected.
fn followed(record: &EventRecord, lists: &LaterLists<'_>) -> Option<Vec<FollowedMonth>> {
    let is_ranked = record.status == Status::Listed || record.performances == Status::Listed;
    let mut players = record.analysis.players.iter();
    let is_corrected = players.any(|player| player.rating_origin == RatingOrigin::Corrected);
    if !is_ranked || !is_corrected || record.ratings.origin.name() != FIDE_SYSTEM {
        return None;
    }
    let official = official_by_month(&record.event, lists)?;
    let months = follow_up(&record.input, &record.options, &official).ok()?;
    (!months.is_empty()).then_some(months)
}

/// The official ratings (points) of the players of an event in each month after its first day.
/// `None` if its first month is unknown.
fn official_by_month(event: &Event, lists: &LaterLists<'_>) -> Option<Vec<Vec<Option<f64>>>> {
    let start = event.days().0;
    start.month()?;
    let first = start.earliest()?;
    let days: Vec<Date> =
        (0..=MONTHS).map(|month| first.saturating_add((month as i32).months())).collect();
    let of_players: Vec<Vec<Option<f64>>> =
        event.players.iter().map(|player| lists.official(*player, &days)).collect();
    let of_month = |month: usize| of_players.iter().map(|ratings| ratings[month]).collect();
    Some((0..days.len()).map(of_month).collect())
}

/// Follows one event that is not part of an archive. No months: its first month is unknown, its
/// ratings need no correction, or no list and no tag has three of its players.
///
/// # Errors
///
/// Returns an error if the app rejects the event.
pub fn follow_event(
    analysed: &AnalysedEvent,
    players: &Players,
    sources: &[Source],
    world: &RatingContext,
) -> Result<FollowedEvent, EventError> {
    let lists = LaterLists::new(players, sources, world);
    let months = match official_by_month(&analysed.event, &lists) {
        Some(official) => follow_up(&analysed.input, &analysed.options, &official)?,
        None => Vec::new(),
    };
    Ok(FollowedEvent { event: 0, months })
}

/// The means over the events by month. Months without events are left out.
fn means(events: &[FollowedEvent]) -> Vec<MonthMean> {
    let mut means = Vec::new();
    for month in 0..=MONTHS {
        let all = events.iter().flat_map(|event| &event.months);
        let found: Vec<&FollowedMonth> = all.filter(|followed| followed.month == month).collect();
        if found.is_empty() {
            continue;
        }
        means.push(MonthMean {
            month,
            events: found.len(),
            corrected: mean_by_degree(&found, |month| month.corrected),
            uncorrected: mean_by_degree(&found, |month| month.uncorrected),
            initial: mean_by_degree(&found, |month| month.initial),
        });
    }
    means
}

/// The mean of a chi-squared by degree of freedom.
fn mean_by_degree(months: &[&FollowedMonth], value: fn(&FollowedMonth) -> f64) -> f64 {
    let of_events = months.iter().map(|month| month.by_degree(value(month)));
    of_events.sum::<f64>() / months.len() as f64
}
