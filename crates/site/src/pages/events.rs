//! All events: an index of decades, and a page for each decade.

use serde::Serialize;

use super::outcome::won_with;
use super::page::Page;
use super::{Frame, Link, Section, Site};
use crate::figures::{counted, fixed};
use crate::long_table::LongTable;
use tournament_app::Kind;

/// The index of decades.
#[derive(Debug, Serialize)]
pub struct EventsPage {
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

pub fn events(site: &Site, page: &Page) -> EventsPage {
    let (archive, decades) = (site.archive, &site.decades);
    let most = decades.iter().map(|decade| decade.events.len()).max().unwrap_or(1);
    let lines = decades
        .iter()
        .map(|decade| {
            let records = decade.events.iter().map(|event| &archive.records[*event]);
            let strongest = decade
                .events
                .iter()
                .copied()
                .filter(|event| site.strength_rank[*event].is_some())
                .min_by_key(|event| {
                    let is_match = archive.records[*event].event.kind == Kind::Match;
                    (is_match, site.strength_rank[*event])
                });
            let best = archive.lists.greatness.iter().find(|row| {
                let year = archive.records[row.event].event.start.year();
                year.map(|year| year - year % 10) == decade.first
            });
            DecadeLine {
                decade: Link { href: decade.path(), text: decade.name() },
                events: decade.events.len(),
                games: records.map(|record| record.event.games.len()).sum(),
                part: (decade.events.len() * 1000 / most) as f64 / 10.0,
                strongest: strongest.map(|event| site.event_link(event)),
                strength: strongest
                    .map(|event| Site::strength(&archive.records[event]))
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
        frame: page.frame(
            site,
            format!(
                "{}, by decade.",
                counted(archive.records.len(), "tournament or match", "tournaments and matches")
            ),
        ),
        decades: lines,
    }
}

/// The page of a decade: ranked events first, then the others.
#[derive(Debug, Serialize)]
pub struct DecadePage {
    frame: Frame,
    name: String,
    years: Vec<YearOf>,
    pub table: LongTable<EventLine>,
    previous: Option<Link>,
    next: Option<Link>,
}

#[derive(Debug, Serialize)]
struct YearOf {
    link: Link,
    events: usize,
}

#[derive(Debug, Serialize)]
pub struct EventLine {
    event: Link,
    dates: String,
    kind: &'static str,
    players: usize,
    games: usize,
    winner: String,
    score: String,
    strength: String,
    strength_full: String,
    note: &'static str,
}

impl EventLine {
    pub fn new(site: &Site, index: usize) -> EventLine {
        let record = &site.archive.records[index];
        let (winner, score) = won_with(record, |player| player.name.clone());
        EventLine {
            event: Link::to_event(record),
            dates: Site::dates(record),
            kind: record.event.kind.words(),
            players: record.finishers(),
            games: record.event.games.len(),
            winner,
            score,
            strength: Site::strength(record),
            strength_full: Site::full_strength(record),
            note: record.status.note(),
        }
    }
}

pub fn decade(site: &Site, place: usize) -> DecadePage {
    let decade = &site.decades[place];
    let mut years: Vec<YearOf> = Vec::new();
    for &event in &decade.events {
        let Some(year) = site.archive.records[event].event.start.year() else { continue };
        let link = Link::to_year(year);
        match years.last_mut() {
            Some(last) if last.link.href == link.href => last.events += 1,
            _ => years.push(YearOf { link, events: 1 }),
        }
    }
    // Ranked tournaments, then ranked matches, then unranked events by number of games.
    let mut events = decade.events.clone();
    events.sort_by_key(|&event| {
        let record = &site.archive.records[event];
        let rank = site.strength_rank[event];
        let is_match = rank.is_some() && record.event.kind == Kind::Match;
        (rank.is_none(), is_match, rank, std::cmp::Reverse(record.event.games.len()), event)
    });
    let lines = events.iter().map(|event| EventLine::new(site, *event)).collect();
    let [previous, next] = [place.checked_sub(1), Some(place + 1)].map(|neighbour| {
        let decade = site.decades.get(neighbour?)?;
        Some(Link { href: decade.path(), text: decade.name() })
    });
    DecadePage {
        frame: site.frame(
            &decade.path(),
            Section::Strength,
            match decade.first {
                Some(_) => format!("Events of the {}", decade.name()),
                None => "Events of unknown date".into(),
            },
            format!(
                "{}, the strongest tournaments and matches first.",
                counted(decade.events.len(), "event", "events")
            ),
        ),
        name: decade.name(),
        years,
        table: LongTable::new(format!("decade-{}", decade.slug()), lines),
        previous,
        next,
    }
}
