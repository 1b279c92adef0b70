//! Reading decisions, and what is wrong with them; the [module](super) says what they look like.

use std::collections::BTreeMap;
use std::path::Path;

use serde::Deserialize;
use thiserror::Error;
use toml::Spanned;

use crate::hint::nearest;
use crate::tournament::{Kind, Policy, is_rating};

/// Everything that was decided, by event id.
#[derive(Clone, Debug, Default)]
pub struct Decisions {
    by_event: BTreeMap<String, Decision>,
}

/// What was decided for one event.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Decision {
    /// Who decided.
    pub author: String,
    /// When: a day.
    pub date: toml::value::Datetime,
    /// Why.
    pub reason: String,
    /// The players whom the event had when this was decided: `Alapin to Walbrodt, 20 players`. The review queue
    /// gives it; where the event has others now, the decision is refused.
    pub field: Option<String>,
    /// Another name for the event.
    pub name: Option<String>,
    /// Another kind than the pairing table shows.
    pub kind: Option<Kind>,
    /// What to do with ratings that do not fit.
    pub policy: Option<Policy>,
    /// Whether players under pressure move as well.
    pub move_pressure: Option<bool>,
    /// Whether a person has looked at the event, and it stands as it is.
    #[serde(default)]
    pub reviewed: bool,
    /// Rating of the world's number two (points).
    pub number_two: Option<f64>,
    /// Games that the event had, where its pairing table does not tell.
    pub expected_games: Option<usize>,
    /// Ratings set and deleted.
    #[serde(default)]
    pub ratings: Vec<RatingDecision>,
    /// Games that were not played.
    #[serde(default)]
    pub forfeits: Vec<Forfeit>,
    /// Segments in or out of the analysis.
    #[serde(default)]
    pub segments: Segments,
    /// Changing time controls, illness, fraud.
    #[serde(default)]
    pub special_conditions: Vec<String>,
    /// Ids of events that belong to this one.
    #[serde(default)]
    pub merge: Vec<String>,
    /// Events that are to be taken out of this one.
    #[serde(default)]
    pub split: Vec<Split>,
    /// A note in Markdown.
    pub note: Option<String>,
    /// The file that it stands in and its line, for messages.
    #[serde(skip)]
    pub place: String,
}

/// A rating set or deleted.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RatingDecision {
    /// Name or id of the player.
    pub player: String,
    /// The rating (points) to use.
    pub set: Option<f64>,
    /// Whether the rating found is deleted, so that the line fills it.
    #[serde(default)]
    pub delete: bool,
    /// Why, if not for the reason of the whole.
    pub reason: Option<String>,
}

/// A game that was not played.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Forfeit {
    /// Name or id of White.
    pub white: String,
    /// Name or id of Black.
    pub black: String,
    /// Round tag of the game; needed where the two met more than once with these colours.
    pub round: Option<String>,
    /// Whether it is a game of a play-off.
    #[serde(default)]
    pub play_off: bool,
}

/// Which segments enter the analysis; what is not said stays as it is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Segments {
    /// The event proper.
    pub main: Option<bool>,
    /// Games of withdrawn players, annulled games, replays.
    pub extra: Option<bool>,
    /// Play-offs.
    pub play_off: Option<bool>,
}

/// An event to be taken out of another: the games among some of its players.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Split {
    /// Name of the new event.
    pub name: String,
    /// Names or ids of its players.
    pub players: Vec<String>,
}

/// A decision that cannot be carried out.
#[derive(Debug, Error)]
pub enum DecisionError {
    /// The file cannot be read.
    #[error("{file}: cannot be read: {error}")]
    Read {
        /// The file.
        file: String,
        /// Why.
        error: std::io::Error,
    },
    /// It is no TOML of this shape; the message names line and key.
    #[error("{file}: {error}{hint}")]
    Toml {
        /// The file.
        file: String,
        /// The nearest key, where the key is unknown.
        hint: String,
        /// What is wrong, and where.
        error: Box<toml::de::Error>,
    },
    /// Two files decide for one event.
    #[error("{second}: {event} is decided in {first} already; keep one")]
    Twice {
        /// The event.
        event: String,
        /// Where it was decided first.
        first: String,
        /// Where it was decided next.
        second: String,
    },
    /// A decision names what is not there, or makes no sense.
    #[error("{place}: {event}: {message}")]
    Wrong {
        /// File and line.
        place: String,
        /// The event.
        event: String,
        /// What is wrong, with a hint.
        message: String,
    },
}

/// The nearest of the keys that an error message expects, for the key that it found.
fn hint(message: &str) -> String {
    let mut quoted = message.split('`').skip(1).step_by(2);
    let unknown = message.starts_with("unknown field").then(|| quoted.next()).flatten();
    unknown
        .and_then(|unknown| nearest(unknown, quoted))
        .map(|key| format!("did you mean `{key}`?"))
        .unwrap_or_default()
}

impl Decisions {
    /// Keeps the decisions for those events whose id passes.
    pub fn retain(&mut self, passes: impl Fn(&str) -> bool) {
        self.by_event.retain(|id, _| passes(id));
    }

    /// Puts the decision for one id under another, if there is none for that.
    pub fn rename(&mut self, id: &str, new: &str) {
        if !self.by_event.contains_key(new)
            && let Some(decision) = self.by_event.remove(id)
        {
            self.by_event.insert(new.to_owned(), decision);
        }
    }

