//! Reads a choice at the desk, as the page sends it.

use std::ops::Deref;

use jiff::civil::Date;
use serde::Deserialize;
use thiserror::Error;

use crate::decisions::{
    AT_THE_DESK, Decision, Forfeit, MovedGame, Person, RatingDecision, Segments, Split, parse_day,
};
use crate::events::{Ending, Scoring};
use crate::games::{PartialDate, Tempo};
use crate::source::{CleanName, CleanText};
use crate::tournament::{Kind, Policy};

#[derive(Debug, Error)]
pub enum ChoiceError {
    /// The date of the decision is not a day.
    #[error("{0:?} is not a day; write it like 2026-11-21")]
    Date(String),
    /// A text in place of a day of the event is not a day.
    #[error("{key}: {text:?} is not a day; write 1904, 1904-04 or 1904-04-25")]
    Day {
        /// The key of the decision that has the text.
        key: &'static str,
        /// The text in place of a day.
        text: String,
    },
    /// The decision is dated later than today.
    #[error("{date} is in the future; give the day on which you decide, today or earlier")]
    Future { date: Date },
    #[error(
        "nothing is decided, so nothing was saved; choose something, or \"Keep as it is\" if the \
         event should stay as it is"
    )]
    Empty,
}

/// A choice about an event: all keys of a decision except the field, which the desk adds.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Choice {
    /// The revision of the decision that the page loaded; `None` if it does not say.
    pub(super) seen: Option<String>,
    author: CleanName,
    date: String,
    reason: CleanText,
    name: Option<CleanName>,
    start: Option<String>,
    end: Option<String>,
    winners: Option<Vec<CleanName>>,
    outcome: Option<Ending>,
    scoring: Option<Scoring>,
    score: Option<[f64; 2]>,
    kind: Option<Kind>,
    policy: Option<Policy>,
    move_pressure: Option<bool>,
    elo_k: Option<f64>,
    listed: Option<bool>,
    complete: bool,
    tempo: Option<Tempo>,
    reviewed: bool,
    number_two: Option<f64>,
    list_day: Option<String>,
    expected_games: Option<usize>,
    ratings: Vec<RatingDecision>,
    forfeits: Vec<Forfeit>,
    segments: Segments,
    merge: Vec<String>,
    split: Vec<Split>,
    moved_games: Vec<MovedGame>,
    persons: Vec<Person>,
    special_conditions: Vec<CleanText>,
    source: Option<CleanText>,
    note: Option<CleanText>,
}

/// Reads a day of the event; an empty text means that it is not decided.
fn day(key: &'static str, text: Option<String>) -> Result<Option<PartialDate>, ChoiceError> {
    let Some(text) = filled(text) else { return Ok(None) };
    parse_day(&text).map(Some).ok_or(ChoiceError::Day { key, text })
}

/// A text of the page's form, unless it is empty.
fn filled<T: Deref<Target = str>>(text: Option<T>) -> Option<T> {
    text.filter(|text| !text.trim().is_empty())
}

impl Choice {
    /// The decision, for the players that the event has. `field` names them; it is left out where
    /// merged persons change them.
    ///
    /// # Errors
    ///
    /// Returns an error if a date is not a day.
    pub fn decision(self, field: Option<String>) -> Result<Decision, ChoiceError> {
        let date = self.date.trim();
        let date = date.parse().map_err(|_| ChoiceError::Date(date.to_owned()))?;
        Ok(Decision {
            author: self.author,
            date: Some(date),
            reason: self.reason,
            field: field.filter(|_| self.persons.is_empty()),
            name: filled(self.name),
            start: day("start", self.start)?,
            end: day("end", self.end)?,
            winners: self.winners,
            outcome: self.outcome,
            scoring: self.scoring,
            score: self.score,
            kind: self.kind,
            policy: self.policy,
            move_pressure: self.move_pressure,
            elo_k: self.elo_k,
            listed: self.listed,
            complete: self.complete,
            tempo: self.tempo,
            reviewed: self.reviewed,
            number_two: self.number_two,
            list_day: day("list_day", self.list_day)?,
            expected_games: self.expected_games,
            ratings: self.ratings,
            forfeits: self.forfeits,
            segments: self.segments,
            special_conditions: self.special_conditions,
            merge: self.merge,
            split: self.split,
            moved_games: self.moved_games,
            persons: self.persons,
            source: filled(self.source),
            note: filled(self.note),
            place: AT_THE_DESK.into(),
        })
    }
}

/// The errors of a decision that the desk refuses to write, on a day.
///
/// The desk checks the date because a person types it. A build does not look at the clock: the same
/// inputs make the same archive on every day.
pub(super) fn check_saved(decision: &Decision, today: Date) -> Result<(), ChoiceError> {
    if decision.is_empty() {
        return Err(ChoiceError::Empty);
    }
    let day = decision.date.and_then(|date| date.date);
    let day = day.and_then(|day| {
        let (year, month, day) = (day.year as i16, day.month as i8, day.day as i8);
        Date::new(year, month, day).ok()
    });
    // East of this machine it may be tomorrow already.
    match day.filter(|day| *day > today.tomorrow().unwrap_or(today)) {
        Some(date) => Err(ChoiceError::Future { date }),
        None => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use jiff::civil::date;

    fn decision(json: &str) -> Result<Decision, ChoiceError> {
        serde_json::from_str::<Choice>(json).expect("a choice").decision(None)
    }

    /// The message about a choice on 26 November 2026; empty if it may be saved.
    fn checked(json: &str) -> String {
        match check_saved(&decision(json).unwrap(), date(2026, 11, 26)) {
            Ok(()) => String::new(),
            Err(error) => error.to_string(),
        }
    }

    #[test]
    fn an_empty_choice_and_a_date_in_the_future_are_not_saved() {
        assert!(checked(r#"{"date":"2026-11-26"}"#).contains("nothing is decided"));
        let future = checked(r#"{"date":"2099-01-01","listed":false}"#);
        assert!(future.starts_with("2099-01-01 is in the future"), "{future}");
        assert_eq!(checked(r#"{"date":"2026-11-27","listed":false}"#), "", "east of here");
        assert_eq!(checked(r#"{"date":"2026-11-20","winners":[]}"#), "", "no winner is a choice");
    }

    fn beginning(start: &str) -> Result<Decision, ChoiceError> {
        decision(&format!(r#"{{"date":"2026-11-26","start":"{start}"}}"#))
    }

    #[test]
    fn days_of_the_event_are_as_exact_as_known_and_must_exist() {
        assert_eq!(beginning("1904-04").unwrap().start.unwrap().iso(), "1904-04");
        assert_eq!(beginning(" ").unwrap().start, None);
        let error = beginning("1904-04-31").unwrap_err().to_string();
        assert!(error.starts_with("start: \"1904-04-31\" is not a day"), "{error}");
    }
}
