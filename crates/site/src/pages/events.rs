//! All events: an index of decades, and a page for each decade.

use serde::Serialize;

use super::outcome::won_with;
use super::page::Page;
use super::{Link, Section, Site};
use crate::errors::PublishError;
use crate::figures::{counted, fixed};
use crate::long_table::LongTable;
use crate::page_writer::PageWriter;
use tournament_app::Kind;

/// The index of decades.
pub fn events(site: &Site, page: &Page) -> impl Serialize {
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
            view!(
                decade = Link { href: decade.path(), text: decade.name() },
                events = decade.events.len(),
                games = records.map(|record| record.event.games.len()).sum::<usize>(),
                // Length of the bar, in per cent of the longest.
                part = (decade.events.len() * 1000 / most) as f64 / 10.0,
                strongest = strongest.map(|event| site.event_link(event)),
                strength = strongest
                    .map(|event| Site::strength(&archive.records[event]))
                    .unwrap_or_default(),
                best = best.map(|row| site.event_link(row.event)),
                best_player = best
                    .map(|row| archive.players.get(row.player).name.clone())
                    .unwrap_or_default(),
                best_g = best.map(|row| fixed(row.g_score, 2)).unwrap_or_default()
            )
        })
        .collect::<Vec<_>>();
    view!(
        frame = page.frame(
            site,
            format!(
                "{}, by decade.",
                counted(archive.records.len(), "tournament or match", "tournaments and matches")
            ),
        ),
        decades = lines
    )
}

pub(super) fn event_line(site: &Site, index: usize) -> impl Serialize {
    let record = &site.archive.records[index];
    let (winner, score) = won_with(record, |player| player.name.clone());
    view!(
        event = Link::to_event(record),
        dates = Site::dates(record),
        kind = record.event.kind.words(),
        players = record.finishers(),
        games = record.event.games.len(),
        winner,
        score,
        strength = Site::strength(record),
        strength_full = Site::full_strength(record),
        note = record.status.note()
    )
}

/// Writes the page of a decade: ranked events first, then the others.
pub fn decade(writer: &PageWriter, place: usize) -> Result<(), PublishError> {
    let site = writer.site;
    let decade = &site.decades[place];
    let mut years: Vec<(i16, usize)> = Vec::new();
    for &event in &decade.events {
        let Some(year) = site.archive.records[event].event.start.year() else { continue };
        match years.last_mut() {
            Some((last, events)) if *last == year => *events += 1,
            _ => years.push((year, 1)),
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
    let lines = events.iter().map(|event| event_line(site, *event)).collect();
    let table = LongTable::new(format!("decade-{}", decade.slug()), lines);
    let years = years.into_iter().map(|(year, events)| view!(link = Link::to_year(year), events));
    let [previous, next] = [place.checked_sub(1), Some(place + 1)].map(|neighbour| {
        let decade = site.decades.get(neighbour?)?;
        Some(Link { href: decade.path(), text: decade.name() })
    });
    let view = view!(
        frame = site.frame(
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
        name = decade.name(),
        years = years.collect::<Vec<_>>(),
        table = &table,
        previous,
        next
    );
    writer.page(&decade.path(), "decade.html", &view)?;
    writer.rest(&table, "event_rows.html", "../")
}
