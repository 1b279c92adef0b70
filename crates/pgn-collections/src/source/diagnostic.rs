//! Findings about inputs: faults and doubts, with file and line.

use std::sync::Arc;

use bitcode::{Decode, Encode};
use serde::Serialize;
use strum::IntoStaticStr;

use super::clean_text::{CleanText, clean_path};

/// How severe a finding is.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Encode, Decode, IntoStaticStr,
)]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
pub enum Severity {
    /// An input, or part of it, could not be used.
    Error,
    /// The input is used, but doubtful.
    Warning,
    /// The finding is only informative.
    Note,
}

impl Severity {
    /// Returns the name in exports.
    pub fn word(self) -> &'static str {
        self.into()
    }
}

/// The kind of a finding.
#[derive(
    Clone,
    Copy,
    Debug,
    PartialEq,
    Eq,
    Hash,
    PartialOrd,
    Ord,
    Serialize,
    Encode,
    Decode,
    IntoStaticStr,
)]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
pub enum DiagnosticKind {
    /// A path does not exist, or a file cannot be opened or unpacked.
    Unreadable,
    /// A file contains no game.
    NoGames,
    /// A text is not UTF-8 and was read in another encoding.
    Encoding,
    /// A text is UTF-16, begins with a byte order mark, or has lines that end in CR alone.
    Form,
    /// A text contains NUL bytes.
    Nul,
    /// A file ends in the middle of a game.
    CutOff,
    /// A game lacks a required tag.
    MissingTag,
    /// A game has no result in its tags or after its moves.
    MissingResult,
    /// A game has the same tag twice.
    RepeatedTag,
    /// A tag is malformed.
    BrokenTag,
    /// The value of a tag contains quotes that are not escaped.
    UnescapedQuote,
    /// The value of a tag is too long.
    LongTag,
    /// A blank line is within the tags or moves, which splits the game for other programs.
    BlankLine,
    /// A comment is not closed.
    UnclosedComment,
    /// A comment contains a line like a tag.
    TagInComment,
    /// Brackets or parentheses do not match.
    Unbalanced,
    /// Variations are nested too deep for analysis.
    DeepVariation,
    /// A game is too long to be real.
    LongGame,
    /// A word among the moves is not a move.
    UnknownMove,
    /// A move is illegal.
    IllegalMove,
    /// A text belongs to no game.
    TextBetweenGames,
    /// The Result tag differs from the result after the moves, or from that of a copy.
    ResultMismatch,
    /// The value of a tag, such as a date or a rating, is not valid.
    BadTag,
    /// A game is a copy of another.
    Duplicate,
    /// A game has no moves, but most other games of the file have.
    WithoutMoves,
    /// A game is not rated.
    SetAside,
    /// A game is rated but belongs to no event.
    InNoEvent,
    /// A rating list, or a line of it, is faulty.
    RatingList,
    /// A file of aliases or spellings, or part of it, is faulty.
    Aliases,
    /// A decision concerns an event that does not exist.
    Decisions,
    /// The games under one name span more years than a life.
    Careers,
    /// The games under an initial are several players'.
    Initials,
    /// A year of birth cannot be that of the player of the games.
    Births,
    /// A table of results, or a line of it, is faulty, incomplete or not filled in.
    ResultTable,
    /// The two sides of a pairing in a table of results differ.
    PairingMismatch,
    /// A record of a database is damaged or left out, or refers to one that is missing.
    Database,
}

impl DiagnosticKind {
    /// Returns the name in exports.
    pub fn word(self) -> &'static str {
        self.into()
    }
}

/// A finding about an input.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Diagnostic {
    /// The file, as the user named it or as it was found in a folder.
    pub file: Arc<str>,
    /// Number of the line, from 1; 0 is the whole file.
    pub line: u64,
    /// Severity of the finding.
    pub severity: Severity,
    /// The kind of a finding.
    pub kind: DiagnosticKind,
    /// One sentence: what is wrong, and what to do about it.
    pub message: CleanText,
}

impl Diagnostic {
    /// Encodes the finding for another machine.
    pub fn to_bytes(&self) -> Vec<u8> {
        bitcode::encode(&(
            self.file.to_string(),
            self.line,
            self.severity,
            self.kind,
            self.message.to_string(),
        ))
    }

    /// Decodes a finding. Returns `None` if the bytes are not from [`Diagnostic::to_bytes`].
    pub fn from_bytes(bytes: &[u8]) -> Option<Diagnostic> {
        type Wire = (String, u64, Severity, DiagnosticKind, String);
        let (file, line, severity, kind, message): Wire = bitcode::decode(bytes).ok()?;
        Some(Diagnostic {
            file: clean_path(file.into()),
            line,
            severity,
            kind,
            message: message.into(),
        })
    }

    /// Creates a finding of [`Severity::Error`].
    pub fn error(
        file: impl Into<Arc<str>>,
        line: u64,
        kind: DiagnosticKind,
        message: impl Into<String>,
    ) -> Diagnostic {
        Diagnostic {
            file: clean_path(file.into()),
            line,
            severity: Severity::Error,
            kind,
            message: CleanText::new(message),
        }
    }

    /// Creates a finding of [`Severity::Note`].
    pub fn note(
        file: impl Into<Arc<str>>,
        line: u64,
        kind: DiagnosticKind,
        message: impl Into<String>,
    ) -> Diagnostic {
        Diagnostic { severity: Severity::Note, ..Diagnostic::error(file, line, kind, message) }
    }

    /// Creates a finding of [`Severity::Warning`].
    pub fn warning(
        file: impl Into<Arc<str>>,
        line: u64,
        kind: DiagnosticKind,
        message: impl Into<String>,
    ) -> Diagnostic {
        Diagnostic { severity: Severity::Warning, ..Diagnostic::error(file, line, kind, message) }
    }
}

impl std::fmt::Display for Diagnostic {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}", self.file)?;
        if self.line > 0 {
            write!(f, ":{}", self.line)?;
        }
        write!(f, ": {}", self.message)
    }
}

#[cfg(test)]
mod tests {
    use super::super::finding::Finding;
    use super::*;

    #[test]
    fn what_a_message_quotes_cannot_change_the_direction_of_text() {
        let message = "WhiteElo \"\u{202e}Tal\u{1b}[2J\" is\nnot a rating";
        let found = Diagnostic::warning("\u{202e}a.pgn", 1, DiagnosticKind::BadTag, message);
        assert_eq!(&*found.message, "WhiteElo \"Tal[2J\" is\nnot a rating");
        assert_eq!(&*found.file, "a.pgn");
        let found = Finding::warning(1, DiagnosticKind::BadTag, "a \u{202e}tag");
        assert_eq!(found.in_file("a.pgn".into(), 0).message.to_string(), "a tag");
    }
}
