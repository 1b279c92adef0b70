//! Charts as small SVG pictures. These modules compute the positions, in the units of the view box.
//! Templates and the style sheet draw them.

mod axes;
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

pub(super) use calibration_plot::calibration_plot;
pub(super) use error_plot::{Errors, error_plot};
pub(super) use fit_scale::fit_scale;
pub(super) use histogram::histogram;
pub(super) use interval_plot::{Interval, interval_plot};
pub(super) use line_chart::{ChartLine, LineAbout, LineChart, Mark, line_chart, marked_chart};
pub(super) use rating_chart::{EventPoint, RatingChart, rating_chart};
pub(super) use regression_plot::regression_plot;
pub(super) use reigns::{Holder, reigns};
pub(super) use residual_chart::{Residual, residual_chart};
pub(super) use scatter::{Dot, scatter};

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
