//! Reads files of rating lists in every format.

use std::io::Read;
use std::path::Path;

use jiff::civil::Date;
use rustc_hash::FxHashMap;
use thiserror::Error;

use super::delimited::HeaderError;
use super::line_error::LineError;
use super::list::RatingList;
use super::list_line::RatingListLine;
use super::{delimited, fide_text, fide_xml, list_day};
use crate::players::PersonName;
use crate::source::{
    Content, Diagnostic, DiagnosticKind, InputMember, Limits, SourceError, decode, for_each_member,
};

/// The part of the lines that must be readable before a list is used.
///
/// Judged: real lists have a few damaged lines in a thousand. With half, a file of another format
/// could pass as a list.
const READABLE: f64 = 0.9;

/// The number of bad lines of one file that are reported one by one; the others are counted. It
/// bounds the memory of a report.
const REPORTED: usize = 1000;

/// The lowest rating (points) that is kept of a player who is not in the games.
///
/// FIDE's lists hold hundreds of thousands of players. Those from this rating on are enough for
/// ranks. Judged: they are about a thousand players of a list; a hundred points less would be
/// several thousand.
const WORTH_KEEPING: f64 = 2500.0;

/// The range (points) of all ratings that FIDE has ever published. Taken from FIDE: 1000 was the
/// lowest floor, and no rating reached 2900.
const FIDE_RATINGS: std::ops::Range<f64> = 1000.0..3500.0;

/// The number of lines at the beginning of a text that are searched for the header. Judged: FIDE's
/// texts have a title and blank lines before it, at most a few.
const HEADING: usize = 12;

/// The name of the system of FIDE's ratings.
pub const FIDE_SYSTEM: &str = "Elo";

/// Why a file, or a member of an archive, cannot be used as a rating list.
#[derive(Debug, Error)]
enum ListError {
    /// It has no known header.
    #[error(
        "not a rating list: no header with a {0}; a list is CSV or TSV with a name (name, player), \
         a rating (rating, elo) and a date (date, year, month), or one of FIDE's text or XML files"
    )]
    Header(&'static str),
    /// Several of its columns could be the rating.
    #[error(
        "two columns could be the rating (rating, rtng, elo); rename the one that is not meant"
    )]
    TwoRatings,
    /// It does not state its date.
    #[error(
        "the date of this list is unknown; add a column date, or name the file after the month, \
         as in fide-2013-01.txt"
    )]
    Day,
    /// Too few of its lines can be read.
    #[error("only {good} of {all} lines can be read; the list is not used")]
    TooBad {
        /// The number of good lines.
        good: usize,
        /// The number of lines below the header.
        all: usize,
    },
    /// It has ratings for rapid or blitz chess.
    #[error("a list of {0} ratings; only ratings for standard chess are used")]
    OtherTimeControl(&'static str),
    /// The file or the member is damaged.
    #[error(transparent)]
    Damaged(#[from] SourceError),
}

/// How files of rating lists are read.
#[derive(Clone, Copy)]
pub struct ListOptions<'a> {
    /// Returns the system of a list from the path of its file or its member in an archive.
    ///
    /// FIDE's lists always have the system [`FIDE_SYSTEM`].
    pub system: &'a dyn Fn(&Path) -> String,
    /// The limits for unpacking.
    pub limits: Limits,
    /// Whether a name, given in all its readings, may be that of a player of the games.
    ///
    /// Of FIDE's other players only the best are kept.
    pub occurs: &'a dyn Fn(&[PersonName]) -> bool,
}

/// The rating lists of some files.
#[derive(Debug, Default)]
pub struct ReadLists {
    /// One list for each rating system.
    pub lists: Vec<RatingList>,
    /// What could not be read, with line numbers.
    pub diagnostics: Vec<Diagnostic>,
}

