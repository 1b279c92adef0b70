//! Splits a text into pieces where games begin.

use std::io::{self, Read};

use memchr::{memmem, memrchr};

/// An Event tag without its bracket and first letter, which some files write in lower case. Texts
/// are split where such a tag begins a line.
const EVENT: &[u8] = b"vent \"";

/// The bracket and first letter of an Event tag.
const BEFORE: [&[u8]; 2] = [b"[E", b"[e"];

/// Size of pieces (bytes).
///
/// A piece is large enough to be worth passing to another thread. It is small enough for a core's
/// cache to hold it and its games: with 4 MiB, reading takes 3 to 7% longer.
pub const CHUNK: usize = 1 << 20;

/// Returns the first place, not before `from`, where a text can be split without changing its
/// games.
///
/// `from` must be at the beginning of a line, or after its remainder.
pub fn first_cut(text: &[u8], from: usize) -> Option<usize> {
    let from = from.max(1);
    memmem::find_iter(text.get(from..)?, EVENT)
        .filter_map(|place| (from + place).checked_sub(BEFORE[0].len()))
        .find(|place| *place >= from && can_be_split(text, *place))
}

/// Returns the last place, not before `from`, where a text can be split without changing its games.
///
/// That is an Event tag after a blank line or after moves, where every game ends, damaged or not.
fn last_cut(text: &[u8], from: usize) -> Option<usize> {
    let from = from.max(1);
    memmem::rfind_iter(text.get(from..)?, EVENT)
        .filter_map(|place| (from + place).checked_sub(BEFORE[0].len()))
        .find(|place| *place >= from && can_be_split(text, *place))
}

fn can_be_split(text: &[u8], place: usize) -> bool {
    if !BEFORE.iter().any(|before| text[place..].starts_with(before)) {
        return false;
    }
    let Some((b'\n', before)) = text[..place].split_last() else { return false };
    let start = memrchr(b'\n', before).map_or(0, |end| end + 1);
    // Without its beginning, the kind of the line is unknown.
    let is_whole = start > 0;
    let line = before[start..].trim_ascii();
    // After a tag, or the continuation of one, the Event tag may belong to the same game. So it may
    // after an escaped line (`%`). A tag may begin anywhere on a line.
    let is_header = line.first().is_some_and(|byte| matches!(byte, b'%' | b';'))
        || line.last() == Some(&b']')
        || line.contains(&b'[');
    is_whole && !is_header
}

/// Returns the last place where a text without Event tags can be split: at a tag of the roster
/// after moves and a blank line.
fn last_cut_without_events(text: &[u8]) -> Option<usize> {
    const FIRST: [&[u8]; 5] = [b"[Site \"", b"[Date \"", b"[Round \"", b"[White \"", b"[Black \""];
    memmem::rfind_iter(text, b"\n[").map(|place| place + 1).find(|&place| {
        let is_tag = FIRST.iter().any(|tag| text[place..].starts_with(tag));
        let before = text[..place].trim_ascii_end();
        let blank = text[before.len()..place].iter().filter(|byte| **byte == b'\n').count() > 1;
        let start = memrchr(b'\n', before).map_or(0, |end| end + 1);
        let line = before[start..].trim_ascii();
        is_tag && blank && start > 0 && !line.contains(&b'[') && line.last() != Some(&b']')
    })
}

/// Number of bytes without a suitable Event tag after which a text is split at other tags. Judged:
/// usual files have an Event tag every thousand bytes.
const WITHOUT_EVENTS: usize = 4 * CHUNK;

/// Most bytes of a piece. No game is as long. Other content (zeros, a picture, an endless comment)
/// is split anywhere.
const MOST: usize = 16 * CHUNK;

/// The pieces of a stream.
pub struct Chunks<'a> {
    stream: Box<dyn Read + 'a>,
    size: usize,
    /// Bytes that were read and are not yet part of a piece.
    rest: Vec<u8>,
    ended: bool,
}

