//! The review queue: events that a Ratings Administrator should look at.

use serde::Serialize;

use super::record::EventRecord;
use crate::tournament::{FitResult, PlayerAnalysis, Policy, RatingOrigin, Spec};

/// Why an event is in the queue.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum ReviewReason {
    /// Its ratings failed the fit test and still do.
    Failed,
    /// They failed, and were moved to the line.
    Corrected,
    /// They failed, and were filled anew.
    Rebuilt,
    /// Known ratings were left out so that the line of the others fits.
    Omitted,
    /// It rests on a weak line.
    Weak,
    /// Ratings under pressure.
    Pressure,
    /// Too few ratings for a line.
    NoRatings,
}

impl ReviewReason {
    /// The word used in exports.
    pub fn word(self) -> &'static str {
        match self {
            ReviewReason::Failed => "failed",
            ReviewReason::Corrected => "failed, corrected",
            ReviewReason::Rebuilt => "failed, rebuilt",
            ReviewReason::Omitted => "ratings left out",
            ReviewReason::Weak => "weak line",
            ReviewReason::Pressure => "pressure",
            ReviewReason::NoRatings => "no ratings",
        }
    }
}

/// A line of the queue.
#[derive(Clone, Debug, PartialEq)]
pub struct ReviewRow {
    /// Index of the event's record.
    pub event: usize,
    /// Why it is here.
    pub reasons: Vec<ReviewReason>,
    /// Highest G-score of the event.
    pub best_g: Option<f64>,
    /// One line for the decisions file that would settle it, to be completed and signed.
    pub toml: String,
}

/// All events to review: those that matter most (by their best G-score, then their strength) first.
/// What was decided already, is settled.
pub(super) fn queue(records: &[EventRecord]) -> Vec<ReviewRow> {
    let mut rows: Vec<ReviewRow> = records
        .iter()
        .enumerate()
        .filter(|(_, record)| record.decided.is_none())
        .filter_map(|(event, record)| {
            let reasons = reasons(record);
            if reasons.is_empty() {
                return None;
            }
            let best_g = record
                .analysis
                .players
                .iter()
                .filter_map(|player| player.g_score)
                .max_by(f64::total_cmp);
            let toml = suggestion(record, &reasons);
            Some(ReviewRow { event, reasons, best_g, toml })
        })
        .collect();
    let number = |value: Option<f64>| value.unwrap_or(f64::NEG_INFINITY);
    let strength = |row: &ReviewRow| number(records[row.event].analysis.strength);
    rows.sort_by(|a, b| {
        number(b.best_g)
            .total_cmp(&number(a.best_g))
            .then(strength(b).total_cmp(&strength(a)))
            .then(a.event.cmp(&b.event))
    });
    rows
}

fn reasons(record: &EventRecord) -> Vec<ReviewReason> {
    let analysis = &record.analysis;
    let mut reasons = Vec::new();
    if analysis.line.is_none() || analysis.strength.is_none() {
        return vec![ReviewReason::NoRatings];
    }
    let complete = analysis.before.known_ratings
        == analysis.players.iter().filter(|player| player.games > 0).count();
    let failed_before = analysis.before.fit_test.result == FitResult::Failed;
    let has = |origin| analysis.players.iter().any(|player| player.rating_origin == origin);
    if analysis.fit_test.result == FitResult::Failed {
        reasons.push(ReviewReason::Failed);
    } else if failed_before && complete && has(RatingOrigin::Filled) {
        reasons.push(ReviewReason::Rebuilt);
    } else if failed_before && complete {
        reasons.push(ReviewReason::Corrected);
    } else if failed_before {
        reasons.push(ReviewReason::Omitted);
    }
    if analysis.weak || record.ratings.weak {
        reasons.push(ReviewReason::Weak);
    }
    let pressed = |player: &PlayerAnalysis| {
        matches!(player.spec, Some(Spec::PressureUp | Spec::PressureDown))
    };
    if analysis.players.iter().any(pressed) {
        reasons.push(ReviewReason::Pressure);
    }
    reasons
}

/// The line of TOML that settles the first of the reasons; author and date are the reader's.
fn suggestion(record: &EventRecord, reasons: &[ReviewReason]) -> String {
    let analysis = &record.analysis;
    let rating_of = |player: Option<&PlayerAnalysis>| {
        let name = player.map(|player| player.name.as_str()).unwrap_or_default();
        format!("ratings = [{{ player = {}, set = 0 }}]", quoted(name))
    };
    let missing = || {
        rating_of(analysis.players.iter().find(|player| {
            matches!(player.rating_origin, RatingOrigin::Missing | RatingOrigin::Filled)
        }))
    };
    let what = match reasons.first() {
        Some(ReviewReason::Failed) if analysis.policy == Policy::Correct => {
            "policy = \"rebuild\"".to_owned()
        }
        // Pressure within a set that fits moves nothing; to keep it is to accept it.
        Some(
            ReviewReason::Failed
            | ReviewReason::Corrected
            | ReviewReason::Rebuilt
            | ReviewReason::Pressure,
        ) => "policy = \"keep\"".to_owned(),
        Some(ReviewReason::Omitted) => rating_of(analysis.players.iter().find(|player| {
            player.rating_found.is_some() && player.rating_origin == RatingOrigin::Filled
        })),
        Some(ReviewReason::Weak | ReviewReason::NoRatings) | None => missing(),
    };
    format!("{} = {{ {what}, author = \"\", date = 0001-01-01, reason = \"\" }}", record.event.id)
}

/// A TOML string of any text.
fn quoted(text: &str) -> String {
    toml::Value::String(text.to_owned()).to_string()
}