/// Reads every list in these files: plain, compressed or in archives.
///
/// Lists of one system are merged. The first file takes precedence (see [`RatingList::merge`]).
pub fn read_lists(
    files: impl IntoIterator<Item = impl AsRef<Path>>,
    options: ListOptions<'_>,
) -> ReadLists {
    let mut read = ReadLists::default();
    let mut known_names = FxHashMap::default();
    for file in files {
        let file = file.as_ref();
        let path = file.display().to_string();
        for_each_member(file, options.limits, &|_| (), |member| match member {
            Ok(member) if member.name != path && !is_list_name(&member.name) => {
                // Archives contain other files too.
                let message = "skipped: the name of a rating list ends in .txt, .csv, .tsv or .xml";
                let kind = DiagnosticKind::RatingList;
                read.diagnostics.push(Diagnostic::note(member.name.clone(), 0, kind, message));
            }
            Ok(member) => read.add_member(member, options, &mut known_names),
            Err(damaged) => {
                read.diagnostics.push(error(&damaged.name, damaged.error.to_string()));
            }
        });
    }
    read
}

impl ReadLists {
    /// Reads a file or a member of an archive.
    fn add_member(
        &mut self,
        member: InputMember<'_>,
        options: ListOptions<'_>,
        known_names: &mut FxHashMap<String, bool>,
    ) {
        let name = member.name.clone();
        let mut draft = ListDraft::new(&name, options, known_names);
        match draft.read(member) {
            Ok(is_fide) => {
                let mut list = draft.list;
                list.system = if is_fide {
                    FIDE_SYSTEM.into()
                } else {
                    // In an archive each list has the name of its member.
                    (options.system)(Path::new(&name))
                };
                match self.lists.iter_mut().find(|known| known.system == list.system) {
                    Some(known) => known.merge(list),
                    None => self.lists.push(list),
                }
            }
            Err(problem) => self.diagnostics.push(error(&name, problem.to_string())),
        }
        if draft.bad > REPORTED {
            let message = format!("{} more lines cannot be read", draft.bad - REPORTED);
            let kind = DiagnosticKind::RatingList;
            draft.diagnostics.push(Diagnostic::warning(name.as_str(), 0, kind, message));
        }
        self.diagnostics.append(&mut draft.diagnostics);
    }
}

fn error(file: &str, message: String) -> Diagnostic {
    Diagnostic::error(file, 0, DiagnosticKind::RatingList, message)
}

fn is_list_name(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    [".txt", ".csv", ".tsv", ".xml"].iter().any(|end| name.ends_with(end))
}

/// A list while its file is being read.
struct ListDraft<'a> {
    file: &'a str,
    options: ListOptions<'a>,
    list: RatingList,
    good: usize,
    bad: usize,
    diagnostics: Vec<Diagnostic>,
    /// For each name that was checked, whether a player of the games may have it.
    known_names: &'a mut FxHashMap<String, bool>,
}

