//! The comparison of our figures with the published ones.

use serde::Serialize;

use super::page::Page;
use super::{Link, Site};
use crate::figures::{fixed, fixed_or_empty};

pub fn published(site: &Site, page: &Page) -> impl Serialize {
    let records = &site.archive.records;
    let mut rows = Vec::new();
    for row in &site.archive.findings.published {
        let ours = row.our_g_score(records);
        rows.push(view!(
            player = spaced(&row.player),
            event = spaced(&row.event),
            published = fixed(row.g_score, 2),
            ours = fixed_or_empty(ours, 2),
            difference = difference(ours, Some(row.g_score), 2),
            by_rule = fixed_or_empty(row.by_rule, 2),
            link = row.ours.map(|(event, _)| Link::to_event(&records[event])),
            why = row.why.clone()
        ));
    }
    view!(
        frame = page.frame(site, agreement(site)),
        of_paper = site.archive.quotes_paper(),
        strengths = strengths(site),
        rows
    )
}

/// Our figure minus the published one, with its sign; empty if one is missing.
fn difference(ours: Option<f64>, published: Option<f64>, digits: usize) -> String {
    let Some((ours, published)) = ours.zip(published) else { return String::new() };
    let text = fixed(ours - published, digits);
    let is_positive = text.chars().any(|digit| ('1'..='9').contains(&digit)) && ours > published;
    if is_positive { format!("+{text}") } else { text }
}

/// States how many of the published figures the archive has, and how many agree. Kinds of figures
/// of which it has none are left out.
pub fn agreement(site: &Site) -> String {
    let (findings, records) = (&site.archive.findings, &site.archive.records);
    let mut counts = Vec::new();
    let rows = &findings.published;
    let found = rows.iter().filter(|row| row.our_g_score(records).is_some()).count();
    let same = rows.iter().filter(|row| row.agrees(records)).count();
    counts.push((found, rows.len(), "G-scores", same));
    let rows: Vec<_> =
        findings.published_strengths.iter().filter(|row| row.strength.is_some()).collect();
    let found = rows.iter().filter(|row| row.our_strength(records).is_some()).count();
    let same = rows.iter().filter(|row| row.strength_agrees(records) == Some(true)).count();
    counts.push((found, rows.len(), "strengths", same));
    let rows: Vec<_> =
        findings.published_strengths.iter().filter(|row| row.interval.is_some()).collect();
    let found = rows.iter().filter(|row| row.our_interval(records).is_some()).count();
    let same = rows.iter().filter(|row| row.interval_agrees(records) == Some(true)).count();
    counts.push((found, rows.len(), "constant intervals", same));
    let mut parts = Vec::new();
    for (found, all, what, same) in counts {
        if found > 0 {
            parts.push(format!("{found} of {all} {what} ({same} equal to the last printed digit)"));
        }
    }
    let source =
        if site.archive.quotes_paper() { "printed in the PRA paper" } else { "given as published" };
    let parts = if parts.is_empty() { "none".to_owned() } else { parts.join(", ") };
    format!("Of the figures {source}, this archive has {parts}.")
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
            difference = difference(row.our_strength(records), row.strength, 4),
            by_rule = fixed_or_empty(row.by_rule, 4),
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
