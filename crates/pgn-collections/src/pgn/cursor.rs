//! A position in a text, with its line and the findings up to it.

use std::cell::Cell;

use memchr::{memchr, memchr_iter};
use rustc_hash::FxHashMap;

use super::masks::BLOCK;
use crate::source::{DiagnosticKind, Finding, MOST_LISTED};

/// Tags that every game should have: the Seven Tag Roster (PGN standard, section 8.1.1). They show
/// where games begin.
pub(super) const ROSTER: [&[u8]; 7] =
    [b"Event", b"Site", b"Date", b"Round", b"White", b"Black", b"Result"];

/// A position in a text.
#[derive(Debug)]
pub(super) struct Cursor<'a> {
    pub bytes: &'a [u8],
    /// Position (bytes from the beginning).
    pub at: usize,
    /// Number of line feeds before the position.
    pub lines: u32,
    /// The findings so far.
    pub findings: Vec<Finding>,
    /// Number of NUL bytes so far, and the line of the first.
    pub nul: (u64, u32),
    /// Number of texts so far that are not UTF-8, and the line of the first.
    pub not_utf_8: (u64, u32),
    pub encoded_twice: Option<u32>,
    /// Number of findings of each kind.
    met: FxHashMap<DiagnosticKind, usize>,
    /// The line that was examined last. Its end is searched for only once, although many things may
    /// be on it.
    known: Cell<LineSpan>,
}

/// A line, or the rest of one.
#[derive(Clone, Copy, Debug, Default)]
struct LineSpan {
    from: usize,
    /// Position of its line feed, or the end of the text.
    end: usize,
    /// Position at which the next game begins on this line, if one does.
    game: Option<usize>,
}

/// The findings up to some position, to which the cursor can return.
#[derive(Debug)]
pub(super) struct FindingsMark {
    findings: usize,
    met: FxHashMap<DiagnosticKind, usize>,
}

