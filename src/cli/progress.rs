//! Shows progress: a bar on a terminal, lines elsewhere.

use std::io::IsTerminal;
use std::sync::Mutex;
use std::time::Duration;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use super::logging;
use crate::archive::{Progress, WorkAmount};

/// Writes progress to standard error.
#[derive(Debug)]
pub struct Terminal {
    bar: Mutex<Option<ProgressBar>>,
    is_terminal: bool,
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
            is_terminal: logging::draws() && std::io::stderr().is_terminal(),
        }
    }
}

impl Progress for Terminal {
    fn begin(&self, name: &str, amount: WorkAmount) {
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
        if !self.is_terminal {
            return;
        }
        if let Ok(slot) = self.bar.lock()
            && let Some(bar) = &*slot
        {
            bar.inc(units);
        }
    }

    fn end(&self, name: &str, took: Duration, summary: &str) {
        if let Ok(mut slot) = self.bar.lock()
            && let Some(bar) = slot.take()
        {
            bar.finish_and_clear();
        }
        logging::step(name, took, summary);
    }
}

fn style(template: &str) -> ProgressStyle {
    // The templates are constants. A template that did not parse would only lose its style.
    ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar())
}
