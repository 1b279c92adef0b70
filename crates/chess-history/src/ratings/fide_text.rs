//! Reads FIDE's lists as text in columns of fixed width.
//!
//! The layout changes from year to year, and the data is only roughly below the titles. Therefore
//! each line is split into words, and a word belongs to the title above it or to the nearest one.
//! The known layouts:
//!
//! | lists | header |
//! |---|---|
//! | 1975 to 1990 | `Name  Fed  Rtng` |
//! | 1991 to 1998 | `Player  Fed  Rtng Diff` |
//! | 1999 | `Player  Country ID Number s t gam  ELO` |
//! | 2000 | `ID Number Name  Title Fed  Rtng Games Flag` |
//! | 2001 to 2008 | the same with `Born`, in TSV (see the module for delimited lists) |
//! | since 2012 | `ID Number  Name  Fed Sex Tit WTit OTit FOA JAN13 Gms K  B-day Flag` |
//! | combined | as since 2012, with `SRtng SGm SK RRtng RGm Rk BRtng BGm BK` for `JAN13 Gms K` |
//!
//! Sources: for 1975 to 2008, the files themselves. For the last two, FIDE, "Download Rating List",
//! standard and combined lists in TXT format, as of 2025: number in columns 1-15, name 16-76,
//! federation 77-79, sex 81, titles 85-108, online title 110-112, standard rating 114-117, year of
//! birth, flag. A rating of 0 means unrated; a flag with an `i` means inactive.

use jiff::civil::Date;

use super::line_error::LineError;
use super::list_day;
use super::list_line::{RatingListLine, activity};
use super::rating::{LATEST_YEAR, birth, fide_id, is_title, is_unrated, rating};
use crate::source::CleanName;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum ColumnKind {
    Id,
    Name,
    Federation,
    Rating,
    Games,
    Flag,
    Birth,
    Other,
}

/// A column, with the position of its title (characters from 0).
#[derive(Clone, Copy, Debug)]
struct FixedWidthColumn {
    kind: ColumnKind,
    start: usize,
    end: usize,
}

#[derive(Clone, Debug)]
pub(super) struct FixedWidthColumns {
    columns: Vec<FixedWidthColumn>,
    name: FixedWidthColumn,
    federation: Option<FixedWidthColumn>,
    /// The day that the title of the rating column states.
    pub day: Option<Date>,
}

impl FixedWidthColumns {
    /// Finds the columns in a header line; `None` if the line is not a header.
    pub fn parse(header: &str) -> Option<FixedWidthColumns> {
        if header.contains(['\t', ';', ',']) {
            return None;
        }
        let header = header.replace("ID Number", "ID_Number").replace("ID number", "ID_number");
        let mut columns = Vec::new();
        let mut day = None;
        for (start, word) in words(&header) {
            for (offset, part) in parts(word) {
                let kind = kind(part);
                if kind == ColumnKind::Rating {
                    day = list_day::of_header_word(part);
                }
                let start = start + offset;
                let end = start + part.chars().count();
                columns.push(FixedWidthColumn { kind, start, end });
            }
        }
        find(&columns, ColumnKind::Rating)?;
        Some(FixedWidthColumns {
            name: find(&columns, ColumnKind::Name)?,
            federation: find(&columns, ColumnKind::Federation),
            columns,
            day,
        })
    }

    /// Reads a line; `Ok(None)` for a player without a rating.
    ///
    /// # Errors
    ///
    /// Returns an error if the line has no name or no valid rating.
    pub fn line(&self, line: &str) -> Result<Option<RatingListLine>, LineError> {
        let words: Vec<(usize, &str)> = words(line).collect();
        let name_end = self.name_end(&words);
        let name: String = line
            .chars()
            .skip(self.name.start)
            .take(name_end.saturating_sub(self.name.start))
            .collect();
        let name = CleanName::new(without_title(&name));
        if !name.chars().any(char::is_alphabetic) {
            return Err(LineError::NoName);
        }
        let mut found: Option<&str> = None;
        let (mut games, mut flags, mut born) = ("", "", "");
        let mut id = None;
        for &(start, word) in &words {
            let is_in_name = start >= self.name.start && start < name_end;
            if is_in_name {
                continue;
            }
            match self.kind_above(start, start + word.chars().count()) {
                ColumnKind::Id => id = fide_id(word),
                ColumnKind::Rating => found = found.or(Some(word)),
                ColumnKind::Games => games = word,
                ColumnKind::Flag => flags = word,
                ColumnKind::Birth => born = word,
                _ => {}
            }
        }
        // Unrated players have a 0. A line with nothing below the title is damaged.
        let found = found.ok_or(LineError::NoRating)?;
        if is_unrated(found) {
            return Ok(None);
        }
        Ok(Some(RatingListLine {
            name,
            rating: rating(found)?,
            fide_id: id,
            active: activity(games, flags),
            // Lists in columns of fixed width state the year with four digits.
            born: birth(born, LATEST_YEAR),
            ..RatingListLine::default()
        }))
    }

