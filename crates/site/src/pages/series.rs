//! The pages of series of tournaments: all Linares, all USSR championships.

use std::collections::BTreeMap;

use serde::Serialize;

use super::outcome::winner_in_short;
use super::page::Page;
use super::tournament_series::Series;
use super::{Link, Section, Site};
use crate::errors::PublishError;
use crate::figures::{counted, fixed, spoken};
use crate::page_writer::PageWriter;
use archive::EventRecord;
use chess_history::players::PlayerId;

pub fn series_paths(site: &Site) -> Vec<String> {
    site.all_series.iter().map(Series::path).collect()
}

/// Whether an archive has a series to show.
pub fn has_series(site: &Site) -> bool {
    !site.all_series.is_empty()
}

/// The list of all series.
pub fn series_list(site: &Site, page: &Page) -> impl Serialize {
    let records = &site.archive.records;
    let mut rows = Vec::new();
    for series in &site.all_series {
        let wins = wins(site, series);
        rows.push(view!(
            link = Link { href: series.path(), text: series.name.clone() },
            years = years(records, series),
            events = series.events.len(),
            most = wins.first().map(|(player, won)| (Link::to_player(site.archive, *player), *won))
        ));
    }
    let count = counted(rows.len(), "series", "series");
    view!(frame = page.frame(site, format!("{count} of tournaments, with their winners.")), rows)
}

/// Writes the pages of the series.
pub fn series_pages(writer: &PageWriter) -> Result<(), PublishError> {
    let site = writer.site;
    site.all_series.iter().try_for_each(|series| {
        let path = series.path();
        let records = &site.archive.records;
        let rows: Vec<_> = series.events.iter().map(|event| row(site, *event)).collect();
        let description = story(site, series);
        let wins = wins(site, series);
        let most = wins.iter().filter(|(_, won)| *won > 1);
        let view = view!(
            frame = site.frame(&path, Section::Strength, series.name.clone(), description.clone()),
            story = description,
            years = years(records, series),
            most = most
                .map(|(player, won)| (Link::to_player(site.archive, *player), *won))
                .collect::<Vec<_>>(),
            rows
        );
        writer.page(&path, "series.html", &view)
    })
}

fn years(records: &[EventRecord], series: &Series) -> String {
    let year = |event: Option<&usize>| event.map(|event| Site::year(&records[*event]));
    let (first, last) = (year(series.events.first()), year(series.events.last()));
    format!("{}–{}", first.unwrap_or_default(), last.unwrap_or_default())
}

/// The players with their numbers of first places, most first.
fn wins(site: &Site, series: &Series) -> Vec<(PlayerId, usize)> {
    let mut wins: BTreeMap<PlayerId, usize> = BTreeMap::new();
    for event in &series.events {
        let record = &site.archive.records[*event];
        for place in record.winners() {
            let player = record.event.players[record.analysis.players[place].index];
            *wins.entry(player).or_default() += 1;
        }
    }
    let mut wins: Vec<(PlayerId, usize)> = wins.into_iter().collect();
    wins.sort_by_key(|(player, won)| (std::cmp::Reverse(*won), player.index()));
    wins
}

/// `Linares, 1978–2010: 25 tournaments here. Garry Kasparov was first nine times.`
fn story(site: &Site, series: &Series) -> String {
    let records = &site.archive.records;
    let events = counted(series.events.len(), "tournament", "tournaments");
    let mut text = format!("{}, {}: {events} here.", series.name, years(records, series));
    if let Some((player, won)) = wins(site, series).first().filter(|(_, won)| *won > 1) {
        let name = spoken(&site.archive.players.get(*player).name);
        text.push_str(&format!(" {name} was first {won} times."));
    }
    let strongest = series.events.iter().filter(|event| site.strength_rank[**event].is_some());
    let strongest = strongest.min_by_key(|event| site.strength_rank[**event]);
    if let Some(event) = strongest {
        text.push_str(&format!(" The strongest was {}.", records[*event].event.name));
    }
    text
}

fn row(site: &Site, event: usize) -> impl Serialize + use<> {
    let record = &site.archive.records[event];
    let great = record.great.iter().enumerate();
    let best = great
        .filter_map(|(standing, score)| Some((standing, (*score)?)))
        .max_by(|(_, a), (_, b)| a.total_cmp(b));
    view!(
        event = Link::to_event(record),
        year = Site::year(record),
        winner = winner_in_short(record),
        kind = record.event.kind.words(),
        players = record.finishers(),
        strength = match site.strength_rank[event] {
            Some(_) => Site::strength(record),
            None => String::new(),
        },
        // The greatest performance on the list.
        best = best.map(|(standing, score)| {
            let player = record.event.players[record.analysis.players[standing].index];
            (Link::to_player(site.archive, player), fixed(score, 0))
        })
    )
}
