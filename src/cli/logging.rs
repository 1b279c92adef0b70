//! Writes messages to standard error: how many, and in which format.

use std::fmt::Display;
use std::io::Write;
use std::sync::OnceLock;
use std::time::Duration;

use clap::{Args, ValueEnum};
use serde_json::json;

use crate::archive::counted;
use crate::source::{Diagnostic, Severity};

/// The heading of the options that all commands have.
pub(super) const GLOBAL: &str = "Global options";

/// The flags for messages on standard error.
#[derive(Clone, Copy, Debug, Default, Args)]
pub(super) struct Voice {
    /// Print only errors, and warnings that are not about the inputs
    #[arg(short, long, global = true, help_heading = GLOBAL, conflicts_with = "verbose")]
    quiet: bool,
    /// Print every finding about the inputs, including notes, and the time of each rating system
    #[arg(short, long, global = true, help_heading = GLOBAL)]
    verbose: bool,
    /// Format of the messages on standard error
    #[arg(long, global = true, help_heading = GLOBAL, value_enum, default_value_t = Log::Text)]
    log: Log,
}

/// A format of messages.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
enum Log {
    /// Lines of text
    #[default]
    Text,
    /// One JSON object per line with level and message. Findings also have file, line and kind;
    /// steps also have their seconds, and their progress with percent and seconds left
    Json,
}

static VOICE: OnceLock<Voice> = OnceLock::new();

/// The number of findings that are printed without --verbose. All are in `diagnostics.csv`. Judged:
/// as many fit on one screen, twice as many do not.
const SHOWN: usize = 20;

impl Voice {
    /// Applies these flags to all later messages.
    pub fn set(self) {
        // The first setting stays: a program has one.
        let _ = VOICE.set(self);
    }
}

fn voice() -> Voice {
    VOICE.get().copied().unwrap_or_default()
}

/// Whether progress bars may be drawn.
pub(super) fn draws() -> bool {
    !voice().quiet && voice().log == Log::Text
}

/// Writes a line to standard error. A closed standard error is not a failure.
fn line(text: &dyn Display) {
    let _ = writeln!(std::io::stderr().lock(), "{}", harmless(&text.to_string()));
}

/// Replaces control characters, which a terminal might execute. Names of files and players may
/// contain them.
pub(super) fn harmless(text: &str) -> std::borrow::Cow<'_, str> {
    if text.contains(is_terminal_control) {
        text.replace(is_terminal_control, "\u{fffd}").into()
    } else {
        text.into()
    }
}

/// Whether a character may control a terminal. Line feeds and tabs do no harm.
fn is_terminal_control(c: char) -> bool {
    c.is_control() && !matches!(c, '\n' | '\t')
}

/// Prints a message, unless the command is quiet.
pub(super) fn say(text: &str) {
    match voice() {
        Voice { quiet: true, .. } => {}
        Voice { log: Log::Text, .. } => line(&text),
        Voice { log: Log::Json, .. } => line(&json!({ "level": "info", "message": text })),
    }
}

/// Prints a warning, even if the command is quiet.
pub(super) fn warn(text: &str) {
    match voice().log {
        Log::Text => line(&format_args!("warning: {text}")),
        Log::Json => line(&json!({ "level": "warning", "message": text })),
    }
}

/// Whether progress is reported as messages.
pub(super) fn reports_progress() -> bool {
    !voice().quiet && voice().log == Log::Json
}

/// Reports how much of a step is done, for programs that show it.
pub(super) fn progress(name: &str, percent: Option<u64>, left: Option<Duration>) {
    let done = percent.map_or(String::new(), |percent| format!(": {percent}%"));
    let seconds = left.map(|left| left.as_secs_f64().ceil());
    let to_go = match seconds {
        Some(seconds) if seconds >= 90.0 => format!(", {:.0} min to go", seconds / 60.0),
        Some(seconds) => format!(", {seconds:.0} s to go"),
        None => String::new(),
    };
    line(&json!({
        "level": "progress",
        "step": name,
        "percent": percent,
        "seconds_left": seconds,
        "message": format!("{name}{done}{to_go}"),
    }));
}

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

/// Prints how long a part of a step took, with --verbose.
pub(super) fn part(name: &str, took: Duration) {
    let seconds = took.as_secs_f64();
    match voice() {
        Voice { verbose: false, .. } => {}
        Voice { log: Log::Text, .. } => line(&format_args!("  {name:<28} {seconds:>7.3} s")),
        Voice { log: Log::Json, .. } => line(&json!({
            "level": "debug",
            "part": name,
            "seconds": seconds,
            "message": format!("{name}: {seconds:.3} s"),
        })),
    }
}

/// The number of errors that are printed one by one. An archive may have thousands of unreadable
/// members. Judged: unlike warnings, errors mean lost games, so more of them are printed; the
/// printed ones still name each of a few dozen damaged files.
const SHOWN_ERRORS: usize = 100;

/// Prints the findings about the inputs: the first errors and the first warnings, or with --verbose
/// all of them.
pub(super) fn findings(diagnostics: &[Diagnostic]) {
    let voice = voice();
    let (errors, rest): (Vec<_>, Vec<_>) = diagnostics
        .iter()
        .filter(|found| voice.verbose || found.severity != Severity::Note)
        .partition(|found| found.severity == Severity::Error);
    let shown = if voice.quiet {
        0
    } else if voice.verbose {
        rest.len()
    } else {
        SHOWN
    };
    let shown_errors = if voice.verbose { errors.len() } else { SHOWN_ERRORS };
    for found in errors.iter().take(shown_errors).chain(rest.iter().take(shown)) {
        let level = found.severity.word();
        match voice.log {
            Log::Text => line(&format_args!("{level}: {found}")),
            Log::Json => line(&json!({
                "level": level,
                "file": &*found.file,
                // A finding about a whole file has no line.
                "line": (found.line > 0).then_some(found.line),
                "kind": found.kind.word(),
                "message": found.message,
            })),
        }
    }
    let more = errors.len().saturating_sub(shown_errors);
    if more > 0 {
        let message = format!("... and {} (--verbose prints them)", counted(more, "more error"));
        match voice.log {
            Log::Text => line(&format_args!("{message}")),
            Log::Json => line(&json!({ "level": "error", "message": message })),
        }
    }
    let more = rest.len().saturating_sub(shown);
    if more > 0 {
        say(&format!(
            "... and {}, all in data/diagnostics.csv of the archive (--verbose prints them)",
            counted(more, "more warning")
        ));
    }
}

pub fn fail(error: &anyhow::Error) {
    match voice().log {
        Log::Text => line(&format_args!("greatness: {error:#}")),
        Log::Json => line(&json!({ "level": "error", "message": format!("{error:#}") })),
    }
}
