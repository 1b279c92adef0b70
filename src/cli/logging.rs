//! How much is said on standard error, and in which form.

use std::fmt::Display;
use std::io::Write;
use std::sync::OnceLock;
use std::time::Duration;

use clap::{Args, ValueEnum};
use serde_json::json;

use crate::source::{Diagnostic, Severity};

/// How much is said, and in which form.
#[derive(Clone, Copy, Debug, Default, Args)]
pub(super) struct Voice {
    /// Say errors only
    #[arg(short, long, global = true, conflicts_with = "verbose")]
    quiet: bool,
    /// Say every finding about the inputs, notes as well
    #[arg(short, long, global = true)]
    verbose: bool,
    /// The form of what is said on standard error
    #[arg(long, global = true, value_enum, default_value_t = Log::Text)]
    log: Log,
}

/// A form.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
enum Log {
    /// Lines for people
    #[default]
    Text,
    /// A JSON object a line: level, message; of findings file, line and kind; of steps their seconds
    Json,
}

static VOICE: OnceLock<Voice> = OnceLock::new();

/// Findings that are printed where not all are asked for; all are in `diagnostics.csv`.
const SHOWN: usize = 20;

impl Voice {
    /// From here on it is spoken so.
    pub fn set(self) {
        // The first one stays: a program has one voice.
        let _ = VOICE.set(self);
    }
}

fn voice() -> Voice {
    VOICE.get().copied().unwrap_or_default()
}

/// Whether bars may be drawn.
pub(super) fn draws() -> bool {
    !voice().quiet && voice().log == Log::Text
}

/// A line on standard error; nobody there to read it is no reason to fail.
fn line(text: &dyn Display) {
    let _ = writeln!(std::io::stderr().lock(), "{}", harmless(&text.to_string()));
}

/// A text without codes that a terminal would take for orders: names of files and players may hold them.
pub(super) fn harmless(text: &str) -> std::borrow::Cow<'_, str> {
    let is_order = |c: char| c.is_control() && !matches!(c, '\n' | '\t');
    match text.contains(is_order) {
        true => text.replace(is_order, "\u{fffd}").into(),
        false => text.into(),
    }
}

/// Says something that a person wants to know, and a quiet run does not.
pub(super) fn say(text: &str) {
    match voice() {
        Voice { quiet: true, .. } => {}
        Voice { log: Log::Text, .. } => line(&text),
        Voice { log: Log::Json, .. } => line(&json!({ "level": "info", "message": text })),
    }
}

/// Says that a step ended.
pub(super) fn step(name: &str, took: Duration, summary: &str) {
    let seconds = took.as_secs_f64();
    match voice() {
        Voice { quiet: true, .. } => {}
        Voice { log: Log::Text, .. } => {
            line(&format_args!("{name:<30} {seconds:>7.3} s  {summary}"));
        }
        Voice { log: Log::Json, .. } => {
            line(&json!({ "level": "info", "step": name, "seconds": seconds, "message": summary }));
        }
    }
}

/// Errors that are shown one by one; an archive may have thousands of members that cannot be read.
const SHOWN_ERRORS: usize = 100;

/// Shows what is wrong with the inputs: the first errors and the first warnings, or all of them if
/// the user asks for all.
pub(super) fn findings(diagnostics: &[Diagnostic]) {
    let voice = voice();
    let (errors, rest): (Vec<_>, Vec<_>) = diagnostics
        .iter()
        .filter(|found| voice.verbose || found.severity != Severity::Note)
        .partition(|found| found.severity == Severity::Error);
    let shown = match (voice.quiet, voice.verbose) {
        (true, _) => 0,
        (_, true) => rest.len(),
        _ => SHOWN,
    };
    let shown_errors = if voice.verbose { errors.len() } else { SHOWN_ERRORS };
    for found in errors.iter().take(shown_errors).chain(rest.iter().take(shown)) {
        let level = found.severity.word();
        match voice.log {
            Log::Text => line(&format_args!("{level}: {found}")),
            Log::Json => line(&json!({
                "level": level,
                "file": &*found.file,
                "line": found.line,
                "kind": found.kind.word(),
                "message": found.message,
            })),
        }
    }
    let more = errors.len().saturating_sub(shown_errors);
    if more > 0 {
        let message = format!("... and {more} more errors; --verbose shows them");
        match voice.log {
            Log::Text => line(&format_args!("{message}")),
            Log::Json => line(&json!({ "level": "error", "message": message })),
        }
    }
    let more = rest.len().saturating_sub(shown);
    if more > 0 {
        say(&format!(
            "... and {more} warnings more, all in data/diagnostics.csv of the archive; --verbose shows them"
        ));
    }
}

/// Says why the program failed.
pub fn fail(error: &anyhow::Error) {
    match voice().log {
        Log::Text => line(&format_args!("greatness: {error:#}")),
        Log::Json => line(&json!({ "level": "error", "message": format!("{error:#}") })),
    }
}
