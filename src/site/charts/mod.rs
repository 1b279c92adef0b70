//! Charts as small SVG pictures. These modules compute the positions, in the units of the view box.
//! Templates and the style sheet draw them.

mod calibration_plot;
mod error_plot;
mod fit_scale;
mod histogram;
mod interval_plot;
mod line_chart;
mod rating_chart;
mod regression_plot;
mod reigns;
mod residual_chart;
mod scatter;
mod year_axis;

use serde::Serialize;

use super::figures::fixed;

pub(super) use calibration_plot::{CalibrationPlot, calibration_plot};
pub(super) use error_plot::{ErrorPlot, Errors, error_plot};
pub(super) use fit_scale::{FitScale, fit_scale};
pub(super) use histogram::{Histogram, histogram};
pub(super) use interval_plot::{Interval, IntervalPlot, interval_plot};
pub(super) use line_chart::{ChartLine, LineAbout, LineChart, Mark, line_chart, marked_chart};
pub(super) use rating_chart::{EventPoint, RatingChart, rating_chart};
pub(super) use regression_plot::{RegressionPlot, regression_plot};
pub(super) use reigns::{Holder, Reigns, reigns};
pub(super) use residual_chart::{Residual, ResidualChart, residual_chart};
pub(super) use scatter::{Dot, Scatter, scatter};

const WIDTH: f64 = 760.0;
const LEFT: f64 = 58.0;
const RIGHT: f64 = 24.0;
const TOP: f64 = 16.0;
const BOTTOM: f64 = 44.0;
/// Width of a letter and height of a line of labels, in the chart's units.
const LETTER: f64 = 7.2;
const LINE: f64 = 13.0;

/// The largest number of lines that a chart shows at once. Each has its own stroke in the style
/// sheet. The reader chooses among more (`charts.js`).
const LINES: usize = 6;

/// Room before the name of a line, for a sample of its stroke.
const BEFORE_NAME: f64 = 44.0;

/// A position on a scale, with its label.
#[derive(Clone, Debug, Serialize)]
pub(super) struct Tick {
    pub at: f64,
    pub label: String,
}

/// A scale from values to positions.
#[derive(Clone, Copy, Debug)]
pub(super) struct Scale {
    low: f64,
    high: f64,
    from: f64,
    to: f64,
}

impl Scale {
    /// A scale for all the values, with a tenth of room at both ends.
    pub fn new(values: impl Iterator<Item = f64>, from: f64, to: f64) -> Scale {
        let (low, high) = values.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), value| {
            (low.min(value), high.max(value))
        });
        let room = ((high - low) * 0.1).max(1.0);
        Scale { low: low - room, high: high + room, from, to }
    }

    /// A scale from one value to another, without room at the ends.
    pub fn between(low: f64, high: f64, from: f64, to: f64) -> Scale {
        Scale { low, high: if high > low { high } else { low + 1.0 }, from, to }
    }

    pub fn low(&self) -> f64 {
        self.low
    }

    pub fn high(&self) -> f64 {
        self.high
    }

    pub fn at(&self, value: f64) -> f64 {
        let part = (value - self.low) / (self.high - self.low);
        tenth(self.from + part * (self.to - self.from))
    }

    /// About five round numbers within the scale.
    pub fn ticks(&self) -> Vec<Tick> {
        let span = (self.high - self.low) / 5.0;
        let power = 10f64.powf(span.log10().floor());
        let step = [1.0, 2.0, 5.0, 10.0]
            .into_iter()
            .map(|factor| factor * power)
            .find(|step| *step >= span)
            .unwrap_or(span);
        let mut ticks = Vec::new();
        let mut value = (self.low / step).ceil() * step;
        while value <= self.high {
            let decimals = if step < 1.0 { 1 } else { 0 };
            ticks.push(Tick { at: self.at(value), label: fixed(value, decimals) });
            value += step;
        }
        ticks
    }
}

/// Room for the names of lines right of a chart, between two limits.
fn room_for<'a>(
    names: impl Iterator<Item = &'a str>,
    limits: std::ops::RangeInclusive<f64>,
) -> f64 {
    let longest = names.map(|name| name.chars().count()).max().unwrap_or(0);
    (BEFORE_NAME + LETTER * longest as f64).clamp(*limits.start(), *limits.end())
}

/// Moves labels apart that would cover each other, within a chart whose lower edge is `bottom`.
fn spread_labels(heights: &mut [&mut f64], bottom: f64) {
    heights.sort_by(|a, b| a.total_cmp(b));
    for next in 1..heights.len() {
        let least = *heights[next - 1] + LINE;
        *heights[next] = heights[next].max(least);
    }
    // Labels that this moved below the frame move up again, with as many others as needed.
    let mut most = bottom + 4.0;
    for height in heights.iter_mut().rev() {
        **height = height.min(most);
        most = **height - LINE;
    }
}

fn tenth(value: f64) -> f64 {
    (value * 10.0).round() / 10.0
}
