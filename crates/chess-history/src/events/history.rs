//! Corrects events by their known results: their days, their place, and which event is the known
//! one.

use std::sync::Arc;

use jiff::civil::Date;
use rustc_hash::FxHashMap;

use super::event::Event;
use super::known_results::{KnownEvent, KnownFormat, NEAR_DAYS, share_a_town};
use crate::games::PartialDate;
use crate::gazetteer::Places;
use crate::players::fold;

/// Leaves each known result to one event: that with most games.
pub(super) fn keep_one_event_per_result(events: &mut [Event]) {
    let mut best: FxHashMap<String, (usize, usize)> = FxHashMap::default();
    for (place, event) in events.iter().enumerate() {
        let Some(known) = &event.known else { continue };
        let held = best.entry(known.result.event.clone()).or_insert((event.games.len(), place));
        if event.games.len() > held.0 {
            *held = (event.games.len(), place);
        }
    }
    for (place, event) in events.iter_mut().enumerate() {
        if event.known.as_ref().is_some_and(|known| best[&known.result.event].1 != place) {
            event.known = None;
        }
    }
}

impl Event {
    /// Returns the first and last day, from the known result where that is more precise.
    pub fn days(&self) -> (PartialDate, PartialDate) {
        let Some(KnownEvent { result, .. }) = &self.known else { return (self.start, self.end) };
        let finer = |own: PartialDate, known: PartialDate| match known.known_parts() {
            parts if parts > own.known_parts() => known,
            _ => own,
        };
        (finer(self.start, result.start), finer(self.end, result.end))
    }

    /// Corrects days and place by the known result.
    ///
    /// The days are replaced if they are far outside the known ones. The place is replaced, with
    /// the name, if it is another town.
    pub(super) fn apply_known_result(&mut self, places: &Places) {
        let Some(known) = self.known.as_ref().map(|known| Arc::clone(&known.result)) else {
            return;
        };
        let (start, end) = (known.start, known.end);
        let far = |a: Option<Date>, b: Option<Date>| {
            a.zip(b).is_some_and(|(a, b)| (a - b).get_days() > NEAR_DAYS)
        };
        let is_outside =
            far(start.earliest(), self.start.latest()) || far(self.end.earliest(), end.latest());
        if is_outside && start.known_parts() >= 2 && end.known_parts() >= 2 {
            (self.start, self.end) = (start, end);
        }
        let is_match = known.format == Some(KnownFormat::Match);
        if is_match || known.place.is_empty() || share_a_town(places, &self.site, &known.place) {
            return;
        }
        self.site.clone_from(&known.place);
        let Some(year) = start.year() else { return };
        self.name = match known.name.as_str() {
            "" => format!("{} {year}", known.place),
            name if fold(name).contains(&fold(&known.place)) => format!("{name} {year}"),
            name => format!("{name}, {} {year}", known.place),
        };
    }
}
