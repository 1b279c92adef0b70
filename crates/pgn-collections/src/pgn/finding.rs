//! Findings about a text whose file is not yet known.

use std::sync::Arc;

use crate::source::{Diagnostic, DiagnosticKind, Severity};

/// A fault or doubt in a text, with its line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// Line, from 1 at the beginning of the text that was read.
    pub line: u32,
    /// Severity of the finding.
    pub severity: Severity,
    /// Kind of the finding.
    pub kind: DiagnosticKind,
    /// Message in one sentence.
    pub message: String,
}

impl Finding {
    /// Creates a finding about text that is used, but doubtful.
    pub fn warning(line: u32, kind: DiagnosticKind, message: impl Into<String>) -> Finding {
        Finding { line, severity: Severity::Warning, kind, message: message.into() }
    }

    /// Creates a finding that is only informative.
    pub fn note(line: u32, kind: DiagnosticKind, message: impl Into<String>) -> Finding {
        Finding { severity: Severity::Note, ..Finding::warning(line, kind, message) }
    }

    /// Converts the finding to one about a file that has `lines_before` lines before this text.
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
