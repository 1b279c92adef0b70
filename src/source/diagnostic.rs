//! What is wrong or doubtful in an input, and where.

use serde::Serialize;

/// How bad it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Severity {
    /// An input, or a part of it, could not be used.
    Error,
    /// Used, but doubtful.
    Warning,
    /// Good to know.
    Note,
}

/// What sort of finding it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum DiagnosticKind {
    /// A path that does not exist, or a file that cannot be opened or unpacked.
    Unreadable,
    /// A file without a single game.
    NoGames,
    /// Text that is not UTF-8 and was read as Windows-1252.
    Encoding,
    /// A game that lacks a tag that it cannot do without.
    MissingTag,
    /// A result tag that says something else than the end of the moves.
    ResultMismatch,
    /// A tag value that makes no sense (a date, a rating).
    BadTag,
    /// The same game twice.
    Duplicate,
    /// A game without moves in a file whose other games have them.
    WithoutMoves,
    /// A rating list or a line of it.
    RatingList,
    /// A file of aliases or a part of it.
    Aliases,
}

impl DiagnosticKind {
    /// The word used in exports.
    pub fn word(self) -> &'static str {
        match self {
            DiagnosticKind::Unreadable => "unreadable",
            DiagnosticKind::NoGames => "no_games",
            DiagnosticKind::Encoding => "encoding",
            DiagnosticKind::MissingTag => "missing_tag",
            DiagnosticKind::ResultMismatch => "result_mismatch",
            DiagnosticKind::BadTag => "bad_tag",
            DiagnosticKind::Duplicate => "duplicate",
            DiagnosticKind::WithoutMoves => "without_moves",
            DiagnosticKind::RatingList => "rating_list",
            DiagnosticKind::Aliases => "aliases",
        }
    }
}

/// A finding.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Diagnostic {
    /// The file as it was named or found.
    pub file: String,
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
    /// A finding of [`Severity::Error`].
    pub fn error(
        file: impl Into<String>,
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
        file: impl Into<String>,
        line: u64,
        kind: DiagnosticKind,
        message: impl Into<String>,
    ) -> Diagnostic {
        Diagnostic { severity: Severity::Note, ..Diagnostic::error(file, line, kind, message) }
    }

    /// A finding of [`Severity::Warning`].
    pub fn warning(
        file: impl Into<String>,
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
