//! The index of years, and the page of each year: events, leaders and best performances.

use serde::Serialize;

use super::events::event_line;
use super::leader::{Leader, name_here, path};
use super::lists::performance_line;
use super::outcome::winner_in_short;
use super::page::Page;
use super::upsets::upsets;
use super::{Link, Section, Site};
use crate::errors::PublishError;
use crate::figures::{counted, day, fixed, spoken};
use crate::long_table::LongTable;
use crate::page_writer::PageWriter;
use archive::{EventRecord, Ranking, StrengthRow};
use chess_history::ordinal::ordinal;

/// Leaders on the page of a year. The page links to the whole list.
const LEADERS: usize = 10;

/// Performances on the page of a year. Judged: as many as leaders.
const PERFORMANCES: usize = 10;

/// The ranking of a year by the first system that has one.
fn ranking<'a>(site: &Site<'a>, year: i16) -> Option<&'a Ranking> {
    site.archive.lists.rankings.iter().find(|ranking| ranking.year == year)
}

/// The index of years.
pub fn years(site: &Site, page: &Page) -> impl Serialize {
    let archive = site.archive;
    let rows: Vec<_> = site
        .years
        .iter()
        .rev()
        .map(|(year, events)| {
            let ranking = ranking(site, *year);
            let [first, second] = [0, 1].map(|place| {
                let ranking = ranking?;
                Some(Leader::new(site, ranking, ranking.lines.get(place)?))
            });
            let best =
                archive.lists.greatness.iter().find(|row| events.binary_search(&row.event).is_ok());
            view!(
                year = Link::to_year(*year),
                events = events.len(),
                games = events
                    .iter()
                    .map(|event| archive.records[*event].event.games.len())
                    .sum::<usize>(),
                first,
                second,
                best = best.map(|row| performance_line(site, row))
            )
        })
        .collect();
    view!(
        frame = page.frame(
            site,
            format!(
                "{} of chess: events, leaders and best performances.",
                counted(rows.len(), "year", "years")
            ),
        ),
        rows
    )
}

/// The year in at most three sentences: the strongest events, the greatest performance, and the
/// world number one.
fn story(site: &Site, events: &[usize], ranking: Option<&Ranking>) -> String {
    let archive = site.archive;
    let mut parts = Vec::new();
    if let Some(record) = strongest(site, events, &archive.lists.tournaments) {
        let winner = winner_in_short(record);
        let won = if winner.is_empty() { String::new() } else { format!(", won by {winner}") };
        parts.push(format!("the strongest tournament was {}{won}", record.event.name));
    }
    if let Some(record) = strongest(site, events, &archive.lists.matches_by_strength) {
        let result = winner_in_short(record);
        parts.push(format!("the strongest match was {} ({result})", record.event.name));
    }
    let mut sentences = Vec::new();
    if !parts.is_empty() {
        let text = parts.join("; ");
        sentences.push(match text.strip_prefix("the") {
            Some(rest) => format!("The{rest}."),
            None => format!("{text}."),
        });
    }
    let mut greatness = archive.lists.greatness.iter();
    if let Some(row) = greatness.find(|row| events.binary_search(&row.event).is_ok()) {
        let name = &archive.players.get(row.player).name;
        sentences.push(format!(
            "The greatest performance was that of {} at {}: G-score {}, {}.",
            spoken(name),
            archive.records[row.event].event.name,
            fixed(row.g_score, 0),
            match row.rank {
                1 => "first on the Greatness List".to_owned(),
                rank => format!("{} on the Greatness List", ordinal(rank)),
            },
        ));
    }
    if let Some([first, second, ..]) = ranking.map(|ranking| &ranking.lines[..]) {
        let lead = first.rating - second.rating;
        let system = ranking.map(|ranking| ranking.system.as_str()).unwrap_or_default();
        let [first, second] =
            [first, second].map(|line| spoken(&name_here(site, line.player, &line.name)));
        sentences.push(match lead {
            lead if lead < 0.5 => format!("{first} and {second} led the {system} list together."),
            lead => format!(
                "{first} led the {system} list, {} ahead of {second}.",
                counted(lead.round() as usize, "point", "points")
            ),
        });
    }
    sentences.join(" ")
}

/// The first of some events, in order of their indices, on a list of the strongest.
fn strongest<'a>(
    site: &Site<'a>,
    events: &[usize],
    rows: &[StrengthRow],
) -> Option<&'a EventRecord> {
    let row = rows.iter().find(|row| events.binary_search(&row.event).is_ok())?;
    Some(&site.archive.records[row.event])
}

/// Writes the page of a year.
pub fn year(writer: &PageWriter, place: usize) -> Result<(), PublishError> {
    let site = writer.site;
    let (year, events) = &site.years[place];
    let archive = site.archive;
    let ranking = ranking(site, *year);
    let games: usize = events.iter().map(|event| archive.records[*event].event.games.len()).sum();
    let [previous, next] = [place.checked_sub(1), Some(place + 1)]
        .map(|neighbour| Some(Link::to_year(site.years.get(neighbour?)?.0)));
    let summary = format!(
        "{} with {}.",
        counted(events.len(), "event", "events"),
        counted(games, "game", "games")
    );
    let lines = events.iter().map(|event| event_line(site, *event)).collect();
    let table = LongTable::new(format!("year-{year}"), lines);
    let own_path = Link::to_year(*year).href;
    let view = view!(
        frame = site.frame(
            &own_path,
            Section::Years,
            format!("Chess in {year}"),
            format!("{year}: {summary}"),
        ),
        year = *year,
        summary,
        // The year in a few sentences.
        story = story(site, events, ranking),
        system = ranking.map(|ranking| ranking.system.clone()).unwrap_or_default(),
        edition = ranking.map(|ranking| day(ranking.edition)).unwrap_or_default(),
        is_from_tags = ranking.is_some_and(|ranking| ranking.is_from_tags),
        ranking = ranking.map(|ranking| Link { href: path(site, ranking), text: String::new() }),
        has_movement = ranking.is_some_and(|ranking| ranking.is_compared),
        leaders = ranking
            .map(|ranking| {
                let lines = ranking.lines.iter().take(LEADERS);
                lines.map(|line| Leader::new(site, ranking, line)).collect::<Vec<_>>()
            })
            .unwrap_or_default(),
        performances = archive
            .lists
            .greatness
            .iter()
            .filter(|row| events.binary_search(&row.event).is_ok())
            .take(PERFORMANCES)
            .map(|row| performance_line(site, row))
            .collect::<Vec<_>>(),
        // The least expected results.
        upsets = upsets(site, events.iter().copied()),
        table = &table,
        previous,
        next
    );
    writer.page(&own_path, "year.html", &view)?;
    writer.rest(&table, "event_rows.html", "../")
}
