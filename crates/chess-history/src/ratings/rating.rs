//! Reads the values that the formats of rating lists have in common.

use super::line_error::{LineError, quoted};
use crate::tournament::is_rating;

/// Reads a rating (points).
///
/// # Errors
///
/// Returns an error if the text is not a positive rating.
pub(super) fn rating(text: &str) -> Result<f64, LineError> {
    let number = text.parse().ok().filter(|number: &f64| *number > 0.0 && is_rating(*number));
    number.ok_or_else(|| LineError::Rating(quoted(text)))
}

/// Reads a FIDE identification number; `None` for an empty field or 0.
pub(super) fn fide_id(text: &str) -> Option<u32> {
    text.trim().parse().ok().filter(|id| *id > 0)
}

/// The years of birth that a list may state. Judged: the oldest players of FIDE's first lists were
/// born late in the nineteenth century, and the last year leaves room.
const BIRTHS: std::ops::RangeInclusive<i16> = 1850..=2100;

/// A year after every list, for lists that state all four digits of a birth.
pub(super) const LATEST_YEAR: i16 = 2100;

/// Reads a year of birth: `1963`, or a day with two digits of the year (`13.04.63`); `None` for any
/// other text. `year` is that of the list, before which the player was born.
pub(super) fn birth(text: &str, year: i16) -> Option<i16> {
    let last = text.trim().rsplit('.').next()?.trim();
    let number: i16 = last.parse().ok()?;
    let born = match last.len() {
        4 => number,
        2 => {
            // No player on a list is younger than five.
            let in_century = year - year.rem_euclid(100) + number;
            if in_century > year - 5 { in_century - 100 } else { in_century }
        }
        _ => return None,
    };
    BIRTHS.contains(&born).then_some(born)
}

/// Reads the year of birth from an age like `37y9m` (years and months) on a list of this month.
pub(super) fn birth_by_age(text: &str, (year, month): (i16, i8)) -> Option<i16> {
    let (years, months) = text.trim().trim_end_matches('m').split_once('y')?;
    let (years, months): (i32, i32) = (years.parse().ok()?, months.parse().ok()?);
    let born = i32::from(year) * 12 + i32::from(month) - 1 - (12 * years + months);
    i16::try_from(born.div_euclid(12)).ok().filter(|born| BIRTHS.contains(born))
}

/// Returns whether the text in the rating column marks a player as unrated, which is not an error.
pub(super) fn is_unrated(text: &str) -> bool {
    matches!(text.trim(), "" | "0" | "?" | "-")
}

/// Returns whether a word is a title as FIDE's lists abbreviate it.
///
/// The titles are grandmaster, international master, FIDE master, candidate master and honorary
/// grandmaster, with `w` before those for women.
pub(super) fn is_title(word: &str) -> bool {
    matches!(word, "g" | "m" | "f" | "c" | "h" | "wg" | "wm" | "wf" | "wc" | "wh")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn births_are_years_days_or_ages() {
        assert_eq!(birth("1963", 2008), Some(1963));
        assert_eq!(birth("13.04.63", 2003), Some(1963));
        assert_eq!(birth("17.01.97", 2003), Some(1997));
        assert_eq!(birth("17.01.01", 2003), Some(1901));
        for empty in [".  .", "", "0", "1", "00.00.0000"] {
            assert_eq!(birth(empty, 2003), None, "{empty}");
        }
        assert_eq!(birth_by_age("37y9m", (2001, 1)), Some(1963));
        assert_eq!(birth_by_age("31y1m", (2001, 1)), Some(1969));
        assert_eq!(birth_by_age("?", (2001, 1)), None);
    }
}
