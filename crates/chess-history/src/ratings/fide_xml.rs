//! FIDE's lists as XML.
//!
//! The root is `playerslist`, with a `player` for everybody: `fideid`, `name`, `country`, `sex`, `title`,
//! `w_title`, `o_title`, `foa_title`, `rating`, `games`, `k`, (in the combined list the same for rapid and
//! blitz,) `birthday` (a year), `flag` (`i` inactive, `w` woman). Source: FIDE, "Download Rating List",
//! XML format. The file says nowhere of what month it is; its name does (`standard_jan13frl_xml.xml`).

use std::cell::Cell;
use std::io::{self, BufReader, Read};
use std::rc::Rc;

use memchr::memchr_iter;
use quick_xml::Reader;
use quick_xml::events::Event;
use thiserror::Error;

use super::list::{Line, activity};
use super::rating::{fide_id, is_unrated, rating};

/// Where and why a text ends as XML; what was before it is good.
#[derive(Debug, Error)]
#[error("line {line}: {error}; what follows is lost")]
pub(super) struct Broken {
    /// Line number from 1.
    pub line: u64,
    error: NoList,
}

/// Why a text is no list of FIDE's from somewhere on.
#[derive(Debug, Error)]
enum NoList {
    #[error(transparent)]
    Xml(#[from] quick_xml::Error),
    #[error("the list ends in its middle")]
    Ends,
    #[error("an element lies in more than {DEEPEST} others")]
    Deep,
}

/// Elements in each other beyond which a text is none of FIDE's, which has three.
const DEEPEST: usize = 32;

/// Bytes of one tag, text or comment beyond which the same holds.
const LONGEST_PART: u64 = 1 << 20;

/// A stream that fails where one part of the text does not end.
struct ByParts<'s> {
    stream: &'s mut dyn Read,
    left: Rc<Cell<u64>>,
}

impl Read for ByParts<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.left.get() == 0 {
            let told = format!("a tag, text or comment is longer than {} KiB", LONGEST_PART >> 10);
            return Err(io::Error::other(told));
        }
        let count = self.stream.read(buffer)?;
        self.left.set(self.left.get().saturating_sub(count as u64));
        Ok(count)
    }
}

/// Characters of a field that are kept.
const LONGEST_FIELD: usize = 200;

/// Reads a list player by player, each with the line on which he ends; `Ok(None)` of a player without a
/// rating.
///
/// # Errors
///
/// Where the text is no XML, or ends as such.
pub(super) fn read(
    stream: &mut dyn Read,
    mut visit: impl FnMut(u64, Result<Option<Line>, String>),
) -> Result<(), Broken> {
    let left = Rc::new(Cell::new(LONGEST_PART));
    let stream = ByParts { stream, left: Rc::clone(&left) };
    let mut reader = Reader::from_reader(BufReader::with_capacity(1 << 16, stream));
    let mut buffer = Vec::new();
    let mut line = 1;
    let mut depth = 0_usize;
    let mut fields = Fields::default();
    let mut field: Option<Tag> = None;
    loop {
        left.set(LONGEST_PART);
        let event = reader.read_event_into(&mut buffer);
        let event = event.map_err(|error| Broken { line, error: error.into() })?;
        line += memchr_iter(b'\n', &event).count() as u64;
        match event {
            Event::Start(tag) => {
                depth += 1;
                if depth > DEEPEST {
                    return Err(Broken { line, error: NoList::Deep });
                }
                field = Tag::of(tag.local_name().as_ref());
                if tag.local_name().as_ref() == b"player" {
                    fields = Fields::default();
                }
            }
            Event::Text(text) => {
                if let Some(name) = field {
                    fields.add(name, &String::from_utf8_lossy(&text));
                }
            }
            // `&amp;` and the like come by themselves.
            Event::GeneralRef(reference) => {
                if let Some(name) = field {
                    let text = reference.resolve_char_ref().ok().flatten().map(String::from);
                    let entity = String::from_utf8_lossy(&reference).into_owned();
                    let text = text.or_else(|| {
                        quick_xml::escape::resolve_predefined_entity(&entity).map(str::to_owned)
                    });
                    fields.add(name, text.as_deref().unwrap_or(" "));
                }
            }
            Event::End(tag) => {
                depth = depth.saturating_sub(1);
                field = None;
                if tag.local_name().as_ref() == b"player" {
                    visit(line, std::mem::take(&mut fields).line());
                }
            }
            Event::Eof if depth > 0 => return Err(Broken { line, error: NoList::Ends }),
            Event::Eof => return Ok(()),
            _ => {}
        }
        buffer.clear();
    }
}

#[derive(Clone, Copy)]
enum Tag {
    Id,
    Name,
    Rating,
    Games,
    Flag,
}

