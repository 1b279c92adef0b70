//! Corrects events by their known results: their days, their place, and which event is the known
//! one.

use std::sync::Arc;

use jiff::civil::Date;
use rustc_hash::FxHashMap;

use super::event::Event;
use super::known_results::{KnownFormat, NEAR_DAYS, share_a_town};
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

/// Dates cycles and knock-outs by their matches, if these have all of their games.
pub(super) fn date_by_parts(events: &mut [Event]) {
    let mut parts: FxHashMap<String, (usize, Vec<(PartialDate, PartialDate)>)> =
        FxHashMap::default();
    for part in events.iter() {
        let Some(larger) = &part.part_of else { continue };
        let (games, days) = parts.entry(larger.clone()).or_default();
        *games += part.games.len();
        days.push(part.days());
    }
    for event in events {
        if let Some((games, days)) = parts.get(&event.id)
            && *games >= event.games.len()
        {
            event.days_of_parts = span(days);
        }
    }
}

/// Returns the first day of the parts and the last one. A day is unknown if a part has no month for
/// it, because that part may have been the first or the last.
fn span(parts: &[(PartialDate, PartialDate)]) -> (PartialDate, PartialDate) {
    let (mut start, mut end) = (PartialDate::default(), PartialDate::default());
    if parts.iter().all(|(first, _)| first.known_parts() >= 2) {
        let first = parts.iter().map(|(first, _)| *first).min_by_key(|day| day.earliest());
        start = first.unwrap_or_default();
    }
    if parts.iter().all(|(_, last)| last.known_parts() >= 2) {
        let last = parts.iter().map(|(_, last)| *last).max_by_key(|day| day.latest());
        end = last.unwrap_or_default();
    }
    (start, end)
}

/// Returns the more precise of two dates; of equally precise ones, the first.
fn more_precise(own: PartialDate, other: PartialDate) -> PartialDate {
    if other.known_parts() > own.known_parts() { other } else { own }
}

/// Returns whether a day is more than [`NEAR_DAYS`] after another.
fn is_long_after(later: Option<Date>, earlier: Option<Date>) -> bool {
    later.zip(earlier).is_some_and(|(later, earlier)| (later - earlier).get_days() > NEAR_DAYS)
}

impl Event {
    /// Returns the first and last day: as decided, or as precisely as a source has them. Sources
    /// are the games, the known result, and the matches of a cycle or knock-out.
    pub fn days(&self) -> (PartialDate, PartialDate) {
        let known = self.known.as_ref().map(|known| (known.result.start, known.result.end));
        let (known_start, known_end) = known.unwrap_or_default();
        let (part_start, part_end) = self.days_of_parts;
        let start = more_precise(more_precise(self.start, known_start), part_start);
        let end = more_precise(more_precise(self.end, known_end), part_end);
        (self.decided.start.unwrap_or(start), self.decided.end.unwrap_or(end))
    }

    /// Corrects days and place by the known result.
    ///
    /// The days are replaced if they are far outside the known ones. The place is replaced, with
    /// the name, if it is another town; that of a match only if it is part of a larger event. A
    /// tournament that moved has all of its towns.
    pub(super) fn apply_known_result(&mut self, places: &Places) {
        let Some(known) = self.known.as_ref().map(|known| Arc::clone(&known.result)) else {
            return;
        };
        let (start, end) = (known.start, known.end);
        let is_outside = is_long_after(start.earliest(), self.start.latest())
            || is_long_after(self.end.earliest(), end.latest());
        if is_outside && start.known_parts() >= 2 && end.known_parts() >= 2 {
            (self.start, self.end) = (start, end);
        }
        if known.place.is_empty() {
            return;
        }
        if share_a_town(places, &self.site, &known.place) {
            // Tags name one of the towns between which a tournament moved.
            let is_match = known.format == Some(KnownFormat::Match);
            if !is_match && known.place.contains('/') && !self.site.contains('/') {
                self.site.clone_from(&known.place);
            }
            return;
        }
        if known.format == Some(KnownFormat::Match) {
            // Tags give a final the place of its knock-out.
            let stem = self.name.strip_suffix(&format!(", {}", self.site));
            if let Some(stem) = stem.filter(|_| self.part_of.is_some()) {
                self.name = format!("{stem}, {}", known.place);
                self.site.clone_from(&known.place);
            }
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

#[cfg(test)]
mod tests {
    use super::*;

    fn days(first: &str, last: &str) -> (PartialDate, PartialDate) {
        (PartialDate::parse(first).unwrap(), PartialDate::parse(last).unwrap())
    }

    #[test]
    fn parts_date_the_whole_only_if_each_of_them_has_a_month() {
        let quarter_final = days("1971-05", "1971-06-01");
        let final_match = days("1971-09-30", "1971-10-26");
        let dated = span(&[final_match, quarter_final]);
        assert_eq!(dated, days("1971-05", "1971-10-26"));
        let undated = days("1971", "1971-07-20");
        let partly = span(&[final_match, undated, quarter_final]);
        assert_eq!(partly, (PartialDate::default(), final_match.1));
    }
}