    /// Adds a file.
    ///
    /// # Errors
    ///
    /// Where it cannot be read, is not of the shape, or decides for an event that another file
    /// decides for.
    pub fn read(&mut self, path: &Path) -> Result<(), DecisionError> {
        let file = path.display().to_string();
        let text = std::fs::read_to_string(path)
            .map_err(|error| DecisionError::Read { file: file.clone(), error })?;
        self.add(&text, &file)
    }

    /// Adds the text of a file.
    ///
    /// # Errors
    ///
    /// As [`read`](Decisions::read), but for reading.
    pub fn add(&mut self, text: &str, file: &str) -> Result<(), DecisionError> {
        let decisions: BTreeMap<String, Spanned<Decision>> =
            toml::from_str(text).map_err(|error| DecisionError::Toml {
                file: file.to_owned(),
                hint: hint(error.message()),
                error: Box::new(error),
            })?;
        for (event, decision) in decisions {
            let before = text.get(..decision.span().start).unwrap_or_default();
            let line = before.bytes().filter(|byte| *byte == b'\n').count() + 1;
            let mut decision = decision.into_inner();
            decision.place = format!("{file}:{line}");
            decision.check(&event)?;
            if let Some(first) = self.by_event.get(&event) {
                return Err(DecisionError::Twice {
                    event,
                    first: first.place.clone(),
                    second: decision.place,
                });
            }
            self.by_event.insert(event, decision);
        }
        Ok(())
    }

    /// What was decided for an event.
    pub fn get(&self, event: &str) -> Option<&Decision> {
        self.by_event.get(event)
    }

    /// All decisions, in the order of the ids.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &Decision)> {
        self.by_event.iter().map(|(event, decision)| (event.as_str(), decision))
    }

    /// How many events were decided.
    pub fn len(&self) -> usize {
        self.by_event.len()
    }

    /// Whether nothing was decided.
    pub fn is_empty(&self) -> bool {
        self.by_event.is_empty()
    }
}

impl Decision {
    /// An error about this decision.
    pub fn wrong(&self, event: &str, message: impl Into<String>) -> DecisionError {
        DecisionError::Wrong {
            place: self.place.clone(),
            event: event.to_owned(),
            message: message.into(),
        }
    }

    fn check(&self, event: &str) -> Result<(), DecisionError> {
        for (key, text) in [("author", &self.author), ("reason", &self.reason)] {
            if text.trim().is_empty() {
                return Err(self.wrong(event, format!("`{key}` is empty; say it")));
            }
        }
        // The review queue suggests lines with the date left open in this way.
        if self.date.date.is_none_or(|date| date.year < 1900) {
            return Err(self.wrong(event, format!("`date` is {}; say the day", self.date)));
        }
        for rating in &self.ratings {
            if rating.set.is_some() == rating.delete {
                return Err(self.wrong(
                    event,
                    format!("{}: give either `set = RATING` or `delete = true`", rating.player),
                ));
            }
            if let Some(set) = rating.set.filter(|set| *set <= 0.0 || !is_rating(*set)) {
                return Err(self.wrong(event, format!("{}: {set} is no rating", rating.player)));
            }
        }
        if let Some(two) = self.number_two.filter(|two| *two <= 0.0 || !is_rating(*two)) {
            return Err(self.wrong(event, format!("number_two: {two} is no rating")));
        }
        let names = self.name.iter().chain(self.split.iter().map(|split| &split.name));
        if names.into_iter().any(|name| name.trim().is_empty()) {
            return Err(self.wrong(event, "a name is empty"));
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const HEAD: &str = "author = \"A\"\ndate = 2026-11-21\nreason = \"R\"\n";

    fn error(text: &str) -> String {
        Decisions::default().add(text, "d.toml").unwrap_err().to_string()
    }

    #[test]
    fn a_decision_needs_author_date_and_reason() {
        assert!(error("[x]\nauthor = \"A\"\nreason = \"R\"\n").contains("missing field `date`"));
        assert!(
            error("[x]\nauthor = \" \"\ndate = 2026-11-21\nreason = \"R\"\n")
                .contains("`author` is empty")
        );
    }

    #[test]
    fn unknown_keys_are_errors_with_their_line() {
        let message = error(&format!("[x]\n{HEAD}polciy = \"keep\"\n"));
        assert!(
            message.contains("line 5") && message.contains("unknown field `polciy`"),
            "{message}"
        );
        assert!(message.ends_with("did you mean `policy`?"), "{message}");
    }

    #[test]
    fn a_rating_is_either_set_or_deleted() {
        let message = error(&format!(
            "[x]\n{HEAD}ratings = [{{ player = \"P\", set = 2500, delete = true }}]"
        ));
        assert_eq!(message, "d.toml:1: x: P: give either `set = RATING` or `delete = true`");
    }

    #[test]
    fn one_event_is_decided_in_one_place() {
        let mut decisions = Decisions::default();
        decisions.add(&format!("[x]\n{HEAD}"), "a.toml").unwrap();
        let error = decisions.add(&format!("[x]\n{HEAD}"), "b.toml").unwrap_err();
        assert_eq!(error.to_string(), "b.toml:1: x is decided in a.toml:1 already; keep one");
    }

    #[test]
    fn one_line_of_toml_is_enough() {
        let mut decisions = Decisions::default();
        decisions
            .add(
                "x-1900 = { policy = \"keep\", author = \"A\", date = 2026-11-21, reason = \"R\" }",
                "d.toml",
            )
            .unwrap();
        assert_eq!(decisions.get("x-1900").unwrap().policy, Some(Policy::Keep));
    }
}
