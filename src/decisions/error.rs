//! What is wrong with decisions.

use thiserror::Error;

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
        /// What is wrong, and where, with the line in question.
        error: String,
    },
    /// More of a file is wrong than anybody reads at once.
    #[error("{file}: and {count} errors more; mend these first")]
    More {
        /// The file.
        file: String,
        /// How many are not shown.
        count: usize,
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
    /// Several decisions cannot be carried out.
    #[error("{} decisions cannot be carried out:\n{}", .0.len(), lines(.0))]
    Several(Vec<DecisionError>),
}

/// Errors, one below the other.
fn lines(errors: &[DecisionError]) -> String {
    errors.iter().map(DecisionError::to_string).collect::<Vec<_>>().join("\n")
}

impl DecisionError {
    /// One error for all of these; `None` where there is none.
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

/// What is wrong with who decided, when and why.
pub(super) fn signature(
    author: &str,
    date: Option<toml::value::Datetime>,
    reason: &str,
) -> Vec<String> {
    let texts = [("author", author), ("reason", reason)].into_iter();
    let empty = texts
        .filter(|(_, text)| text.trim().is_empty())
        .map(|(key, _)| format!("`{key}` is empty; say it"));
    // A date of the first years is one that nobody filled in.
    let no_day = date.filter(|date| date.date.is_none_or(|day| day.year < 1900));
    let day = no_day.map(|date| format!("`date` is {date}; say the day"));
    empty.chain(day).collect()
}
