//! The review queue: events that a Ratings Administrator should look at.

use super::record::EventRecord;
use super::review_reason::ReviewReason;
use super::settings::ListSettings;
use crate::players::Players;
use crate::tournament::{FitResult, PlayerAnalysis, RatingOrigin, Spec};

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

/// All events to review: those that matter most (by their best G-score from
/// games enough, then their strength) first.
///
/// A decision settles the reasons that it answers: a policy what failed, a switch the pressure, and
/// `reviewed = true` all of them. Missing ratings are settled by ratings.
pub(super) fn queue(
    records: &[EventRecord],
    players: &Players,
    settings: &ListSettings,
) -> Vec<ReviewRow> {
    let mut rows: Vec<ReviewRow> = records
        .iter()
        .enumerate()
        .filter_map(|(event, record)| {
            let mut reasons = reasons(record);
            if let Some(decided) = &record.decided {
                reasons.retain(|reason| !decided.settles.contains(reason));
            }
            if reasons.is_empty() {
                return None;
            }
            let best_g = record
                .analysis
                .players
                .iter()
                .filter(|player| settings.has_enough_games(player))
                .filter_map(|player| player.g_score)
                .max_by(f64::total_cmp);
            let toml = suggestion(record, &reasons, players);
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
    let lacks_ratings =
        |player: &PlayerAnalysis| player.games > 0 && player.initial_rating.is_none();
    if analysis.players.iter().any(lacks_ratings) {
        return vec![ReviewReason::NoRatings];
    }
    if analysis.number_two.is_none() {
        reasons.push(ReviewReason::NoNumberTwo);
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
    if analysis.players.iter().any(|player| player.spec == Some(Spec::Out)) {
        reasons.push(ReviewReason::OutOfSpec);
    }
    let pressed = |player: &PlayerAnalysis| {
        matches!(player.spec, Some(Spec::PressureUp | Spec::PressureDown))
    };
    if analysis.players.iter().any(pressed) {
        reasons.push(ReviewReason::Pressure);
    }
    reasons
}

/// The line of TOML that settles all of the reasons; author, date, reason and the ratings asked for
/// are the reader's, and a line without them is refused.
fn suggestion(record: &EventRecord, reasons: &[ReviewReason], players: &Players) -> String {
    let analysis = &record.analysis;
    let lacks =
        reasons.iter().any(|reason| matches!(reason, ReviewReason::Weak | ReviewReason::NoRatings));
    let what = if lacks {
        let ratings: Vec<String> = analysis
            .players
            .iter()
            .filter(|player| player.games > 0)
            .filter(|player| {
                matches!(player.rating_origin, RatingOrigin::Missing | RatingOrigin::Filled)
            })
            .map(|player| format!("{{ player = {}, set = 0 }}", quoted(&player.name)))
            .collect();
        format!("ratings = [{}]", ratings.join(", "))
    } else if reasons.contains(&ReviewReason::NoNumberTwo) {
        "number_two = 0".to_owned()
    } else if reasons.iter().all(|reason| {
        matches!(reason, ReviewReason::Failed | ReviewReason::Corrected | ReviewReason::Rebuilt)
    }) {
        "policy = \"keep\"".to_owned()
    } else {
        "reviewed = true".to_owned()
    };
    let field = quoted(&record.event.field(players));
    format!(
        "{} = {{ {what}, field = {field}, author = \"\", date = 0001-01-01, reason = \"\" }}",
        record.event.id
    )
}

/// A TOML string of any text.
fn quoted(text: &str) -> String {
    toml::Value::String(text.to_owned()).to_string()
}
