//! A player's residuals over time: rating minus performance line, event by event.

use jiff::civil::Date;
use serde::Serialize;

use super::axes::{Axes, Frame, Scale};
use super::rating_chart::years;
use super::year_axis::{AxisBreak, YearAxis};
use super::{LEFT, RIGHT, TOP, WIDTH, tenth};
use tournament_app::Spec;
use tournament_app::correction::OUT_OF_SPEC;

const FRAME: Frame = Frame {
    width: WIDTH,
    height: 240.0,
    left: LEFT,
    right: WIDTH - RIGHT,
    top: TOP,
    bottom: 240.0 - 34.0,
};

/// An event of a player.
#[derive(Clone, Debug)]
pub struct Residual {
    pub day: Date,
    /// Initial rating minus the line (points).
    pub points: f64,
    pub spec: Option<Spec>,
    pub href: String,
    pub title: String,
}

/// A chart ready for its template.
#[derive(Clone, Debug, Serialize)]
pub struct ResidualChart {
    #[serde(flatten)]
    axes: Axes<YearAxis>,
    zero: f64,
    /// The band of 100 points on either side.
    band_y: f64,
    band_height: f64,
    /// Years that are left out.
    breaks: Vec<AxisBreak>,
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
pub fn residual_chart(residuals: &[Residual]) -> Option<ResidualChart> {
    if residuals.len() < 3 {
        return None;
    }
    let x = YearAxis::new(residuals.iter().map(|one| years(one.day)), FRAME.left, FRAME.right)?;
    let levels = residuals.iter().map(|one| one.points).chain([-OUT_OF_SPEC, OUT_OF_SPEC]);
    let y = Scale::new(levels, FRAME.bottom, FRAME.top);
    let (mut under_pressure, mut out_of_spec) = (0, 0);
    for residual in residuals {
        match residual.spec {
            Some(Spec::PressureUp | Spec::PressureDown) => under_pressure += 1,
            Some(Spec::Out) => out_of_spec += 1,
            _ => {}
        }
    }
    let description = format!(
        "Residuals of {} events: rating minus performance line. {under_pressure} under pressure, \
         {out_of_spec} out of spec.",
        residuals.len()
    );
    Some(ResidualChart {
        zero: y.at(0.0),
        band_y: y.at(OUT_OF_SPEC),
        band_height: tenth(y.at(-OUT_OF_SPEC) - y.at(OUT_OF_SPEC)),
        breaks: x.breaks(),
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
        axes: Axes { frame: FRAME, x, y },
    })
}