impl Tag {
    fn of(tag: &[u8]) -> Option<Tag> {
        match tag {
            b"fideid" => Some(Tag::Id),
            b"name" => Some(Tag::Name),
            b"rating" => Some(Tag::Rating),
            b"games" => Some(Tag::Games),
            b"flag" => Some(Tag::Flag),
            _ => None,
        }
    }
}

#[derive(Default)]
struct Fields {
    id: String,
    name: String,
    rating: String,
    games: String,
    flag: String,
}

impl Fields {
    fn add(&mut self, tag: Tag, text: &str) {
        let field = match tag {
            Tag::Id => &mut self.id,
            Tag::Name => &mut self.name,
            Tag::Rating => &mut self.rating,
            Tag::Games => &mut self.games,
            Tag::Flag => &mut self.flag,
        };
        if field.len() + text.len() <= LONGEST_FIELD {
            field.push_str(text);
        }
    }

    fn line(self) -> Result<Option<Line>, String> {
        let name = self.name.trim();
        if is_unrated(&self.rating) {
            return Ok(None);
        }
        if !name.chars().any(char::is_alphabetic) {
            return Err("no name".to_owned());
        }
        Ok(Some(Line {
            name: name.to_owned(),
            rating: rating(self.rating.trim())?,
            fide_id: fide_id(&self.id),
            active: activity(&self.games, &self.flag),
            deviation: None,
        }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    type Found = Vec<(u64, Result<Option<Line>, String>)>;

    fn lines(text: &str) -> (Found, Option<u64>) {
        let mut found = Vec::new();
        let outcome = read(&mut text.as_bytes(), |line, player| found.push((line, player)));
        (found, outcome.err().map(|broken| broken.line))
    }

    #[test]
    fn players_are_read_with_their_numbers_and_marks() {
        let (found, broken) = lines(
            "<playerslist>\n<player>\n<fideid>1503014</fideid>\n<name>Carlsen, Magnus</name>\n\
             <country>NOR</country><title>GM</title><w_title></w_title>\n<rating>2861</rating><games>13</games>\n\
             <rapid_rating>2800</rapid_rating><birthday>1990</birthday><flag></flag>\n</player>\n\
             <player><fideid>5</fideid><name>O&apos;Brien &amp; Co, X</name><rating>2100</rating>\
             <flag>wi</flag></player>\n\
             <player><name>Nobody</name><rating>0</rating></player>\n</playerslist>",
        );
        assert_eq!(broken, None);
        let carlsen = Line {
            name: "Carlsen, Magnus".into(),
            rating: 2861.0,
            fide_id: Some(1_503_014),
            active: Some(true),
            deviation: None,
        };
        let other = Line {
            name: "O'Brien & Co, X".into(),
            rating: 2100.0,
            fide_id: Some(5),
            active: Some(false),
            deviation: None,
        };
        assert_eq!(found, [(8, Ok(Some(carlsen))), (9, Ok(Some(other))), (10, Ok(None))]);
    }

    #[test]
    fn a_text_that_ends_as_xml_keeps_what_was_before() {
        let (found, broken) =
            lines("<a>\n<player><name>A</name><rating>2500</rating></player>\n<player></a>");
        assert_eq!(found.len(), 1);
        assert_eq!(broken, Some(3));
    }

    /// Gives the same bytes without end.
    struct Endless(&'static [u8], usize);

    impl Read for Endless {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            for byte in &mut *buffer {
                *byte = self.0[self.1 % self.0.len()];
                self.1 += 1;
            }
            Ok(buffer.len())
        }
    }

    #[test]
    fn a_list_that_is_cut_off_is_told_and_keeps_whom_it_had() {
        let whole = "<list>\n<player><name>A</name><rating>2500</rating></player>\n<player><name>B";
        for end in [whole.len(), whole.len() - 1, whole.len() - "<name>B".len()] {
            let (found, broken) = lines(&whole[..end]);
            assert_eq!((found.len(), broken), (1, Some(3)), "{}", &whole[..end]);
        }
    }

    #[test]
    fn what_does_not_end_is_no_list_and_takes_no_memory() {
        let told = |text: &mut dyn Read| read(text, |_, _| ()).unwrap_err().to_string();
        let comment = told(&mut b"<a>\n<!--".chain(Endless(b"long ", 0)));
        assert!(
            comment.starts_with("line 2: ") && comment.contains("longer than 1024 KiB"),
            "{comment}"
        );
        let deep = told(&mut Endless(b"<a>\n", 0));
        assert!(deep.contains("in more than 32 others"), "{deep}");
        let word = told(&mut b"<name>".chain(Endless(b"x", 0)));
        assert!(word.contains("longer than 1024 KiB"), "{word}");
    }

    #[test]
    fn a_rating_that_is_none_is_told_with_its_line() {
        let (found, _) = lines("<player>\n<name>A</name><rating>x</rating></player>");
        assert_eq!(found, [(2, Err("\"x\" is no rating".into()))]);
    }
}
