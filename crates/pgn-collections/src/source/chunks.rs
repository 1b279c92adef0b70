//! Cutting a text into pieces where games begin.

use std::io::{self, Read};

use memchr::{memmem, memrchr};

/// What a game begins with wherever it is cut, an Event tag at the beginning of a line, without its bracket and the letter
/// that some write small.
const EVENT: &[u8] = b"vent \"";

/// What stands before that.
const BEFORE: [&[u8]; 2] = [b"[E", b"[e"];

/// Size of pieces (bytes): large enough that a piece is worth handing to another thread, small enough
/// that it and its games stay in a core's cache (with 4 MiB reading takes 3 to 7% longer).
pub const CHUNK: usize = 1 << 20;

/// The first place, not before `from`, where a text may be cut so that its parts give the same games as the whole; `from` is at
/// the beginning of a line, or behind what is left of one.
pub fn first_cut(text: &[u8], from: usize) -> Option<usize> {
    let from = from.max(1);
    memmem::find_iter(text.get(from..)?, EVENT)
        .filter_map(|place| (from + place).checked_sub(BEFORE[0].len()))
        .find(|place| *place >= from && may_be_cut(text, *place))
}

/// The last place, not before `from`, where a text may be cut so that its parts give the same games as the whole: at an Event
/// tag behind a blank line or behind moves, where every game ends, whatever is wrong with it.
fn last_cut(text: &[u8], from: usize) -> Option<usize> {
    let from = from.max(1);
    memmem::rfind_iter(text.get(from..)?, EVENT)
        .filter_map(|place| (from + place).checked_sub(BEFORE[0].len()))
        .find(|place| *place >= from && may_be_cut(text, *place))
}

fn may_be_cut(text: &[u8], place: usize) -> bool {
    if !BEFORE.iter().any(|before| text[place..].starts_with(before)) {
        return false;
    }
    let Some((b'\n', before)) = text[..place].split_last() else { return false };
    let start = memrchr(b'\n', before).map_or(0, |end| end + 1);
    // Without the line's beginning nobody knows what it is.
    let is_whole = start > 0;
    let line = before[start..].trim_ascii();
    // Behind a tag, or what goes on with one, the Event tag may be another of its game; and so behind a line that is passed
    // over (`%`). A tag may begin anywhere on a line.
    let is_header = line.first().is_some_and(|byte| matches!(byte, b'%' | b';'))
        || line.last() == Some(&b']')
        || line.contains(&b'[');
    is_whole && !is_header
}

/// The last place where a text without Event tags may be cut: at a tag of the roster behind a blank line, behind moves.
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

/// Bytes from which on a text without Event tags is cut elsewhere.
const WITHOUT_EVENTS: usize = 4 * CHUNK;

/// Bytes that are held at most: no game is as long, and what is (zeros, a picture, an endless comment) is cut anywhere.
const MOST: usize = 16 * CHUNK;

/// Pieces of a stream.
pub struct Chunks<'a> {
    stream: Box<dyn Read + 'a>,
    size: usize,
    /// What was read and not yet given.
    rest: Vec<u8>,
    ended: bool,
}

impl<'a> Chunks<'a> {
    /// Pieces of about that size (bytes); larger where a game is.
    pub fn new(stream: Box<dyn Read + 'a>, size: usize) -> Chunks<'a> {
        Chunks { stream, size: size.max(1), rest: Vec::new(), ended: false }
    }

    /// The next piece; `None` behind the last.
    ///
    /// # Errors
    ///
    /// Where the stream cannot be read any more. What was read before comes first, as the last
    /// piece, so that the error costs no more than it must.
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
                // A tag may stand across what was searched and what comes.
                searched = self.rest.len().saturating_sub(BEFORE[0].len() + EVENT.len());
            }
        }
        (self.last(), Ok(()))
    }

    /// What is before a place.
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
    fn a_text_is_cut_at_event_tags_behind_blank_lines_and_moves_only() {
        let at = |text: &str| last_cut(text.as_bytes(), 0);
        assert_eq!(at("x\n\n[Event \"A\"]"), Some(3));
        assert_eq!(at("x\r\n\r\n[Event \"A\"]"), Some(5));
        assert_eq!(at("x\n \t\n[Event \"A\"]"), Some(5));
        assert_eq!(at("x\n\n[event \"A\"]"), Some(3));
        assert_eq!(at("x\n1.e4 *\n[Event \"A\"]"), Some(9));
        assert_eq!(at("x\n\n[Prevent \"A\"]"), None);
        for line in [
            "[Site \"x\"]",
            "York\"]",
            "1-0 [White \"Tal,",
            "% escaped",
            "; a note",
            "[Site \"x\"] ",
        ] {
            assert_eq!(at(&format!("x\n{line}\n[Event \"A\"]")), None, "{line}");
        }
        assert_eq!(at("x\n\n {[Event \"A\"]"), None);
        assert_eq!(at("x\n\n[EventDate \"A\"]"), None);
        assert_eq!(at("[Event \"A\"]"), None);
    }

    #[test]
    fn text_without_event_tags_is_cut_where_its_games_begin() {
        let game = "[Site \"B\"]\n[White \"A\"]\n[Black \"C\"]\n\n1.e4 *\n\n";
        let text = game.repeat(3 * WITHOUT_EVENTS / game.len());
        let pieces = pieces(&text, 1000);
        assert!(pieces.concat() == text && pieces.len() > 1);
        assert!(pieces.iter().all(|piece| piece.starts_with("[Site") && piece.len() <= MOST));
    }

    #[test]
    fn of_what_has_no_games_no_more_is_held_than_any_game_takes() {
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
    fn what_was_read_before_an_error_is_given() {
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
