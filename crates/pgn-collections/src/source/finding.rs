//! Findings about a text whose file is not yet known.

use std::sync::Arc;

use rustc_hash::FxHashMap;

use super::clean_text::CleanText;
use super::diagnostic::{Diagnostic, DiagnosticKind, Severity};

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
    pub message: CleanText,
}

impl Finding {
    /// Creates a finding about text that is used, but doubtful.
    pub fn warning(line: u32, kind: DiagnosticKind, message: impl Into<String>) -> Finding {
        Finding { line, severity: Severity::Warning, kind, message: CleanText::new(message) }
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

/// Most findings of one kind that are listed for one text. Further ones are counted. Judged: no one
/// reads more, and a file of another format would fill the memory with them.
pub(crate) const MOST_LISTED: usize = 1000;

/// The findings about a text, at most [`MOST_LISTED`] of each kind.
#[derive(Debug, Default)]
pub(crate) struct Findings {
    listed: Vec<Finding>,
    met: FxHashMap<DiagnosticKind, usize>,
}

impl Findings {
    /// Adds a finding. Only the first [`MOST_LISTED`] of each kind are kept.
    pub fn push(&mut self, finding: Finding) {
        let met = self.met.entry(finding.kind).or_default();
        *met += 1;
        if *met <= MOST_LISTED {
            self.listed.push(finding);
        }
    }

    /// Returns the findings in the order of their lines, and the number of those that were not
    /// kept, by kind.
    pub fn finish(self) -> (Vec<Finding>, Vec<(DiagnosticKind, usize)>) {
        let Findings { mut listed, met } = self;
        listed.sort_by_key(|finding| finding.line);
        let more = met.into_iter().filter(|(_, met)| *met > MOST_LISTED);
        let mut more: Vec<_> = more.map(|(kind, met)| (kind, met - MOST_LISTED)).collect();
        more.sort_unstable();
        (listed, more)
    }
}