    /// Returns the position behind the name and the title that may follow it.
    ///
    /// The federation follows: the first word of three capitals below its title. In a list without
    /// federations the next column follows.
    fn name_end(&self, words: &[(usize, &str)]) -> usize {
        let federation = self.federation.and_then(|column| {
            words.iter().find(|(start, word)| {
                word.len() == 3
                    && word.bytes().all(|byte| byte.is_ascii_uppercase())
                    && *start > self.name.start
                    && *start + 1 >= column.start
                    && *start <= column.end
            })
        });
        if let Some((start, _)) = federation {
            return *start;
        }
        let starts = self.columns.iter().map(|column| column.start);
        starts.filter(|start| *start > self.name.start).min().unwrap_or(usize::MAX)
    }

    /// Returns the column whose title is above a word, or else nearest to it.
    fn kind_above(&self, start: usize, end: usize) -> ColumnKind {
        let others = self.columns.iter().filter(|column| column.kind != ColumnKind::Name);
        let nearest = others.min_by_key(|column| {
            let overlap = end.min(column.end) as isize - start.max(column.start) as isize;
            -overlap
        });
        nearest.map_or(ColumnKind::Other, |column| column.kind)
    }
}

fn find(columns: &[FixedWidthColumn], kind: ColumnKind) -> Option<FixedWidthColumn> {
    columns.iter().find(|column| column.kind == kind).copied()
}

/// Splits a line into words, each with the position of its first letter (characters from 0).
fn words(line: &str) -> impl Iterator<Item = (usize, &str)> {
    let mut place = 0;
    line.split(' ').filter_map(move |word| {
        let start = place;
        place += word.chars().count() + 1;
        let word = word.trim_end_matches(['\r', '\n']);
        (!word.is_empty()).then_some((start, word))
    })
}

/// Splits titles that run together (`TitlFed`, `GamesBorn`), each with its offset in the word.
fn parts(word: &str) -> Vec<(usize, &str)> {
    for joined in ["Fed", "Born"] {
        if let Some(place) = word.find(joined).filter(|place| *place > 0) {
            return vec![(0, &word[..place]), (place, &word[place..])];
        }
    }
    vec![(0, word)]
}

/// Recognises the kind of a column by its title.
fn kind(title: &str) -> ColumnKind {
    match title.to_ascii_lowercase().as_str() {
        "id_number" | "idnumber" | "id" => ColumnKind::Id,
        "name" | "player" => ColumnKind::Name,
        "fed" | "country" => ColumnKind::Federation,
        "rtng" | "srtng" | "elo" | "rating" => ColumnKind::Rating,
        "gam" | "gms" | "games" | "game" | "sgm" => ColumnKind::Games,
        "flag" => ColumnKind::Flag,
        "b-day" | "born" | "birthday" => ColumnKind::Birth,
        other if list_day::of_header_word(other).is_some() => ColumnKind::Rating,
        _ => ColumnKind::Other,
    }
}

