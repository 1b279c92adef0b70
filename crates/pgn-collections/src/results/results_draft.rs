//! The games of a table of results while it is read.

use std::borrow::Cow;

use super::results_read::ResultsRead;
use crate::games::{Game, GameDetails, NameId, rating_points};
use crate::source::{CleanName, CodePages, DiagnosticKind, Finding, Findings, decode_with};

/// The games and findings so far.
pub(super) struct ResultsDraft {
    /// What was read; its findings are still empty.
    read: ResultsRead,
    findings: Findings,
    /// The encodings of the lines that are not UTF-8.
    pages: Option<CodePages>,
    /// The name of the event, if the table has none.
    default_event: String,
}

impl ResultsDraft {
    pub fn new(default_event: &str, bytes: &[u8]) -> ResultsDraft {
        let mut read = ResultsRead::default();
        // The empty text gets the number 0, which stands for an unknown value.
        read.names.intern("");
        read.texts.intern("");
        let default_event = default_event.to_owned();
        let mut foreign =
            numbered_lines(bytes).map(|(_, line)| line).filter(|line| is_not_utf_8(line));
        let first = foreign.next();
        let pages = first.map(|first| CodePages::choose(std::iter::once(first).chain(foreign)));
        ResultsDraft { read, findings: Findings::default(), pages, default_event }
    }

    /// Decodes a line.
    pub fn decode<'t>(&mut self, number: u32, line: &'t [u8]) -> Cow<'t, str> {
        let (line, is_not_utf_8) = decode_with(self.pages.as_ref(), line);
        if is_not_utf_8 {
            if self.read.not_utf_8.0 == 0 {
                self.read.not_utf_8.1 = number;
            }
            self.read.not_utf_8.0 += 1;
        }
        line
    }

    /// Returns the number of a name.
    pub fn name(&mut self, name: &str) -> NameId {
        self.read.names.intern(name)
    }

    /// Returns the number of the name of an event, or of the file if the name is empty.
    pub fn event(&mut self, name: &str) -> NameId {
        match CleanName::new(name) {
            name if name.is_empty() => self.read.names.intern(&self.default_event),
            name => self.read.names.intern(&name),
        }
    }

    /// Returns the number of the text of a detail.
    pub fn detail(&mut self, text: &str) -> NameId {
        self.read.texts.intern(text)
    }

    /// Returns the text of a detail.
    pub fn text_of_detail(&self, id: NameId) -> &str {
        self.read.texts.text(id)
    }

    /// Adds a game.
    pub fn push(&mut self, game: Game, details: GameDetails) {
        self.read.games.push(game);
        self.read.details.push(details);
    }

    /// Warns of a line that is faulty.
    pub fn warn(&mut self, line: u32, message: impl Into<String>) {
        self.findings.push(Finding::warning(line, DiagnosticKind::ResultTable, message));
    }

    /// Warns of two sides of a pairing that differ.
    pub fn mismatch(&mut self, line: u32, message: impl Into<String>) {
        self.findings.push(Finding::warning(line, DiagnosticKind::PairingMismatch, message));
    }

    /// Warns of a value that is not valid.
    pub fn bad_value(&mut self, line: u32, message: impl Into<String>) {
        self.findings.push(Finding::warning(line, DiagnosticKind::BadTag, message));
    }

    /// Parses a value; one that is not valid is reported and unknown.
    pub fn value<T: Default>(
        &mut self,
        line: u32,
        text: &str,
        what: &str,
        parse: fn(&str) -> Option<T>,
    ) -> T {
        parse(text).unwrap_or_else(|| {
            self.bad_value(line, format!("\"{}\" is not a {what}", shown(text)));
            T::default()
        })
    }

    /// Notes something that is not a fault.
    pub fn note(&mut self, line: u32, message: impl Into<String>) {
        self.findings.push(Finding::note(line, DiagnosticKind::ResultTable, message));
    }

    pub fn finish(self) -> ResultsRead {
        let (findings, not_listed) = self.findings.finish();
        ResultsRead { findings, not_listed, pages: self.pages, ..self.read }
    }
}

fn is_not_utf_8(line: &[u8]) -> bool {
    std::str::from_utf8(line).is_err()
}

/// Splits a text into lines with their numbers, and leaves out blank lines.
pub(super) fn numbered_lines(bytes: &[u8]) -> impl Iterator<Item = (u32, &[u8])> {
    let lines = (1..).zip(bytes.split(|byte| *byte == b'\n'));
    lines.map(|(number, line)| (number, line.trim_ascii_end())).filter(|(_, line)| !line.is_empty())
}

/// Returns the beginning of a value, for messages.
pub(super) fn shown(value: &str) -> String {
    const LONGEST: usize = 40;
    value.chars().filter(|c| !c.is_control()).take(LONGEST).collect()
}

/// Parses a rating. An empty text and 0 are an unknown rating; `None` is no rating.
pub(super) fn elo(text: &str) -> Option<u16> {
    match text.trim() {
        "" | "-" | "?" => Some(0),
        text => match number(text)? {
            0 => Some(0),
            number => rating_points(number),
        },
    }
}

pub(super) fn fide_id(text: &str) -> Option<u32> {
    match text.trim() {
        "" | "-" | "?" => Some(0),
        text => number(text),
    }
}

/// Parses a whole number of at most nine digits, which leading zeros may precede.
pub(super) fn number(text: &str) -> Option<u32> {
    let digits = text.trim_start_matches('0');
    let is_number = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    match digits {
        "" if is_number => Some(0),
        digits if is_number && digits.len() <= 9 => digits.parse().ok(),
        _ => None,
    }
}
