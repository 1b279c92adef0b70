//! The front page.

use serde::Serialize;

use super::Site;
use super::greatest::first_careers;
use super::lists::{dots, performance_line, strength_line};
use super::page::Page;
use super::published::agreement;
use crate::changes::ArchiveEdition;
use crate::charts::scatter;
use crate::figures::{counted, percent, spoken, with_article};
use archive::{GreatnessRow, QueueCounts};

/// Lines of each list on the front page. Judged: one screen.
const TOP: usize = 25;

/// Dots of the chart that are links. The others are links only on the Greatness List. Judged: half
/// as many as there, for a page that loads first.
const LINKED: usize = 160;

/// Events of the review queue that are named. Judged: the page links to the queue.
const WAITING: usize = 6;

/// The name of the player of a performance in spoken order.
fn full_name(site: &Site, row: &GreatnessRow) -> String {
    spoken(&site.archive.players.get(row.player).name)
}

pub fn front(site: &Site, page: &Page, latest: Option<&ArchiveEdition>) -> impl Serialize {
    let archive = site.archive;
    let lists = &archive.lists;
    let summary = summary(site);
    let best = lists.greatness.first();
    let rival = rival(site);
    view!(
        // The chance that it is the greatest of all, with its article (`a 69%`), and the
        // performance that is most likely to be the greatest instead.
        best_chance = best
            .filter(|row| {
                !archive.records[row.event].analysis.players[row.standing]
                    .simulated
                    .g_draws
                    .is_empty()
            })
            .map(|row| with_article(&percent(row.range.first)))
            .unwrap_or_default(),
        rival_name = rival.map(|row| full_name(site, row)).unwrap_or_default(),
        rival_chance = rival.map(|row| percent(row.range.first)).unwrap_or_default(),
        rival = rival.map(|row| performance_line(site, row)),
        frame = page.frame(
            site,
            format!("The greatest chess performances and the strongest events: {summary}."),
        ),
        summary,
        best = best.map(|row| performance_line(site, row)),
        strongest = lists.strength.first().map(|row| strength_line(site, row)),
        best_name = best.map(|row| full_name(site, row)).unwrap_or_default(),
        greatness = lists
            .greatness
            .iter()
            .take(TOP)
            .map(|row| performance_line(site, row))
            .collect::<Vec<_>>(),
        // The first players of the career list.
        careers = first_careers(site),
        // Tournaments only, since matches lead the list of all events.
        strength = lists
            .tournaments
            .iter()
            .take(TOP)
            .map(|row| strength_line(site, row))
            .collect::<Vec<_>>(),
        chart = scatter(&dots(site), LINKED),
        news = latest,
        waiting = archive
            .findings
            .review
            .iter()
            .take(WAITING)
            .map(|row| site.event_link(row.event))
            .collect::<Vec<_>>(),
        waiting_count = QueueCounts::from_queue(&archive.findings.review).changing,
        // How many published figures the archive has; empty without any to compare with.
        agreement = if archive.compares_published() { agreement(site) } else { String::new() },
        seen = archive.counts.seen,
        used = archive.counts.used
    )
}

/// Events, games, players and years of the archive.
fn summary(site: &Site) -> String {
    let archive = site.archive;
    let span = match (site.years.first(), site.years.last()) {
        (Some((first, _)), Some((last, _))) => format!(" from {first} to {last}"),
        _ => String::new(),
    };
    format!(
        "{} and {} by {}{span}",
        counted(archive.records.len(), "event", "events"),
        counted(archive.counts.used, "game", "games"),
        counted(archive.lists.player_rows.len(), "player", "players"),
    )
}

/// The performance below the first that is most likely to be the greatest, if its chance is at
/// least 1%.
fn rival<'a>(site: &Site<'a>) -> Option<&'a GreatnessRow> {
    site.archive
        .lists
        .greatness
        .iter()
        .skip(1)
        .filter(|row| row.range.first >= 0.01)
        .max_by(|a, b| a.range.first.total_cmp(&b.range.first).then(b.rank.cmp(&a.rank)))
}
