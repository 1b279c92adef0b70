//! Files of rating lists, whatever their format.

use std::io::Read;
use std::path::Path;

use jiff::civil::Date;
use rustc_hash::FxHashMap;
use thiserror::Error;

use super::list::{Line, RatingList};
use super::{delimited, fide_text, fide_xml, list_day};
use crate::players::PersonName;
use crate::source::{
    Content, Diagnostic, DiagnosticKind, InputMember, Limits, decode, for_each_member,
};

/// Part of the lines that must be readable for a list to be used.
const READABLE: f64 = 0.9;

/// Bad lines of one file that are told one by one.
const TOLD: usize = 1000;

/// Of players who occur nowhere only ratings from this on (points) are kept of FIDE's lists, which
/// hold hundreds of thousands: among them is everybody who matters for ranks.
const WORTH_KEEPING: f64 = 2500.0;

/// Ratings (points) that FIDE has ever given.
const FIDE_RATINGS: std::ops::Range<f64> = 1000.0..3500.0;

/// Lines at the beginning of a text among which the header is looked for.
const HEADING: usize = 12;

/// What FIDE's ratings are called.
pub const FIDE_SYSTEM: &str = "Elo";

/// Why a file, or a member of one, is no rating list that can be used.
#[derive(Debug, Error)]
pub enum ListError {
    /// It has no header that is known.
    #[error(
        "no rating list: no header with a {0}; lists are read as CSV or TSV with a name (name, player), \
         a rating (rating, elo) and a date (date, year, month), and as FIDE's text and XML files"
    )]
    Header(&'static str),
    /// Nothing says of what day it is.
    #[error(
        "nothing says of what month this list is; add a column date, or name the file after the month, \
         as in fide-2013-01.txt"
    )]
    Day,
    /// Too many lines cannot be read.
    #[error("only {good} of {all} lines can be read; the list is not used")]
    TooBad {
        /// Lines that were understood.
        good: usize,
        /// All lines below the header.
        all: usize,
    },
    /// Ratings of rapid or blitz play.
    #[error("a list of {0} ratings, which say nothing of other chess; not used")]
    OtherPlay(&'static str),
}

/// Reads every list in a file, plain or packed or an archive, into the list of its system.
///
/// FIDE's lists are of the system `Elo`, others of the one that `system` makes of the path of the file or the
/// archive's member. Of
/// players of whom `occurs` does not say that their name, read in these ways, may be anybody's, only the
/// best of FIDE's ratings are kept. What cannot be read becomes a diagnostic, with its line.
pub fn read_lists(
    path: &Path,
    system: &dyn Fn(&Path) -> String,
    limits: Limits,
    occurs: &dyn Fn(&[PersonName]) -> bool,
    lists: &mut Vec<RatingList>,
    diagnostics: &mut Vec<Diagnostic>,
) {
    let whole = path.display().to_string();
    let mut asked = FxHashMap::default();
    for_each_member(path, limits, &|_| (), |member| {
        let member = match member {
            Ok(member) => member,
            Err(damaged) => {
                return diagnostics.push(error(&damaged.name, damaged.error.to_string()));
            }
        };
        let name = member.name.clone();
        // Archives hold other things beside lists.
        if name != whole && !is_list_name(&name) {
            let message = "passed over: a rating list ends in .txt, .csv, .tsv or .xml";
            return diagnostics.push(Diagnostic::note(
                name,
                0,
                DiagnosticKind::RatingList,
                message,
            ));
        }
        let mut draft = Draft::new(&name, occurs, &mut asked);
        match draft.read(member, limits) {
            Ok(is_fide) => {
                let mut list = draft.list;
                // In an archive every list is called by its own file.
                list.system = if is_fide { FIDE_SYSTEM.into() } else { system(Path::new(&name)) };
                match lists.iter_mut().find(|known| known.system == list.system) {
                    Some(known) => known.merge(list),
                    None => lists.push(list),
                }
            }
            Err(problem) => diagnostics.push(error(&name, problem)),
        }
        if draft.bad > TOLD {
            let message = format!("{} more lines cannot be read", draft.bad - TOLD);
            let kind = DiagnosticKind::RatingList;
            draft.diagnostics.push(Diagnostic::warning(name.as_str(), 0, kind, message));
        }
        diagnostics.append(&mut draft.diagnostics);
    });
}

