//! Several lines over one scale, each named at its end.

use std::borrow::Cow;

use serde::Serialize;

use super::{BOTTOM, LEFT, LETTER, LINE, Scale, TOP, Tick};
use crate::site::figures::thousands;

const WIDTH: f64 = 760.0;
const HEIGHT: f64 = 400.0;
/// Room for the names of the lines: as much as the longest needs, within these, and what stands before a name.
const RIGHT: std::ops::RangeInclusive<f64> = 150.0..=240.0;
const BEFORE_NAME: f64 = 44.0;

/// Where the sample before a name begins, how long it is, and how far above the foot of the letters.
const BEFORE_SAMPLE: f64 = 8.0;
const SAMPLE: f64 = 22.0;
const LINE_MIDDLE: f64 = 4.0;

/// Strokes that the style sheet tells apart.
const STROKES: usize = 7;

/// A chart ready for its template.
#[derive(Clone, Debug, Serialize)]
pub(in crate::site) struct LineChart {
    /// What tells its elements from those of the page's other charts.
    id: Cow<'static, str>,
    title: String,
    description: String,
    width: f64,
    height: f64,
    left: f64,
    right: f64,
    top: f64,
    bottom: f64,
    x_ticks: Vec<Tick>,
    y_ticks: Vec<Tick>,
    x_name: &'static str,
    y_name: &'static str,
    /// Shaded stripes: upper end and height.
    bands: Vec<(f64, f64)>,
    series: Vec<Series>,
}

#[derive(Clone, Debug, Serialize)]
struct Series {
    stroke: usize,
    /// What it is drawn with.
    mark: Mark,
    name: String,
    path: String,
    label_y: f64,
    /// What stands before the name.
    sample: String,
}

/// A line with its name, from values across to values up.
#[derive(Clone, Debug)]
pub(in crate::site) struct Line {
    pub name: String,
    /// Which stroke it has, from 0.
    pub stroke: usize,
    pub points: Vec<(f64, f64)>,
}

/// What a series is drawn with.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub(in crate::site) enum Mark {
    /// One line through all points.
    Line,
    /// A dot for each.
    Dots,
    /// A ring for each.
    Rings,
}

/// Radius of a ring.
const RING: f64 = 4.0;

impl Mark {
    /// What it adds to a path that so far goes to other points.
    fn drawn(self, path: &mut String, x: f64, y: f64) {
        match self {
            Mark::Line => {
                path.push_str(&format!("{}{x} {y}", if path.is_empty() { 'M' } else { 'L' }));
            }
            // Of no length, with a round end.
            Mark::Dots => path.push_str(&format!("M{x} {y}h0")),
            Mark::Rings => {
                let (left, across) = (super::tenth(x - RING), 2.0 * RING);
                path.push_str(&format!(
                    "M{left} {y}a{RING} {RING} 0 1 0 {across} 0a{RING} {RING} 0 1 0 -{across} 0"
                ));
            }
        }
    }
}

/// What a chart is about.
#[derive(Clone, Debug)]
pub(in crate::site) struct About {
    pub id: Cow<'static, str>,
    pub title: String,
    pub x_name: &'static str,
    pub y_name: &'static str,
    /// Whether each tenfold takes the same room.
    pub is_logarithmic: bool,
    /// Shaded from one value to another.
    pub bands: Vec<(f64, f64)>,
}

/// Numbers that a logarithmic scale is marked at, by powers of ten.
const MARKS: [f64; 3] = [1.0, 2.0, 5.0];

/// The chart of lines; `None` where there is nothing to draw.
pub(in crate::site) fn line_chart(about: About, lines: &[Line]) -> Option<LineChart> {
    let marked: Vec<(Mark, &Line)> = lines.iter().map(|line| (Mark::Line, line)).collect();
    marked_chart(about, &marked)
}

