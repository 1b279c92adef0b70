//! Reads rating lists in CSV and TSV, and recognises the columns by their titles.

use jiff::civil::Date;

use super::fide_text::without_title;
use super::line_error::{LineError, quoted};
use super::list_day;
use super::list_line::{RatingListLine, activity};
use super::rating::{birth, birth_by_age, fide_id, is_unrated, rating};
use crate::source::CleanName;

/// The titles of the column with the rating.
const RATING_TITLES: [&str; 3] = ["rating", "rtng", "elo"];

/// The beginning of the column `source` where a rating was collected from the tags of games.
const FROM_TAGS: &str = "tags";

/// Why a line is not the header of a list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum HeaderError {
    /// A column with this content is missing.
    Missing(&'static str),
    /// Several columns could be the rating.
    TwoRatings,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct DelimitedColumns {
    name: usize,
    rating: usize,
    date: Option<usize>,
    id: Option<usize>,
    games: Option<usize>,
    flag: Option<usize>,
    active: Option<usize>,
    deviation: Option<usize>,
    source: Option<usize>,
    born: Option<usize>,
    age: Option<usize>,
    delimiter: u8,
    /// Whether the list is FIDE's. Only its lists have numbers, federations and `Rtng`.
    pub is_fide: bool,
}

impl DelimitedColumns {
    /// Finds the columns in a header line.
    ///
    /// # Errors
    ///
    /// Returns an error if a column is missing (the name, if the line is not a header at all), or
    /// if two columns could be the rating.
    pub fn parse(header: &str) -> Result<DelimitedColumns, HeaderError> {
        let delimiter = [b'\t', b';', b',']
            .into_iter()
            .max_by_key(|delimiter| header.bytes().filter(|byte| byte == delimiter).count())
            .unwrap_or(b',');
        let titles: Vec<String> = header
            .trim_end_matches(['\r', '\n'])
            .split(char::from(delimiter))
            .map(|title| title.trim_matches([' ', '"', '\u{feff}']).to_lowercase())
            .collect();
        let id = find(&titles, &["id_number", "fide_id", "fideid", "id"]);
        let federation = find(&titles, &["fed", "federation"]);
        let name = find(&titles, &["name", "player"])
            // FIDE's list of January 2006 has `Name`, spaces and `Title` in one column.
            .or_else(|| titles.iter().position(|title| title.starts_with("name ")))
            .ok_or(HeaderError::Missing("name"))?;
        let rating = find(&titles, &RATING_TITLES).ok_or(HeaderError::Missing("rating"))?;
        let of_ratings = titles.iter().filter(|title| RATING_TITLES.contains(&title.as_str()));
        if of_ratings.count() > 1 {
            return Err(HeaderError::TwoRatings);
        }
        Ok(DelimitedColumns {
            name,
            rating,
            date: find(&titles, &["date", "month", "dateranking", "year", "list"]),
            is_fide: id.is_some() && federation.is_some() && find(&titles, &["rtng"]).is_some(),
            id,
            games: find(&titles, &["games", "game", "gms"]),
            flag: find(&titles, &["flag"]),
            active: find(&titles, &["active"]),
            deviation: find(&titles, &["deviation", "rd", "standard_error", "standard error"]),
            source: find(&titles, &["source"]),
            born: find(&titles, &["born", "birthday", "b-day", "sborn"]),
            age: find(&titles, &["age"]),
            delimiter,
        })
    }

    /// Returns whether the list has a column of dates.
    pub fn has_dates(&self) -> bool {
        self.date.is_some()
    }

    /// Reads the lines below the header and passes each to `visit` with its line number.
    ///
    /// A player without a rating is `Ok(None)`. If the list has no column of dates, every line gets
    /// the given day.
    pub fn read(
        &self,
        text: &str,
        day: Option<Date>,
        mut visit: impl FnMut(u64, Result<Option<(Date, RatingListLine)>, LineError>),
    ) {
        let mut reader = csv::ReaderBuilder::new()
            .delimiter(self.delimiter)
            // In TSV a quote is an ordinary character. An unclosed one would swallow the lines
            // that follow.
            .quoting(self.delimiter != b'\t')
            .flexible(true)
            .from_reader(text.as_bytes());
        let mut record = csv::StringRecord::new();
        loop {
            match reader.read_record(&mut record) {
                Ok(false) => return,
                Ok(true) => {
                    let line = record.position().map_or(0, csv::Position::line);
                    visit(line, self.line(&record, day));
                }
                Err(error) => {
                    let line = error.position().map_or(0, csv::Position::line);
                    let is_io_error = error.is_io_error();
                    visit(line, Err(error.into()));
                    if is_io_error {
                        return;
                    }
                }
            }
        }
    }

    fn line(
        &self,
        record: &csv::StringRecord,
        day: Option<Date>,
    ) -> Result<Option<(Date, RatingListLine)>, LineError> {
        // Lists contain unrated players too.
        let has_rating = record.len() > self.rating;
        let stated_rating = cell(record, Some(self.rating));
        if has_rating && is_unrated(stated_rating) {
            return Ok(None);
        }
        let name = CleanName::new(without_title(cell(record, Some(self.name))));
        if name.is_empty() {
            return Err(LineError::NoName);
        }
        if !has_rating {
            return Err(LineError::NoRating);
        }
        let points = rating(stated_rating)?;
        let day = if self.has_dates() {
            let text = cell(record, self.date);
            list_day::of_column(text).ok_or_else(|| LineError::Date(quoted(text)))?
        } else {
            day.ok_or(LineError::NoDate)?
        };
        let line = RatingListLine {
            name,
            rating: points,
            fide_id: fide_id(cell(record, self.id)),
            active: match cell(record, self.active) {
                "yes" | "true" => Some(true),
                "no" | "false" => Some(false),
                _ => activity(cell(record, self.games), cell(record, self.flag)),
            },
            deviation: match cell(record, self.deviation) {
                "" => None,
                text => Some(deviation(text)?),
            },
            born: birth(cell(record, self.born), day.year())
                .or_else(|| birth_by_age(cell(record, self.age), (day.year(), day.month()))),
            from_tags: cell(record, self.source).starts_with(FROM_TAGS),
        };
        Ok(Some((day, line)))
    }
}

/// Returns the position of the column with the first of these titles that the list has.
fn find(titles: &[String], words: &[&str]) -> Option<usize> {
    words.iter().find_map(|word| titles.iter().position(|title| title == word))
}

/// Returns the text of a cell without padding; empty if the list or the line lacks the column.
fn cell(record: &csv::StringRecord, column: Option<usize>) -> &str {
    let text = column.and_then(|column| record.get(column)).unwrap_or_default();
    text.trim_matches([' ', '"', '\r'])
}

/// The largest standard deviation (points) that a list may state; a larger one is a mistake.
///
/// Judged: no list rates a player so badly. Half would still accept every deviation of a new player
/// (Glicko begins with 350), double would accept ratings.
const LARGEST_DEVIATION: f64 = 1000.0;

fn deviation(text: &str) -> Result<f64, LineError> {
    let number = text.parse::<f64>().ok();
    number
        .filter(|number| (0.0..=LARGEST_DEVIATION).contains(number))
        .ok_or_else(|| LineError::Deviation(quoted(text)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use jiff::civil::date;

    /// The lines of a list, each with its number; errors as text.
    type ReadLines = Vec<(u64, Result<Option<(Date, RatingListLine)>, String>)>;

    fn read(text: &str, day: Option<Date>) -> ReadLines {
        let header = text.lines().next().unwrap_or_default();
        let columns = DelimitedColumns::parse(header).expect("a header");
        let mut found = Vec::new();
        columns.read(text, day, |line, player| {
            found.push((line, player.map_err(|error| error.to_string())));
        });
        found
    }

    #[test]
    fn columns_are_found_by_title_in_any_order() {
        let found = read("Rank\tName\tRating\tYear\n1\tJohn Cochrane\t2571\t1843\n", None);
        assert_eq!(
            found[0].1,
            Ok(Some((date(1843, 1, 1), RatingListLine::new("John Cochrane", 2571.0))))
        );
        let found = read(
            "\"Player\",\"Rating\",\"dateranking\"\n\"Garry Kasparov\",\"2850\",\"200103\"\n",
            None,
        );
        assert_eq!(
            found[0].1,
            Ok(Some((date(2001, 3, 1), RatingListLine::new("Garry Kasparov", 2850.0))))
        );
    }

    #[test]
    fn fide_lists_in_tsv_have_numbers_flags_and_the_day_of_their_file() {
        let text = "ID_number\tName                            Title\tFed\tRtng\tGames\tBorn\tFlag\n\
                    4100018\t\"Kasparov, Garry                   g\"\tRUS\t2812\t0\t1963\twi\n";
        let found = read(text, Some(date(2006, 1, 1)));
        let line = RatingListLine {
            name: "Kasparov, Garry".into(),
            rating: 2812.0,
            fide_id: Some(4_100_018),
            active: Some(false),
            born: Some(1963),
            ..RatingListLine::default()
        };
        assert_eq!(found, [(2, Ok(Some((date(2006, 1, 1), line))))]);
        assert!(DelimitedColumns::parse(text.lines().next().unwrap()).unwrap().is_fide);
    }

    #[test]
    fn a_list_may_state_standard_deviations() {
        let text = "name,rating,year,deviation\nA,2500,1890,41.5\nB,2400,1890,\nC,2300,1890,-4\n";
        let found = read(text, None);
        let deviations: Vec<Result<Option<f64>, &str>> = found
            .iter()
            .map(|(_, outcome)| match outcome {
                Ok(Some((_, line))) => Ok(line.deviation),
                Ok(None) => Ok(None),
                Err(message) => Err(message.as_str()),
            })
            .collect();
        let error = "\"-4\" is not a standard deviation of a rating";
        assert_eq!(deviations, [Ok(Some(41.5)), Ok(None), Err(error)]);
    }

    #[test]
    fn an_unclosed_quote_affects_no_other_line() {
        let text = "name\trating\tdate\n\"A, B\t2500\t1990\nC, D\t2400\t1990\n";
        let names: Vec<String> = read(text, None)
            .into_iter()
            .filter_map(|(_, line)| Some(line.ok()??.1.name.into()))
            .collect();
        assert_eq!(names, ["A, B", "C, D"]);
    }

    #[test]
    fn bad_lines_are_errors_and_unrated_players_are_none() {
        let found = read(
            "date,name,rating\n1971-07-01,A,2500\n1971-07-01,B,0\n1971-07-01,C,\n\
             1971-07-01,X,high\nsoon,D,2400\n1971-07-01,E\n",
            None,
        );
        let shown: Vec<String> = found
            .iter()
            .map(|(line, outcome)| match outcome {
                Ok(Some((_, line))) => line.name.to_string(),
                Ok(None) => "unrated".into(),
                Err(message) => format!("line {line}: {message}"),
            })
            .collect();
        assert_eq!(
            shown,
            [
                "A",
                "unrated",
                "unrated",
                "line 5: \"high\" is not a rating",
                "line 6: \"soon\" is not a date",
                "line 7: no rating"
            ]
        );
    }

    #[test]
    fn a_header_must_have_a_name_and_a_rating() {
        assert_eq!(DelimitedColumns::parse("who,what"), Err(HeaderError::Missing("name")));
        assert_eq!(DelimitedColumns::parse("name,what"), Err(HeaderError::Missing("rating")));
    }

    #[test]
    fn a_header_with_two_ratings_is_refused() {
        assert_eq!(DelimitedColumns::parse("name,rating,elo,year"), Err(HeaderError::TwoRatings));
    }
}
