//! Reads FIDE's lists as XML.
//!
//! The root is `playerslist`, with a `player` element for each player. Its children are `fideid`,
//! `name`, `country`, `sex`, `title`, `w_title`, `o_title`, `foa_title`, `rating`, `games`, `k`,
//! `birthday` (a year) and `flag` (`i` inactive, `w` woman). The combined list repeats the ratings
//! for rapid and blitz. Source: FIDE, "Download Rating List", XML format.
//!
//! The file does not state its month. Its name does (`standard_jan13frl_xml.xml`).

use std::cell::Cell;
use std::io::{self, BufReader, Read};
use std::rc::Rc;

use memchr::memchr_iter;
use quick_xml::Reader;
use quick_xml::events::Event;
use thiserror::Error;

use super::line_error::LineError;
use super::list_line::{RatingListLine, activity};
use super::rating::{LATEST_YEAR, birth, fide_id, is_unrated, rating};
use crate::source::CleanName;

/// The place and the reason at which reading stopped. The players before that place were read.
#[derive(Debug, Error)]
#[error("line {line}: {error}; the rest of the list was not read")]
pub(super) struct XmlListError {
    /// Line number from 1.
    pub line: u64,
    error: XmlListFault,
}

/// Why the rest of a list cannot be read.
#[derive(Debug, Error)]
enum XmlListFault {
    #[error(transparent)]
    Xml(#[from] quick_xml::Error),
    #[error("the list is incomplete: the file ends inside an element")]
    Ends,
    #[error("elements are nested more than {DEEPEST} deep")]
    Deep,
}

/// The greatest depth of nested elements. FIDE's lists have three levels.
const DEEPEST: usize = 32;

/// The greatest length (bytes) of one tag, text or comment.
const LONGEST_PART: u64 = 1 << 20;

/// A stream that fails if one part of the text is too long.
struct BoundedParts<'s> {
    stream: &'s mut dyn Read,
    left: Rc<Cell<u64>>,
}

impl Read for BoundedParts<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.left.get() == 0 {
            let limit = LONGEST_PART >> 10;
            let message = format!("a tag, text or comment is longer than {limit} KiB");
            return Err(io::Error::other(message));
        }
        let count = self.stream.read(buffer)?;
        self.left.set(self.left.get().saturating_sub(count as u64));
        Ok(count)
    }
}

/// The number of bytes of a field that are kept.
const LONGEST_FIELD: usize = 200;

/// Reads a list and passes each player to `visit` with the line on which the element ends.
///
/// A player without a rating is `Ok(None)`.
///
/// # Errors
///
/// Returns an error if the text is not well-formed XML, ends too early or exceeds a limit.
pub(super) fn read(
    stream: &mut dyn Read,
    mut visit: impl FnMut(u64, Result<Option<RatingListLine>, LineError>),
) -> Result<(), XmlListError> {
    let left = Rc::new(Cell::new(LONGEST_PART));
    let stream = BoundedParts { stream, left: Rc::clone(&left) };
    let mut reader = Reader::from_reader(BufReader::with_capacity(1 << 16, stream));
    let mut buffer = Vec::new();
    let mut line = 1;
    let mut depth = 0_usize;
    let mut fields = PlayerFields::default();
    let mut element: Option<PlayerElement> = None;
    loop {
        left.set(LONGEST_PART);
        let event = reader.read_event_into(&mut buffer);
        let event = event.map_err(|error| XmlListError { line, error: error.into() })?;
        line += memchr_iter(b'\n', &event).count() as u64;
        match event {
            Event::Start(tag) => {
                depth += 1;
                if depth > DEEPEST {
                    return Err(XmlListError { line, error: XmlListFault::Deep });
                }
                element = PlayerElement::from_name(tag.local_name().as_ref());
                if tag.local_name().as_ref() == b"player" {
                    fields = PlayerFields::default();
                }
            }
            Event::Text(text) => {
                if let Some(element) = element {
                    fields.add(element, &String::from_utf8_lossy(&text));
                }
            }
            // The parser reports `&amp;` and other references separately.
            Event::GeneralRef(reference) => {
                if let Some(element) = element {
                    let text = reference.resolve_char_ref().ok().flatten().map(String::from);
                    let entity = String::from_utf8_lossy(&reference).into_owned();
                    let text = text.or_else(|| {
                        quick_xml::escape::resolve_predefined_entity(&entity).map(str::to_owned)
                    });
                    fields.add(element, text.as_deref().unwrap_or(" "));
                }
            }
            Event::End(tag) => {
                depth = depth.saturating_sub(1);
                element = None;
                if tag.local_name().as_ref() == b"player" {
                    visit(line, std::mem::take(&mut fields).line());
                }
            }
            Event::Eof if depth > 0 => {
                return Err(XmlListError { line, error: XmlListFault::Ends });
            }
            Event::Eof => return Ok(()),
            _ => {}
        }
        buffer.clear();
    }
}

/// The children of a `player` element that are read.
#[derive(Clone, Copy)]
enum PlayerElement {
    Id,
    Name,
    Rating,
    Games,
    Flag,
    Birthday,
}

