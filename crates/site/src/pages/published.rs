//! The comparison of our figures with the published ones.

use serde::Serialize;

use super::page::Page;
use super::{Link, Site};
use crate::figures::{counted, fixed, fixed_or_empty};
use archive::{Explanations, PublishedRow};

pub fn published(site: &Site, page: &Page) -> impl Serialize {
    let archive = site.archive;
    let rows: Vec<_> = archive
        .findings
        .published
        .iter()
        .map(|row| {
            let ours = row.ours.map(|(event, standing)| {
                let record = &archive.records[event];
                (record, record.analysis.players[standing].g_score)
            });
            let g_score = ours.and_then(|(_, g_score)| g_score);
            view!(
                player = spaced(&row.player),
                event = spaced(&row.event),
                published = fixed(row.g_score, 2),
                ours = g_score.map(|g| fixed(g, 2)).unwrap_or_default(),
                difference = g_score
                    .map(|g| g - row.g_score)
                    .map(|by| if by >= 0.005 { format!("+{}", fixed(by, 2)) } else { fixed(by, 2) })
                    .unwrap_or_default(),
                link = ours.map(|(record, _)| Link::to_event(record)),
                why = row.why.clone(),
                // The changed inputs that come closer, in sentences.
                explanations = explanations(row)
            )
        })
        .collect();
    let found = rows.iter().filter(|row| !row.ours.is_empty()).count();
    let same = rows.iter().filter(|row| !row.ours.is_empty() && row.why.is_empty()).count();
    view!(
        frame = page.frame(site, finding(site, rows.len(), found, same)),
        strengths = strengths(site),
        rows
    )
}

/// How many published figures the archive has, and how many agree.
fn finding(site: &Site, all: usize, found: usize, same: usize) -> String {
    let (rows, records) = (&site.archive.findings.published_strengths, &site.archive.records);
    let g_scores = format!(
        "Of the {all} G-scores printed in the PRA paper and known here, this archive has {found}; \
         {same} agree to the last printed digit."
    );
    if rows.is_empty() {
        return g_scores;
    }
    let known = rows.iter().filter(|row| row.our_strength(records).is_some()).count();
    let agree = rows.iter().filter(|row| row.agrees(records)).count();
    format!(
        "{g_scores} Of {} with a published strength or constant interval, it has {known}; {agree} \
         agree.",
        counted(rows.len(), "event", "events")
    )
}

/// The published strengths and constant intervals with ours.
fn strengths(site: &Site) -> Vec<impl Serialize> {
    let records = &site.archive.records;
    let rows = site.archive.findings.published_strengths.iter().map(|row| {
        view!(
            event = spaced(&row.event),
            link = row.ours.map(|event| Link::to_event(&records[event])),
            published = fixed_or_empty(row.strength, 4),
            ours = fixed_or_empty(row.our_strength(records), 4),
            published_interval = interval(row.interval),
            our_interval = interval(row.our_interval(records)),
            why = row.why.clone()
        )
    });
    rows.collect()
}

/// The ends of an interval; empty if it is unknown.
fn interval(ends: Option<(f64, f64)>) -> String {
    ends.map(|(low, high)| format!("{} to {}", fixed(low, 1), fixed(high, 1))).unwrap_or_default()
}

/// A name of the paper with spaces between its words.
fn spaced(name: &str) -> String {
    name.replace('_', " ")
}

/// What one changed input would make of our figure, in sentences.
fn explanations(row: &PublishedRow) -> Vec<String> {
    let Explanations { number_two, other } = &row.explanations;
    let sentences = number_two.iter().chain(other).map(|one| {
        let same =
            if (one.g_score - row.g_score).abs() < 0.005 { ", the published figure" } else { "" };
        format!("With {}: {}{same}.", one.by.words(), fixed(one.g_score, 2))
    });
    sentences.collect()
}
