//! Reads dates in other forms than that of PGN.

use super::lexicon::{Class, rows_beginning_with};

/// Longest date that is examined (bytes): `Wed, 30 September 1921, 10:30` has 29.
const LONGEST: usize = 64;

/// Fewest letters by which a month is abbreviated.
const SHORTEST_MONTH: usize = 3;

/// Returns year, month and day of a text; an unknown day is 0.
///
/// Returns `None` if the text is no date, or if day and month may be exchanged.
pub(super) fn parts(text: &str) -> Option<[u16; 3]> {
    if text.len() > LONGEST {
        return None;
    }
    let tokens: Vec<String> = without_time(text.trim())
        .split(|c: char| !c.is_alphanumeric())
        .filter(|token| !token.is_empty())
        .map(|token| token.to_lowercase().chars().map(plain_letter).collect())
        .collect();
    let numbers: Vec<u16> = tokens.iter().filter_map(|token| number(token)).collect();
    if tokens.len() == 1 {
        return compact(&tokens[0]);
    }
    if numbers.len() == tokens.len() {
        return in_numbers(&numbers);
    }
    let words = tokens.iter().filter(|token| number(token).is_none());
    let mut months = words.clone().filter_map(|word| month(word));
    let month = months.next().filter(|_| months.next().is_none())?;
    // Articles and prepositions stand next to the month, other words state something else.
    if words.clone().any(|word| self::month(word).is_none() && word.chars().count() > 3) {
        return None;
    }
    match numbers[..] {
        [year] if is_year(year) => Some([year, month, 0]),
        [day, year] | [year, day] if is_year(year) && (1..=31).contains(&day) => {
            Some([year, month, day])
        }
        _ => None,
    }
}

/// Returns a text without the time of day that follows its date: `1921-08-01T10:30`.
fn without_time(text: &str) -> &str {
    let Some((hour, _)) = text.split_once(':') else { return text };
    let end = hour.trim_end_matches(|c: char| c.is_ascii_digit());
    end.trim_end_matches([' ', ',', 'T'])
}

/// Returns the parts of a date in three numbers, of which the last is the year.
fn in_numbers(numbers: &[u16]) -> Option<[u16; 3]> {
    let parts = match *numbers {
        [year, month, day] if is_year(year) => Some([year, month, day]),
        [day, month, year] if day > 12 || day == month => Some([year, month, day]),
        [month, day, year] if day > 12 => Some([year, month, day]),
        _ => None,
    };
    parts.filter(|[year, month, day]| {
        is_year(*year) && (1..=12).contains(month) && (1..=31).contains(day)
    })
}

/// Returns the parts of a date in eight digits.
fn compact(digits: &str) -> Option<[u16; 3]> {
    if digits.len() != 8 || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let part = |range: std::ops::Range<usize>| digits[range].parse().ok();
    in_numbers(&[part(0..4)?, part(4..6)?, part(6..8)?])
}

/// Parses a number, which may be an ordinal: `1st`, `1er`.
fn number(token: &str) -> Option<u16> {
    let digits = ["st", "nd", "rd", "th", "er"].iter().find_map(|end| token.strip_suffix(end));
    digits.unwrap_or(token).parse().ok()
}

fn is_year(number: u16) -> bool {
    (1000..=9999).contains(&number)
}

/// Returns the number of the month that a word names or abbreviates.
fn month(word: &str) -> Option<u16> {
    if word.chars().count() < SHORTEST_MONTH {
        return None;
    }
    let mut months = rows_beginning_with(Class::Month, word).map(|row| row.meaning);
    let first = months.next()?;
    // `jui` is June and July in French.
    if months.all(|other| other == first) { first.parse().ok() } else { None }
}

/// Returns the letter without a diacritic, for those that names of months have.
fn plain_letter(letter: char) -> char {
    match letter {
        'ä' => 'a',
        'é' | 'è' => 'e',
        'û' => 'u',
        'ç' => 'c',
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use crate::games::PartialDate;

    #[test]
    fn dates_in_other_forms_are_read() {
        for (text, expected) in [
            ("15.08.1921", "1921-08-15"),
            ("15/8/1921", "1921-08-15"),
            ("08/15/1921", "1921-08-15"),
            ("28. 07. 2005", "2005-07-28"),
            ("08.08.1921", "1921-08-08"),
            ("19210815", "1921-08-15"),
            ("1921-08-15T10:30:00Z", "1921-08-15"),
            ("1921.08.15 10:30", "1921-08-15"),
            ("1 August 1921", "1921-08-01"),
            ("1. August 1921", "1921-08-01"),
            ("August 1st, 1921", "1921-08-01"),
            ("May 29, 2020", "2020-05-29"),
            ("29-May-2020", "2020-05-29"),
            ("Mon, 3 Aug 2020", "2020-08-03"),
            ("le 1er août 1921", "1921-08-01"),
            ("3. März 1905", "1905-03-03"),
            ("1 de agosto de 1921", "1921-08-01"),
            ("12 mei 1988", "1988-05-12"),
            ("5 августа 1935", "1935-08-05"),
            ("August 1921", "1921-08"),
        ] {
            let date = PartialDate::parse_other_form(text).map(PartialDate::iso);
            assert_eq!(date.as_deref(), Some(expected), "{text}");
        }
    }

    #[test]
    fn ambiguous_and_impossible_dates_are_not_read() {
        for text in [
            "05.08.1921",
            "8/5/1921",
            "31.02.1921",
            "15.13.1921",
            "1-2 August 1921",
            "July-August 1921",
            "before 1 August 1921",
            "3 jui 1921",
            "spring 1921",
            "19211508",
            "15.08.21",
            "",
            "?",
        ] {
            assert_eq!(PartialDate::parse_other_form(text), None, "{text}");
        }
    }
}
