//! FIDE's lists as text in columns of fixed width.
//!
//! The layout changes from year to year, and the columns of the data stand only roughly below their
//! titles, so a line is taken apart by words: each word belongs to the title above it, or to the
//! nearest. What is known of the layouts:
//!
//! | lists | header |
//! |---|---|
//! | 1975 to 1990 | `Name  Fed  Rtng` |
//! | 1991 to 1998 | `Player  Fed  Rtng Diff` |
//! | 1999 | `Player  Country ID Number s t gam  ELO` |
//! | 2000 | `ID Number Name  Title Fed  Rtng Games Flag` |
//! | 2001 to 2008 | the same and `Born`, delimited by tabs (read with the other delimited lists) |
//! | since 2012, one kind of play | `ID Number  Name  Fed Sex Tit WTit OTit FOA JAN13 Gms K B-day Flag` |
//! | all kinds of play | `ID Number  Name  Fed Sex Tit WTit OTit FOA SRtng SGm SK RRtng RGm Rk BRtng BGm BK B-day Flag` |
//!
//! (Lists of 1975 to 2008: the files themselves. The two last: FIDE, "Download Rating List", Standard
//! and combined lists in TXT format, as they were in 2025: number in columns 1-15, name 16-76,
//! federation 77-79, sex 81, titles 85-108, online title 110-112, standard rating 114-117, year of birth,
//! flag.) A rating of 0 means unrated; a flag with an `i` means inactive.

use jiff::civil::Date;

use super::list::{Line, activity};
use super::list_day;
use super::rating::{fide_id, is_title, is_unrated, rating};

/// What a column holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Field {
    Id,
    Name,
    Federation,
    Rating,
    Games,
    Flag,
    Other,
}

/// A column by the place of its title, in characters.
#[derive(Clone, Copy, Debug)]
struct Column {
    field: Field,
    start: usize,
    end: usize,
}

/// The columns of a list.
#[derive(Clone, Debug)]
pub(super) struct Columns {
    columns: Vec<Column>,
    name: Column,
    federation: Option<Column>,
    /// The day that the title of the rating column names.
    pub day: Option<Date>,
}

impl Columns {
    /// From a header line; `None` where it is none.
    pub fn of(header: &str) -> Option<Columns> {
        if header.contains(['\t', ';', ',']) {
            return None;
        }
        let header = header.replace("ID Number", "ID_Number").replace("ID number", "ID_number");
        let mut columns = Vec::new();
        let mut day = None;
        for (start, word) in words(&header) {
            for (offset, part) in parts(word) {
                let field = field(part);
                if field == Field::Rating {
                    day = list_day::of_header_word(part);
                }
                let start = start + offset;
                columns.push(Column { field, start, end: start + part.chars().count() });
            }
        }
        let find = |field| columns.iter().find(|column: &&Column| column.field == field).copied();
        find(Field::Rating)?;
        Some(Columns {
            name: find(Field::Name)?,
            federation: find(Field::Federation),
            columns,
            day,
        })
    }

    /// What a line says; `Ok(None)` of a player without a rating.
    pub fn line(&self, line: &str) -> Result<Option<Line>, String> {
        let all: Vec<(usize, &str)> = words(line).collect();
        // The federation is the first word of three capitals below its title; what stands between it
        // and the beginning of the name is name, and maybe a title.
        let federation = self.federation.and_then(|column| {
            all.iter().position(|(start, word)| {
                word.len() == 3
                    && word.bytes().all(|byte| byte.is_ascii_uppercase())
                    && *start > self.name.start
                    && *start + 1 >= column.start
                    && *start <= column.end
            })
        });
        let behind_name = match federation {
            Some(place) => all[place].0,
            None => self.next_column(),
        };
        let name: String = line
            .chars()
            .skip(self.name.start)
            .take(behind_name.saturating_sub(self.name.start))
            .collect();
        let name = without_title(&name);
        if !name.chars().any(char::is_alphabetic) {
            return Err("no name".to_owned());
        }
        let mut found: Option<&str> = None;
        let (mut games, mut flags) = ("", "");
        let mut id = None;
        for &(start, word) in &all {
            let is_in_name = start >= self.name.start && start < behind_name;
            if is_in_name {
                continue;
            }
            match self.field_above(start, start + word.chars().count()) {
                Field::Id => id = fide_id(word),
                Field::Rating => found = found.or(Some(word)),
                Field::Games => games = word,
                Field::Flag => flags = word,
                _ => {}
            }
        }
        // Unrated players have a 0; nothing at all below the title is damage.
        let found = found.ok_or("no rating")?;
        if is_unrated(found) {
            return Ok(None);
        }
        let active = activity(games, flags);
        Ok(Some(Line {
            name: name.to_owned(),
            rating: rating(found)?,
            fide_id: id,
            active,
            ..Line::default()
        }))
    }

    fn next_column(&self) -> usize {
        let behind = self.columns.iter().map(|column| column.start);
        behind.filter(|start| *start > self.name.start).min().unwrap_or(usize::MAX)
    }

    /// The column whose title is above a word, or nearest to it.
    fn field_above(&self, start: usize, end: usize) -> Field {
        let distance = |column: &&Column| {
            let overlap = end.min(column.end) as isize - start.max(column.start) as isize;
            -overlap
        };
        let others = self.columns.iter().filter(|column| column.field != Field::Name);
        others.min_by_key(distance).map_or(Field::Other, |column| column.field)
    }
}

