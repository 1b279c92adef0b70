//! Shows the progress of an engine's analysis, and when it will be finished.

use std::collections::VecDeque;
use std::io::IsTerminal;
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use super::super::logging;

/// The period over which the pace is measured. Judged: over half as long, a few
/// difficult positions would move the estimate; over twice as long, it would lag behind a change.
const WINDOW: Duration = Duration::from_secs(120);
/// The interval between two lines if standard error is not a terminal. Judged: an analysis takes
/// hours, and a line a minute keeps its log readable.
const LINE: Duration = Duration::from_secs(60);

/// A progress bar on a terminal, or one line a minute elsewhere.
pub(super) struct Pace {
    total: u64,
    done: u64,
    marks: VecDeque<(Instant, u64)>,
    bar: Option<ProgressBar>,
    printed: Instant,
}

impl Pace {
    pub fn new(total: u64) -> Pace {
        let bar = (std::io::stderr().is_terminal() && total > 0).then(|| {
            let bar = ProgressBar::new(total);
            bar.set_draw_target(ProgressDrawTarget::stderr());
            // The template is a constant. A template that did not parse would only lose its style.
            if let Ok(style) = ProgressStyle::with_template("{wide_bar} {pos}/{len} {msg}") {
                bar.set_style(style);
            }
            bar
        });
        let now = Instant::now();
        Pace { total, done: 0, marks: VecDeque::from([(now, 0)]), bar, printed: now }
    }

    /// Counts positions that were just analysed.
    pub fn advance(&mut self, done: u64) {
        self.done += done;
        let now = Instant::now();
        self.marks.push_back((now, self.done));
        while self.marks.len() > 2 && now.duration_since(self.marks[0].0) > WINDOW {
            self.marks.pop_front();
        }
        match &self.bar {
            Some(bar) => {
                bar.set_position(self.done);
                bar.set_message(self.words());
            }
            None if now.duration_since(self.printed) >= LINE => {
                self.printed = now;
                logging::say(&format!("{} of {}: {}", self.done, self.total, self.words()));
            }
            None => {}
        }
    }

    fn words(&self) -> String {
        let (Some(first), Some(last)) = (self.marks.front(), self.marks.back()) else {
            return String::new();
        };
        let seconds = last.0.duration_since(first.0).as_secs_f64();
        let pace = (last.1 - first.1) as f64 / seconds.max(1e-3);
        // The pace is meaningful after a hundred positions.
        if self.done < 100.min(self.total) || pace <= 0.0 {
            return String::new();
        }
        let left = (self.total.saturating_sub(self.done) as f64 / pace).round() as u64;
        format!("{pace:.1} positions/s, {} to go", lasting(left))
    }

    pub fn end(&self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}

/// Writes a duration (seconds) in words.
fn lasting(seconds: u64) -> String {
    match seconds {
        0..60 => format!("{seconds} s"),
        60..3600 => format!("{} min", seconds.div_ceil(60)),
        _ => format!("{} h {:02} min", seconds / 3600, seconds % 3600 / 60),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations_are_written_in_seconds_minutes_or_hours() {
        assert_eq!(lasting(59), "59 s");
        assert_eq!(lasting(61), "2 min");
        assert_eq!(lasting(3 * 3600 + 300), "3 h 05 min");
    }
}