impl<'a> Chunks<'a> {
    /// Splits a stream into pieces of about `size` bytes. A piece is larger if a game is.
    pub fn new(stream: Box<dyn Read + 'a>, size: usize) -> Chunks<'a> {
        Chunks { stream, size: size.max(1), rest: Vec::new(), ended: false }
    }

    /// Returns the next piece, or `None` after the last.
    ///
    /// # Errors
    ///
    /// Returns an error if the stream cannot be read further. The bytes read before the error are
    /// returned with it as the last piece.
    pub fn next_chunk(&mut self) -> (Option<Vec<u8>>, io::Result<()>) {
        let mut searched = 0;
        while !self.ended {
            let before = self.rest.len();
            let missing = self.size.saturating_sub(before).max(self.size / 2).max(1);
            self.rest.reserve(missing.min(CHUNK));
            let read = (&mut self.stream).take(missing as u64).read_to_end(&mut self.rest);
            if let Err(error) = read {
                self.ended = true;
                return (self.last(), Err(error));
            }
            if self.rest.len() == before {
                self.ended = true;
                break;
            }
            if self.rest.len() >= self.size {
                if let Some(cut) = last_cut(&self.rest, searched) {
                    return (Some(self.cut(cut)), Ok(()));
                }
                if self.rest.len() >= WITHOUT_EVENTS.max(self.size)
                    && let Some(cut) = last_cut_without_events(&self.rest)
                {
                    return (Some(self.cut(cut)), Ok(()));
                }
                if self.rest.len() >= MOST.max(self.size) {
                    let line = memrchr(b'\n', &self.rest).map_or(self.rest.len(), |end| end + 1);
                    return (Some(self.cut(line)), Ok(()));
                }
                // A tag may be partly in the searched bytes.
                searched = self.rest.len().saturating_sub(BEFORE[0].len() + EVENT.len());
            }
        }
        (self.last(), Ok(()))
    }

    /// Removes and returns the bytes before a place.
    fn cut(&mut self, place: usize) -> Vec<u8> {
        let mut rest = Vec::with_capacity(self.size + self.size / 8);
        rest.extend_from_slice(&self.rest[place..]);
        let mut chunk = std::mem::replace(&mut self.rest, rest);
        chunk.truncate(place);
        chunk
    }

    fn last(&mut self) -> Option<Vec<u8>> {
        let rest = std::mem::take(&mut self.rest);
        (!rest.is_empty()).then_some(rest)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pieces(text: &str, size: usize) -> Vec<String> {
        let mut chunks = Chunks::new(Box::new(text.as_bytes()), size);
        std::iter::from_fn(|| chunks.next_chunk().0)
            .map(|chunk| String::from_utf8(chunk).unwrap())
            .collect()
    }

    #[test]
    fn pieces_begin_with_games_and_are_the_whole_text() {
        let game = "[Event \"A\"]\n[Site \"B\"]\n\n1.e4 *\n\n";
        let text = game.repeat(50);
        for size in [1, 64, 100, 500, 10_000] {
            let pieces = pieces(&text, size);
            assert_eq!(pieces.concat(), text);
            assert!(pieces.iter().all(|piece| piece.starts_with("[Event")));
        }
        assert_eq!(pieces(&text, 64).len(), 50);
        assert_eq!(pieces(&text, 10_000).len(), 1);
    }

    #[test]
    fn a_text_is_split_only_at_event_tags_after_blank_lines_and_moves() {
        for (text, place) in [
            ("x\n\n[Event \"A\"]", Some(3)),
            ("x\r\n\r\n[Event \"A\"]", Some(5)),
            ("x\n \t\n[Event \"A\"]", Some(5)),
            ("x\n\n[event \"A\"]", Some(3)),
            ("x\n1.e4 *\n[Event \"A\"]", Some(9)),
            ("x\n\n[Prevent \"A\"]", None),
            ("x\n\n {[Event \"A\"]", None),
            ("x\n\n[EventDate \"A\"]", None),
            ("[Event \"A\"]", None),
        ] {
            assert_eq!(last_cut(text.as_bytes(), 0), place, "{text}");
        }
        for line in [
            "[Site \"x\"]",
            "York\"]",
            "1-0 [White \"Tal,",
            "% escaped",
            "; a note",
            "[Site \"x\"] ",
        ] {
            let text = format!("x\n{line}\n[Event \"A\"]");
            assert_eq!(last_cut(text.as_bytes(), 0), None, "{line}");
        }
    }

    #[test]
    fn a_text_without_event_tags_is_split_where_its_games_begin() {
        let game = "[Site \"B\"]\n[White \"A\"]\n[Black \"C\"]\n\n1.e4 *\n\n";
        let text = game.repeat(3 * WITHOUT_EVENTS / game.len());
        let pieces = pieces(&text, 1000);
        assert!(pieces.concat() == text && pieces.len() > 1);
        assert!(pieces.iter().all(|piece| piece.starts_with("[Site") && piece.len() <= MOST));
    }

    #[test]
    fn content_without_games_is_split_into_pieces_of_bounded_size() {
        for byte in [0, b'\n', b'x'] {
            let mut chunks = Chunks::new(Box::new(io::repeat(byte).take(4 * MOST as u64)), CHUNK);
            let mut length = 0;
            while let Some(piece) = chunks.next_chunk().0 {
                assert!(piece.len() <= MOST + CHUNK);
                length += piece.len();
            }
            assert_eq!(length, 4 * MOST);
        }
    }

    #[test]
    fn bytes_before_an_error_are_returned() {
        struct FailingStream;
        impl Read for FailingStream {
            fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
                Err(io::Error::other("broken"))
            }
        }
        let mut chunks = Chunks::new(Box::new(b"text".chain(FailingStream)), 100);
        let (piece, outcome) = chunks.next_chunk();
        assert_eq!(piece.as_deref(), Some(&b"text"[..]));
        assert!(outcome.is_err());
        assert!(chunks.next_chunk().0.is_none());
    }
}
