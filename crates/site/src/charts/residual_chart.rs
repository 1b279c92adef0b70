//! A player's residuals over time: rating minus performance line, event by event.

use jiff::civil::Date;
use serde::Serialize;

use super::axes::{Axes, Frame, Scale};
use super::rating_chart::years;
use super::year_axis::YearAxis;
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

/// The chart; `None` below three events.
pub fn residual_chart(residuals: &[Residual]) -> Option<impl Serialize + use<>> {
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
    Some(view!(
        ..Axes { frame: FRAME, x, y },
        zero = y.at(0.0),
        // The band of 100 points on either side.
        band_y = y.at(OUT_OF_SPEC),
        band_height = tenth(y.at(-OUT_OF_SPEC) - y.at(OUT_OF_SPEC)),
        // Years that are left out.
        breaks = x.breaks(),
        bars = residuals
            .iter()
            .map(|one| view!(
                x = x.at(years(one.day)),
                y = y.at(one.points),
                href = one.href.clone(),
                title = one.title.clone(),
                // `in`, `up`, `down` or `out`.
                class = match one.spec {
                    Some(Spec::Out) => "out",
                    Some(Spec::PressureUp) => "up",
                    Some(Spec::PressureDown) => "down",
                    _ => "in",
                }
            ))
            .collect::<Vec<_>>(),
        description
    ))
}