impl<'a> Cursor<'a> {
    pub fn new(bytes: &'a [u8]) -> Cursor<'a> {
        Cursor {
            bytes,
            at: 0,
            lines: 0,
            findings: Vec::new(),
            nul: (0, 0),
            not_utf_8: (0, 0),
            encoded_twice: None,
            met: FxHashMap::default(),
            known: Cell::new(LineSpan { from: usize::MAX, end: 0, game: None }),
        }
    }

    /// Returns the number of the current line, from 1.
    pub fn line(&self) -> u32 {
        self.lines + 1
    }

    /// Returns the byte at the position, or `None` at the end.
    pub fn byte(&self) -> Option<u8> {
        self.bytes.get(self.at).copied()
    }

    /// Returns the next [`BLOCK`] bytes. At the end of the text, `last` is filled up with line
    /// feeds.
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

    /// Returns whether a line begins at the position.
    pub fn at_line_start(&self) -> bool {
        begins_line(self.bytes, self.at)
    }

    /// Moves to a later position and counts the lines.
    pub fn go_to(&mut self, at: usize) {
        let at = at.min(self.bytes.len());
        let passed = self.bytes.get(self.at..at).unwrap_or_default();
        self.lines += memchr_iter(b'\n', passed).count() as u32;
        self.at = at;
    }

    /// Moves to the end of the line.
    pub fn go_to_line_end(&mut self) {
        self.at = self.line_end();
    }

    /// Returns the end of the line: its line feed, the beginning of the next game on it, or the end
    /// of the text.
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

    /// Returns whether a game certainly begins at a position, even within an unclosed comment.
    ///
    /// It does at:
    ///
    /// - an Event tag at the beginning of a line,
    /// - another tag of the roster at the beginning of a line, after a blank line,
    /// - an Event tag within a line, if the next line begins with a tag of the roster. Damage may
    ///   have removed the line feed before the Event tag.
    pub fn game_begins(&self, at: usize) -> bool {
        let rest = self.bytes.get(at..).unwrap_or_default();
        let Some(name) = tag_name(rest) else { return false };
        if begins_line(self.bytes, at) {
            return is_event(name)
                || (roster_number(name).is_some() && follows_blank_line(self.bytes, at));
        }
        is_event(name) && self.line_from(at - 1).game == Some(at)
    }

    /// Adds a finding. Only the first [`MOST_LISTED`] of each kind are kept.
    pub fn push(&mut self, finding: Finding) {
        let met = self.met.entry(finding.kind).or_default();
        *met += 1;
        if *met <= MOST_LISTED {
            self.findings.push(finding);
        }
    }

    /// Returns the number of findings that were not kept, by kind.
    pub fn not_listed(&self) -> Vec<(DiagnosticKind, usize)> {
        let more = self.met.iter().filter(|(_, met)| **met > MOST_LISTED);
        let mut more: Vec<_> = more.map(|(kind, met)| (*kind, met - MOST_LISTED)).collect();
        more.sort_unstable();
        more
    }

    /// Returns a mark of the findings so far.
    pub fn mark(&self) -> FindingsMark {
        FindingsMark { findings: self.findings.len(), met: self.met.clone() }
    }

    /// Removes the findings since a mark.
    pub fn forget_since(&mut self, mark: FindingsMark) {
        self.findings.truncate(mark.findings);
        self.met = mark.met;
    }

    pub fn warn(&mut self, kind: DiagnosticKind, message: impl Into<String>) {
        let line = self.line();
        self.push(Finding::warning(line, kind, message));
    }

    pub fn note(&mut self, kind: DiagnosticKind, message: impl Into<String>) {
        let line = self.line();
        self.push(Finding::note(line, kind, message));
    }

    /// Adds a warning about a later position.
    pub fn warn_at(&mut self, place: usize, kind: DiagnosticKind, message: impl Into<String>) {
        let passed = self.bytes.get(self.at..place).unwrap_or_default();
        let line = self.line() + memchr_iter(b'\n', passed).count() as u32;
        self.push(Finding::warning(line, kind, message));
    }

    /// Counts NUL bytes and text that is not UTF-8.
    pub fn count_text(&mut self, text: &[u8]) {
        if text.contains(&0) {
            let count = text.iter().filter(|byte| **byte == 0).count();
            self.count_nul(count as u64, self.line());
        }
        if !text.is_ascii() && std::str::from_utf8(text).is_err() {
            self.count_not_utf_8(self.line());
        }
    }

    /// Counts a text on the given line that is not UTF-8.
    ///
    /// Repeated values count too, so the number for a file does not depend on how its text is
    /// divided among readers.
    #[cold]
    pub fn count_not_utf_8(&mut self, line: u32) {
        if self.not_utf_8.0 == 0 {
            self.not_utf_8.1 = line;
        }
        self.not_utf_8.0 += 1;
    }

    /// Counts NUL bytes; the first of them is on the given line.
    pub fn count_nul(&mut self, count: u64, line: u32) {
        if count > 0 && self.nul.0 == 0 {
            self.nul.1 = line;
        }
        self.nul.0 += count;
    }
}

/// Returns whether a line begins at a position.
pub(super) fn begins_line(bytes: &[u8], at: usize) -> bool {
    at == 0 || bytes.get(at - 1) == Some(&b'\n')
}

/// Returns whether only blanks are between a position and the beginning of its line.
pub(super) fn begins_line_indented(bytes: &[u8], at: usize) -> bool {
    let mut before = bytes[..at].iter().rev();
    matches!(before.find(|byte| !matches!(byte, b' ' | b'\t')), None | Some(b'\n'))
}

/// Returns whether the line that ends at a position is blank.
pub(super) fn ends_blank_line(bytes: &[u8], at: usize) -> bool {
    let mut before = bytes[..at].iter().rev();
    matches!(before.find(|byte| !matches!(byte, b' ' | b'\t' | b'\r')), None | Some(b'\n'))
}

/// Returns whether the line before the one that begins at a position is blank.
pub(super) fn follows_blank_line(bytes: &[u8], at: usize) -> bool {
    let before = bytes.get(..at.saturating_sub(1)).unwrap_or_default();
    let line = before.iter().rev().take_while(|byte| **byte != b'\n');
    at > 0 && line.clone().all(|byte| matches!(byte, b' ' | b'\t' | b'\r'))
}

/// Returns the name of the tag at the beginning of a text: `[Name "`.
pub(super) fn tag_name(bytes: &[u8]) -> Option<&[u8]> {
    let rest = bytes.strip_prefix(b"[")?;
    let blanks = rest.iter().take_while(|byte| **byte == b' ').count();
    let rest = &rest[blanks..];
    let length = rest.iter().take_while(|b| b.is_ascii_alphanumeric() || **b == b'_').count();
    let blanks = rest[length..].iter().take_while(|b| matches!(b, b' ' | b'\t')).count();
    (length > 0 && rest.get(length + blanks) == Some(&b'"')).then(|| &rest[..length])
}

/// Returns the number of a tag in the roster, regardless of capitals.
pub(super) fn roster_number(name: &[u8]) -> Option<usize> {
    ROSTER.iter().position(|tag| tag.eq_ignore_ascii_case(name))
}

/// Returns whether a name is that of the Event tag.
pub(super) fn is_event(name: &[u8]) -> bool {
    name.eq_ignore_ascii_case(b"Event")
}

/// Returns where the last game within a line begins, after the beginning of the line.
///
/// It begins at an Event tag if the next line begins with a tag of the roster.
fn last_game_within(bytes: &[u8], start: usize, end: usize) -> Option<usize> {
    let below = bytes.get(end + 1..).and_then(tag_name);
    below.and_then(roster_number)?;
    memchr::memrchr_iter(b'[', bytes.get(start + 1..end)?)
        .map(|place| start + 1 + place)
        .find(|place| tag_name(&bytes[*place..end]).is_some_and(is_event))
}

/// Whether a line is not text: it contains a control character that no text has.
pub(super) fn is_binary(line: &[u8]) -> bool {
    line.iter().any(|byte| matches!(byte, 0..=8 | 14..=26 | 28..=31))
}

/// Returns the beginning of a text for a message, without control characters.
pub(super) fn shown(bytes: &[u8]) -> String {
    const LONGEST: usize = 40;
    let text = String::from_utf8_lossy(&bytes[..bytes.len().min(4 * LONGEST)]);
    text.chars().filter(|c| !c.is_control()).take(LONGEST).collect()
}