fn error(file: &str, message: String) -> Diagnostic {
    Diagnostic::error(file, 0, DiagnosticKind::RatingList, message)
}

fn is_list_name(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    [".txt", ".csv", ".tsv", ".xml"].iter().any(|end| name.ends_with(end))
}

/// A list while its file is read.
struct Draft<'a> {
    file: &'a str,
    occurs: &'a dyn Fn(&[PersonName]) -> bool,
    list: RatingList,
    good: usize,
    bad: usize,
    diagnostics: Vec<Diagnostic>,
    /// Names that were asked for, and whether they occur.
    asked: &'a mut FxHashMap<String, bool>,
}

impl<'a> Draft<'a> {
    fn new(
        file: &'a str,
        occurs: &'a dyn Fn(&[PersonName]) -> bool,
        asked: &'a mut FxHashMap<String, bool>,
    ) -> Draft<'a> {
        Draft {
            file,
            occurs,
            list: RatingList::default(),
            good: 0,
            bad: 0,
            diagnostics: Vec::new(),
            asked,
        }
    }

    /// Reads a member; whether it is a list of FIDE.
    fn read(&mut self, member: InputMember<'_>, limits: Limits) -> Result<bool, String> {
        let file_name = self.file.rsplit(['/', '\\']).next().unwrap_or_default().to_lowercase();
        let packed = [".gz", ".bz2", ".zst", ".zstd"];
        let unpacked = packed.iter().find_map(|ending| file_name.strip_suffix(ending));
        let file_name = unpacked.unwrap_or(&file_name).to_owned();
        for play in ["rapid", "blitz"] {
            if file_name.starts_with(play) {
                return Err(ListError::OtherPlay(play).to_string());
            }
        }
        if file_name.ends_with(".xml") {
            return self.read_xml(member, &file_name).map(|()| true);
        }
        let bytes = member.read_whole(limits).map_err(|damaged| damaged.error.to_string())?;
        let (text, _) = decode(&bytes);
        self.read_text(&text, &file_name).map_err(|error| error.to_string())
    }

    fn read_xml(&mut self, member: InputMember<'_>, file_name: &str) -> Result<(), String> {
        let day = list_day::of_file_name(file_name).ok_or_else(|| ListError::Day.to_string())?;
        let stream: &mut dyn Read = match member.content {
            Content::File(file) => file,
            Content::Stream(stream) => stream,
        };
        let outcome = fide_xml::read(stream, |line, player| {
            self.take(line, player.map(|player| player.map(|player| (day, player))), true);
        });
        if let Err(broken) = outcome {
            let (line, message) = (broken.line, broken.to_string());
            let kind = DiagnosticKind::RatingList;
            self.diagnostics.push(Diagnostic::error(self.file, line, kind, message));
        }
        self.judge().map_err(|error| error.to_string())
    }

    fn read_text(&mut self, text: &str, file_name: &str) -> Result<bool, ListError> {
        let from_name = || list_day::of_file_name(file_name);
        let first = text.lines().next().unwrap_or_default();
        let columns = match delimited::Columns::of(first) {
            Ok(columns) => columns,
            Err(lacking) => {
                let heading = text.lines().enumerate().take(HEADING);
                let found = heading
                    .filter_map(|(place, line)| Some((place, fide_text::Columns::of(line)?)))
                    .next();
                let (place, columns) = found.ok_or(ListError::Header(lacking))?;
                let title = text.lines().take(place).find_map(list_day::of_title);
                let day = title.or(columns.day).or_else(from_name).ok_or(ListError::Day)?;
                for (number, line) in (1..).zip(text.lines()).skip(place + 1) {
                    // Some of the texts end in the end-of-file sign of DOS.
                    if line.contains(|c: char| !c.is_whitespace() && !c.is_control()) {
                        let line = columns.line(line).map(|line| line.map(|line| (day, line)));
                        self.take(number, line, true);
                    }
                }
                return self.judge().map(|()| true);
            }
        };
        let day = from_name();
        if !columns.have_dates() && day.is_none() {
            return Err(ListError::Day);
        }
        columns.read(text, day, |line, player| self.take(line, player, columns.is_fide));
        self.judge().map(|()| columns.is_fide)
    }

    fn take(&mut self, number: u64, line: Result<Option<(Date, Line)>, String>, of_fide: bool) {
        let line = match line {
            // Some lines of FIDE's lists have their columns shifted, so that another number comes out.
            Ok(Some((_, line))) if of_fide && !FIDE_RATINGS.contains(&line.rating) => {
                Err(format!("{} is no rating of FIDE", line.rating))
            }
            line => line,
        };
        match line {
            Ok(None) => {}
            Ok(Some((day, line))) => {
                self.good += 1;
                if !of_fide || line.rating >= WORTH_KEEPING || self.occurs(&line.name) {
                    self.list.add(day, line);
                } else {
                    // Wherever its day stands, in the file's name or in the line.
                    self.list.set_complete_from(day, WORTH_KEEPING);
                }
            }
            Err(message) => {
                self.bad += 1;
                if self.bad <= TOLD {
                    let kind = DiagnosticKind::RatingList;
                    self.diagnostics.push(Diagnostic::warning(self.file, number, kind, message));
                }
            }
        }
    }

    /// Whether a name may be that of somebody who occurs. Most names stand on every list.
    fn occurs(&mut self, name: &str) -> bool {
        if let Some(&occurs) = self.asked.get(name) {
            return occurs;
        }
        let occurs = (self.occurs)(&PersonName::readings(name));
        self.asked.insert(name.to_owned(), occurs);
        occurs
    }

    fn judge(&self) -> Result<(), ListError> {
        let all = self.good + self.bad;
        if (self.good as f64) < READABLE * all as f64 || self.good == 0 {
            return Err(ListError::TooBad { good: self.good, all });
        }
        Ok(())
    }
}

