//! Defines the errors of decisions.

use thiserror::Error;

/// The place of a decision that is made at the desk and not in a file yet.
pub const AT_THE_DESK: &str = "the desk";

#[derive(Debug, Error)]
pub enum DecisionError {
    #[error("{file}: cannot be read: {error}")]
    Read { file: String, error: std::io::Error },
    /// The file is not TOML, or has unknown keys or wrong values; the message names line and key.
    #[error("{file}: {error}{hint}")]
    Toml {
        file: String,
        /// A question with the nearest key, if the key is unknown.
        hint: String,
        /// The error with its position and the line in question.
        error: String,
    },
    /// A file has more errors than are shown.
    #[error("{file}: and {count} more errors; correct these first")]
    More {
        file: String,
        /// The number of errors that are not shown.
        count: usize,
    },
    /// Two decisions are about the same event.
    #[error("{second}: {event} is already decided in {first}; keep one of the two")]
    Twice { event: String, first: String, second: String },
    /// A decision names something that does not exist, or is inconsistent.
    #[error("{place}: {event}: {message}")]
    Wrong {
        /// File and line.
        place: String,
        event: String,
        /// The error, with a hint.
        message: String,
    },
    /// Several decisions cannot be carried out.
    #[error("{} errors in decisions:\n{}", .0.len(), lines(.0))]
    Several(Vec<DecisionError>),
}

/// Lists errors, one a line.
fn lines(errors: &[DecisionError]) -> String {
    errors.iter().map(DecisionError::to_string).collect::<Vec<_>>().join("\n")
}

impl DecisionError {
    /// The errors, one a line. Those of a decision that is made at the desk come without place and
    /// event, which the desk shows.
    pub fn messages(&self) -> String {
        match self {
            DecisionError::Wrong { place, message, .. } if place == AT_THE_DESK => message.clone(),
            DecisionError::Several(errors) => {
                errors.iter().map(DecisionError::messages).collect::<Vec<_>>().join("\n")
            }
            other => other.to_string(),
        }
    }

    /// Combines errors into one; `None` if there are none.
    pub fn of_all(errors: Vec<DecisionError>) -> Option<DecisionError> {
        let flat: Vec<DecisionError> = errors
            .into_iter()
            .flat_map(|error| match error {
                DecisionError::Several(errors) => errors,
                error => vec![error],
            })
            .collect();
        match flat.len() {
            0 => None,
            1 => flat.into_iter().next(),
            _ => Some(DecisionError::Several(flat)),
        }
    }
}

/// The errors of author, date and reason.
pub(super) fn signature(
    author: &str,
    date: Option<toml::value::Datetime>,
    reason: &str,
) -> Vec<String> {
    let texts = [("author", author), ("reason", reason)].into_iter();
    let empty = texts
        .filter(|(_, text)| text.trim().is_empty())
        .map(|(key, _)| format!("`{key}` is missing; fill it in"));
    // A date in the first years was not filled in.
    let no_day = date.filter(|date| date.date.is_none_or(|day| day.year < 1900));
    let day = no_day.map(|date| format!("`date` is {date}; write the day of the decision"));
    empty.chain(day).collect()
}