impl<'a> ListDraft<'a> {
    fn new(
        file: &'a str,
        options: ListOptions<'a>,
        known_names: &'a mut FxHashMap<String, bool>,
    ) -> ListDraft<'a> {
        ListDraft {
            file,
            options,
            list: RatingList::default(),
            good: 0,
            bad: 0,
            diagnostics: Vec::new(),
            known_names,
        }
    }

    /// Reads a member; whether it is a list of FIDE's.
    fn read(&mut self, member: InputMember<'_>) -> Result<bool, ListError> {
        let file_name = self.file.rsplit(['/', '\\']).next().unwrap_or_default().to_lowercase();
        let packed = [".gz", ".bz2", ".zst", ".zstd", ".xz", ".lz"];
        let unpacked = packed.iter().find_map(|ending| file_name.strip_suffix(ending));
        let file_name = unpacked.unwrap_or(&file_name).to_owned();
        for time_control in ["rapid", "blitz"] {
            if file_name.starts_with(time_control) {
                return Err(ListError::OtherTimeControl(time_control));
            }
        }
        if file_name.ends_with(".xml") {
            return self.read_xml(member, &file_name).map(|()| true);
        }
        let bytes = member.read_whole(self.options.limits).map_err(|damaged| damaged.error)?;
        let (text, _) = decode(&bytes);
        self.read_text(&text, &file_name)
    }

    fn read_xml(&mut self, member: InputMember<'_>, file_name: &str) -> Result<(), ListError> {
        let day = list_day::of_file_name(file_name).ok_or(ListError::Day)?;
        let stream: &mut dyn Read = match member.content {
            Content::File(file) => file,
            Content::Stream(stream) => stream,
        };
        let outcome = fide_xml::read(stream, |line, player| {
            self.add_line(line, player.map(|player| player.map(|player| (day, player))), true);
        });
        if let Err(error) = outcome {
            let (line, message) = (error.line, error.to_string());
            let kind = DiagnosticKind::RatingList;
            self.diagnostics.push(Diagnostic::error(self.file, line, kind, message));
        }
        self.check_quality()
    }

    /// Reads a text; whether it is a list of FIDE's.
    fn read_text(&mut self, text: &str, file_name: &str) -> Result<bool, ListError> {
        let day = list_day::of_file_name(file_name);
        let first = text.lines().next().unwrap_or_default();
        let columns = match delimited::DelimitedColumns::parse(first) {
            Ok(columns) => columns,
            Err(HeaderError::TwoRatings) => return Err(ListError::TwoRatings),
            Err(HeaderError::Missing(column)) => {
                return self.read_fixed_width(text, day, column).map(|()| true);
            }
        };
        if !columns.has_dates() && day.is_none() {
            return Err(ListError::Day);
        }
        columns.read(text, day, |line, player| self.add_line(line, player, columns.is_fide));
        self.check_quality().map(|()| columns.is_fide)
    }

    /// Reads a text in columns of fixed width, whose delimited header has a `missing` column.
    fn read_fixed_width(
        &mut self,
        text: &str,
        day_of_name: Option<Date>,
        missing: &'static str,
    ) -> Result<(), ListError> {
        let mut heading = text.lines().enumerate().take(HEADING);
        let found = heading
            .find_map(|(place, line)| Some((place, fide_text::FixedWidthColumns::parse(line)?)));
        let (place, columns) = found.ok_or(ListError::Header(missing))?;
        let title = text.lines().take(place).find_map(list_day::of_title);
        let day = title.or(columns.day).or(day_of_name).ok_or(ListError::Day)?;
        for (number, line) in (1..).zip(text.lines()).skip(place + 1) {
            // Some of the texts end in the end-of-file character of DOS.
            if line.contains(|c: char| !c.is_whitespace() && !c.is_control()) {
                let line = columns.line(line).map(|line| line.map(|line| (day, line)));
                self.add_line(number, line, true);
            }
        }
        self.check_quality()
    }

    /// Adds a line to the list, or reports its error.
    fn add_line(
        &mut self,
        number: u64,
        line: Result<Option<(Date, RatingListLine)>, LineError>,
        is_fide: bool,
    ) {
        let line = match line {
            // Some lines of FIDE's lists have shifted columns, so another number is read.
            Ok(Some((_, line))) if is_fide && !FIDE_RATINGS.contains(&line.rating) => {
                Err(LineError::NotFide(line.rating))
            }
            line => line,
        };
        match line {
            Ok(None) => {}
            Ok(Some((day, line))) => {
                self.good += 1;
                if !is_fide || line.rating >= WORTH_KEEPING || self.occurs(&line.name) {
                    self.list.add(day, line);
                } else {
                    self.list.set_complete_from(day, WORTH_KEEPING);
                }
            }
            Err(error) => {
                self.bad += 1;
                if self.bad <= REPORTED {
                    let (kind, message) = (DiagnosticKind::RatingList, error.to_string());
                    self.diagnostics.push(Diagnostic::warning(self.file, number, kind, message));
                }
            }
        }
    }

    /// Returns whether a player of the games may have this name. Most names are on many lists.
    fn occurs(&mut self, name: &str) -> bool {
        if let Some(&occurs) = self.known_names.get(name) {
            return occurs;
        }
        let occurs = (self.options.occurs)(&PersonName::readings(name));
        self.known_names.insert(name.to_owned(), occurs);
        occurs
    }

    /// Refuses a list of which too few lines can be read.
    fn check_quality(&self) -> Result<(), ListError> {
        let all = self.good + self.bad;
        if (self.good as f64) < READABLE * all as f64 || self.good == 0 {
            return Err(ListError::TooBad { good: self.good, all });
        }
        Ok(())
    }
}