/// The rating system that a list's file name tells: its first word. FIDE's ratings are Elo ratings.
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

    fn read(name: &str, text: &str) -> (Vec<RatingList>, Vec<String>) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join(name);
        std::fs::write(&path, text).unwrap();
        let (mut lists, mut diagnostics) = (Vec::new(), Vec::new());
        read_lists(
            &path,
            &|_| "Test".into(),
            Limits::default(),
            &|readings| readings.iter().all(|name| name.surname_key() != "unknown"),
            &mut lists,
            &mut diagnostics,
        );
        let told = diagnostics.iter().map(|found| format!("{}: {}", found.line, found.message));
        (lists, told.collect())
    }

    #[test]
    fn a_bad_line_is_told_and_costs_no_neighbour() {
        let mut text = String::from("date,name,rating\n");
        for player in 0..20 {
            text.push_str(&format!("1971-07-01,Player {player},2500\n"));
        }
        text.push_str("1971-07-01,Nobody,high\n");
        let (lists, told) = read("list.csv", &text);
        assert_eq!(told, ["22: \"high\" is no rating"]);
        assert_eq!((lists[0].len(), lists[0].system.as_str()), (20, "Test"));
    }

    #[test]
    fn a_list_that_is_mostly_unreadable_is_refused() {
        let (lists, told) = read("list.csv", "date,name,rating\nx,y,z\n1971,Fischer,2760\n");
        assert!(lists.is_empty());
        assert_eq!(told[0], "0: only 1 of 2 lines can be read; the list is not used");
        let (_, told) = read("list.csv", "who,what\na,b\n");
        assert!(told[0].starts_with("0: no rating list: no header with a name"), "{told:?}");
    }

    #[test]
    fn lists_of_fide_are_elo_and_of_the_day_that_their_title_names() {
        let text = "1st January 1975 FIDE Rating List\n\nName                                 Fed  Rtng \n\n\
                    Aaron,M.                             IND  2240\n\
                    Unknown,X.                           IND  2240\n\
                    Unknown,Y.                           IND  2540\n";
        let (lists, told) = read("list.txt", text);
        assert!(told.is_empty());
        assert_eq!(lists[0].system, "Elo");
        let edition = lists[0].in_force(date(1975, 1, 1)).unwrap();
        let names: Vec<_> = edition.best().map(|line| line.name).collect();
        assert_eq!(names, ["Unknown,Y.", "Aaron,M."]);
        assert_eq!((edition.rank(2540.0), edition.rank(2240.0)), (Some(1), None));
    }

    #[test]
    fn a_list_that_nobody_can_date_is_refused_with_advice() {
        let (_, told) =
            read("list.txt", "Name                  Fed  Rtng\nA           IND  2240\n");
        assert!(told[0].contains("name the file after the month"));
        let (_, told) = read("rapid_jan13frl.txt", "x");
        assert!(told[0].contains("rapid"));
    }
}
