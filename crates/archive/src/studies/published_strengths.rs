//! Compares our strengths and constant intervals with those printed in the PRA paper.

use std::path::{Path, PathBuf};

use crate::record::EventRecord;
use crate::studies::published::{
    PublishedError, PublishedName, UNEXPLAINED, open, reasons, unreadable,
};
use pgn_collections::source::Diagnostic;

/// A published strength or constant interval and the archive's.
#[derive(Clone, Debug, PartialEq)]
pub struct PublishedStrength {
    /// The event, as the source writes it.
    pub event: String,
    /// The published strength, to four decimals.
    pub strength: Option<f64>,
    /// The published constant interval of the fit test, to one decimal.
    pub interval: Option<(f64, f64)>,
    /// The index of the event's record; `None` if the archive has no such event.
    pub ours: Option<usize>,
    /// Why the two differ, as far as the record shows it.
    pub why: String,
}

impl PublishedStrength {
    /// Our strength, if the archive has the event and computes one.
    pub fn our_strength(&self, records: &[EventRecord]) -> Option<f64> {
        records[self.ours?].analysis.strength
    }

    /// Our constant interval, if the archive has the event and tests its ratings.
    pub fn our_interval(&self, records: &[EventRecord]) -> Option<(f64, f64)> {
        let test = &records[self.ours?].analysis.fit_test;
        test.constant_low.zip(test.constant_high)
    }

    /// Whether all published figures agree with ours to the last printed digit.
    pub fn agrees(&self, records: &[EventRecord]) -> bool {
        let strength = self.strength.is_none_or(|published| {
            self.our_strength(records).is_some_and(|ours| (ours - published).abs() < 0.00005)
        });
        let interval = self.interval.is_none_or(|published| {
            self.our_interval(records).is_some_and(|ours| {
                (ours.0 - published.0).abs() < 0.05 && (ours.1 - published.1).abs() < 0.05
            })
        });
        strength && interval
    }
}

/// Reads the published strengths of the settings and finds each event in the records.
pub fn compare(
    paths: &[PathBuf],
    records: &[EventRecord],
    diagnostics: &mut Vec<Diagnostic>,
) -> Vec<PublishedStrength> {
    let mut rows = Vec::new();
    for path in paths {
        match read(path) {
            Ok(found) => rows.extend(found),
            // The comparison of G-scores reports files that cannot be read.
            Err(PublishedError::Csv(error)) if error.is_io_error() => {}
            Err(error) => diagnostics.push(unreadable(path, &error)),
        }
    }
    for row in &mut rows {
        row.ours = find(&row.event, records);
        row.why = why(row, records);
    }
    rows
}

/// Reads a CSV file with the columns `event`, `strength`, `interval_low` and `interval_high`.
/// Strength and interval may be empty. A file of G-scores has no rows for this table.
fn read(path: &Path) -> Result<Vec<PublishedStrength>, PublishedError> {
    let (mut reader, has_strengths) = open(path)?;
    let mut rows = Vec::new();
    if !has_strengths {
        return Ok(rows);
    }
    for record in reader.deserialize() {
        let (event, strength, low, high): (String, Option<f64>, Option<f64>, Option<f64>) = record?;
        for (column, value) in
            [("strength", strength), ("interval_low", low), ("interval_high", high)]
        {
            if let Some(value) = value.filter(|value| !value.is_finite()) {
                return Err(PublishedError::NotFinite { column, row: event, value });
            }
        }
        let interval = low.zip(high);
        rows.push(PublishedStrength { event, strength, interval, ours: None, why: String::new() });
    }
    Ok(rows)
}

/// Finds a published event by its year and the words of its name. At least half of the words must
/// be ours. Of several events the one with the most shared words counts, then the largest.
fn find(event: &str, records: &[EventRecord]) -> Option<usize> {
    let name = PublishedName::parse(event)?;
    let candidates = records.iter().enumerate().filter_map(|(index, record)| {
        let shared = name.is_in_year(record).then(|| name.shared_words(record, ""))?;
        (2 * shared >= name.len()).then_some((shared, record.event.games.len(), index))
    });
    candidates.max_by_key(|(shared, games, _)| (*shared, *games)).map(|(_, _, index)| index)
}

fn why(row: &PublishedStrength, records: &[EventRecord]) -> String {
    let Some(index) = row.ours else {
        return "this archive has no such event".into();
    };
    if row.agrees(records) {
        return String::new();
    }
    let reasons = reasons(&records[index]);
    if reasons.is_empty() { UNEXPLAINED.into() } else { reasons.join("; ") }
}
