//! Rating lists as CSV or TSV, columns recognised by their header.

use jiff::civil::Date;

use super::fide_text::without_title;
use super::list::{Line, activity};
use super::list_day;
use super::rating::{fide_id, is_unrated, rating, shown};

/// Columns by their place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Columns {
    name: usize,
    rating: usize,
    date: Option<usize>,
    id: Option<usize>,
    games: Option<usize>,
    flag: Option<usize>,
    active: Option<usize>,
    deviation: Option<usize>,
    delimiter: u8,
    /// Whether it is one of FIDE's, who alone have numbers, federations and ratings together.
    pub is_fide: bool,
}

impl Columns {
    /// From a header line.
    ///
    /// # Errors
    ///
    /// Where it lacks a column: the name of what it lacks; of a line that is no header at all `name`.
    pub fn of(header: &str) -> Result<Columns, &'static str> {
        let delimiter = [b'\t', b';', b',']
            .into_iter()
            .max_by_key(|delimiter| header.bytes().filter(|byte| byte == delimiter).count())
            .unwrap_or(b',');
        let titles: Vec<String> = header
            .trim_end_matches(['\r', '\n'])
            .split(char::from(delimiter))
            .map(|title| title.trim_matches([' ', '"', '\u{feff}']).to_lowercase())
            .collect();
        let find = |words: &[&str]| {
            words.iter().find_map(|word| titles.iter().position(|title| title == word))
        };
        // FIDE's list of January 2006 has `Name`, spaces and `Title` as one column.
        let padded = || titles.iter().position(|title| title.starts_with("name "));
        let id = find(&["id_number", "fide_id", "fideid", "id"]);
        let federation = find(&["fed", "federation"]);
        Ok(Columns {
            name: find(&["name", "player"]).or_else(padded).ok_or("name")?,
            rating: find(&["rating", "rtng", "elo"]).ok_or("rating")?,
            date: find(&["date", "month", "dateranking", "year", "list"]),
            is_fide: id.is_some() && federation.is_some() && find(&["rtng"]).is_some(),
            id,
            games: find(&["games", "game", "gms"]),
            flag: find(&["flag"]),
            active: find(&["active"]),
            deviation: find(&["deviation", "rd", "standard_error", "standard error"]),
            delimiter,
        })
    }

    /// Whether there is a column of dates.
    pub fn have_dates(&self) -> bool {
        self.date.is_some()
    }

    /// Reads the lines below the header, each with its number; `Ok(None)` of a player without a rating.
    /// Where there is no column of dates, all are of the given day.
    pub fn read(
        &self,
        text: &str,
        day: Option<Date>,
        mut visit: impl FnMut(u64, Result<Option<(Date, Line)>, String>),
    ) {
        let mut reader = csv::ReaderBuilder::new()
            .delimiter(self.delimiter)
            // With tabs quotes protect nothing, and one that is not closed would swallow the lines
            // behind it.
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
                    visit(line, Err(error.to_string()));
                    if error.is_io_error() {
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
    ) -> Result<Option<(Date, Line)>, String> {
        let plain = |field: &'_ str| -> String { field.trim_matches([' ', '"', '\r']).to_owned() };
        let field = |index: usize| record.get(index).map(plain).unwrap_or_default();
        // Lists carry unrated players too.
        if record.len() > self.rating && is_unrated(&field(self.rating)) {
            return Ok(None);
        }
        let name = field(self.name);
        let name = without_title(&name);
        if name.is_empty() {
            return Err("no name".to_owned());
        }
        let points = rating(&record.get(self.rating).map(plain).ok_or("no rating")?)?;
        let day = match self.date {
            Some(date) => {
                let text = field(date);
                let day = list_day::of_column(&text);
                day.ok_or_else(|| format!("\"{}\" is no date", shown(&text)))?
            }
            None => day.ok_or("no date")?,
        };
        let line = Line {
            name: name.to_owned(),
            rating: points,
            fide_id: self.id.and_then(|id| fide_id(&field(id))),
            active: match self.active.map(field).as_deref() {
                Some("yes") => Some(true),
                Some("no") => Some(false),
                _ => activity(
                    &self.games.map(field).unwrap_or_default(),
                    &self.flag.map(field).unwrap_or_default(),
                ),
            },
            deviation: match self.deviation.map(field) {
                Some(text) if !text.is_empty() => Some(deviation(&text)?),
                _ => None,
            },
        };
        Ok(Some((day, line)))
    }
}

