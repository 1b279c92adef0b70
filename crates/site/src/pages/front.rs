//! The front page.

use serde::Serialize;

use super::Site;
use super::famous::has_famous;
use super::feats::has_feats;
use super::greatest::first_careers;
use super::lists::{dots, performance_line, strength_line};
use super::page::Page;
use super::published::agreement;
use super::series::has_series;
use crate::changes::ArchiveEdition;
use crate::charts::scatter;
use crate::figures::{counted, percent, spoken, thousands, with_article};
use archive::{Archive, GreatnessRow, QueueCounts};

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
        coverage = coverage(site),
        has_famous = has_famous(site),
        has_series = has_series(site),
        has_records = has_feats(site),
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
        careers = if knows_careers(site) { first_careers(site) } else { Vec::new() },
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

/// The number of famous events of the years of the archive.
fn famous_events(site: &Site) -> usize {
    let checked = &site.archive.findings.checked;
    checked.agreeing.len() + checked.differing.len() + checked.absent.len()
}

/// The part of the famous events, in `[0, 1]`, that must agree with historical sources before the
/// front page names the greatest players.
///
/// Measured: the career list was computed from a part of the ranked events of the bundled data, 300
/// times for each part. With half of the events, 97% of the first five players are among the first
/// ten of the whole list; with three tenths 89%, with a tenth 63%.
const KNOWN_FOR_CAREERS: f64 = 0.5;

fn knows_careers(site: &Site) -> bool {
    let agreeing = site.archive.findings.checked.agreeing.len() as f64;
    agreeing >= KNOWN_FOR_CAREERS * famous_events(site) as f64
}

/// How much of history the archive knows, in sentences: events that are ranked, and famous events
/// that agree with historical sources.
fn coverage(site: &Site) -> String {
    let Archive { lists, records, findings, .. } = site.archive;
    let ranked = lists.strength.len();
    let mut text = format!(
        "{} of {} complete enough to be ranked.",
        thousands(ranked),
        match records.len() {
            1 => "1 event is".to_owned(),
            events => format!("{} events are", thousands(events)),
        }
    );
    let famous = famous_events(site);
    let checked = &findings.checked;
    if checked.agreeing.len() + checked.differing.len() > 0 {
        text.push_str(&format!(
            " Of {} in these years, {} here and agree with historical sources.",
            counted(famous, "famous event", "famous events"),
            match checked.agreeing.len() {
                1 => "1 is".to_owned(),
                agreeing => format!("{} are", thousands(agreeing)),
            }
        ));
    }
    text
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
