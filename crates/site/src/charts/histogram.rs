//! A histogram of the draws of one figure.

use serde::Serialize;

use super::axes::{Axes, Frame, Scale};
use super::{LEFT, RIGHT, TOP, WIDTH, tenth};
use crate::figures::fixed;

const FRAME: Frame = Frame {
    width: WIDTH,
    height: 240.0,
    left: LEFT,
    right: WIDTH - RIGHT,
    top: TOP,
    bottom: 240.0 - 40.0,
};

/// The number of bars over the range of the draws.
const BARS: usize = 24;

/// The chart of a figure with its standard error, its draws and their median; `None` without draws,
/// or if all are equal.
pub fn histogram(
    (figure, error): (f64, f64),
    median: f64,
    draws: &[f32],
) -> Option<impl Serialize + use<>> {
    let draws = draws.iter().map(|draw| f64::from(*draw));
    let drawn = (draws.clone().reduce(f64::min)?, draws.clone().reduce(f64::max)?);
    let (lowest, highest) = (drawn.0.min(figure - error), drawn.1.max(figure + error));
    if highest - lowest < 1e-6 {
        return None;
    }
    let step = (highest - lowest) / BARS as f64;
    let mut counts = [0usize; BARS];
    for draw in draws.clone() {
        counts[(((draw - lowest) / step) as usize).min(BARS - 1)] += 1;
    }
    let x = Scale::between(lowest, highest, FRAME.left, FRAME.right);
    let most = counts.iter().copied().max().unwrap_or(1);
    let y = Scale::between(0.0, most as f64, FRAME.bottom, FRAME.top + 18.0);
    let bars = counts.iter().enumerate().filter(|(_, count)| **count > 0).map(|(place, count)| {
        let (from, to) = (lowest + step * place as f64, lowest + step * (place + 1) as f64);
        let top = y.at(*count as f64);
        let middle = (from + to) / 2.0;
        view!(
            x = x.at(from),
            width = tenth((x.at(to) - x.at(from) - 1.0).max(0.5)),
            y = top,
            height = tenth(FRAME.bottom - top),
            is_within = (middle - figure).abs() <= error
        )
    });
    let within = draws.clone().filter(|draw| (draw - figure).abs() <= error).count();
    let count = draws.len();
    Some(view!(
        ..Axes { frame: FRAME, x, y },
        bars = bars.collect::<Vec<_>>(),
        // The position of the published figure, and of one standard error on either side.
        published = x.at(figure),
        low = x.at(figure - error),
        high = x.at(figure + error),
        label = fixed(figure, 2),
        // The position of the median of the draws, with its label, and whether the label is on its
        // left.
        median = x.at(median),
        median_label = format!("median {}", fixed(median, 0)),
        is_median_left = median < figure,
        description = format!(
            "{count} draws of a G-score of {}, from {} to {}, with a median of {}; {within} of them are within one standard error of it.",
            fixed(figure, 2),
            fixed(drawn.0, 0),
            fixed(drawn.1, 0),
            fixed(median, 0)
        )
    ))
}
