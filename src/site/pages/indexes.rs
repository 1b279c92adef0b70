//! The front page, and the indexes of events and players.

use serde::Serialize;

use super::lists::{PerformanceLine, StrengthLine};
use super::{Frame, Link, Site};
use crate::archive::Status;
use crate::site::figures::{counted, fixed, fixed_or_empty, thousands};

/// Lines of each list on the front page.
const TOP: usize = 25;

/// The front page.
#[derive(Debug, Serialize)]
pub(in crate::site) struct FrontPage {
    frame: Frame,
    summary: String,
    greatness: Vec<PerformanceLine>,
    strength: Vec<StrengthLine>,
    counts: Vec<CountLine>,
    seen: String,
    used: String,
}

#[derive(Debug, Serialize)]
struct CountLine {
    reason: &'static str,
    games: String,
}

/// The view of the front page.
pub(in crate::site) fn front(site: &Site) -> FrontPage {
    let archive = site.archive;
    let years: Vec<i16> =
        archive.records.iter().filter_map(|record| record.event.start.year()).collect();
    let span = match (years.iter().min(), years.iter().max()) {
        (Some(first), Some(last)) => format!(" from {first} to {last}"),
        _ => String::new(),
    };
    let summary = format!(
        "{}, {} and {}{span}.",
        counted(archive.records.len(), "event", "events"),
        counted(archive.counts.used, "game", "games"),
        counted(archive.player_rows.len(), "player", "players"),
    );
    FrontPage {
        frame: Frame {
            title: "The Greatness Archive".into(),
            description: format!("The history of chess performance: {summary}"),
            root: "",
            section: "front",
        },
        summary,
        greatness: archive
            .greatness
            .iter()
            .take(TOP)
            .map(|row| PerformanceLine::of(site, row))
            .collect(),
        strength: archive
            .strength
            .iter()
            .take(TOP)
            .map(|row| StrengthLine::of(site, row))
            .collect(),
        counts: archive
            .counts
            .set_aside
            .iter()
            .map(|(reason, games)| CountLine { reason, games: thousands(*games) })
            .collect(),
        seen: thousands(archive.counts.seen),
        used: thousands(archive.counts.used),
    }
}

/// All events by decade.
#[derive(Debug, Serialize)]
pub(in crate::site) struct EventsPage {
    frame: Frame,
    decades: Vec<Decade>,
}

#[derive(Debug, Serialize)]
struct Decade {
    name: String,
    anchor: String,
    rows: Vec<EventLine>,
}

#[derive(Debug, Serialize)]
struct EventLine {
    event: Link,
    dates: String,
    kind: &'static str,
    players: usize,
    games: usize,
    winner: String,
    strength: String,
    note: &'static str,
}

/// Why an event is in no ranked list.
pub(super) fn note(status: Status) -> &'static str {
    match status {
        Status::Listed => "",
        Status::Incomplete => "incomplete",
        Status::Weak => "weak ratings",
        Status::Unrated => "no ratings",
        Status::Team => "team event",
    }
}

/// The view of all events.
pub(in crate::site) fn events(site: &Site) -> EventsPage {
    let mut decades: Vec<Decade> = Vec::new();
    for record in &site.archive.records {
        let (name, anchor) = match record.event.start.year() {
            Some(year) => {
                let decade = year - year % 10;
                (format!("{decade}s"), format!("d{decade}"))
            }
            None => ("Date unknown".into(), "unknown".into()),
        };
        if decades.last().is_none_or(|decade| decade.anchor != anchor) {
            decades.push(Decade { name, anchor, rows: Vec::new() });
        }
        let winner = record.analysis.players.first().map(|winner| winner.name.clone());
        if let Some(decade) = decades.last_mut() {
            decade.rows.push(EventLine {
                event: Link::to_event(record),
                dates: Site::dates(record),
                kind: record.event.kind.words(),
                players: record.event.players.len(),
                games: record.event.games.len(),
                winner: winner.unwrap_or_default(),
                strength: fixed_or_empty(record.analysis.strength, 4),
                note: note(record.status),
            });
        }
    }
    EventsPage {
        frame: Frame {
            title: "All events".into(),
            description: format!("{} tournaments and matches.", site.archive.records.len()),
            root: "",
            section: "events",
        },
        decades,
    }
}

/// All players by first letter.
#[derive(Debug, Serialize)]
pub(in crate::site) struct PlayersPage {
    frame: Frame,
    letters: Vec<Letter>,
}

#[derive(Debug, Serialize)]
struct Letter {
    name: String,
    rows: Vec<PlayerLine>,
}

#[derive(Debug, Serialize)]
struct PlayerLine {
    player: Link,
    years: String,
    events: usize,
    games: usize,
    best: String,
    best_event: Option<Link>,
}

/// First and last year as a span.
pub(super) fn span(years: Option<(i16, i16)>) -> String {
    match years {
        Some((first, last)) if first == last => first.to_string(),
        Some((first, last)) => format!("{first}–{last}"),
        None => String::new(),
    }
}

/// The view of all players.
pub(in crate::site) fn players(site: &Site) -> PlayersPage {
    let archive = site.archive;
    let mut letters: Vec<Letter> = Vec::new();
    for row in &archive.player_rows {
        let id = &archive.players.get(row.player).id;
        let name =
            id.chars().next().map(|c| c.to_ascii_uppercase().to_string()).unwrap_or_default();
        if letters.last().is_none_or(|letter| letter.name != name) {
            letters.push(Letter { name, rows: Vec::new() });
        }
        if let Some(letter) = letters.last_mut() {
            letter.rows.push(PlayerLine {
                player: Link::to_player(archive, row.player),
                years: span(row.years),
                events: row.events.len(),
                games: row.games,
                best: row.best.map(|(g_score, _)| fixed(g_score, 2)).unwrap_or_default(),
                best_event: row.best.map(|(_, event)| Link::to_event(&archive.records[event])),
            });
        }
    }
    PlayersPage {
        frame: Frame {
            title: "All players".into(),
            description: format!("{} players.", archive.player_rows.len()),
            root: "",
            section: "players",
        },
        letters,
    }
}