impl PlayerElement {
    fn from_name(name: &[u8]) -> Option<PlayerElement> {
        match name {
            b"fideid" => Some(PlayerElement::Id),
            b"name" => Some(PlayerElement::Name),
            b"rating" => Some(PlayerElement::Rating),
            b"games" => Some(PlayerElement::Games),
            b"flag" => Some(PlayerElement::Flag),
            b"birthday" => Some(PlayerElement::Birthday),
            _ => None,
        }
    }
}

/// The texts of the children of a `player` element.
#[derive(Default)]
struct PlayerFields {
    id: String,
    name: String,
    rating: String,
    games: String,
    flag: String,
    birthday: String,
}

impl PlayerFields {
    fn add(&mut self, element: PlayerElement, text: &str) {
        let field = match element {
            PlayerElement::Id => &mut self.id,
            PlayerElement::Name => &mut self.name,
            PlayerElement::Rating => &mut self.rating,
            PlayerElement::Games => &mut self.games,
            PlayerElement::Flag => &mut self.flag,
            PlayerElement::Birthday => &mut self.birthday,
        };
        if field.len() + text.len() <= LONGEST_FIELD {
            field.push_str(text);
        }
    }

    fn line(self) -> Result<Option<RatingListLine>, LineError> {
        let name = CleanName::new(&self.name);
        if is_unrated(&self.rating) {
            return Ok(None);
        }
        if !name.chars().any(char::is_alphabetic) {
            return Err(LineError::NoName);
        }
        Ok(Some(RatingListLine {
            name,
            rating: rating(self.rating.trim())?,
            fide_id: fide_id(&self.id),
            active: activity(&self.games, &self.flag),
            // The element always states the year with four digits.
            born: birth(&self.birthday, LATEST_YEAR),
            ..RatingListLine::default()
        }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The players, each with its line number; errors as text.
    type ReadLines = Vec<(u64, Result<Option<RatingListLine>, String>)>;

    /// Reads a text; also the line on which reading stopped.
    fn lines(text: &str) -> (ReadLines, Option<u64>) {
        let mut found = Vec::new();
        let outcome = read(&mut text.as_bytes(), |line, player| {
            found.push((line, player.map_err(|error| error.to_string())));
        });
        (found, outcome.err().map(|error| error.line))
    }

    #[test]
    fn players_are_read_with_their_numbers_and_flags() {
        let (found, broken) = lines(
            "<playerslist>\n<player>\n<fideid>1503014</fideid>\n<name>Carlsen, Magnus</name>\n\
             <country>NOR</country><title>GM</title><w_title></w_title>\n<rating>2861</rating><games>13</games>\n\
             <rapid_rating>2800</rapid_rating><birthday>1990</birthday><flag></flag>\n</player>\n\
             <player><fideid>5</fideid><name>O&apos;Brien &amp; Co, X</name><rating>2100</rating>\
             <flag>wi</flag></player>\n\
             <player><name>Nobody</name><rating>0</rating></player>\n</playerslist>",
        );
        assert_eq!(broken, None);
        let carlsen = RatingListLine {
            name: "Carlsen, Magnus".into(),
            rating: 2861.0,
            fide_id: Some(1_503_014),
            active: Some(true),
            born: Some(1990),
            ..RatingListLine::default()
        };
        let other = RatingListLine {
            name: "O'Brien & Co, X".into(),
            rating: 2100.0,
            fide_id: Some(5),
            active: Some(false),
            ..RatingListLine::default()
        };
        assert_eq!(found, [(8, Ok(Some(carlsen))), (9, Ok(Some(other))), (10, Ok(None))]);
    }

    #[test]
    fn players_before_malformed_xml_are_kept() {
        let (found, broken) =
            lines("<a>\n<player><name>A</name><rating>2500</rating></player>\n<player></a>");
        assert_eq!(found.len(), 1);
        assert_eq!(broken, Some(3));
    }

    /// A stream that repeats the same bytes without end.
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
    fn a_truncated_list_is_an_error_and_keeps_its_players() {
        let whole = "<list>\n<player><name>A</name><rating>2500</rating></player>\n<player><name>B";
        for end in [whole.len(), whole.len() - 1, whole.len() - "<name>B".len()] {
            let (found, broken) = lines(&whole[..end]);
            assert_eq!((found.len(), broken), (1, Some(3)), "{}", &whole[..end]);
        }
    }

    fn error_of(text: &mut dyn Read) -> String {
        read(text, |_, _| ()).unwrap_err().to_string()
    }

    #[test]
    fn an_endless_text_is_refused_and_takes_no_memory() {
        let comment = error_of(&mut b"<a>\n<!--".chain(Endless(b"long ", 0)));
        assert!(
            comment.starts_with("line 2: ") && comment.contains("longer than 1024 KiB"),
            "{comment}"
        );
        let deep = error_of(&mut Endless(b"<a>\n", 0));
        assert!(deep.contains("more than 32 deep"), "{deep}");
        let word = error_of(&mut b"<name>".chain(Endless(b"x", 0)));
        assert!(word.contains("longer than 1024 KiB"), "{word}");
    }

    #[test]
    fn a_bad_rating_is_an_error_with_its_line() {
        let (found, _) = lines("<player>\n<name>A</name><rating>x</rating></player>");
        assert_eq!(found, [(2, Err("\"x\" is not a rating".into()))]);
    }
}
