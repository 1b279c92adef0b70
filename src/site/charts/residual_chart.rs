//! A player's residuals over time: rating minus performance line, event by event.

use jiff::civil::Date;
use serde::Serialize;

use super::rating_chart::years;
use super::year_axis::{AxisBreak, YearAxis};
use super::{LEFT, RIGHT, Scale, TOP, Tick, WIDTH};
use crate::tournament::Spec;

const HEIGHT: f64 = 240.0;
const BOTTOM: f64 = 34.0;

/// An event of a player.
#[derive(Clone, Debug)]
pub(in crate::site) struct Residual {
    pub day: Date,
    /// Initial rating minus the line (points).
    pub points: f64,
    pub spec: Option<Spec>,
    pub href: String,
    pub title: String,
}

/// A chart ready for its template.
#[derive(Clone, Debug, Serialize)]
pub(in crate::site) struct ResidualChart {
    width: f64,
    height: f64,
    left: f64,
    right: f64,
    top: f64,
    bottom: f64,
    zero: f64,
    /// The band of 100 points on either side.
    band_y: f64,
    band_height: f64,
    x_ticks: Vec<Tick>,
    /// Years that are left out.
    breaks: Vec<AxisBreak>,
    y_ticks: Vec<Tick>,
    bars: Vec<Bar>,
    description: String,
}

#[derive(Clone, Debug, Serialize)]
struct Bar {
    x: f64,
    y: f64,
    href: String,
    title: String,
    /// `in`, `up`, `down` or `out`.
    class: &'static str,
}

/// The chart; `None` below three events.
pub(in crate::site) fn residual_chart(residuals: &[Residual]) -> Option<ResidualChart> {
    if residuals.len() < 3 {
        return None;
    }
    const BAND: f64 = crate::tournament::correction::OUT_OF_SPEC;
    let bottom = HEIGHT - BOTTOM;
    let x = YearAxis::new(residuals.iter().map(|one| years(one.day)), LEFT, WIDTH - RIGHT)?;
    let levels = residuals.iter().map(|one| one.points).chain([-BAND, BAND]);
    let y = Scale::new(levels, bottom, TOP);
    let count = |wanted: &[Spec]| {
        residuals.iter().filter(|one| one.spec.is_some_and(|spec| wanted.contains(&spec))).count()
    };
    let description = format!(
        "Residuals of {} events: rating minus performance line. {} under pressure, {} out of spec.",
        residuals.len(),
        count(&[Spec::PressureUp, Spec::PressureDown]),
        count(&[Spec::Out])
    );
    Some(ResidualChart {
        width: WIDTH,
        height: HEIGHT,
        left: LEFT,
        right: WIDTH - RIGHT,
        top: TOP,
        bottom,
        zero: y.at(0.0),
        band_y: y.at(BAND),
        band_height: super::tenth(y.at(-BAND) - y.at(BAND)),
        x_ticks: x.ticks(),
        breaks: x.breaks(),
        y_ticks: y.ticks(),
        bars: residuals
            .iter()
            .map(|one| Bar {
                x: x.at(years(one.day)),
                y: y.at(one.points),
                href: one.href.clone(),
                title: one.title.clone(),
                class: match one.spec {
                    Some(Spec::Out) => "out",
                    Some(Spec::PressureUp) => "up",
                    Some(Spec::PressureDown) => "down",
                    _ => "in",
                },
            })
            .collect(),
        description,
    })
}
