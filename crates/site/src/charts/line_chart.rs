//! A chart of several lines over one scale. The name of each line is at its end.

use std::borrow::Cow;

use serde::Serialize;

use super::axes::{Axes, Frame, Scale, logarithm, range};
use super::{BOTTOM, LEFT, LINES, TOP, room_for, spread_labels, tenth};
use crate::figures::fixed;

const WIDTH: f64 = 760.0;
const HEIGHT: f64 = 400.0;
/// Room for the names of the lines: what the longest name needs, within these limits.
const RIGHT: std::ops::RangeInclusive<f64> = 150.0..=240.0;

/// The sample before a name: its distance from the frame, its length, and its height above the
/// baseline of the letters.
const BEFORE_SAMPLE: f64 = 8.0;
const SAMPLE: f64 = 22.0;
const LINE_MIDDLE: f64 = 4.0;

/// The number of different strokes in the style sheet.
const STROKES: usize = 7;

/// A chart ready for its template.
#[derive(Clone, Debug, Serialize)]
pub struct LineChart {
    /// Distinguishes its elements from those of other charts on the page.
    id: Cow<'static, str>,
    title: String,
    description: String,
    #[serde(flatten)]
    axes: Axes,
    x_name: &'static str,
    y_name: &'static str,
    /// Shaded bands: upper edge and height.
    bands: Vec<(f64, f64)>,
    series: Vec<ChartSeries>,
}

#[derive(Clone, Debug, Serialize)]
struct ChartSeries {
    stroke: usize,
    /// Whether the reader sees it only by choice.
    is_later: bool,
    mark: Mark,
    name: String,
    path: String,
    /// Its points in words, in the order of the path, separated by `|`: `1970: 2600|1971: 2650`.
    values: String,
    label_y: f64,
    /// The sample of the stroke before the name.
    sample: String,
}

/// A named line, with its points across and up.
#[derive(Clone, Debug)]
pub struct ChartLine {
    pub name: String,
    /// The number of its stroke, from 0.
    pub stroke: usize,
    pub points: Vec<(f64, f64)>,
}

impl ChartLine {
    pub fn new(
        name: impl Into<String>,
        stroke: usize,
        points: impl IntoIterator<Item = (f64, f64)>,
    ) -> ChartLine {
        ChartLine { name: name.into(), stroke, points: points.into_iter().collect() }
    }
}

/// How a series is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Mark {
    /// One line through all points.
    Line,
    Dots,
    Rings,
}

const RING: f64 = 4.0;

impl Mark {
    fn draw(self, path: &mut String, x: f64, y: f64) {
        match self {
            Mark::Line => {
                path.push_str(&format!("{}{x} {y}", if path.is_empty() { 'M' } else { 'L' }));
            }
            // A line of no length with round ends is a dot.
            Mark::Dots => path.push_str(&format!("M{x} {y}h0")),
            Mark::Rings => {
                let (left, across) = (tenth(x - RING), 2.0 * RING);
                path.push_str(&format!(
                    "M{left} {y}a{RING} {RING} 0 1 0 {across} 0a{RING} {RING} 0 1 0 -{across} 0"
                ));
            }
        }
    }
}

/// The titles and options of a chart.
#[derive(Clone, Debug)]
pub struct LineAbout {
    pub id: Cow<'static, str>,
    pub title: String,
    pub x_name: &'static str,
    pub y_name: &'static str,
    pub is_logarithmic: bool,
    /// Shaded from the first value to the second.
    pub bands: Vec<(f64, f64)>,
}

