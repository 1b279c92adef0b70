//! What is wrong or doubtful in an input, and where.

use std::sync::Arc;

use bitcode::{Decode, Encode};
use serde::Serialize;

/// How bad it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Encode, Decode)]
#[serde(rename_all = "snake_case")]
pub enum Severity {
    /// An input, or a part of it, could not be used.
    Error,
    /// Used, but doubtful.
    Warning,
    /// Good to know.
    Note,
}

impl Severity {
    /// The word used in exports.
    pub fn word(self) -> &'static str {
        match self {
            Severity::Error => "error",
            Severity::Warning => "warning",
            Severity::Note => "note",
        }
    }
}

/// What sort of finding it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Encode, Decode)]
#[serde(rename_all = "snake_case")]
pub enum DiagnosticKind {
    /// A path that does not exist, or a file that cannot be opened or unpacked.
    Unreadable,
    /// A file without a single game.
    NoGames,
    /// Text that is not UTF-8 and was read in another encoding.
    Encoding,
    /// Text in another form than lines of bytes: UTF-16, lines that end in CR alone, a byte order mark.
    Form,
    /// NUL bytes.
    Nul,
    /// A file that ends in the middle of a game.
    CutOff,
    /// A game that lacks a tag that it cannot do without.
    MissingTag,
    /// A game without a result in its tags or behind its moves.
    MissingResult,
    /// A tag that a game has twice.
    RepeatedTag,
    /// A line of tags that is not written as it should be.
    BrokenTag,
    /// Quotes in a tag's value that are not escaped.
    UnescapedQuote,
    /// A tag too long to be anything.
    LongTag,
    /// A blank line where the PGN standard has none: it splits games for other programs.
    BlankLine,
    /// A comment that is never closed.
    UnclosedComment,
    /// A line like a tag inside of a comment.
    TagInComment,
    /// Brackets or parentheses that do not match.
    Unbalanced,
    /// Variations nested too deep to be analysis.
    DeepVariation,
    /// A game too long to be one.
    LongGame,
    /// A word among the moves that is no move.
    UnknownMove,
    /// A move that the rules do not allow.
    IllegalMove,
    /// Text that belongs to no game.
    TextBetweenGames,
    /// A result tag that says something else than the end of the moves.
    ResultMismatch,
    /// A tag value that makes no sense (a date, a rating).
    BadTag,
    /// The same game twice.
    Duplicate,
    /// A game without moves in a file whose other games have them.
    WithoutMoves,
    /// A game that does not count for ratings.
    SetAside,
    /// A game that counts and belongs to no event.
    InNoEvent,
    /// A rating list or a line of it.
    RatingList,
    /// A file of aliases, or of spellings, or a part of it.
    Aliases,
    /// A rule for events of which there are none.
    Decisions,
    /// A name under which more years were played than a life has.
    Careers,
    /// A birth that cannot be that of who played the games.
    Births,
}

impl DiagnosticKind {
    /// The word used in exports.
    pub fn word(self) -> &'static str {
        match self {
            DiagnosticKind::Unreadable => "unreadable",
            DiagnosticKind::NoGames => "no_games",
            DiagnosticKind::Encoding => "encoding",
            DiagnosticKind::Form => "form",
            DiagnosticKind::Nul => "nul",
            DiagnosticKind::CutOff => "cut_off",
            DiagnosticKind::MissingResult => "missing_result",
            DiagnosticKind::RepeatedTag => "repeated_tag",
            DiagnosticKind::BrokenTag => "broken_tag",
            DiagnosticKind::UnescapedQuote => "unescaped_quote",
            DiagnosticKind::LongTag => "long_tag",
            DiagnosticKind::BlankLine => "blank_line",
            DiagnosticKind::UnclosedComment => "unclosed_comment",
            DiagnosticKind::TagInComment => "tag_in_comment",
            DiagnosticKind::Unbalanced => "unbalanced",
            DiagnosticKind::DeepVariation => "deep_variation",
            DiagnosticKind::LongGame => "long_game",
            DiagnosticKind::UnknownMove => "unknown_move",
            DiagnosticKind::IllegalMove => "illegal_move",
            DiagnosticKind::TextBetweenGames => "text_between_games",
            DiagnosticKind::MissingTag => "missing_tag",
            DiagnosticKind::ResultMismatch => "result_mismatch",
            DiagnosticKind::BadTag => "bad_tag",
            DiagnosticKind::Duplicate => "duplicate",
            DiagnosticKind::WithoutMoves => "without_moves",
            DiagnosticKind::SetAside => "set_aside",
            DiagnosticKind::InNoEvent => "in_no_event",
            DiagnosticKind::RatingList => "rating_list",
            DiagnosticKind::Decisions => "decisions",
            DiagnosticKind::Aliases => "aliases",
            DiagnosticKind::Careers => "careers",
            DiagnosticKind::Births => "births",
        }
    }
}

/// A finding.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Diagnostic {
    /// The file as it was named or found.
    pub file: Arc<str>,
    /// Line number from 1; 0 where the whole file is meant.
    pub line: u64,
    /// How bad it is.
    pub severity: Severity,
    /// What sort of finding it is.
    pub kind: DiagnosticKind,
    /// One sentence: what, and what to do about it.
    pub message: String,
}

impl Diagnostic {
    /// As bytes, for who reads on another machine.
    pub fn to_bytes(&self) -> Vec<u8> {
        bitcode::encode(&(
            self.file.to_string(),
            self.line,
            self.severity,
            self.kind,
            self.message.clone(),
        ))
    }

    /// From bytes; `None` of others than [`Diagnostic::to_bytes`] gave.
    pub fn from_bytes(bytes: &[u8]) -> Option<Diagnostic> {
        type Wire = (String, u64, Severity, DiagnosticKind, String);
        let (file, line, severity, kind, message): Wire = bitcode::decode(bytes).ok()?;
        Some(Diagnostic { file: file.into(), line, severity, kind, message })
    }

    /// A finding of [`Severity::Error`].
    pub fn error(
        file: impl Into<Arc<str>>,
        line: u64,
        kind: DiagnosticKind,
        message: impl Into<String>,
    ) -> Diagnostic {
        Diagnostic {
            file: file.into(),
            line,
            severity: Severity::Error,
            kind,
            message: message.into(),
        }
    }

    /// A finding of [`Severity::Note`].
    pub fn note(
        file: impl Into<Arc<str>>,
        line: u64,
        kind: DiagnosticKind,
        message: impl Into<String>,
    ) -> Diagnostic {
        Diagnostic { severity: Severity::Note, ..Diagnostic::error(file, line, kind, message) }
    }

    /// A finding of [`Severity::Warning`].
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
