//! Errors in single lines of rating lists.

use thiserror::Error;

/// The number of characters that a message quotes.
const QUOTED: usize = 40;

/// Why a line of a rating list cannot be used.
#[derive(Debug, Error)]
pub(super) enum LineError {
    #[error("no name")]
    NoName,
    /// The line has nothing in the rating column.
    #[error("no rating")]
    NoRating,
    /// Neither the line nor its file states a date.
    #[error("no date")]
    NoDate,
    /// The text in the rating column is not a rating.
    #[error("\"{0}\" is not a rating")]
    Rating(String),
    /// The text in the date column is not a date.
    #[error("\"{0}\" is not a date")]
    Date(String),
    /// The text in the column of standard deviations is not one.
    #[error("\"{0}\" is not a standard deviation of a rating")]
    Deviation(String),
    /// The number is outside the range of FIDE's ratings.
    #[error("{0} is outside the range of FIDE's ratings")]
    NotFide(f64),
    /// The line is not a line of CSV.
    #[error(transparent)]
    Csv(#[from] csv::Error),
}

/// Shortens a text for a message.
pub(super) fn quoted(text: &str) -> String {
    text.chars().take(QUOTED).collect()
}