/// Words with the places of their first letters, in characters.
fn words(line: &str) -> impl Iterator<Item = (usize, &str)> {
    let mut place = 0;
    line.split(' ').filter_map(move |word| {
        let start = place;
        place += word.chars().count() + 1;
        let word = word.trim_end_matches(['\r', '\n']);
        (!word.is_empty()).then_some((start, word))
    })
}

/// Titles that run together (`TitlFed`, `GamesBorn`).
fn parts(word: &str) -> Vec<(usize, &str)> {
    for joined in ["Fed", "Born"] {
        if let Some(place) = word.find(joined).filter(|place| *place > 0) {
            return vec![(0, &word[..place]), (place, &word[place..])];
        }
    }
    vec![(0, word)]
}

fn field(title: &str) -> Field {
    match title.to_ascii_lowercase().as_str() {
        "id_number" | "idnumber" | "id" => Field::Id,
        "name" | "player" => Field::Name,
        "fed" | "country" => Field::Federation,
        "rtng" | "srtng" | "elo" | "rating" => Field::Rating,
        "gam" | "gms" | "games" | "game" | "sgm" => Field::Games,
        "flag" => Field::Flag,
        other if list_day::of_header_word(other).is_some() => Field::Rating,
        _ => Field::Other,
    }
}

/// A name without the title behind it (`Kasparov, Garry                   g`).
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

    fn read(header: &str, line: &str) -> Result<Option<Line>, String> {
        Columns::of(header).expect("a header").line(line)
    }

    #[track_caller]
    fn says(header: &str, line: &str, name: &str, rating: f64, id: u32, active: Option<bool>) {
        let expected = Line {
            name: name.into(),
            rating,
            fide_id: Some(id).filter(|id| *id > 0),
            active,
            ..Line::default()
        };
        assert_eq!(read(header, line), Ok(Some(expected)));
    }

    #[test]
    fn every_layout_of_fide_is_read() {
        says(
            "Name                                 Fed  Rtng ",
            "Abarca Aguirre,M.                    CHI  2340",
            "Abarca Aguirre,M.",
            2340.0,
            0,
            None,
        );
        says(
            "Player                               Fed  Rtng Diff ",
            "Aarland, Stein Arild                 NOR  2240  -10",
            "Aarland, Stein Arild",
            2240.0,
            0,
            None,
        );
        says(
            "Player                       Country ID Number s t gam  ELO",
            "Adams, Michael                 ENG      400041 g    27 2716",
            "Adams, Michael",
            2716.0,
            400_041,
            Some(true),
        );
        says(
            "ID Number Name                           Title Fed  Rtng Games Flag",
            " 1701991  Aaberg, Anton                        SWE  2300    0  i  ",
            "Aaberg, Anton",
            2300.0,
            1_701_991,
            Some(false),
        );
        says(
            "ID Number Name                           Title Fed  Rtng Games Flag",
            "  700509  Varga, Zoltan                     g  HUN  2530   85     ",
            "Varga, Zoltan",
            2530.0,
            700_509,
            Some(true),
        );
        let single = "ID Number      Name                                                         \
                      Fed Sex Tit  WTit OTit           FOA JAN13 Gms K  B-day Flag";
        let line = "1503014        Carlsen, Magnus                                              \
                    NOR M   GM                           2861   0  10 1990      ";
        says(single, line, "Carlsen, Magnus", 2861.0, 1_503_014, None);
        assert_eq!(Columns::of(single).and_then(|columns| columns.day), Some(date(2013, 1, 1)));
        let combined = "ID Number      Name                                                         \
                        Fed Sex Tit  WTit OTit           FOA SRtng SGm SK RRtng RGm Rk BRtng BGm BK \
                        B-day Flag";
        let line = "8603677        Ding, Liren                                                  \
                    CHN M   GM                           2723  11  10 2693  0   10 2736  0   10 1992  i   ";
        says(combined, line, "Ding, Liren", 2723.0, 8_603_677, Some(false));
    }

    #[test]
    fn who_has_no_rating_in_this_kind_of_play_has_none() {
        let header = "ID Number      Name                                                         \
                      Fed Sex Tit  WTit OTit           FOA SRtng SGm SK RRtng RGm Rk BRtng BGm BK \
                      B-day Flag";
        let line = "10292519       A A M Imtiaz, Chowdhury                                      \
                    BAN M                  NI            0     0   0  1864  0   20 0     0   0  1975      ";
        assert_eq!(read(header, line), Ok(None));
    }

    #[test]
    fn a_title_that_runs_into_its_neighbour_is_two() {
        says(
            "ID_NUMBER NAME                            TitlFed  Rtng GamesBorn Flag",
            " 4100018  Kasparov, Garry                 g   RUS  2812   0  1963 i",
            "Kasparov, Garry",
            2812.0,
            4_100_018,
            Some(false),
        );
    }

    #[test]
    fn what_is_no_rating_is_told() {
        let header = "Name                                 Fed  Rtng ";
        assert_eq!(
            read(header, "Aaron,M.                             IND  high"),
            Err("\"high\" is no rating".into())
        );
        let nobody = "                                     IND  2300";
        assert_eq!(read(header, nobody), Err("no name".into()));
        assert_eq!(read(header, "Aaron,M.                  IND  2300"), Err("no rating".into()));
    }

    #[test]
    fn the_federation_may_stand_before_the_name() {
        says(
            "Fed Name             Rtng",
            "GER Doe, Walter      2630",
            "Doe, Walter",
            2630.0,
            0,
            None,
        );
    }

    #[test]
    fn a_line_of_players_is_no_header() {
        assert!(Columns::of("Aaron,M.                             IND  2240").is_none());
        assert!(Columns::of("1st January 1975 FIDE Rating List").is_none());
    }
}
