//! Dates that may be known only in part.

use std::fmt;

use super::written_date;
use jiff::civil;
use serde::{Serialize, Serializer};

/// English names of the months.
pub const MONTHS: [&str; 12] = [
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
];

/// A date whose day, month or year may be unknown.
///
/// Dates are ordered by year, month and day, with unknown parts first. To find out which of two
/// days came first, compare [`earliest`](PartialDate::earliest) and
/// [`latest`](PartialDate::latest). The text form is that of PGN: `1895.08.??`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PartialDate {
    /// Year, 1 to 9999; 0 is unknown.
    year: u16,
    /// Month, 1 to 12; 0 is unknown.
    month: u8,
    /// Day, 1 to 31; 0 is unknown.
    day: u8,
}

impl PartialDate {
    /// A date of which nothing is known.
    pub const UNKNOWN: PartialDate = PartialDate { year: 0, month: 0, day: 0 };

    /// Returns the month, 1 to 12, or `None` if it is unknown.
    pub fn month(self) -> Option<u8> {
        (self.month > 0).then_some(self.month)
    }

    /// A date of which only the year is known.
    pub fn of_year(year: u16) -> PartialDate {
        PartialDate { year, month: 0, day: 0 }
    }

    /// A date of which year, month and day are known.
    pub fn of_day(date: civil::Date) -> PartialDate {
        PartialDate {
            year: date.year().unsigned_abs(),
            month: date.month().unsigned_abs(),
            day: date.day().unsigned_abs(),
        }
    }

    /// Parses `1895.08.05`, `1895.08.??`, `1895.??.??` or `1895`, also with `-` or `/` between the
    /// parts.
    ///
    /// Returns `None` if the text is not a date. `????.??.??` and the empty text are the unknown
    /// date. A day without a month, or after the end of its month, is dropped.
    pub fn parse(text: &str) -> Option<PartialDate> {
        let text = text.trim();
        if text.is_empty() {
            return Some(PartialDate::UNKNOWN);
        }
        let mut parts = text.split(['.', '-', '/']);
        // In `15.08.21` the first part is no year.
        let year = parts.next().filter(|year| is_year(year) || !year.contains(is_digit))?;
        let year = part(year, 9999)?;
        let month = part(parts.next().unwrap_or("??"), 12)?;
        let day = part(parts.next().unwrap_or("??"), 31)?;
        if parts.next().is_some() {
            return None;
        }
        let month = if year == 0 { 0 } else { month as u8 };
        let mut date = PartialDate { year, month, day: day as u8 };
        if month == 0 || date.day_exact().is_none() {
            date.day = 0;
        }
        Some(date)
    }

    /// Parses the other forms that people and programs write, if they are unambiguous:
    /// `15.08.1921`, `1 August 1921`, `19210801`, `1921-08-01T10:00`.
    ///
    /// ```
    /// use pgn_collections::games::PartialDate;
    ///
    /// let date = PartialDate::parse_other_form("le 1er août 1921").unwrap();
    /// assert_eq!(date.iso(), "1921-08-01");
    /// // Either number may be the month.
    /// assert_eq!(PartialDate::parse_other_form("05.08.1921"), None);
    /// ```
    pub fn parse_other_form(text: &str) -> Option<PartialDate> {
        let [year, month, day] = written_date::parts(text)?;
        let date = PartialDate { year, month: month as u8, day: day as u8 };
        (day == 0 || date.is_exact()).then_some(date)
    }

    /// Recovers what it can from a text that is not a valid date: the only number of four digits,
    /// which is the year, and a month that follows a year at the beginning.
    pub fn salvaged(text: &str) -> PartialDate {
        let parts: Vec<&str> = text.trim().split(['.', '-', '/']).map(str::trim).collect();
        let (year, month) = match parts[..] {
            [year, month, ..] if is_year(year) => (year, part(month, 12).unwrap_or(0)),
            [year] if year.get(..4).is_some_and(is_year) => (&year[..4], 0),
            [.., year] if is_year(year) => (year, 0),
            _ => {
                let numbers = text.split(|c: char| !c.is_ascii_digit());
                let mut years = numbers.filter(|number| is_year(number));
                match (years.next(), years.next()) {
                    (Some(year), None) => (year, 0),
                    _ => return PartialDate::UNKNOWN,
                }
            }
        };
        let year = part(year, 9999).unwrap_or(0);
        PartialDate { year, month: if year == 0 { 0 } else { month as u8 }, day: 0 }
    }