/// The chart of lines, dots and rings; `None` where there is nothing to draw.
pub(in crate::site) fn marked_chart(about: About, marked: &[(Mark, &Line)]) -> Option<LineChart> {
    let lines = || marked.iter().map(|(_, line)| *line);
    let size = |value: f64| if about.is_logarithmic { value.max(1.0).log10() } else { value };
    let points = || lines().flat_map(|line| line.points.iter());
    let range = |values: &mut dyn Iterator<Item = f64>| {
        values.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), value| {
            (low.min(value), high.max(value))
        })
    };
    let (first, last) = range(&mut points().map(|(x, _)| *x));
    let ends = about.bands.iter().flat_map(|(low, high)| [size(*low), size(*high)]);
    let (low, high) = range(&mut points().map(|(_, y)| size(*y)).chain(ends));
    if !(first < last && low.is_finite() && high > low) {
        return None;
    }
    let longest = lines().map(|line| line.name.chars().count()).max().unwrap_or(0) as f64;
    let room = (BEFORE_NAME + LETTER * longest).clamp(*RIGHT.start(), *RIGHT.end());
    let (right, bottom) = (WIDTH - room, HEIGHT - BOTTOM);
    let x = Scale::between(first, last, LEFT, right);
    let room = (high - low) * 0.04;
    let y = Scale::between(low - room, high + room, bottom, TOP + 8.0);
    let y_ticks = match about.is_logarithmic {
        false => y.ticks(),
        true => (0..7)
            .flat_map(|power| MARKS.map(|mark| mark * 10f64.powi(power)))
            .filter(|value| (y.low()..=y.high()).contains(&value.log10()))
            .map(|value| Tick { at: y.at(value.log10()), label: thousands(value as usize) })
            .collect(),
    };
    let mut series: Vec<Series> = marked
        .iter()
        .filter(|(_, line)| !line.points.is_empty())
        .map(|(mark, line)| {
            let mut path = String::new();
            let mut label_y = 0.0;
            for (at_x, at_y) in &line.points {
                let (at_x, at_y) = (x.at(*at_x), y.at(size(*at_y)));
                mark.drawn(&mut path, at_x, at_y);
                label_y = at_y + 4.0;
            }
            let (stroke, name) = (line.stroke % STROKES + 1, line.name.clone());
            Series { stroke, mark: *mark, name, path, label_y, sample: String::new() }
        })
        .collect();
    // Names stand apart; a line without a name is one of several that share one.
    let mut order: Vec<usize> =
        (0..series.len()).filter(|one| !series[*one].name.is_empty()).collect();
    order.sort_by(|&a, &b| series[a].label_y.total_cmp(&series[b].label_y));
    for two in 1..order.len() {
        let least = series[order[two - 1]].label_y + LINE;
        let label_y = &mut series[order[two]].label_y;
        *label_y = label_y.max(least);
    }
    // Where that went below the frame, all go up again as far as they must.
    let mut most = bottom + 4.0;
    for &one in order.iter().rev() {
        series[one].label_y = series[one].label_y.min(most);
        most = series[one].label_y - LINE;
    }
    for one in &mut series {
        let y = super::tenth(one.label_y - LINE_MIDDLE);
        one.sample = match one.mark {
            Mark::Line => format!("M{} {y}h{SAMPLE}", right + BEFORE_SAMPLE),
            mark => {
                let mut path = String::new();
                mark.drawn(&mut path, right + BEFORE_SAMPLE + SAMPLE / 2.0, y);
                path
            }
        };
    }
    let names: Vec<&str> =
        series.iter().map(|one| one.name.as_str()).filter(|name| !name.is_empty()).collect();
    Some(LineChart {
        id: about.id,
        description: format!("{}, for {}.", about.title, names.join(", ")),
        title: about.title,
        width: WIDTH,
        height: HEIGHT,
        left: LEFT,
        right,
        top: TOP,
        bottom,
        x_ticks: x.ticks(),
        y_ticks,
        x_name: about.x_name,
        y_name: about.y_name,
        bands: about
            .bands
            .iter()
            .map(|(low, high)| {
                (y.at(size(*high)), super::tenth(y.at(size(*low)) - y.at(size(*high))))
            })
            .collect(),
        series,
    })
}
