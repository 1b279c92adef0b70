//! Rating lists as CSV or TSV, columns recognised by their header.

use std::path::Path;

use jiff::civil::{Date, date};
use thiserror::Error;

use super::list::RatingList;
use super::rating::is_rating;
use crate::source::{Diagnostic, DiagnosticKind, Limits, SourceError, decode, for_each_member};

/// Part of the lines that must be readable for a list to be used.
const READABLE: f64 = 0.9;

/// A rating list that cannot be used.
#[derive(Debug, Error)]
pub enum ListError {
    /// The file cannot be read.
    #[error(transparent)]
    Source(#[from] SourceError),
    /// The header lacks a column.
    #[error(
        "line 1: no column for the {0}; a list needs a name (name, player), a rating (rating, elo) \
         and a date (date, year, month)"
    )]
    Column(&'static str),
    /// Too many lines cannot be read.
    #[error("only {good} of {all} lines can be read; it is not used")]
    TooBad {
        /// Lines that were understood.
        good: usize,
        /// All lines below the header.
        all: usize,
    },
}

/// Columns by their place.
struct Columns {
    name: usize,
    rating: usize,
    date: usize,
}

impl Columns {
    fn of(header: &csv::StringRecord) -> Result<Columns, ListError> {
        let find = |what: &'static str, words: &[&str]| {
            words
                .iter()
                .find_map(|word| {
                    header.iter().position(|title| title.trim().eq_ignore_ascii_case(word))
                })
                .ok_or(ListError::Column(what))
        };
        Ok(Columns {
            name: find("name", &["name", "player"])?,
            rating: find("rating", &["rating", "elo"])?,
            date: find("date", &["date", "month", "dateranking", "year", "list"])?,
        })
    }
}

/// Reads a list, plain or packed, comma-, semicolon- or tab-separated.
///
/// The date column may hold a day (`1971-07-01`), a month (`200101`, `2001-01`) or a year (`1898`,
/// meaning its first of January). A line that cannot be read becomes a diagnostic.
///
/// # Errors
///
/// Where the file cannot be read, lacks a column, or nine in ten of its lines are not good.
pub fn read_separated(
    path: &Path,
    system: &str,
    limits: Limits,
    diagnostics: &mut Vec<Diagnostic>,
) -> Result<RatingList, ListError> {
    let mut list = RatingList::new(system);
    let mut outcome = Ok(());
    for_each_member(path, limits, &|_| (), |member| {
        if outcome.is_ok() {
            let whole =
                member.and_then(|member| Ok((member.name.clone(), member.read_whole(limits)?)));
            outcome = whole.map_err(|damaged| damaged.error.into()).and_then(|(name, bytes)| {
                let (text, _) = decode(&bytes);
                read_text(&text, &name, &mut list, diagnostics)
            });
        }
    });
    outcome.map(|()| list)
}

fn read_text(
    text: &str,
    file: &str,
    list: &mut RatingList,
    diagnostics: &mut Vec<Diagnostic>,
) -> Result<(), ListError> {
    let header = text.lines().next().unwrap_or_default();
    let delimiter = [b'\t', b';', b',']
        .into_iter()
        .max_by_key(|delimiter| header.bytes().filter(|byte| byte == delimiter).count())
        .unwrap_or(b',');
    let mut reader =
        csv::ReaderBuilder::new().delimiter(delimiter).flexible(true).from_reader(text.as_bytes());
    let columns = match reader.headers() {
        Ok(header) => Columns::of(header)?,
        Err(_) => return Err(ListError::Column("name")),
    };
    let (mut good, mut all) = (0, 0);
    let is_unrated = |record: &csv::StringRecord| {
        record
            .get(columns.rating)
            .is_some_and(|rating| matches!(rating.trim(), "" | "0" | "?" | "-"))
    };
    let mut bad = Vec::new();
    for record in reader.records() {
        // Lists carry unrated players too; they tell nothing, and are no mistakes.
        if record.as_ref().is_ok_and(is_unrated) {
            continue;
        }
        all += 1;
        match record.as_ref().map_err(ToString::to_string).and_then(|r| line(r, &columns)) {
            Ok((date, name, rating)) => {
                list.add(date, name, rating);
                good += 1;
            }
            Err(message) => {
                let position = match &record {
                    Ok(record) => record.position().map(csv::Position::line),
                    Err(error) => error.position().map(csv::Position::line),
                };
                bad.push(Diagnostic::warning(
                    file,
                    position.unwrap_or(0),
                    DiagnosticKind::RatingList,
                    message,
                ));
            }
        }
    }
    diagnostics.append(&mut bad);
    if (good as f64) < READABLE * all as f64 || all == 0 {
        return Err(ListError::TooBad { good, all });
    }
    Ok(())
}

