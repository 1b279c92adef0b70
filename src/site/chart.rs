//! Charts: scales, and the regression plot (P-Zero across, initial rating up, the performance line with
//! its band of 100 points either way).

use serde::Serialize;

use super::figures::fixed;
use crate::tournament::{Analysis, RatingOrigin, Spec};

pub(super) const WIDTH: f64 = 760.0;
const HEIGHT: f64 = 480.0;
pub(super) const LEFT: f64 = 58.0;
pub(super) const RIGHT: f64 = 24.0;
pub(super) const TOP: f64 = 16.0;
pub(super) const BOTTOM: f64 = 44.0;
/// Width of a letter and height of a line of labels, in the chart's units.
pub(super) const LETTER: f64 = 6.4;
pub(super) const LINE: f64 = 13.0;
/// Half the band around the line (rating points).
const BAND: f64 = crate::tournament::correction::OUT_OF_SPEC;

/// A chart ready for its template; all positions in the units of the view box.
#[derive(Clone, Debug, Serialize)]
pub(super) struct RegressionPlot {
    width: f64,
    height: f64,
    left: f64,
    right: f64,
    top: f64,
    bottom: f64,
    x_ticks: Vec<Tick>,
    y_ticks: Vec<Tick>,
    line: Option<Segment>,
    band: Option<String>,
    points: Vec<Point>,
    description: String,
}

#[derive(Clone, Debug, Serialize)]
pub(super) struct Tick {
    pub at: f64,
    pub label: String,
}

#[derive(Clone, Debug, Serialize)]
struct Segment {
    x1: f64,
    y1: f64,
    x2: f64,
    y2: f64,
}

#[derive(Clone, Debug, Serialize)]
struct Point {
    x: f64,
    y: f64,
    class: &'static str,
    label: String,
    label_x: f64,
    label_y: f64,
    anchor: &'static str,
    shows_label: bool,
    title: String,
    /// Where a corrected rating came from.
    from_y: Option<f64>,
    /// Where the line is, for points out of spec.
    line_y: Option<f64>,
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
    /// From all the values, with a tenth of room at both ends.
    pub fn of(values: impl Iterator<Item = f64>, from: f64, to: f64) -> Scale {
        let (low, high) = values.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), value| {
            (low.min(value), high.max(value))
        });
        let room = ((high - low) * 0.1).max(1.0);
        Scale { low: low - room, high: high + room, from, to }
    }

    pub fn at(&self, value: f64) -> f64 {
        let part = (value - self.low) / (self.high - self.low);
        tenth(self.from + part * (self.to - self.from))
    }

    /// Round numbers within the scale, about five.
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

fn tenth(value: f64) -> f64 {
    (value * 10.0).round() / 10.0
}

