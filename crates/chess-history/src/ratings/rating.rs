//! Ratings as lists write them.

use crate::tournament::is_rating;

/// Letters of a text that is quoted in a message.
const SHOWN: usize = 40;

/// The rating (points) that a list writes, or what is wrong with it.
pub(super) fn rating(text: &str) -> Result<f64, String> {
    let number = text.parse().ok().filter(|number: &f64| *number > 0.0 && is_rating(*number));
    number.ok_or_else(|| format!("\"{}\" is no rating", shown(text)))
}

/// The number with FIDE that a list writes; `None` where it writes none, or a 0.
pub(super) fn fide_id(text: &str) -> Option<u32> {
    text.trim().parse().ok().filter(|id| *id > 0)
}

/// Whether a list says with this that a player has none: he tells nothing, and is no mistake.
pub(super) fn is_unrated(text: &str) -> bool {
    matches!(text.trim(), "" | "0" | "?" | "-")
}

/// A text as messages quote it.
pub(super) fn shown(text: &str) -> String {
    text.chars().take(SHOWN).collect()
}

/// Whether a word is a title as FIDE's lists abbreviate it (grandmaster, international master, FIDE
/// master, candidate master, honorary grandmaster; `w` before those of women).
pub(super) fn is_title(word: &str) -> bool {
    matches!(word, "g" | "m" | "f" | "c" | "h" | "wg" | "wm" | "wf" | "wc" | "wh")
}
