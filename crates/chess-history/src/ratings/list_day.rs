//! Finds the day of a list in its title, its header or its file name.

use jiff::civil::{Date, date};

use crate::games::MONTHS;

/// Reads a cell in the column of dates: a day (`1971-07-01`), a month (`200101`, `2001-01`) or a
/// year (`1898`).
///
/// A month or a year stands for its first day.
pub fn of_column(text: &str) -> Option<Date> {
    let digits = text.bytes().all(|byte| byte.is_ascii_digit());
    let number: i32 = if digits { text.parse().ok()? } else { 0 };
    match text.len() {
        4 if digits => Date::new(number as i16, 1, 1).ok(),
        6 if digits => Date::new((number / 100) as i16, (number % 100) as i8, 1).ok(),
        7 => {
            let (year, month) = text.split_once(['-', '.', '/'])?;
            Date::new(year.parse().ok()?, month.parse().ok()?, 1).ok()
        }
        10 => {
            let mut parts = text.split(['-', '.', '/']);
            let (year, month, day) = (parts.next()?, parts.next()?, parts.next()?);
            Date::new(year.parse().ok()?, month.parse().ok()?, day.parse().ok()?).ok()
        }
        _ => None,
    }
    .filter(|day| *day >= date(1, 1, 1))
}

/// Finds the day in a title: `1st January 1975 FIDE Rating List`.
///
/// Without a number before the month it is the first of the month.
pub fn of_title(title: &str) -> Option<Date> {
    let words: Vec<&str> = title.split(|c: char| !c.is_alphanumeric()).collect();
    let (place, month) =
        words.iter().enumerate().find_map(|(place, word)| Some((place, month(word)?)))?;
    let year = words[place + 1..].iter().find_map(|word| year(word))?;
    let day = place
        .checked_sub(1)
        .and_then(|before| words[before].trim_end_matches(char::is_alphabetic).parse().ok())
        .filter(|day| (1..=31).contains(day));
    Date::new(year, month, day.unwrap_or(1)).ok()
}

/// Reads the month that the title of a rating column states: `JAN13`, `Oct25`.
pub fn of_header_word(word: &str) -> Option<Date> {
    let word = word.to_lowercase();
    let (name, digits) = (word.get(..3)?, word.get(3..)?);
    let month = month(name)?;
    (digits.len() == 2).then_some(())?;
    Date::new(century(digits.parse().ok()?), month, 1).ok()
}

/// Finds the day in a file name: `1999-01.TXT`, `standard_jan13frl.txt`, `fide-200804.csv`,
/// `fide-2013-01-01.txt`, `elo-1971.tsv`.
pub fn of_file_name(name: &str) -> Option<Date> {
    let lower = name.to_ascii_lowercase();
    let runs = runs(&lower);
    let with_month = runs.iter().enumerate().find_map(|(place, word)| {
        // `frl` (FIDE rating list) may follow the month without a space.
        Some((place, month(word.strip_suffix("frl").unwrap_or(word))?))
    });
    if let Some((place, month)) = with_month {
        let year = match runs.iter().find_map(|run| year(run)) {
            Some(year) => year,
            None => century(runs.get(place + 1).filter(|run| run.len() == 2)?.parse().ok()?),
        };
        return Date::new(year, month, 1).ok();
    }
    let numbers: Vec<&str> =
        lower.split(|c: char| !c.is_ascii_digit()).filter(|digits| !digits.is_empty()).collect();
    numbers.iter().enumerate().find_map(|(place, digits)| {
        if let (6, Some(day)) = (digits.len(), of_column(digits)) {
            return (1800..2200).contains(&day.year()).then_some(day);
        }
        let year = year(digits)?;
        let [month, day] = [1, 2].map(|behind| -> Option<i8> {
            numbers.get(place + behind).filter(|part| part.len() == 2)?.parse().ok()
        });
        match (month, day) {
            (Some(month), Some(day)) => Date::new(year, month, day).ok(),
            (Some(month), None) => Date::new(year, month, 1).ok(),
            (None, _) => Date::new(year, 1, 1).ok(),
        }
    })
}

/// Splits a text into runs of letters and runs of digits.
fn runs(text: &str) -> Vec<&str> {
    let mut runs = Vec::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let end = if first.is_ascii_digit() {
            rest.find(|c: char| !c.is_ascii_digit())
        } else {
            rest.find(|c: char| !c.is_alphabetic())
        };
        let end = end.unwrap_or(rest.len()).max(first.len_utf8());
        if first.is_alphanumeric() {
            runs.push(&rest[..end]);
        }
        rest = &rest[end..];
    }
    runs
}

fn month(word: &str) -> Option<i8> {
    // `Mar` and `March` are months, `Marathon` is not.
    let place = MONTHS.iter().position(|month| {
        word.eq_ignore_ascii_case(month) || word.eq_ignore_ascii_case(&month[..3])
    })?;
    Some(place as i8 + 1)
}

fn year(digits: &str) -> Option<i16> {
    let year = (digits.len() == 4).then(|| digits.parse().ok())??;
    (1800..2200).contains(&year).then_some(year)
}

/// Expands a year of two digits. FIDE's first list is of 1971.
fn century(year: i16) -> i16 {
    if year >= 70 { 1900 + year } else { 2000 + year }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn titles_headers_and_file_names_state_the_day() {
        assert_eq!(of_title("1st January 1975 FIDE Rating List"), Some(date(1975, 1, 1)));
        assert_eq!(of_title("FIDE Rating List, July 1986"), Some(date(1986, 7, 1)));
        assert_eq!(of_title("Aaron,M.                  IND  2240"), None);
        assert_eq!(of_title("Marathon 1990"), None);
        assert_eq!(of_header_word("OCT26"), Some(date(2026, 10, 1)));
        assert_eq!(of_header_word("Jan98"), Some(date(1998, 1, 1)));
        assert_eq!(of_header_word("Rtng"), None);
        for (name, day) in [
            ("2003-01.txt", date(2003, 1, 1)),
            ("1991_07.TXT", date(1991, 7, 1)),
            ("standard_jan13frl.txt", date(2013, 1, 1)),
            ("standard_rating_list-2025-03-01.xml", date(2025, 3, 1)),
            ("apr02frl.txt", date(2002, 4, 1)),
            ("fide-200804.csv", date(2008, 4, 1)),
            ("elo-1971.tsv", date(1971, 1, 1)),
            ("fide_2013_oct.xml", date(2013, 10, 1)),
            ("list_jan_01_2013.txt", date(2013, 1, 1)),
            ("oct1_2013.txt", date(2013, 10, 1)),
            ("separated-2013-10.csv", date(2013, 10, 1)),
            ("summary-2013-05.csv", date(2013, 5, 1)),
        ] {
            assert_eq!(of_file_name(name), Some(day), "{name}");
        }
        assert_eq!(of_file_name("players_list_xml_foa.xml"), None);
        assert_eq!(of_file_name("march-of-the-kings.txt"), None);
    }

    #[test]
    fn a_date_may_be_a_day_a_month_or_a_year() {
        assert_eq!(of_column("1971-07-01"), Some(date(1971, 7, 1)));
        assert_eq!(of_column("200101"), Some(date(2001, 1, 1)));
        assert_eq!(of_column("2001-04"), Some(date(2001, 4, 1)));
        assert_eq!(of_column("1898"), Some(date(1898, 1, 1)));
        assert_eq!(of_column("soon"), None);
    }
}
