//! Compares our strengths and constant intervals with those printed in the PRA paper.

use std::path::{Path, PathBuf};

use serde::Deserialize;

use crate::record::EventRecord;
use crate::studies::published::{
    Notes, PublishedError, PublishedName, analysis_by_rule, open, reasons, unexplained, unreadable,
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
    /// Whether the figures are those of the ratings found, before any correction.
    pub is_before_correction: bool,
    /// The identifier of the event, if the source states it.
    event_id: Option<String>,
    notes: Notes,
    /// The index of the event's record; `None` if the archive has no such event.
    pub ours: Option<usize>,
    /// The strength without the decision about the event; `None` if it has none.
    pub by_rule: Option<f64>,
    /// Why the two differ; empty if they agree.
    pub why: String,
}

impl PublishedStrength {
    /// Our strength, if the archive has the event and computes one.
    pub fn our_strength(&self, records: &[EventRecord]) -> Option<f64> {
        records[self.ours?].analysis.strength
    }

    /// Our constant interval, if the archive has the event and tests its ratings.
    pub fn our_interval(&self, records: &[EventRecord]) -> Option<(f64, f64)> {
        let analysis = &records[self.ours?].analysis;
        let test =
            if self.is_before_correction { &analysis.before.fit_test } else { &analysis.fit_test };
        test.constant_low.zip(test.constant_high)
    }

    /// Whether the published strength agrees with ours to the last printed digit; `None` without
    /// one.
    pub fn strength_agrees(&self, records: &[EventRecord]) -> Option<bool> {
        let published = self.strength?;
        Some(self.our_strength(records).is_some_and(|ours| (ours - published).abs() < 0.00005))
    }

    /// Whether the published constant interval agrees with ours to the last printed digit; `None`
    /// without one.
    pub fn interval_agrees(&self, records: &[EventRecord]) -> Option<bool> {
        let (low, high) = self.interval?;
        Some(
            self.our_interval(records)
                .is_some_and(|ours| (ours.0 - low).abs() < 0.05 && (ours.1 - high).abs() < 0.05),
        )
    }

    /// Whether all published figures agree with ours to the last printed digit.
    pub fn agrees(&self, records: &[EventRecord]) -> bool {
        self.strength_agrees(records) != Some(false) && self.interval_agrees(records) != Some(false)
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
        row.ours = match &row.event_id {
            Some(id) => records.iter().position(|record| record.event.id == *id),
            None => find(&row.event, records),
        };
        row.by_rule = match row.ours.and_then(|index| analysis_by_rule(&records[index])) {
            Some(analysis) => analysis.strength,
            None => row.our_strength(records),
        };
        row.why = why(row, records);
    }
    rows
}

/// A row of a file of published strengths.
#[derive(Deserialize)]
struct StrengthRow {
    event: String,
    strength: Option<f64>,
    interval_low: Option<f64>,
    interval_high: Option<f64>,
    #[serde(default)]
    event_id: Option<String>,
    #[serde(default)]
    before_correction: Option<bool>,
    #[serde(default)]
    stated: Option<String>,
    #[serde(default)]
    explanation: Option<String>,
    #[serde(default)]
    explained: Option<f64>,
}

/// Reads a CSV file with the columns `event`, `strength`, `interval_low` and `interval_high`, and
/// perhaps `event_id`, `before_correction`, `stated`, `explanation` and `explained`. Strength and
/// interval may be empty. A file of G-scores has no rows for this table.
fn read(path: &Path) -> Result<Vec<PublishedStrength>, PublishedError> {
    let (mut reader, has_strengths) = open(path)?;
    let mut rows = Vec::new();
    if !has_strengths {
        return Ok(rows);
    }
    for record in reader.deserialize() {
        let StrengthRow {
            event,
            strength,
            interval_low: low,
            interval_high: high,
            event_id,
            before_correction,
            stated,
            explanation,
            explained,
        } = record?;
        for (column, value) in
            [("strength", strength), ("interval_low", low), ("interval_high", high)]
        {
            if let Some(value) = value.filter(|value| !value.is_finite()) {
                return Err(PublishedError::NotFinite { column, row: event, value });
            }
        }
        let interval = low.zip(high);
        rows.push(PublishedStrength {
            event,
            strength,
            interval,
            is_before_correction: before_correction == Some(true),
            event_id,
            notes: Notes { stated, explanation, explained },
            ours: None,
            by_rule: None,
            why: String::new(),
        });
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
    if row.agrees(records) {
        return String::new();
    }
    let low = row.our_interval(records).map(|(low, _)| low);
    let ours = if row.strength.is_some() { row.our_strength(records) } else { low };
    if let Some(reason) = row.notes.reason(ours) {
        return reason;
    }
    let Some(index) = row.ours else {
        return "this archive has no such event".into();
    };
    unexplained(&records[index], reasons(&records[index]))
}