    /// Parses the bytes of a tag like [`parse`](PartialDate::parse). Dates in the standard form
    /// take a faster path.
    pub fn parse_bytes(bytes: &[u8]) -> Option<PartialDate> {
        if let [y0, y1, y2, y3, b'.', m0, m1, b'.', d0, d1] = *bytes {
            let digits = [y0, y1, y2, y3, m0, m1, d0, d1].map(|byte| byte.wrapping_sub(b'0'));
            let unknown = b'?' - b'0';
            let [y0, y1, y2, y3, m0, m1, d0, d1] = digits;
            if digits[..4].iter().all(|digit| *digit < 10) {
                let year = 100 * u16::from(10 * y0 + y1) + u16::from(10 * y2 + y3);
                if year > 0 && digits[4..] == [unknown; 4] {
                    return Some(PartialDate { year, month: 0, day: 0 });
                }
                let (month, day) = (10 * (m0 % 10) + m1 % 10, 10 * (d0 % 10) + d1 % 10);
                // Every month has these days.
                if year > 0
                    && digits[4..].iter().all(|digit| *digit < 10)
                    && (1..=12).contains(&month)
                    && (1..=28).contains(&day)
                {
                    return Some(PartialDate { year, month, day });
                }
            }
        }
        PartialDate::parse(std::str::from_utf8(bytes).ok()?)
    }

    /// Returns the year, or `None` if it is unknown.
    pub fn year(self) -> Option<i16> {
        (self.year > 0).then_some(self.year as i16)
    }

    /// Returns whether year, month and day are known.
    pub fn is_exact(self) -> bool {
        self.day_exact().is_some()
    }

    /// Returns the day, or `None` if a part of the date is unknown.
    pub fn day_exact(self) -> Option<civil::Date> {
        // This check is called for every game, and constructing jiff's error would cost more.
        if self.known_parts() < 3 {
            return None;
        }
        civil::Date::new(self.year as i16, self.month as i8, self.day as i8).ok()
    }

    /// Returns the first day that the date may mean, or `None` if the year is unknown.
    pub fn earliest(self) -> Option<civil::Date> {
        let year = self.year()?;
        civil::Date::new(year, self.month.max(1) as i8, self.day.max(1) as i8).ok()
    }

    /// Returns the last day that the date may mean, or `None` if the year is unknown.
    pub fn latest(self) -> Option<civil::Date> {
        let year = self.year()?;
        if self.day > 0 {
            return self.day_exact();
        }
        let month = if self.month > 0 { self.month } else { 12 };
        civil::Date::new(year, month as i8, 1).ok().map(|first| first.last_of_month())
    }

    /// Returns the middle of the period that the date may mean: 1 July of a year, the fifteenth of
    /// a month. Returns `None` if the year is unknown.
    pub fn middle(self) -> Option<civil::Date> {
        let year = self.year()?;
        match self.known_parts() {
            1 => Some(civil::date(year, 7, 1)),
            2 => civil::Date::new(year, self.earliest()?.month(), 15).ok(),
            _ => self.day_exact().or_else(|| Some(civil::date(year, 7, 1))),
        }
    }

    /// Returns whether two dates may mean the same day.
    ///
    /// Unknown parts match anything. Around New Year the years may differ by one, because headers
    /// disagree on the year of an event.
    pub fn compatible(self, other: PartialDate) -> bool {
        if self.year == 0 || other.year == 0 || self.year == other.year {
            return (self.month == 0 || other.month == 0 || self.month == other.month)
                && (self.day == 0 || other.day == 0 || self.day == other.day);
        }
        let (early, late) = if self.year < other.year { (self, other) } else { (other, self) };
        late.year - early.year == 1
            && (early.month == 0 || early.month == 12)
            && (late.month == 0 || late.month == 1)
            && (early.day == 0 || late.day == 0)
    }

    /// Returns the number of known parts, 0 to 3.
    pub fn known_parts(self) -> u32 {
        u32::from(self.year > 0) + u32::from(self.month > 0) + u32::from(self.day > 0)
    }

    /// Returns the English name of the month, or `None` if it is unknown.
    pub fn month_name(self) -> Option<&'static str> {
        usize::from(self.month).checked_sub(1).and_then(|month| MONTHS.get(month)).copied()
    }

    /// Returns the date in words: `1895`, `August 1895` or `5 August 1895`. Returns `None` if the
    /// year is unknown.
    pub fn in_words(self) -> Option<String> {
        let year = self.year()?;
        let month = self.month_name();
        Some(match (month, self.day) {
            (None, _) => year.to_string(),
            (Some(month), 0) => format!("{month} {year}"),
            (Some(month), day) => format!("{day} {month} {year}"),
        })
    }

    /// Returns the date in ISO 8601 notation: `1895`, `1895-08` or `1895-08-05`. The text is empty
    /// if the year is unknown.
    pub fn iso(self) -> String {
        match (self.year, self.month, self.day) {
            (0, ..) => String::new(),
            (year, 0, _) => format!("{year:04}"),
            (year, month, 0) => format!("{year:04}-{month:02}"),
            (year, month, day) => format!("{year:04}-{month:02}-{day:02}"),
        }
    }
}

