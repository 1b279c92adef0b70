//! A place in a text, the line it is on, and what was found wrong on the way there.

use std::cell::Cell;

use memchr::{memchr, memchr_iter};
use rustc_hash::FxHashMap;

use super::finding::Finding;
use super::masks::BLOCK;
use crate::source::DiagnosticKind;

/// Tags that every game should have (PGN standard, section 8.1.1), by which a game is known to begin.
pub(super) const ROSTER: [&[u8]; 7] =
    [b"Event", b"Site", b"Date", b"Round", b"White", b"Black", b"Result"];

/// A place in a text.
#[derive(Debug)]
pub(super) struct Cursor<'a> {
    pub bytes: &'a [u8],
    /// Where.
    pub at: usize,
    /// Line feeds before.
    pub lines: u32,
    /// What was found wrong.
    pub findings: Vec<Finding>,
    /// NUL bytes met, and the line of the first.
    pub nul: (u64, u32),
    /// Texts met that are not UTF-8, and the line of the first.
    pub not_utf_8: (u64, u32),
    /// How often each kind of finding was met.
    met: FxHashMap<DiagnosticKind, usize>,
    /// The line that was looked at last, so that it is searched for its end but once, however many
    /// things stand on it.
    known: Cell<LineSpan>,
}

/// A line, or the rest of one.
#[derive(Clone, Copy, Debug, Default)]
struct LineSpan {
    from: usize,
    /// Its line feed, or the end of the text.
    end: usize,
    /// Where the next game begins on it, if one does.
    game: Option<usize>,
}

/// What was found up to some place.
#[derive(Debug)]
pub(super) struct FindingsMark {
    findings: usize,
    met: FxHashMap<DiagnosticKind, usize>,
}

/// Findings of one kind that are told of one text; more are counted.
pub(super) const MOST_LISTED: usize = 1000;

impl<'a> Cursor<'a> {
    pub fn new(bytes: &'a [u8]) -> Cursor<'a> {
        Cursor {
            bytes,
            at: 0,
            lines: 0,
            findings: Vec::new(),
            nul: (0, 0),
            not_utf_8: (0, 0),
            met: FxHashMap::default(),
            known: Cell::new(LineSpan { from: usize::MAX, end: 0, game: None }),
        }
    }

    /// Number of the line here, from 1.
    pub fn line(&self) -> u32 {
        self.lines + 1
    }

    /// The byte here.
    pub fn byte(&self) -> Option<u8> {
        self.bytes.get(self.at).copied()
    }

    /// The next bytes; behind the end line feeds, for which `last` gives the room.
    #[inline(always)]
    pub fn block<'w>(&self, last: &'w mut [u8; BLOCK]) -> &'w [u8; BLOCK]
    where
        'a: 'w,
    {
        match self.bytes.get(self.at..).and_then(|rest| rest.first_chunk()) {
            Some(block) => block,
            None => self.last_block(last),
        }
    }

    #[cold]
    fn last_block<'w>(&self, last: &'w mut [u8; BLOCK]) -> &'w [u8; BLOCK] {
        last.fill(b'\n');
        let rest = self.bytes.get(self.at..).unwrap_or_default();
        let length = rest.len().min(BLOCK);
        last[..length].copy_from_slice(&rest[..length]);
        last
    }

    /// Whether a line begins here.
    pub fn at_line_start(&self) -> bool {
        begins_line(self.bytes, self.at)
    }

    /// Goes to a later place, counting lines.
    pub fn go_to(&mut self, at: usize) {
        let at = at.min(self.bytes.len());
        let passed = self.bytes.get(self.at..at).unwrap_or_default();
        self.lines += memchr_iter(b'\n', passed).count() as u32;
        self.at = at;
    }

    /// Goes to the end of this line.
    pub fn go_to_line_end(&mut self) {
        self.at = self.line_end();
    }

    /// Where this line ends: at its line feed, where the next game begins on it, or at the end of the
    /// text.
    pub fn line_end(&self) -> usize {
        let line = self.line_from(self.at);
        line.game.filter(|game| *game > self.at).unwrap_or(line.end)
    }

    fn line_from(&self, at: usize) -> LineSpan {
        let known = self.known.get();
        if known.from <= at && at <= known.end {
            return known;
        }
        let rest = self.bytes.get(at..).unwrap_or_default();
        let end = memchr(b'\n', rest).map_or(self.bytes.len(), |end| at + end);
        let line = LineSpan { from: at, end, game: last_game_within(self.bytes, at, end) };
        self.known.set(line);
        line
    }

    /// Whether a game surely begins at a place, even inside of a comment that was never closed: a
    /// line with an Event tag, or with another tag of the roster behind a blank line; or an Event tag
    /// in the middle of a line, above a line with a tag of the roster, as it stands where damage took
    /// the end of the line before it.
    pub fn game_begins(&self, at: usize) -> bool {
        let rest = self.bytes.get(at..).unwrap_or_default();
        let Some(name) = tag_name(rest) else { return false };
        if begins_line(self.bytes, at) {
            return is_event(name)
                || (roster_number(name).is_some() && follows_blank_line(self.bytes, at));
        }
        is_event(name) && self.line_from(at - 1).game == Some(at)
    }

    /// Adds a finding; of each kind the first so many.
    pub fn push(&mut self, finding: Finding) {
        let met = self.met.entry(finding.kind).or_default();
        *met += 1;
        if *met <= MOST_LISTED {
            self.findings.push(finding);
        }
    }

    /// How many findings were not kept, by kind.
    pub fn not_told(&self) -> Vec<(DiagnosticKind, usize)> {
        let more = self.met.iter().filter(|(_, met)| **met > MOST_LISTED);
        let mut more: Vec<_> = more.map(|(kind, met)| (*kind, met - MOST_LISTED)).collect();
        more.sort_unstable();
        more
    }

    /// What was found so far, to come back to.
    pub fn found(&self) -> FindingsMark {
        FindingsMark { findings: self.findings.len(), met: self.met.clone() }
    }

    /// Forgets what was found since.
    pub fn forget_since(&mut self, found: FindingsMark) {
        self.findings.truncate(found.findings);
        self.met = found.met;
    }

    pub fn warn(&mut self, kind: DiagnosticKind, message: impl Into<String>) {
        let line = self.line();
        self.push(Finding::warning(line, kind, message));
    }

    pub fn note(&mut self, kind: DiagnosticKind, message: impl Into<String>) {
        let line = self.line();
        self.push(Finding::note(line, kind, message));
    }

    /// A warning about a place further on.
    pub fn warn_at(&mut self, place: usize, kind: DiagnosticKind, message: impl Into<String>) {
        let passed = self.bytes.get(self.at..place).unwrap_or_default();
        let line = self.line() + memchr_iter(b'\n', passed).count() as u32;
        self.push(Finding::warning(line, kind, message));
    }

    /// Remembers what no text should hold.
    pub fn count_text(&mut self, text: &[u8]) {
        if text.contains(&0) {
            let count = text.iter().filter(|byte| **byte == 0).count();
            self.count_nul(count as u64, self.line());
        }
        if !text.is_ascii() && std::str::from_utf8(text).is_err() {
            if self.not_utf_8.0 == 0 {
                self.not_utf_8.1 = self.line();
            }
            self.not_utf_8.0 += 1;
        }
    }

    /// Remembers NUL bytes, the first of them on that line.
    pub fn count_nul(&mut self, count: u64, line: u32) {
        if count > 0 && self.nul.0 == 0 {
            self.nul.1 = line;
        }
        self.nul.0 += count;
    }
}

