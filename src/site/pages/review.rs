//! The review queue.

use serde::Serialize;

use super::{Frame, Link, Site};
use crate::site::figures::{counted, fixed_or_empty};

/// Events that the page shows; all are in the table to download.
const SHOWN: usize = 500;

/// The review queue.
#[derive(Debug, Serialize)]
pub(in crate::site) struct ReviewPage {
    frame: Frame,
    rows: Vec<ReviewLine>,
    /// Events that wait beyond those.
    more: usize,
    decided: Vec<DecidedLine>,
}

#[derive(Debug, Serialize)]
struct ReviewLine {
    event: Link,
    reasons: Vec<&'static str>,
    best_g: String,
    strength: String,
    statistic: String,
    critical: String,
    toml: String,
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
    let rows: Vec<ReviewLine> = archive
        .review
        .iter()
        .take(SHOWN)
        .map(|row| {
            let record = &archive.records[row.event];
            let test = &record.analysis.before.fit_test;
            ReviewLine {
                event: Link::to_event(record),
                reasons: row.reasons.iter().map(|reason| reason.word()).collect(),
                best_g: fixed_or_empty(row.best_g, 2),
                strength: fixed_or_empty(record.analysis.strength, 4),
                statistic: fixed_or_empty(test.statistic, 2),
                critical: fixed_or_empty(test.critical, 2),
                toml: row.toml.clone(),
            }
        })
        .collect();
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
                "{} for a Ratings Administrator, those that matter most first.",
                match archive.review.len() {
                    1 => "One event waits".into(),
                    events => format!("{} wait", counted(events, "event", "events")),
                }
            ),
        ),
        more: archive.review.len() - rows.len(),
        rows,
        decided,
    }
}
