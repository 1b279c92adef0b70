//! Reads dates in other forms than that of PGN.

use super::lexicon::{Class, meaning, rows, rows_beginning_with};

/// Longest date that is examined (bytes): `Wed, 30 September 1921, 10:30` has 29.
const LONGEST: usize = 64;

/// Fewest letters by which a month is abbreviated.
const SHORTEST_MONTH: usize = 3;

/// Most letters of an article, of a weekday's abbreviation, or of the end of an ordinal.
const LONGEST_ARTICLE: usize = 3;

/// Returns year, month and day of a text; an unknown day is 0.
///
/// Returns `None` if the text is no date, or if day and month may be exchanged.
pub(super) fn parts(text: &str) -> Option<[u16; 3]> {
    if text.len() > LONGEST {
        return None;
    }
    let tokens = tokens(without_time(text.trim()));
    let numbers: Vec<u16> = tokens.iter().filter_map(|token| token.parse().ok()).collect();
    if let [digits] = &tokens[..] {
        return compact(digits);
    }
    let words: Vec<&String> =
        tokens.iter().filter(|token| !token.starts_with(|c: char| c.is_ascii_digit())).collect();
    // Articles, the ends of ordinals and weekdays are next to a date. Other words state something
    // else.
    let is_next_to_date = |word: &str| {
        word.chars().count() <= LONGEST_ARTICLE || meaning(Class::Weekday, word).is_some()
    };
    if words.iter().any(|word| month(word).is_none() && !is_next_to_date(word)) {
        return None;
    }
    let mut months = words.iter().filter_map(|word| month(word));
    let Some(month) = months.next() else { return in_numbers(&numbers) };
    if months.next().is_some() {
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

/// Splits a text into numbers and words in lower case: `15AUG1921`, `August 1st`.
fn tokens(text: &str) -> Vec<String> {
    let mut tokens: Vec<String> = Vec::new();
    let mut before = ' ';
    for letter in text.chars() {
        let begins =
            !before.is_alphanumeric() || before.is_ascii_digit() != letter.is_ascii_digit();
        before = letter;
        if !letter.is_alphanumeric() {
            continue;
        }
        if begins {
            tokens.push(String::new());
        }
        if let Some(token) = tokens.last_mut() {
            token.extend(letter.to_lowercase().map(plain_letter));
        }
    }
    tokens
}

fn is_year(number: u16) -> bool {
    (1000..=9999).contains(&number)
}

/// Returns the number of the month that a word names or abbreviates.
fn month(word: &str) -> Option<u16> {
    if word.chars().count() < SHORTEST_MONTH {
        return None;
    }
    let of_word: Vec<&str> =
        rows(word).filter(|row| row.class == Class::Month).map(|row| row.meaning).collect();
    let meanings = if of_word.is_empty() {
        rows_beginning_with(Class::Month, word).map(|row| row.meaning).collect()
    } else {
        of_word
    };
    let first = *meanings.first()?;
    // `jui` is June and July in French, `listopada` October in Croatian and November in Polish.
    if meanings.iter().all(|other| *other == first) { first.parse().ok() } else { None }
}

/// Returns the letter without a diacritic, for those that names of months and weekdays have.
fn plain_letter(letter: char) -> char {
    match letter {
        'ä' | 'á' | 'ą' => 'a',
        'é' | 'è' | 'ě' | 'ė' | 'ē' => 'e',
        'û' | 'ü' | 'ú' | 'ů' | 'ū' => 'u',
        'í' | 'ì' | 'ī' | 'ı' => 'i',
        'ó' => 'o',
        'ç' | 'č' => 'c',
        'ń' => 'n',
        'ř' => 'r',
        'ś' | 'š' | 'ş' => 's',
        'ź' | 'ž' => 'z',
        'ğ' => 'g',
        'ά' => 'α',
        'έ' => 'ε',
        'ί' | 'ΐ' | 'ϊ' => 'ι',
        'ύ' => 'υ',
        'ώ' => 'ω',
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
            ("15AUG1921", "1921-08-15"),
            ("Monday, August 15, 1921", "1921-08-15"),
            ("lundi 15 août 1921", "1921-08-15"),
            ("15. srpna 1921", "1921-08-15"),
            ("15 sierpnia 1921 r.", "1921-08-15"),
            ("1921. augusztus 15.", "1921-08-15"),
            ("15. kolovoza 1921.", "1921-08-15"),
            ("15 Ağustos 1921", "1921-08-15"),
            ("15. elokuuta 1921", "1921-08-15"),
            ("15 серпня 1921", "1921-08-15"),
            ("15.08.1921 г.", "1921-08-15"),
            ("1921年8月15日", "1921-08-15"),
            ("5 Mar 1921", "1921-03-05"),
            ("5 června 1921", "1921-06-05"),
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
            "3 listopada 1921",
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