/// Whether a line begins at a place.
pub(super) fn begins_line(bytes: &[u8], at: usize) -> bool {
    at == 0 || bytes.get(at - 1) == Some(&b'\n')
}

/// Whether a line begins at a place, but for blanks.
pub(super) fn begins_line_indented(bytes: &[u8], at: usize) -> bool {
    let mut before = bytes[..at].iter().rev();
    matches!(before.find(|byte| !matches!(byte, b' ' | b'\t')), None | Some(b'\n'))
}

/// Whether the line that ends at a place is blank.
pub(super) fn ends_blank_line(bytes: &[u8], at: usize) -> bool {
    let mut before = bytes[..at].iter().rev();
    matches!(before.find(|byte| !matches!(byte, b' ' | b'\t' | b'\r')), None | Some(b'\n'))
}

/// Whether the line before a place where a line begins is blank.
pub(super) fn follows_blank_line(bytes: &[u8], at: usize) -> bool {
    let before = bytes.get(..at.saturating_sub(1)).unwrap_or_default();
    let line = before.iter().rev().take_while(|byte| **byte != b'\n');
    at > 0 && line.clone().all(|byte| matches!(byte, b' ' | b'\t' | b'\r'))
}

/// The name of the tag that begins here: `[Name "`; `None` where none does.
pub(super) fn tag_name(bytes: &[u8]) -> Option<&[u8]> {
    let rest = bytes.strip_prefix(b"[")?;
    let blanks = rest.iter().take_while(|byte| **byte == b' ').count();
    let rest = &rest[blanks..];
    let length = rest.iter().take_while(|b| b.is_ascii_alphanumeric() || **b == b'_').count();
    let blanks = rest[length..].iter().take_while(|b| matches!(b, b' ' | b'\t')).count();
    (length > 0 && rest.get(length + blanks) == Some(&b'"')).then(|| &rest[..length])
}

/// Number of a tag of the roster, in capitals or not.
pub(super) fn roster_number(name: &[u8]) -> Option<usize> {
    ROSTER.iter().position(|tag| tag.eq_ignore_ascii_case(name))
}

/// Whether a tag is an Event tag.
pub(super) fn is_event(name: &[u8]) -> bool {
    name.eq_ignore_ascii_case(b"Event")
}

/// Where in a line, behind its beginning, the next game surely begins: at an Event tag with a tag of
/// the roster on the line below.
fn last_game_within(bytes: &[u8], start: usize, end: usize) -> Option<usize> {
    let below = bytes.get(end + 1..).and_then(tag_name);
    below.and_then(roster_number)?;
    memchr::memrchr_iter(b'[', bytes.get(start + 1..end)?)
        .map(|place| start + 1 + place)
        .find(|place| tag_name(&bytes[*place..end]).is_some_and(is_event))
}

/// As much of a text as a message can hold.
pub(super) fn shown(bytes: &[u8]) -> String {
    const LONGEST: usize = 40;
    let text = String::from_utf8_lossy(&bytes[..bytes.len().min(4 * LONGEST)]);
    text.chars().filter(|c| !c.is_control()).take(LONGEST).collect()
}
