//! The comparison of our G-scores with the published ones.

use serde::Serialize;

use super::{Frame, Link, Site};
use crate::archive::{Explanations, PublishedRow, Substituted};
use crate::site::figures::fixed;

/// The comparison.
#[derive(Debug, Serialize)]
pub(in crate::site) struct PublishedPage {
    frame: Frame,
    rows: Vec<PublishedLine>,
}

#[derive(Debug, Serialize)]
struct PublishedLine {
    player: String,
    event: String,
    published: String,
    ours: String,
    difference: String,
    link: Option<Link>,
    why: String,
    /// The changed inputs that come closer, in sentences.
    explanations: Vec<String>,
}

/// The view of the comparison; `None` without published figures.
pub(in crate::site) fn published(site: &Site) -> Option<PublishedPage> {
    let archive = site.archive;
    if archive.findings.published.is_empty() {
        return None;
    }
    let rows: Vec<PublishedLine> = archive
        .findings
        .published
        .iter()
        .map(|row| {
            let ours = row.ours.map(|(event, standing)| {
                let record = &archive.records[event];
                (record, record.analysis.players[standing].g_score)
            });
            let g_score = ours.and_then(|(_, g_score)| g_score);
            let spaced = |text: &str| text.replace('_', " ");
            PublishedLine {
                player: spaced(&row.player),
                event: spaced(&row.event),
                published: fixed(row.g_score, 2),
                ours: g_score.map(|g| fixed(g, 2)).unwrap_or_default(),
                difference: g_score
                    .map(|g| g - row.g_score)
                    .map(|by| if by >= 0.005 { format!("+{}", fixed(by, 2)) } else { fixed(by, 2) })
                    .unwrap_or_default(),
                link: ours.map(|(record, _)| Link::to_event(record)),
                why: row.why.clone(),
                explanations: explanations(row),
            }
        })
        .collect();
    let found = rows.iter().filter(|row| !row.ours.is_empty()).count();
    let same = rows.iter().filter(|row| !row.ours.is_empty() && row.why.is_empty()).count();
    Some(PublishedPage {
        frame: site.frame(
            "published.html",
            "greatness",
            "Comparison with the published list".into(),
            format!(
                "Of the {} G-scores printed in the PRA paper, this archive has {found}; {same} agree to the \
                 last printed digit.",
                rows.len()
            ),
        ),
        rows,
    })
}

/// What one changed input would make of our figure, in sentences.
fn explanations(row: &PublishedRow) -> Vec<String> {
    let Explanations { number_two, other } = &row.explanations;
    let sentence = |one: &Substituted| {
        let same =
            if (one.g_score - row.g_score).abs() < 0.005 { ", the published figure" } else { "" };
        format!("With {}: {}{same}.", one.by.words(), fixed(one.g_score, 2))
    };
    number_two.iter().chain(other).map(sentence).collect()
}