/// Removes the title that follows a name (`Kasparov, Garry                   g`).
pub(super) fn without_title(name: &str) -> &str {
    let name = name.trim();
    match name.rsplit_once(' ') {
        Some((before, last)) if is_title(last) => before.trim_end(),
        _ => name,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use jiff::civil::date;

    const OF_1975: &str = "Name                                 Fed  Rtng ";
    const OF_2000: &str = "ID Number Name                           Title Fed  Rtng Games Flag";

    fn read(header: &str, line: &str) -> Result<Option<RatingListLine>, LineError> {
        FixedWidthColumns::parse(header).expect("a header").line(line)
    }

    fn line(name: &str, rating: f64, fide_id: Option<u32>, active: Option<bool>) -> RatingListLine {
        RatingListLine { fide_id, active, ..RatingListLine::new(name, rating) }
    }

    #[track_caller]
    fn assert_reads(header: &str, text: &str, expected: RatingListLine) {
        assert_eq!(read(header, text).expect("a good line"), Some(expected));
    }

    #[test]
    fn every_layout_of_fide_is_read() {
        assert_reads(
            OF_1975,
            "Abarca Aguirre,M.                    CHI  2340",
            line("Abarca Aguirre,M.", 2340.0, None, None),
        );
        assert_reads(
            "Player                               Fed  Rtng Diff ",
            "Aarland, Stein Arild                 NOR  2240  -10",
            line("Aarland, Stein Arild", 2240.0, None, None),
        );
        assert_reads(
            "Player                       Country ID Number s t gam  ELO",
            "Adams, Michael                 ENG      400041 g    27 2716",
            line("Adams, Michael", 2716.0, Some(400_041), Some(true)),
        );
        assert_reads(
            OF_2000,
            " 1701991  Aaberg, Anton                        SWE  2300    0  i  ",
            line("Aaberg, Anton", 2300.0, Some(1_701_991), Some(false)),
        );
        assert_reads(
            OF_2000,
            "  700509  Varga, Zoltan                     g  HUN  2530   85     ",
            line("Varga, Zoltan", 2530.0, Some(700_509), Some(true)),
        );
    }

    #[test]
    fn lists_since_2012_are_read() {
        let single = "ID Number      Name                                                         \
                      Fed Sex Tit  WTit OTit           FOA JAN13 Gms K  B-day Flag";
        let text = "1503014        Carlsen, Magnus                                              \
                    NOR M   GM                           2861   0  10 1990      ";
        let carlsen = RatingListLine {
            born: Some(1990),
            ..line("Carlsen, Magnus", 2861.0, Some(1_503_014), None)
        };
        assert_reads(single, text, carlsen);
        let day = FixedWidthColumns::parse(single).and_then(|columns| columns.day);
        assert_eq!(day, Some(date(2013, 1, 1)));
        let combined = "ID Number      Name                                                         \
                        Fed Sex Tit  WTit OTit           FOA SRtng SGm SK RRtng RGm Rk BRtng BGm BK \
                        B-day Flag";
        let text = "8603677        Ding, Liren                                                  \
                    CHN M   GM                           2723  11  10 2693  0   10 2736  0   10 1992  i   ";
        let ding = RatingListLine {
            born: Some(1992),
            ..line("Ding, Liren", 2723.0, Some(8_603_677), Some(false))
        };
        assert_reads(combined, text, ding);
    }

    #[test]
    fn a_player_without_a_standard_rating_is_unrated() {
        let header = "ID Number      Name                                                         \
                      Fed Sex Tit  WTit OTit           FOA SRtng SGm SK RRtng RGm Rk BRtng BGm BK \
                      B-day Flag";
        let line = "10292519       A A M Imtiaz, Chowdhury                                      \
                    BAN M                  NI            0     0   0  1864  0   20 0     0   0  1975      ";
        assert_eq!(read(header, line).expect("a good line"), None);
    }

    #[test]
    fn titles_that_run_together_are_two() {
        assert_reads(
            "ID_NUMBER NAME                            TitlFed  Rtng GamesBorn Flag",
            " 4100018  Kasparov, Garry                 g   RUS  2812   0  1963 i",
            RatingListLine {
                born: Some(1963),
                ..line("Kasparov, Garry", 2812.0, Some(4_100_018), Some(false))
            },
        );
    }

    #[test]
    fn bad_lines_are_errors() {
        for (line, message) in [
            ("Aaron,M.                             IND  high", "\"high\" is not a rating"),
            ("                                     IND  2300", "no name"),
            ("Aaron,M.                  IND  2300", "no rating"),
        ] {
            assert_eq!(read(OF_1975, line).expect_err("a bad line").to_string(), message);
        }
    }

    #[test]
    fn the_federation_may_precede_the_name() {
        assert_reads(
            "Fed Name             Rtng",
            "GER Doe, Walter      2630",
            line("Doe, Walter", 2630.0, None, None),
        );
    }

    #[test]
    fn a_player_or_a_title_is_not_a_header() {
        assert!(
            FixedWidthColumns::parse("Aaron,M.                             IND  2240").is_none()
        );
        assert!(FixedWidthColumns::parse("1st January 1975 FIDE Rating List").is_none());
    }
}