/// Deviations (points) beyond this say nothing of anybody, and are mistakes.
const LARGEST_DEVIATION: f64 = 1000.0;

fn deviation(text: &str) -> Result<f64, String> {
    let number = text.parse::<f64>().ok();
    number
        .filter(|number| (0.0..=LARGEST_DEVIATION).contains(number))
        .ok_or_else(|| format!("\"{}\" is no standard deviation of a rating", shown(text)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use jiff::civil::date;

    type Found = Vec<(u64, Result<Option<(Date, Line)>, String>)>;

    fn read(text: &str, day: Option<Date>) -> Found {
        let columns = Columns::of(text.lines().next().unwrap_or_default()).expect("a header");
        let mut found = Vec::new();
        columns.read(text, day, |line, player| found.push((line, player)));
        found
    }

    #[test]
    fn columns_are_found_by_their_titles_in_any_order() {
        let found = read("Rank\tName\tRating\tYear\n1\tJohn Cochrane\t2571\t1843\n", None);
        assert_eq!(found[0].1, Ok(Some((date(1843, 1, 1), Line::new("John Cochrane", 2571.0)))));
        let found = read(
            "\"Player\",\"Rating\",\"dateranking\"\n\"Garry Kasparov\",\"2850\",\"200103\"\n",
            None,
        );
        assert_eq!(found[0].1, Ok(Some((date(2001, 3, 1), Line::new("Garry Kasparov", 2850.0)))));
    }

    #[test]
    fn lists_of_fide_with_tabs_have_numbers_and_marks_and_the_day_of_their_file() {
        let text = "ID_number\tName                            Title\tFed\tRtng\tGames\tBorn\tFlag\n\
                    4100018\t\"Kasparov, Garry                   g\"\tRUS\t2812\t0\t1963\twi\n";
        let found = read(text, Some(date(2006, 1, 1)));
        let line = Line {
            name: "Kasparov, Garry".into(),
            rating: 2812.0,
            fide_id: Some(4_100_018),
            active: Some(false),
            deviation: None,
        };
        assert_eq!(found, [(2, Ok(Some((date(2006, 1, 1), line))))]);
        assert!(Columns::of(text.lines().next().unwrap()).unwrap().is_fide);
    }

    #[test]
    fn a_list_may_tell_how_sure_its_ratings_are() {
        let text = "name,rating,year,deviation\nA,2500,1890,41.5\nB,2400,1890,\nC,2300,1890,-4\n";
        let found = read(text, None);
        let deviation = |place: usize| match &found[place].1 {
            Ok(Some((_, line))) => Ok(line.deviation),
            Ok(None) => Ok(None),
            Err(message) => Err(message.as_str()),
        };
        assert_eq!(deviation(0), Ok(Some(41.5)));
        assert_eq!(deviation(1), Ok(None));
        assert_eq!(deviation(2), Err("\"-4\" is no standard deviation of a rating"));
    }

    #[test]
    fn a_quote_that_is_not_closed_costs_no_neighbour() {
        let text = "name\trating\tdate\n\"A, B\t2500\t1990\nC, D\t2400\t1990\n";
        let names: Vec<String> =
            read(text, None).into_iter().filter_map(|(_, line)| Some(line.ok()??.1.name)).collect();
        assert_eq!(names, ["A, B", "C, D"]);
    }

    #[test]
    fn a_bad_line_is_told_and_unrated_players_are_none() {
        let found = read(
            "date,name,rating\n1971-07-01,A,2500\n1971-07-01,B,0\n1971-07-01,C,\n\
             1971-07-01,Nobody,high\nsoon,D,2400\n1971-07-01,E\n",
            None,
        );
        let shown: Vec<String> = found
            .iter()
            .map(|(line, outcome)| match outcome {
                Ok(Some((_, line))) => line.name.clone(),
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
                "line 5: \"high\" is no rating",
                "line 6: \"soon\" is no date",
                "line 7: no rating"
            ]
        );
    }

    #[test]
    fn a_header_without_a_column_is_none() {
        assert_eq!(Columns::of("who,what"), Err("name"));
        assert_eq!(Columns::of("name,what"), Err("rating"));
    }
}
