//! What the lesser tags say that bears on whether a game is rated.

use crate::games::{Signs, tag_words};

/// A Termination tag: whether the game was played at all.
pub(super) fn of_termination(signs: &mut Signs, termination: &str) {
    let termination = termination.to_lowercase();
    let unplayed = ["forfeit", "default", "unplayed", "walkover"];
    if unplayed.iter().any(|word| termination.contains(word)) {
        signs.insert(Signs::UNPLAYED);
    }
}

/// A Variant tag.
pub(super) fn of_variant(signs: &mut Signs, variant: &str) {
    let variant = variant.to_lowercase();
    if !matches!(variant.as_str(), "" | "?" | "standard" | "chess" | "normal" | "classical") {
        signs.insert(Signs::VARIANT);
    }
}

/// An EventType or a Mode tag.
pub(super) fn of_words(signs: &mut Signs, text: &str) {
    for word in tag_words(text) {
        match word.as_str() {
            "corr" | "correspondence" | "postal" | "em" | "pm" => {
                signs.insert(Signs::CORRESPONDENCE);
            }
            "rapid" => signs.insert(Signs::RAPID),
            "blitz" | "bullet" => signs.insert(Signs::BLITZ),
            "simul" | "simultaneous" => signs.insert(Signs::SIMULTANEOUS),
            _ => {}
        }
    }
}

/// A TimeControl tag.
pub(super) fn of_time_control(signs: &mut Signs, time_control: &str) {
    match minutes(time_control) {
        Some(minutes) if minutes <= 10.0 => signs.insert(Signs::BLITZ),
        Some(minutes) if minutes < 60.0 => signs.insert(Signs::RAPID),
        _ => {}
    }
}

/// Minutes a player has for 60 moves, by FIDE's reckoning (Laws of Chess, appendices A and B), from
/// a TimeControl tag of one period; `None` for several periods or anything else.
fn minutes(time_control: &str) -> Option<f64> {
    let (base, increment) = time_control.split_once('+').unwrap_or((time_control, "0"));
    let base: f64 = base.trim().parse().ok()?;
    let increment: f64 = increment.trim().parse().ok()?;
    // Below a minute it is a number of minutes or a mistake; it says nothing reliable.
    (base >= 60.0).then_some((base + 60.0 * increment) / 60.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn time_controls_tell_rapid_and_blitz() {
        assert_eq!(minutes("300+3"), Some(8.0));
        assert_eq!(minutes("1500+10"), Some(35.0));
        assert_eq!(minutes("40/7200:3600"), None);
        assert_eq!(minutes("?"), None);
    }
}