fn line<'a>(
    record: &'a csv::StringRecord,
    columns: &Columns,
) -> Result<(Date, &'a str, f64), String> {
    let field = |index: usize, what: &str| {
        record.get(index).map(str::trim).filter(|text| !text.is_empty()).ok_or(format!("no {what}"))
    };
    let name = field(columns.name, "name")?;
    let rating = field(columns.rating, "rating")?;
    let rating: f64 = rating
        .parse()
        .ok()
        .filter(|rating: &f64| *rating > 0.0 && is_rating(*rating))
        .ok_or_else(|| format!("\"{}\" is no rating", shown(rating)))?;
    let date = field(columns.date, "date")?;
    let date = day(date).ok_or_else(|| format!("\"{}\" is no date", shown(date)))?;
    Ok((date, name, rating))
}

fn shown(text: &str) -> String {
    text.chars().take(40).collect()
}

/// The first day of what a date column means.
fn day(text: &str) -> Option<Date> {
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

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> (Result<(), ListError>, RatingList, Vec<Diagnostic>) {
        let mut list = RatingList::new("Test");
        let mut diagnostics = Vec::new();
        let outcome = read_text(text, "list.csv", &mut list, &mut diagnostics);
        (outcome, list, diagnostics)
    }

    #[test]
    fn columns_are_found_by_their_titles_in_any_order() {
        let (outcome, list, _) = read("Rank\tName\tRating\tYear\n1\tJohn Cochrane\t2571\t1843\n");
        assert!(outcome.is_ok());
        assert!(list.in_force(date(1843, 7, 1)).is_some());
        let (outcome, list, _) =
            read("\"Player\",\"Rating\",\"dateranking\"\n\"Garry Kasparov\",\"2850\",\"200103\"\n");
        assert!(outcome.is_ok());
        assert_eq!(list.editions().next().map(|(day, _)| day), Some(date(2001, 3, 1)));
    }

    #[test]
    fn a_bad_line_is_told_and_costs_no_neighbour() {
        let mut text = String::from("date,name,rating\n");
        for player in 0..20 {
            text.push_str(&format!("1971-07-01,Player {player},2500\n"));
        }
        text.push_str("1971-07-01,Nobody,high\n");
        let (outcome, list, diagnostics) = read(&text);
        assert!(outcome.is_ok());
        assert_eq!(list.len(), 20);
        assert_eq!(diagnostics[0].line, 22);
        assert_eq!(diagnostics[0].message, "\"high\" is no rating");
    }

    #[test]
    fn unrated_players_are_passed_over() {
        let (outcome, list, diagnostics) =
            read("date,name,rating\n1971-07-01,A,2500\n1971-07-01,B,0\n1971-07-01,C,\n");
        assert!(outcome.is_ok() && diagnostics.is_empty());
        assert_eq!(list.len(), 1);
    }

    #[test]
    fn a_list_that_is_mostly_unreadable_is_refused() {
        let (outcome, ..) = read("date,name,rating\nx,y,z\n1971,Fischer,2760\n");
        assert_eq!(
            outcome.unwrap_err().to_string(),
            "only 1 of 2 lines can be read; it is not used"
        );
        let (outcome, ..) = read("who,what\na,b\n");
        assert!(matches!(outcome, Err(ListError::Column("name"))));
    }
}
