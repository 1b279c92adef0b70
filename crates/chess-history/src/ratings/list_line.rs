//! A line of a rating list.

use crate::source::CleanName;

/// A line of a rating list.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RatingListLine {
    /// The name as the list writes it.
    pub name: CleanName,
    /// Rating (points).
    pub rating: f64,
    /// FIDE identification number, if known.
    pub fide_id: Option<u32>,
    /// Whether the list states that the player is active (a number of games in its period) or
    /// inactive (a flag); `None` if it states neither.
    pub active: Option<bool>,
    /// Standard deviation (points) of the rating, if the list states it.
    pub deviation: Option<f64>,
    /// Whether the rating was collected from the tags of games, so that no list published it.
    pub from_tags: bool,
    /// Year of birth, if the list states it.
    pub born: Option<i16>,
}

impl RatingListLine {
    /// Creates a line that has only a name and a rating (points).
    pub fn new(name: impl Into<CleanName>, rating: f64) -> RatingListLine {
        RatingListLine { name: name.into(), rating, ..RatingListLine::default() }
    }
}

/// Returns whether a number of games and a flag mean that a player is active.
///
/// FIDE's `i` comes late and is sometimes forgotten (Kasparov has none in January 2007). Its
/// absence therefore shows nothing.
pub(super) fn activity(games: &str, flags: &str) -> Option<bool> {
    if flags.contains(['i', 'I']) {
        return Some(false);
    }
    games.trim().parse::<u32>().is_ok_and(|games| games > 0).then_some(true)
}
