//! What is wrong with a text, before anybody knows which file it is from.

use std::sync::Arc;

use crate::source::{Diagnostic, DiagnosticKind, Severity};

/// Something wrong or doubtful, and where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// Line, from 1 at the beginning of the text that was read.
    pub line: u32,
    /// How bad it is.
    pub severity: Severity,
    /// What sort it is.
    pub kind: DiagnosticKind,
    /// One sentence.
    pub message: String,
}

impl Finding {
    /// Used, but doubtful.
    pub fn warning(line: u32, kind: DiagnosticKind, message: impl Into<String>) -> Finding {
        Finding { line, severity: Severity::Warning, kind, message: message.into() }
    }

    /// Good to know.
    pub fn note(line: u32, kind: DiagnosticKind, message: impl Into<String>) -> Finding {
        Finding { severity: Severity::Note, ..Finding::warning(line, kind, message) }
    }

    /// As the finding in a file whose lines before this text are so many.
    pub fn in_file(self, file: Arc<str>, lines_before: u32) -> Diagnostic {
        Diagnostic {
            file,
            line: u64::from(lines_before) + u64::from(self.line),
            severity: self.severity,
            kind: self.kind,
            message: self.message,
        }
    }
}
