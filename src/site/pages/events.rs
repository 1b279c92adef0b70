//! All events: an index of decades, and a page for each.

use serde::Serialize;

use super::{Frame, Link, Site};
use crate::site::figures::{counted, fixed, fixed_or_empty, points};
use crate::tournament::Kind;

/// The index of decades.
#[derive(Debug, Serialize)]
pub(in crate::site) struct EventsPage {
    frame: Frame,
    decades: Vec<DecadeLine>,
}

#[derive(Debug, Serialize)]
struct DecadeLine {
    decade: Link,
    events: usize,
    games: usize,
    /// Length of the bar, in per cent of the longest.
    part: f64,
    strongest: Option<Link>,
    strength: String,
    best: Option<Link>,
    best_player: String,
    best_g: String,
}

/// A decade: its first year (`None`: of unknown date), and its events.
#[derive(Clone, Debug, PartialEq)]
pub(in crate::site) struct Decade {
    /// Its first year; `None` of events without a date.
    pub first: Option<i16>,
    /// Indices of its events.
    pub events: Vec<usize>,
}

impl Decade {
    pub fn name(&self) -> String {
        self.first.map_or_else(|| "Date unknown".into(), |first| format!("{first}s"))
    }

    pub fn path(&self) -> String {
        let name = self.first.map_or_else(|| "unknown".into(), |first| format!("{first}s"));
        format!("decades/{name}.html")
    }
}

/// All decades, earliest first.
pub(in crate::site) fn decades(site: &Site) -> Vec<Decade> {
    let mut decades: std::collections::BTreeMap<(bool, Option<i16>), Vec<usize>> =
        Default::default();
    for (index, record) in site.archive.records.iter().enumerate() {
        let first = record.event.start.year().map(|year| year - year % 10);
        decades.entry((first.is_none(), first)).or_default().push(index);
    }
    decades.into_iter().map(|((_, first), events)| Decade { first, events }).collect()
}

/// The view of the index.
pub(in crate::site) fn events(site: &Site, decades: &[Decade]) -> EventsPage {
    let archive = site.archive;
    let most = decades.iter().map(|decade| decade.events.len()).max().unwrap_or(1);
    let lines = decades
        .iter()
        .map(|decade| {
            let records = || decade.events.iter().map(|event| &archive.records[*event]);
            let strongest = decade
                .events
                .iter()
                .copied()
                .filter(|event| site.strength_rank[*event].is_some())
                .min_by_key(|event| site.strength_rank[*event]);
            let is_here = |event: usize| {
                archive.records[event].event.start.year().map(|y| y - y % 10) == decade.first
            };
            let best = archive.greatness.iter().find(|row| is_here(row.event));
            DecadeLine {
                decade: Link { href: decade.path(), text: decade.name() },
                events: decade.events.len(),
                games: records().map(|record| record.event.games.len()).sum(),
                part: (decade.events.len() * 1000 / most) as f64 / 10.0,
                strongest: strongest.map(|event| site.event_link(event)),
                strength: strongest
                    .map(|event| fixed_or_empty(archive.records[event].analysis.strength, 2))
                    .unwrap_or_default(),
                best: best.map(|row| site.event_link(row.event)),
                best_player: best
                    .map(|row| archive.players.get(row.player).name.clone())
                    .unwrap_or_default(),
                best_g: best.map(|row| fixed(row.g_score, 2)).unwrap_or_default(),
            }
        })
        .collect();
    EventsPage {
        frame: site.frame(
            "events.html",
            "strength",
            "All events".into(),
            format!(
                "{}, by decades.",
                counted(archive.records.len(), "tournament or match", "tournaments and matches")
            ),
        ),
        decades: lines,
    }
}

/// The page of a decade.
#[derive(Debug, Serialize)]
pub(in crate::site) struct DecadePage {
    frame: Frame,
    name: String,
    years: Vec<Year>,
    previous: Option<Link>,
    next: Option<Link>,
}

#[derive(Debug, Serialize)]
struct Year {
    name: String,
    link: Option<Link>,
    rows: Vec<EventLine>,
}

/// An event in a list of events.
#[derive(Debug, Serialize)]
pub(super) struct EventLine {
    event: Link,
    dates: String,
    kind: &'static str,
    players: usize,
    games: usize,
    winner: String,
    score: String,
    strength: String,
    note: &'static str,
}

impl EventLine {
    pub fn of(site: &Site, index: usize) -> EventLine {
        let record = &site.archive.records[index];
        let players = &record.analysis.players;
        let winner = players.first();
        let shared = winner.is_some_and(|winner| {
            players.get(1).is_some_and(|second| second.points == winner.points)
        });
        let score = match (&players[..], record.event.kind) {
            ([winner, loser], Kind::Match) => {
                format!("{}–{}", points(winner.points), points(loser.points))
            }
            ([winner, ..], _) => points(winner.points),
            ([], _) => String::new(),
        };
        EventLine {
            event: Link::to_event(record),
            dates: Site::dates(record),
            kind: record.event.kind.words(),
            players: record.event.players.len(),
            games: record.event.games.len(),
            winner: match winner {
                Some(winner) if shared => format!("{} (shared)", winner.name),
                Some(winner) => winner.name.clone(),
                None => String::new(),
            },
            score,
            strength: fixed_or_empty(record.analysis.strength, 2),
            note: record.status.note(),
        }
    }
}

/// The view of a decade.
pub(in crate::site) fn decade(site: &Site, decades: &[Decade], place: usize) -> DecadePage {
    let decade = &decades[place];
    let mut years: Vec<Year> = Vec::new();
    for &event in &decade.events {
        let year = site.archive.records[event].event.start.year();
        let name = year.map_or_else(|| "Date unknown".into(), |year| year.to_string());
        if years.last().is_none_or(|last| last.name != name) {
            years.push(Year { name, link: year.map(Link::to_year), rows: Vec::new() });
        }
        if let Some(last) = years.last_mut() {
            last.rows.push(EventLine::of(site, event));
        }
    }
    let neighbour = |place: Option<usize>| {
        let decade = decades.get(place?)?;
        Some(Link { href: decade.path(), text: decade.name() })
    };
    DecadePage {
        frame: site.frame(
            &decade.path(),
            "strength",
            match decade.first {
                Some(_) => format!("Events of the {}", decade.name()),
                None => "Events of unknown date".into(),
            },
            format!(
                "{}.",
                counted(decade.events.len(), "tournament or match", "tournaments and matches")
            ),
        ),
        name: decade.name(),
        years,
        previous: neighbour(place.checked_sub(1)),
        next: neighbour(Some(place + 1)),
    }
}
