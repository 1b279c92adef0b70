//! The review queue.

use serde::Serialize;

use super::lists::winner;
use super::{Frame, Link, Site};
use crate::archive::ReviewRow;
use crate::site::figures::counted;

/// Matters that count are those that touch one of so many first places of a list.
const FIRST: usize = 100;

/// Matters that count of which the page shows each; one screen of them.
const SHOWN: usize = 25;

/// Lines of each of the folded tables; all are in the table to download.
const FOLDED: usize = 200;

/// The review queue.
#[derive(Debug, Serialize)]
pub(in crate::site) struct ReviewPage {
    frame: Frame,
    /// What touches the first places of a list, the weightiest first.
    first: Vec<ReviewLine>,
    /// The rest of what would change a published rank.
    further: Vec<ReviewLine>,
    further_count: usize,
    /// Whole events that wait for ratings alone.
    unrated: Vec<ReviewLine>,
    unrated_count: usize,
    /// How many first places count.
    places: usize,
    decided: Vec<DecidedLine>,
}

#[derive(Debug, Serialize)]
struct ReviewLine {
    event: Link,
    year: String,
    winner: String,
    players: usize,
    games: usize,
    reasons: Vec<&'static str>,
    why: String,
    choice: String,
    effect: String,
    toml: String,
    toml_as_it_is: String,
}

impl ReviewLine {
    fn of(site: &Site, row: &ReviewRow) -> ReviewLine {
        let record = &site.archive.records[row.event];
        ReviewLine {
            event: Link::to_event(record),
            year: Site::year(record),
            winner: winner(record),
            players: record.event.players.len(),
            games: record.event.games.len(),
            reasons: row.reasons.iter().map(|reason| reason.word()).collect(),
            why: row.why.clone(),
            choice: row.choice.clone(),
            effect: row.effect.sentence(),
            toml: row.toml.clone(),
            toml_as_it_is: row.toml_as_it_is.clone(),
        }
    }
}

#[derive(Debug, Serialize)]
struct DecidedLine {
    event: Link,
    reason: String,
    author: String,
    date: String,
}

/// The view of the queue.
pub(in crate::site) fn review(site: &Site) -> ReviewPage {
    let archive = site.archive;
    let with_effect = || archive.findings.review.iter().filter(|row| row.effect.weight > 0.0);
    let counts = |row: &&ReviewRow| row.effect.highest() <= FIRST as f64;
    let first: Vec<&ReviewRow> = with_effect().filter(counts).take(SHOWN).collect();
    let is_first = |row: &&ReviewRow| first.iter().any(|first| first.event == row.event);
    let further: Vec<&ReviewRow> = with_effect().filter(|row| !is_first(row)).collect();
    let unrated: Vec<&ReviewRow> =
        archive.findings.review.iter().filter(|row| row.effect.weight == 0.0).collect();
    let lines = |rows: &[&ReviewRow], limit: usize| {
        rows.iter().take(limit).map(|row| ReviewLine::of(site, row)).collect::<Vec<_>>()
    };
    let decided = archive
        .records
        .iter()
        .filter_map(|record| {
            let decided = record.decided.as_ref()?;
            Some(DecidedLine {
                event: Link::to_event(record),
                reason: decided.reason.clone(),
                author: decided.author.clone(),
                date: decided.date.clone(),
            })
        })
        .collect();
    ReviewPage {
        frame: site.frame(
            "review.html",
            "review",
            "The review queue".into(),
            format!(
                "{} in which another choice would change a rank that is published, those that matter most first.",
                match with_effect().count() {
                    1 => "One event".into(),
                    events => counted(events, "event", "events"),
                }
            ),
        ),
        first: lines(&first, SHOWN),
        further_count: further.len(),
        further: lines(&further, FOLDED),
        unrated_count: unrated.len(),
        unrated: lines(&unrated, FOLDED),
        places: FIRST,
        decided,
    }
}