/// Returns the rating system that the first word of a list's file name states.
///
/// FIDE's ratings are Elo ratings.
pub fn system_of(file: &Path) -> String {
    let stem = file.file_stem().unwrap_or_default().to_string_lossy();
    let word = stem.split(|c: char| !c.is_alphabetic()).find(|word| !word.is_empty());
    let word = word.unwrap_or("List").to_lowercase();
    if word == "fide" || word == "elo" {
        return FIDE_SYSTEM.into();
    }
    let mut letters = word.chars();
    letters.next().map_or(word.clone(), |first| first.to_uppercase().chain(letters).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use jiff::civil::date;

    /// Reads a file of this name; its lists, and the messages with their line numbers.
    fn read(name: &str, text: &str) -> (Vec<RatingList>, Vec<String>) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join(name);
        std::fs::write(&path, text).unwrap();
        let options = ListOptions {
            system: &|_| "Test".into(),
            limits: Limits::default(),
            occurs: &|readings| readings.iter().all(|name| name.surname_key() != "unknown"),
        };
        let ReadLists { lists, diagnostics } = read_lists([path], options);
        let messages = diagnostics.iter().map(|found| format!("{}: {}", found.line, found.message));
        (lists, messages.collect())
    }

    #[test]
    fn a_bad_line_is_reported_and_affects_no_other() {
        let mut text = String::from("date,name,rating\n");
        for player in 0..20 {
            text.push_str(&format!("1971-07-01,Player {player},2500\n"));
        }
        text.push_str("1971-07-01,X,high\n");
        let (lists, messages) = read("list.csv", &text);
        assert_eq!(messages, ["22: \"high\" is not a rating"]);
        assert_eq!((lists[0].len(), lists[0].system.as_str()), (20, "Test"));
    }

    #[test]
    fn a_mostly_unreadable_list_is_refused() {
        let (lists, messages) = read("list.csv", "date,name,rating\nx,y,z\n1971,Fischer,2760\n");
        assert!(lists.is_empty());
        assert_eq!(messages[0], "0: only 1 of 2 lines can be read; the list is not used");
        let (_, messages) = read("list.csv", "who,what\na,b\n");
        assert!(
            messages[0].starts_with("0: not a rating list: no header with a name"),
            "{messages:?}"
        );
    }

    #[test]
    fn fide_lists_have_the_system_elo_and_the_day_in_their_title() {
        let text = "1st January 1975 FIDE Rating List\n\nName                                 Fed  Rtng \n\n\
                    Aaron,M.                             IND  2240\n\
                    Unknown,X.                           IND  2240\n\
                    Unknown,Y.                           IND  2540\n";
        let (lists, messages) = read("list.txt", text);
        assert!(messages.is_empty());
        assert_eq!(lists[0].system, "Elo");
        let edition = lists[0].in_force(date(1975, 1, 1)).unwrap();
        let names: Vec<_> = edition.best().map(|line| line.name).collect();
        assert_eq!(names, ["Unknown,Y.", "Aaron,M."]);
        assert_eq!((edition.rank(2540.0), edition.rank(2240.0)), (Some(1), None));
    }

    #[test]
    fn an_undated_list_is_refused_with_advice() {
        let (_, messages) =
            read("list.txt", "Name                  Fed  Rtng\nA           IND  2240\n");
        assert!(messages[0].contains("name the file after the month"));
        let (_, messages) = read("rapid_jan13frl.txt", "x");
        assert!(messages[0].contains("rapid"));
    }
}
