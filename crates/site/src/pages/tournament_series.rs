//! Groups tournaments into series by their names.

use std::collections::BTreeMap;

use archive::{EventRecord, PlayerRow};
use chess_history::players::slug;
use pgn_collections::games::Tempo;
use tournament_app::Kind;

/// The events of a series with a page, and the ranked ones among them. Judged: a shorter series is
/// seen at one glance on the pages of its events.
const EVENTS: usize = 6;
const RANKED: usize = 3;

/// The longest pause in a series, in years. Judged: some pause for years, but tournaments of one
/// town that are decades apart have little in common.
pub(super) const PAUSE: i16 = 10;

/// A series of tournaments of one name.
#[derive(Clone, Debug)]
pub(super) struct Series {
    pub name: String,
    /// The last part of the path of its page.
    pub slug: String,
    /// The events in the order of time, by index of the record.
    pub events: Vec<usize>,
}

impl Series {
    pub fn path(&self) -> String {
        format!("series/{}.html", self.slug)
    }
}

/// All series that have a page, by name. `ranks` are the places of the events on the lists of the
/// strongest.
pub(super) fn all_series(records: &[EventRecord], ranks: &[Option<usize>]) -> Vec<Series> {
    let mut by_name: BTreeMap<String, Vec<usize>> = BTreeMap::new();
    for (place, record) in records.iter().enumerate() {
        let name = base_name(&record.event.name);
        if is_tournament(record) && record.event.start.year().is_some() && !name.is_empty() {
            by_name.entry(name).or_default().push(place);
        }
    }
    let mut all = Vec::new();
    for (name, mut events) in by_name {
        events.sort_by_key(|event| (records[*event].event.days(), *event));
        let year = |event: usize| records[event].event.start.year().unwrap_or_default();
        let parts = events.chunk_by(|a, b| year(*b) - year(*a) <= PAUSE);
        let parts: Vec<&[usize]> = parts.filter(|part| has_page(ranks, part)).collect();
        for part in &parts {
            let slug = match parts.len() {
                1 => slug(&name),
                // A name that was used again after a pause.
                _ => format!("{}-{}", slug(&name), year(part[0])),
            };
            all.push(Series { name: name.clone(), slug, events: part.to_vec() });
        }
    }
    all
}

fn has_page(ranks: &[Option<usize>], events: &[usize]) -> bool {
    let ranked = events.iter().filter(|event| ranks[**event].is_some());
    events.len() >= EVENTS && ranked.count() >= RANKED
}

/// The first places of a player.
pub(crate) struct FirstPlaces<'a> {
    /// The number of the player's tournaments.
    pub tournaments: usize,
    /// Those in which the player was first, and whether others shared the place.
    pub won: Vec<(&'a EventRecord, bool)>,
}

pub(crate) fn first_places<'a>(records: &'a [EventRecord], row: &PlayerRow) -> FirstPlaces<'a> {
    let (mut tournaments, mut won) = (0, Vec::new());
    for &(event, standing) in &row.events {
        let record = &records[event];
        if !is_tournament(record) {
            continue;
        }
        tournaments += 1;
        let winners = record.winners();
        if winners.contains(&standing) {
            won.push((record, winners.len() > 1));
        }
    }
    FirstPlaces { tournaments, won }
}

/// Whether an event is a classical tournament, counted once.
pub(super) fn is_tournament(record: &EventRecord) -> bool {
    let event = &record.event;
    // The best score of two teams is no first place.
    let is_other =
        matches!(event.kind, Kind::Match | Kind::Team | Kind::Fragment | Kind::Scheveningen);
    !is_other && event.part_of.is_none() && event.tempo == Tempo::Classical
}

/// The name of an event without its number, place and year: `USSR Championship` for `31st USSR
/// Championship, Leningrad 1963`.
pub(super) fn base_name(name: &str) -> String {
    let name = name.split(", ").next().unwrap_or(name);
    let is_ordinal = |word: &str| {
        let number = word.trim_end_matches(|c: char| c.is_ascii_lowercase());
        number.len() < word.len()
            && !number.is_empty()
            && number.chars().all(|c| c.is_ascii_digit())
    };
    let name = match name.split_once(' ') {
        Some((first, rest)) if is_ordinal(first) => rest,
        _ => name,
    };
    name.trim_end_matches(|c: char| c.is_ascii_digit() || "/–- ".contains(c)).to_owned()
}

#[cfg(test)]
mod tests {
    use super::base_name;

    #[test]
    fn a_series_has_one_name_in_all_years() {
        for name in ["31st USSR Championship, Leningrad 1963", "USSR Championship, Moscow 1969"] {
            assert_eq!(base_name(name), "USSR Championship");
        }
        for name in ["Linares 1994", "12th Linares 1994", "Linares 1998/99"] {
            assert_eq!(base_name(name), "Linares");
        }
    }
}
