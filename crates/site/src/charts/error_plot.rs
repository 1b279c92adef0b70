//! Errors in the moves: expected error across, actual error up. On the diagonal they agree.

use serde::Serialize;

use super::axes::{Axes, Frame, Scale};
use super::{BOTTOM, LEFT, LINE, TOP};

/// 120 units right of the frame are for names.
const FRAME: Frame = Frame {
    width: 620.0,
    height: 420.0,
    left: LEFT,
    right: 620.0 - 120.0,
    top: TOP,
    bottom: 420.0 - BOTTOM,
};

#[derive(Clone, Debug)]
pub struct Errors {
    pub name: String,
    pub expected: f64,
    pub made: f64,
    /// Half of the interval of the actual error.
    pub half: f64,
    pub title: String,
    /// Whether few moves were analysed.
    pub is_weak: bool,
}

#[derive(Clone, Debug, Serialize)]
struct ErrorPoint {
    x: f64,
    y: f64,
    from: f64,
    to: f64,
    label: String,
    label_y: f64,
    title: String,
    weak: bool,
}

/// Errors are shown in thousandths of a pawn, to avoid small decimals.
const PARTS: f64 = 1000.0;

/// The chart; `None` with fewer than two players.
pub fn error_plot(
    all: &[Errors],
    (x_name, y_name): (&'static str, &'static str),
) -> Option<impl Serialize + use<>> {
    if all.len() < 2 {
        return None;
    }
    // Both axes have the same scale, so points on the diagonal are equal.
    let levels = all
        .iter()
        .flat_map(|one| [one.expected, one.made - one.half, one.made + one.half])
        .map(|error| error.max(0.0) * PARTS);
    let x = Scale::new(levels.clone(), FRAME.left, FRAME.right);
    let y = Scale::new(levels, FRAME.bottom, FRAME.top);
    let (low, high) = (x.low().max(y.low()), x.high().min(y.high()));
    let mut points: Vec<ErrorPoint> = all
        .iter()
        .map(|one| ErrorPoint {
            x: x.at(one.expected * PARTS),
            y: y.at(one.made * PARTS),
            from: y.at((one.made - one.half).max(0.0) * PARTS),
            to: y.at((one.made + one.half) * PARTS),
            label: one.name.clone(),
            label_y: y.at(one.made * PARTS) + 4.0,
            title: one.title.clone(),
            weak: one.is_weak,
        })
        .collect();
    // Labels that would cover each other give way downwards.
    points.sort_by(|a, b| a.label_y.total_cmp(&b.label_y));
    for place in 1..points.len() {
        let least = points[..place]
            .iter()
            .filter(|before| (before.x - points[place].x).abs() < 70.0)
            .map(|before| before.label_y + LINE)
            .fold(points[place].label_y, f64::max);
        points[place].label_y = least;
    }
    Some(view!(
        ..Axes { frame: FRAME, x, y },
        points,
        diagonal = (x.at(low), y.at(low), x.at(high.max(low)), y.at(high.max(low))),
        description = format!("{x_name} and {}, for {} players.", y_name.to_lowercase(), all.len()),
        x_name,
        y_name
    ))
}
