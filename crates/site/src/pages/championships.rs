//! The titles of world champions, and the events that decided them.

use archive::{Archive, EventRecord};
use pgn_collections::games::Tempo;
use tournament_app::Kind;

/// The words in the name of an event for such a title.
pub const TITLE: &str = "World Championship";

/// Organisers of events for one title: the words before [`TITLE`] in the event names, and the
/// title. Several organisers held Kasparov's title of 1993, until it was united with FIDE's in
/// 2006.
const BODIES: [(&str, &str); 5] = [
    ("", "World Championship"),
    ("PCA", "World Championship"),
    ("Braingames", "World Championship"),
    ("FIDE", "FIDE World Championship"),
    ("Women’s", "Women’s World Championship"),
];

/// Events that the title of another organiser needs for a section. Judged: with fewer there is no
/// succession to show.
const ENOUGH: usize = 3;

/// The title that an event was for, by its name.
fn title_of(record: &EventRecord) -> Option<String> {
    let event = &record.event;
    // A match of a knock-out or of a cycle is included in that event.
    if event.part_of.is_some() || event.tempo != Tempo::Classical || event.kind == Kind::Fragment {
        return None;
    }
    title_in(&event.name)
}

/// The title in the name of an event.
pub fn title_in(name: &str) -> Option<String> {
    let (before, after) = name.split_once(TITLE)?;
    if !may_follow_title(after.strip_prefix(" Final").unwrap_or(after)) {
        return None;
    }
    let before = before.trim().replace('\'', "’");
    let known = BODIES.iter().find(|(body, _)| *body == before);
    Some(known.map_or_else(|| format!("{before} {TITLE}"), |(_, title)| (*title).to_owned()))
}

/// Whether the words after a title do not make it another title, as in `World Championship Zonal`.
fn may_follow_title(after: &str) -> bool {
    let after = after.trim_start();
    after.is_empty()
        || after.starts_with([',', ':', '('])
        || after.starts_with(|c: char| c.is_ascii_digit())
}

pub fn has_champions(archive: &Archive) -> bool {
    !titles(archive).is_empty()
}

/// Titles with their events in the order of time.
pub fn titles(archive: &Archive) -> Vec<(String, Vec<usize>)> {
    let mut titles: Vec<(String, Vec<usize>)> = Vec::new();
    let mut events: Vec<usize> = (0..archive.records.len()).collect();
    events.retain(|event| archive.records[*event].event.start.year().is_some());
    events.sort_by_key(|event| archive.records[*event].event.days());
    for event in events {
        let Some(title) = title_of(&archive.records[event]) else { continue };
        match titles.iter_mut().find(|(name, _)| *name == title) {
            Some((_, events)) => events.push(event),
            None => titles.push((title, vec![event])),
        }
    }
    titles.retain(|(name, events)| {
        events.len() >= ENOUGH || BODIES.iter().any(|(_, title)| title == name)
    });
    titles.sort_by_key(|(name, events)| {
        let place = BODIES.iter().position(|(_, title)| title == name);
        (place.unwrap_or(BODIES.len()), std::cmp::Reverse(events.len()))
    });
    titles
}