/// The plot of an analysis; `None` where there are fewer than two ratings.
pub(super) fn regression_plot(analysis: &Analysis) -> Option<RegressionPlot> {
    let line = analysis.line?;
    let known: Vec<_> = analysis
        .players
        .iter()
        .filter_map(|player| Some((player, player.p_zero?, player.initial_rating?)))
        .collect();
    let x = Scale::of(known.iter().map(|(_, p_zero, _)| *p_zero), LEFT, WIDTH - RIGHT);
    let y_values = known.iter().flat_map(|(player, p_zero, rating)| {
        let expected = line.expected(*p_zero);
        [Some(*rating), player.rating_found, Some(expected - BAND), Some(expected + BAND)]
            .into_iter()
            .flatten()
    });
    let y = Scale::of(y_values, HEIGHT - BOTTOM, TOP);
    let (x_low, x_high) = (x.low, x.high);
    let corner = |p_zero: f64, shift: f64| {
        format!("{},{}", x.at(p_zero), clipped(y.at(line.expected(p_zero) + shift)))
    };
    let band =
        [corner(x_low, BAND), corner(x_high, BAND), corner(x_high, -BAND), corner(x_low, -BAND)]
            .join(" ");

    let mut points: Vec<Point> = known
        .iter()
        .map(|(player, p_zero, rating)| {
            let surname = player.name.split(',').next().unwrap_or_default();
            let out = player.spec == Some(Spec::Out);
            let class = match player.rating_origin {
                RatingOrigin::Filled => "filled",
                RatingOrigin::Corrected => "corrected",
                _ if out => "out",
                _ => "given",
            };
            let moved = player.rating_origin == RatingOrigin::Corrected;
            Point {
                x: x.at(*p_zero),
                y: y.at(*rating),
                class,
                label: surname.to_owned(),
                label_x: 0.0,
                label_y: 0.0,
                anchor: "start",
                shows_label: false,
                title: format!(
                    "{}: P-Zero {}, rating {}{}",
                    player.name,
                    fixed(*p_zero, 2),
                    fixed(*rating, 0),
                    match player.rating_origin {
                        RatingOrigin::Filled => " (from the line)",
                        RatingOrigin::Corrected => " (corrected)",
                        _ => "",
                    }
                ),
                from_y: player.rating_found.filter(|_| moved).map(|found| y.at(found)),
                line_y: out.then(|| y.at(line.expected(*p_zero))),
            }
        })
        .collect();
    place_labels(&mut points);
    Some(RegressionPlot {
        width: WIDTH,
        height: HEIGHT,
        left: LEFT,
        right: WIDTH - RIGHT,
        top: TOP,
        bottom: HEIGHT - BOTTOM,
        x_ticks: x.ticks(),
        y_ticks: y.ticks(),
        line: Some(Segment {
            x1: x.at(x_low),
            y1: clipped(y.at(line.expected(x_low))),
            x2: x.at(x_high),
            y2: clipped(y.at(line.expected(x_high))),
        }),
        band: Some(band),
        description: format!(
            "Initial rating against P-Zero for {} players, with the line {} {} {} times P-Zero",
            points.len(),
            fixed(line.intercept, 2),
            if line.slope < 0.0 { "minus" } else { "plus" },
            fixed(line.slope.abs(), 3),
        ),
        points,
    })
}

/// The line may leave the plot at the ends of the scale.
fn clipped(y: f64) -> f64 {
    y.clamp(TOP, HEIGHT - BOTTOM)
}

/// Puts each label beside its point where it covers neither a point nor another label; the
/// outermost points choose first, and a label without a free place is left to the tooltip.
fn place_labels(points: &mut [Point]) {
    let mut taken: Vec<[f64; 4]> =
        points.iter().map(|p| [p.x - 4.0, p.y - 4.0, p.x + 4.0, p.y + 4.0]).collect();
    let middle = points.iter().map(|p| p.y).sum::<f64>() / points.len().max(1) as f64;
    let mut order: Vec<usize> = (0..points.len()).collect();
    order.sort_by(|&a, &b| {
        (points[b].y - middle).abs().total_cmp(&(points[a].y - middle).abs()).then(a.cmp(&b))
    });
    for index in order {
        let point = &mut points[index];
        let width = point.label.chars().count() as f64 * LETTER;
        let places = [
            (7.0, 4.0, "start"),
            (-7.0, 4.0, "end"),
            (0.0, -8.0, "middle"),
            (0.0, 16.0, "middle"),
            (7.0, -7.0, "start"),
            (-7.0, -7.0, "end"),
            (7.0, 15.0, "start"),
            (-7.0, 15.0, "end"),
        ];
        for (dx, dy, anchor) in places {
            let (x, y) = (point.x + dx, point.y + dy);
            let start = match anchor {
                "start" => x,
                "end" => x - width,
                _ => x - width / 2.0,
            };
            let area = [start, y - LINE + 3.0, start + width, y + 3.0];
            let inside = area[0] >= LEFT && area[2] <= WIDTH - 2.0 && area[1] >= 2.0;
            let free = taken.iter().enumerate().all(|(other, box_)| {
                other == index
                    || area[2] <= box_[0]
                    || area[0] >= box_[2]
                    || area[3] <= box_[1]
                    || area[1] >= box_[3]
            });
            if inside && free {
                taken.push(area);
                point.label_x = tenth(x);
                point.label_y = tenth(y);
                point.anchor = anchor;
                point.shows_label = true;
                break;
            }
        }
    }
}
