//! Reads a choice at the desk, as the page sends it.

use serde::Deserialize;
use thiserror::Error;

use crate::decisions::{Decision, RatingDecision};
use crate::games::Tempo;
use crate::tournament::{Kind, Policy};

/// A date of a choice that is not a day.
#[derive(Debug, Error)]
#[error("{0:?} is not a day; write it like 2026-11-21")]
pub struct DateError(String);

/// A choice about an event. Matters for which the desk has no field (forfeits, segments, splits)
/// stay as in the file.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Choice {
    author: String,
    date: String,
    reason: String,
    name: Option<String>,
    kind: Option<Kind>,
    policy: Option<Policy>,
    move_pressure: Option<bool>,
    listed: Option<bool>,
    complete: bool,
    tempo: Option<Tempo>,
    reviewed: bool,
    number_two: Option<f64>,
    expected_games: Option<usize>,
    ratings: Vec<RatingDecision>,
    merge: Vec<String>,
    note: Option<String>,
}

impl Choice {
    /// The events to merge into this one.
    pub fn merge(&self) -> &[String] {
        &self.merge
    }

    /// The decision, completed by another decision in the matters for which the desk has no field.
    ///
    /// # Errors
    ///
    /// Where the date is no day.
    pub fn decision(self, other: Option<&Decision>) -> Result<Decision, DateError> {
        let date = self.date.trim();
        let date = date.parse().map_err(|_| DateError(date.to_owned()))?;
        let filled = |text: Option<String>| text.filter(|text| !text.trim().is_empty());
        Ok(Decision {
            author: self.author,
            date: Some(date),
            reason: self.reason,
            name: filled(self.name),
            kind: self.kind,
            policy: self.policy,
            move_pressure: self.move_pressure,
            listed: self.listed,
            complete: self.complete,
            tempo: self.tempo,
            reviewed: self.reviewed,
            number_two: self.number_two,
            expected_games: self.expected_games,
            ratings: self.ratings,
            merge: self.merge,
            note: filled(self.note),
            place: "the desk".into(),
            ..other.cloned().unwrap_or_default()
        })
    }
}
