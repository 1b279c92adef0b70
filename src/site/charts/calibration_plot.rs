//! The calibration plot: expected score across, actual score up. On the diagonal they agree.

use serde::Serialize;

use super::{BOTTOM, LEFT, LINE, Scale, TOP, Tick};
use crate::evaluation::comparison::SystemEvaluation;

const WIDTH: f64 = 620.0;
const HEIGHT: f64 = 460.0;
/// Room for the names of the systems.
const RIGHT: f64 = 150.0;

/// The number of games that a bin needs to be drawn.
const ENOUGH: usize = 30;

/// A chart ready for its template.
#[derive(Clone, Debug, Serialize)]
pub(in crate::site) struct CalibrationPlot {
    width: f64,
    height: f64,
    left: f64,
    right: f64,
    top: f64,
    bottom: f64,
    x_ticks: Vec<Tick>,
    y_ticks: Vec<Tick>,
    series: Vec<CalibrationSeries>,
    description: String,
}

#[derive(Clone, Debug, Serialize)]
struct CalibrationSeries {
    stroke: usize,
    name: String,
    path: String,
    dots: Vec<(f64, f64, String)>,
    label_y: f64,
}

/// The chart of these systems; `None` if no bin has enough games.
pub(in crate::site) fn calibration_plot(systems: &[&SystemEvaluation]) -> Option<CalibrationPlot> {
    let (right, bottom) = (WIDTH - RIGHT, HEIGHT - BOTTOM);
    let x = Scale::between(0.0, 1.0, LEFT, right);
    let y = Scale::between(0.0, 1.0, bottom, TOP);
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
    Some(CalibrationPlot {
        width: WIDTH,
        height: HEIGHT,
        left: LEFT,
        right,
        top: TOP,
        bottom,
        x_ticks: x.ticks(),
        y_ticks: y.ticks(),
        description: format!(
            "Actual score of White by expected score, in bins of five per cent, for {}.",
            names.join(", ")
        ),
        series,
    })
}
