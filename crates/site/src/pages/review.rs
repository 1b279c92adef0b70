//! The review queue.

use serde::Serialize;

use super::foresight::has_foresight;
use super::outcome::winner_in_short;
use super::page::Page;
use super::{Link, Site};
use crate::figures::{counted, thousands};
use archive::{QueueCounts, ReviewRow, entry_in_lines};

/// An event is important if the other decision changes one of the first places of a list, up to
/// this one. Judged: pages show the first hundred rows of a list.
const FIRST: usize = 100;

/// Important events that the page shows without folding: about one screen.
const SHOWN: usize = 25;

/// Rows of each folded table. Judged: more than an administrator decides in a day. The table to
/// download has all.
const FOLDED: usize = 200;

fn review_line(site: &Site, row: &ReviewRow) -> impl Serialize + use<> {
    let record = &site.archive.records[row.event];
    view!(
        event = Link::to_event(record),
        winner = winner_in_short(record),
        players = record.finishers(),
        games = record.event.games.len(),
        why = row.why.clone(),
        choice = row.choice.clone(),
        effect = row.effect.sentence(),
        toml = entry_in_lines(&row.toml),
        toml_as_it_is = entry_in_lines(&row.toml_as_it_is)
    )
}

/// The size of the queue, in a sentence.
fn summary(queue: QueueCounts) -> String {
    format!(
        "{} {} a decision. In {} of them a different decision would change a published rank, the most \
         important first.",
        counted(queue.all, "event", "events"),
        if queue.all == 1 { "needs" } else { "need" },
        thousands(queue.changing)
    )
}

/// The lines of the first rows.
fn lines(site: &Site, rows: &[&ReviewRow], limit: usize) -> Vec<impl Serialize + use<>> {
    rows.iter().take(limit).map(|row| review_line(site, row)).collect()
}

pub fn review(site: &Site, page: &Page) -> impl Serialize {
    let archive = site.archive;
    let with_effect = archive.findings.review.iter().filter(|row| row.effect.weight > 0.0);
    let first: Vec<&ReviewRow> = with_effect
        .clone()
        .filter(|row| row.effect.highest() <= FIRST as f64)
        .take(SHOWN)
        .collect();
    let further: Vec<&ReviewRow> =
        with_effect.filter(|row| first.iter().all(|first| first.event != row.event)).collect();
    let unrated: Vec<&ReviewRow> =
        archive.findings.review.iter().filter(|row| row.effect.weight == 0.0).collect();
    let decided = archive
        .records
        .iter()
        .filter_map(|record| {
            let decided = record.decided.as_ref()?;
            Some(view!(
                event = Link::to_event(record),
                reason = decided.reason.clone(),
                author = decided.author.clone(),
                date = decided.date.clone()
            ))
        })
        .collect::<Vec<_>>();
    view!(
        frame = site.frame(
            page.path,
            page.section,
            "The review queue".into(),
            summary(QueueCounts::from_queue(&archive.findings.review)),
        ),
        // Events that affect the first places of a list, the most important first.
        first = lines(site, &first, SHOWN),
        further_count = further.len(),
        // The other events whose decision would change a published rank.
        further = lines(site, &further, FOLDED),
        unrated_count = unrated.len(),
        // Complete events that lack only ratings.
        unrated = lines(site, &unrated, FOLDED),
        // The number of first places that count as important.
        places = FIRST,
        decided,
        // Whether later lists judge corrections and decisions.
        has_foresight = has_foresight(site)
    )
}
