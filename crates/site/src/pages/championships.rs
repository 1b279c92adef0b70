//! The titles of world champions, and the events that decided them.

use archive::{Archive, EventRecord};
use chess_history::events::KnownResult;
use pgn_collections::games::{PartialDate, Tempo};
use rustc_hash::FxHashMap;
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

/// Titles that were united with another, and the year of the match that did so.
const UNITED: [(&str, i16); 1] = [("FIDE World Championship", 2006)];

/// The year in which a title ended; `None` if it is still held.
pub fn end_of_title(title: &str) -> Option<i16> {
    UNITED.iter().find(|(united, _)| *united == title).map(|(_, year)| *year)
}

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

/// Whether a title is that of the world champion, not of juniors or others.
pub fn is_world_title(title: &str) -> bool {
    BODIES.iter().any(|(_, known)| *known == title)
}

pub fn has_champions(archive: &Archive) -> bool {
    !titles(archive).is_empty()
}

/// An event for a title. Without a record, the archive has no games of it.
#[derive(Clone, Copy, Debug)]
pub struct TitleEvent<'a> {
    /// Its line in the table of known results.
    pub result: Option<&'a KnownResult>,
    pub record: Option<usize>,
}

impl TitleEvent<'_> {
    pub fn days(&self, archive: &Archive) -> (PartialDate, PartialDate) {
        match (self.result, self.record) {
            (Some(result), _) => (result.start, result.end),
            (None, Some(record)) => archive.records[record].event.days(),
            (None, None) => Default::default(),
        }
    }
}

/// The known results that were for a title, each with the record that has most of its games.
fn known_title_events(archive: &Archive) -> Vec<(String, TitleEvent<'_>)> {
    let mut of_result: FxHashMap<&str, TitleEvent<'_>> = FxHashMap::default();
    for (place, record) in archive.records.iter().enumerate() {
        let Some(known) = &record.event.known else { continue };
        let result = known.result.as_ref();
        let event = of_result
            .entry(&result.event)
            .or_insert(TitleEvent { result: Some(result), record: None });
        let games = |place: usize| archive.records[place].event.games.len();
        let is_main = record.event.tempo == Tempo::Classical && record.event.part_of.is_none();
        if is_main && event.record.is_none_or(|best| games(best) < games(place)) {
            event.record = Some(place);
        }
    }
    let checked = &archive.findings.checked;
    for result in checked.absent.iter().chain(&checked.unplayed) {
        of_result.insert(&result.event, TitleEvent { result: Some(result), record: None });
    }
    let mut found = Vec::new();
    for event in of_result.into_values() {
        // A line without a name leaves the name to the tags.
        let title = match event.result.map(|result| result.name.as_str()) {
            Some("") => event.record.and_then(|record| title_of(&archive.records[record])),
            name => name.and_then(title_in),
        };
        if let Some(title) = title {
            found.push((title, event));
        }
    }
    found
}

/// Titles with their events in the order of time.
///
/// The table of known results rules: an event within its years that it does not have was not for
/// the title, even if its games are called so, and one without games here has its place.
pub fn titles(archive: &Archive) -> Vec<(String, Vec<TitleEvent<'_>>)> {
    let mut titles: Vec<(String, Vec<TitleEvent<'_>>)> = Vec::new();
    let mut add = |title: String, event| match titles.iter_mut().find(|(name, _)| *name == title) {
        Some((_, events)) => events.push(event),
        None => titles.push((title, vec![event])),
    };
    let mut last_known: FxHashMap<String, Option<i16>> = FxHashMap::default();
    for (title, event) in known_title_events(archive) {
        let last = last_known.entry(title.clone()).or_default();
        *last = (*last).max(event.result.and_then(|result| result.start.year()));
        add(title, event);
    }
    for (place, record) in archive.records.iter().enumerate() {
        let year = record.event.start.year();
        if record.event.known.is_some() || year.is_none() {
            continue;
        }
        let Some(title) = title_of(record) else { continue };
        if last_known.get(&title).is_none_or(|last| year > *last) {
            add(title, TitleEvent { result: None, record: Some(place) });
        }
    }
    titles.retain_mut(|(name, events)| {
        events.sort_by_key(|event| event.days(archive));
        let with_games = events.iter().filter(|event| event.record.is_some()).count();
        with_games >= ENOUGH || (with_games > 0 && BODIES.iter().any(|(_, title)| title == name))
    });
    titles.sort_by_cached_key(|(name, events)| {
        let place = BODIES.iter().position(|(_, title)| title == name);
        (place.unwrap_or(BODIES.len()), std::cmp::Reverse(events.len()), name.clone())
    });
    titles
}
