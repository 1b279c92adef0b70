//! Reads the values that the formats of rating lists have in common.

use super::line_error::{LineError, quoted};
use crate::tournament::is_rating;

/// Reads a rating (points).
///
/// # Errors
///
/// If the text is not a positive rating.
pub(super) fn rating(text: &str) -> Result<f64, LineError> {
    let number = text.parse().ok().filter(|number: &f64| *number > 0.0 && is_rating(*number));
    number.ok_or_else(|| LineError::Rating(quoted(text)))
}

/// Reads a FIDE identification number; `None` for an empty field or 0.
pub(super) fn fide_id(text: &str) -> Option<u32> {
    text.trim().parse().ok().filter(|id| *id > 0)
}

/// Whether the text in the rating column marks a player as unrated, which is not an error.
pub(super) fn is_unrated(text: &str) -> bool {
    matches!(text.trim(), "" | "0" | "?" | "-")
}

/// Whether a word is a title as FIDE's lists abbreviate it.
///
/// The titles are grandmaster, international master, FIDE master, candidate master and honorary
/// grandmaster, with `w` before those for women.
pub(super) fn is_title(word: &str) -> bool {
    matches!(word, "g" | "m" | "f" | "c" | "h" | "wg" | "wm" | "wf" | "wc" | "wh")
}
