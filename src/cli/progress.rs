//! Shows progress: a bar on a terminal, lines elsewhere.

use std::io::IsTerminal;
use std::sync::Mutex;
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use super::logging;
use crate::archive::{Progress, WorkAmount};

/// Writes progress to standard error.
#[derive(Debug)]
pub struct Terminal {
    bar: Mutex<Option<ProgressBar>>,
    is_terminal: bool,
    /// The step that is reported as messages, if it is.
    step: Mutex<Option<ReportedStep>>,
}

/// A step whose progress is reported as messages.
#[derive(Debug)]
struct ReportedStep {
    name: String,
    /// The amount of work; 0 if it is unknown.
    total: u64,
    done: u64,
    begun: Instant,
    reported: Instant,
}

/// The time between two messages about one step. Judged: short enough for a bar that another
/// program draws; twice as often would double the lines of a log.
const INTERVAL: Duration = Duration::from_millis(500);

impl ReportedStep {
    fn report(&mut self) {
        self.reported = Instant::now();
        let part = (self.total > 0).then(|| (self.done as f64 / self.total as f64).min(1.0));
        let left = part
            .filter(|part| *part > 0.0)
            .map(|part| self.begun.elapsed().mul_f64((1.0 - part) / part));
        logging::progress(&self.name, part.map(|part| (100.0 * part) as u64), left);
    }
}

impl Default for Terminal {
    fn default() -> Terminal {
        Terminal::new()
    }
}

impl Terminal {
    /// Creates a progress display that shows nothing yet.
    pub fn new() -> Terminal {
        Terminal {
            bar: Mutex::new(None),
            step: Mutex::new(None),
            is_terminal: logging::draws() && std::io::stderr().is_terminal(),
        }
    }
}

impl Progress for Terminal {
    fn begin(&self, name: &str, amount: WorkAmount) {
        if logging::reports_progress()
            && let Ok(mut slot) = self.step.lock()
        {
            let total = match amount {
                WorkAmount::Steps(total) | WorkAmount::Bytes(total) => total,
                WorkAmount::Unknown => 0,
            };
            let (name, now) = (name.to_owned(), Instant::now());
            slot.insert(ReportedStep { name, total, done: 0, begun: now, reported: now }).report();
        }
        if !self.is_terminal {
            return;
        }
        let bar = match amount {
            WorkAmount::Steps(total) => ProgressBar::new(total)
                .with_style(style("{msg:<30} {wide_bar} {percent}% {pos}/{len} {elapsed}, {eta} to go")),
            WorkAmount::Bytes(total) => ProgressBar::new(total).with_style(style(
                "{msg:<30} {wide_bar} {percent}% {bytes}/{total_bytes} {bytes_per_sec} {elapsed}, {eta} to go",
            )),
            WorkAmount::Unknown => {
                ProgressBar::new_spinner().with_style(style("{msg:<30} {spinner} {elapsed}"))
            }
        };
        bar.set_draw_target(ProgressDrawTarget::stderr());
        bar.set_message(name.to_owned());
        bar.enable_steady_tick(Duration::from_millis(100));
        if let Ok(mut slot) = self.bar.lock() {
            *slot = Some(bar);
        }
    }

    fn advance(&self, units: u64) {
        if let Ok(mut slot) = self.step.lock()
            && let Some(step) = slot.as_mut()
        {
            step.done += units;
            if step.reported.elapsed() >= INTERVAL {
                step.report();
            }
        }
        if !self.is_terminal {
            return;
        }
        if let Ok(slot) = self.bar.lock()
            && let Some(bar) = &*slot
        {
            bar.inc(units);
        }
    }

    fn part(&self, name: &str, took: Duration) {
        logging::part(name, took);
    }

    fn end(&self, name: &str, took: Duration, summary: &str) {
        if let Ok(mut slot) = self.bar.lock()
            && let Some(bar) = slot.take()
        {
            bar.finish_and_clear();
        }
        if let Ok(mut slot) = self.step.lock() {
            *slot = None;
        }
        logging::step(name, took, summary);
    }
}

fn style(template: &str) -> ProgressStyle {
    // The templates are constants. A template that did not parse would only lose its style.
    ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar())
}
