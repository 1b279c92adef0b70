//! The calibration plot: expected score across, actual score up. On the diagonal they agree.

use serde::Serialize;

use super::axes::{Axes, Frame, Scale};
use super::{BOTTOM, LEFT, LINE, TOP};
use rating_systems::evaluation::comparison::SystemEvaluation;

/// 150 units right of the frame are for the names of the systems.
const FRAME: Frame = Frame {
    width: 620.0,
    height: 460.0,
    left: LEFT,
    right: 620.0 - 150.0,
    top: TOP,
    bottom: 460.0 - BOTTOM,
};

/// The number of games that a bin needs to be drawn. Judged: with 30 games, the standard error of a
/// score is about seven per cent; with 15 it would be ten, or two bins.
const ENOUGH: usize = 30;

#[derive(Clone, Debug, Serialize)]
struct CalibrationSeries {
    stroke: usize,
    name: String,
    path: String,
    dots: Vec<(f64, f64, String)>,
    label_y: f64,
}

/// The chart of these systems; `None` if no bin has enough games.
pub fn calibration_plot(systems: &[&SystemEvaluation]) -> Option<impl Serialize + use<>> {
    let x = Scale::between(0.0, 1.0, FRAME.left, FRAME.right);
    let y = Scale::between(0.0, 1.0, FRAME.bottom, FRAME.top);
    let mut series: Vec<CalibrationSeries> = Vec::new();
    for (number, judged) in systems.iter().enumerate() {
        let mut path = String::new();
        let mut dots = Vec::new();
        for bin in judged.bins.iter().filter(|bin| bin.games >= ENOUGH) {
            let games = bin.games as f64;
            let (expected, actual) = (bin.expected / games, bin.actual / games);
            let (at_x, at_y) = (x.at(expected), y.at(actual));
            path.push_str(&format!("{}{at_x} {at_y}", if path.is_empty() { 'M' } else { 'L' }));
            let title = format!(
                "{}: expected {expected:.3}, scored {actual:.3} in {} games",
                judged.system, bin.games
            );
            dots.push((at_x, at_y, title));
        }
        if let Some(&(_, last, _)) = dots.last() {
            let name = judged.system.clone();
            series.push(CalibrationSeries {
                stroke: number % 4 + 1,
                name,
                path,
                dots,
                label_y: last + 4.0,
            });
        }
    }
    if series.is_empty() {
        return None;
    }
    let mut order: Vec<usize> = (0..series.len()).collect();
    order.sort_by(|&a, &b| series[a].label_y.total_cmp(&series[b].label_y));
    for two in 1..order.len() {
        let least = series[order[two - 1]].label_y + LINE;
        let label_y = &mut series[order[two]].label_y;
        *label_y = label_y.max(least);
    }
    let names: Vec<&str> = series.iter().map(|one| one.name.as_str()).collect();
    Some(view!(
        ..Axes { frame: FRAME, x, y },
        description = format!(
            "Actual score of White by expected score, in bins of five per cent, for {}.",
            names.join(", ")
        ),
        series
    ))
}