/// Whether a part of a date is a year of four digits.
fn is_year(part: &str) -> bool {
    let part = part.trim();
    part.len() == 4 && part.chars().all(is_digit)
}

fn is_digit(letter: char) -> bool {
    letter.is_ascii_digit()
}

/// Parses a number up to `most`. Question marks are 0.
fn part(text: &str, most: u16) -> Option<u16> {
    let text = text.trim();
    if !text.is_empty() && text.bytes().all(|byte| byte == b'?') {
        return Some(0);
    }
    text.parse().ok().filter(|number| *number <= most)
}

impl fmt::Display for PartialDate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.year {
            0 => f.write_str("????")?,
            year => write!(f, "{year:04}")?,
        }
        for part in [self.month, self.day] {
            match part {
                0 => f.write_str(".??")?,
                part => write!(f, ".{part:02}")?,
            }
        }
        Ok(())
    }
}

impl Serialize for PartialDate {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&self.iso())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn date(text: &str) -> PartialDate {
        PartialDate::parse(text).unwrap()
    }

    #[test]
    fn the_year_and_a_valid_month_of_a_wrong_date_are_kept() {
        for (text, kept) in [
            ("1995.02.45", "1995.02.??"),
            ("1995.13.05", "1995.??.??"),
            ("1995.??.xx", "1995.??.??"),
            ("05.08.1895", "1895.??.??"),
            ("1995 spring", "1995.??.??"),
            ("1995.02.03.04", "1995.02.??"),
            ("spring", "????.??.??"),
            ("spring of 1995", "1995.??.??"),
            ("1995 or 1996", "1995.??.??"),
            ("19950203", "1995.??.??"),
        ] {
            assert_eq!(PartialDate::salvaged(text).to_string(), kept, "{text}");
        }
    }

    #[test]
    fn dates_are_parsed_as_far_as_they_are_known() {
        assert_eq!(date("1895.??.??").iso(), "1895");
        assert_eq!(date("1895.08.??").iso(), "1895-08");
        assert_eq!(date("1895-08-05").iso(), "1895-08-05");
        assert_eq!(date("????.??.??"), PartialDate::UNKNOWN);
        assert_eq!(date(""), PartialDate::UNKNOWN);
        assert_eq!(date("1995.02.31").iso(), "1995-02", "there is no such day");
        assert_eq!(PartialDate::parse("last summer"), None);
        assert_eq!(PartialDate::parse("1895.13.01"), None);
        assert_eq!(PartialDate::parse("15.08.21"), None, "a year has four digits");
    }

    #[test]
    fn bytes_and_text_parse_to_the_same_date() {
        for text in [
            "1895.??.??",
            "1895.08.05",
            "1895.08.??",
            "1895.02.31",
            "1895.12.31",
            "????.??.??",
            "0000.01.01",
            "1895.13.01",
            "1895.00.00",
            "1895.1.5",
            "soon",
            "",
            "1895.0?.01",
        ] {
            assert_eq!(
                PartialDate::parse_bytes(text.as_bytes()),
                PartialDate::parse(text),
                "{text}"
            );
        }
        assert_eq!(PartialDate::parse_bytes(b"1895.\xe4.01"), None);
    }

    #[test]
    fn a_date_is_written_as_it_was_parsed() {
        for text in ["1895.08.05", "1895.08.??", "1895.??.??", "????.??.??"] {
            assert_eq!(date(text).to_string(), text);
        }
    }

    #[test]
    fn earliest_and_latest_enclose_the_possible_days() {
        assert_eq!(date("1896.02.??").latest(), Some(civil::date(1896, 2, 29)));
        assert_eq!(date("1895.??.??").earliest(), Some(civil::date(1895, 1, 1)));
        assert_eq!(date("1895.??.??").latest(), Some(civil::date(1895, 12, 31)));
        assert_eq!(PartialDate::UNKNOWN.earliest(), None);
    }

    #[test]
    fn unknown_parts_match_anything_and_years_differ_only_around_new_year() {
        assert!(date("1895.??.??").compatible(date("1895.08.05")));
        assert!(!date("1895.08.05").compatible(date("1895.08.06")));
        assert!(date("1975.12.??").compatible(date("1976.01.??")));
        assert!(date("1975.??.??").compatible(date("1976.01.03")));
        assert!(!date("1975.??.??").compatible(date("1976.02.03")));
        assert!(!date("1975.12.30").compatible(date("1976.01.03")), "two known days differ");
    }
}