impl LineAbout {
    /// A chart without bands and with linear scales, whose names are those across and up.
    pub fn new(
        id: impl Into<Cow<'static, str>>,
        title: impl Into<String>,
        [x_name, y_name]: [&'static str; 2],
    ) -> LineAbout {
        let (id, title) = (id.into(), title.into());
        LineAbout { id, title, x_name, y_name, is_logarithmic: false, bands: Vec::new() }
    }
}

/// The chart of lines; `None` if there is nothing to draw.
pub fn line_chart(about: LineAbout, lines: &[ChartLine]) -> Option<LineChart> {
    let marked: Vec<(Mark, &ChartLine)> = lines.iter().map(|line| (Mark::Line, line)).collect();
    marked_chart(about, &marked)
}

/// The chart of lines, dots and rings; `None` if there is nothing to draw.
pub fn marked_chart(about: LineAbout, marked: &[(Mark, &ChartLine)]) -> Option<LineChart> {
    let axes = axes(&about, marked)?;
    let mut series = drawn_series(marked, &axes);
    // A line without a name is one of several that share a name.
    let labelled = series.iter_mut().filter(|one| !one.name.is_empty() && !one.is_later);
    let mut labels: Vec<&mut f64> = labelled.map(|one| &mut one.label_y).collect();
    spread_labels(&mut labels, axes.frame.bottom);
    for one in &mut series {
        one.sample = sample(one, axes.frame.right);
    }
    let names: Vec<&str> =
        series.iter().map(|one| one.name.as_str()).filter(|name| !name.is_empty()).collect();
    let bands = about.bands.iter().map(|(low, high)| {
        let (low, high) = (axes.y.at(*low), axes.y.at(*high));
        (high, tenth(low - high))
    });
    Some(LineChart {
        id: about.id,
        description: format!("{}, for {}.", about.title, names.join(", ")),
        title: about.title,
        x_name: about.x_name,
        y_name: about.y_name,
        bands: bands.collect(),
        series,
        axes,
    })
}

/// Axes for all points and bands; `None` if all points have the same position across or the same
/// height.
fn axes(about: &LineAbout, marked: &[(Mark, &ChartLine)]) -> Option<Axes> {
    let points = marked.iter().flat_map(|(_, line)| &line.points);
    let (first, last) = range(points.clone().map(|(x, _)| *x));
    let band_ends = about.bands.iter().flat_map(|(low, high)| [*low, *high]);
    let heights = points.map(|(_, y)| *y).chain(band_ends);
    let (low, high) = range(heights.map(|y| if about.is_logarithmic { logarithm(y) } else { y }));
    if !(first < last && low.is_finite() && high > low) {
        return None;
    }
    let right = WIDTH - room_for(marked.iter().map(|(_, line)| line.name.as_str()), RIGHT);
    let bottom = HEIGHT - BOTTOM;
    let frame = Frame { width: WIDTH, height: HEIGHT, left: LEFT, right, top: TOP, bottom };
    let room = (high - low) * 0.04;
    let y = Scale::between(low - room, high + room, bottom, TOP + 8.0);
    Some(Axes {
        frame,
        x: Scale::between(first, last, LEFT, right),
        y: if about.is_logarithmic { y.logarithmic() } else { y },
    })
}

/// Points in words, as precise as the scale of their heights shows them.
fn values(points: &[(f64, f64)], y_scale: Scale) -> String {
    let decimals = y_scale.decimals();
    let words = points.iter().map(|(x, y)| {
        let x = fixed(*x, if x.fract() == 0.0 { 0 } else { 1 });
        format!("{x}: {}", fixed(*y, decimals))
    });
    words.collect::<Vec<_>>().join("|")
}

/// The strokes of the lines after the first [`LINES`]. Lines with the same stroke belong together.
fn later_strokes(marked: &[(Mark, &ChartLine)]) -> Vec<usize> {
    let mut strokes: Vec<usize> = Vec::new();
    for (_, line) in marked {
        if !strokes.contains(&line.stroke) {
            strokes.push(line.stroke);
        }
    }
    strokes.split_off(LINES.min(strokes.len()))
}

/// The lines as paths, each with the height of its name next to its last point.
fn drawn_series(marked: &[(Mark, &ChartLine)], axes: &Axes) -> Vec<ChartSeries> {
    let drawn = marked.iter().filter(|(_, line)| !line.points.is_empty());
    let later = later_strokes(marked);
    drawn
        .map(|(mark, line)| {
            let mut path = String::new();
            let mut label_y = 0.0;
            for (at_x, at_y) in &line.points {
                let (at_x, at_y) = (axes.x.at(*at_x), axes.y.at(*at_y));
                mark.draw(&mut path, at_x, at_y);
                label_y = at_y + 4.0;
            }
            ChartSeries {
                stroke: line.stroke % STROKES + 1,
                is_later: later.contains(&line.stroke),
                mark: *mark,
                name: line.name.clone(),
                path,
                values: values(&line.points, axes.y),
                label_y,
                sample: String::new(),
            }
        })
        .collect()
}

/// The sample of a series that precedes its name, right of the frame.
fn sample(series: &ChartSeries, right: f64) -> String {
    let y = tenth(series.label_y - LINE_MIDDLE);
    match series.mark {
        Mark::Line => format!("M{} {y}h{SAMPLE}", right + BEFORE_SAMPLE),
        mark => {
            let mut path = String::new();
            mark.draw(&mut path, right + BEFORE_SAMPLE + SAMPLE / 2.0, y);
            path
        }
    }
}
