//! The axes of a chart: the frame around what is drawn, and the scales along two of its edges.

use serde::{Serialize, Serializer};

use super::tenth;
use crate::figures::{fixed, thousands};

/// A position on a scale, with its label.
#[derive(Clone, Debug, Serialize)]
pub(super) struct Tick {
    pub at: f64,
    pub label: String,
}

/// The size of a picture, and the edges of the frame in it.
#[derive(Clone, Copy, Debug, Serialize)]
pub(super) struct Frame {
    pub width: f64,
    pub height: f64,
    pub left: f64,
    pub right: f64,
    pub top: f64,
    pub bottom: f64,
}

/// A frame with a scale along its lower and its left edge.
///
/// A chart flattens its axes, so that a template has `chart.left`, `chart.x_ticks` and so on.
#[derive(Clone, Debug, Serialize)]
pub(super) struct Axes<X = Scale> {
    #[serde(flatten)]
    pub frame: Frame,
    #[serde(rename = "x_ticks")]
    pub x: X,
    #[serde(rename = "y_ticks")]
    pub y: Scale,
}

/// A linear or logarithmic scale from values to positions.
#[derive(Clone, Copy, Debug)]
pub(super) struct Scale {
    /// The values at the ends, or their decimal logarithms.
    low: f64,
    high: f64,
    from: f64,
    to: f64,
    is_logarithmic: bool,
}

/// Factors of powers of ten at which a logarithmic scale has labels.
const LABELLED: [f64; 3] = [1.0, 2.0, 5.0];

impl Scale {
    /// A scale for all the values, with a tenth of room at both ends.
    pub fn new(values: impl Iterator<Item = f64>, from: f64, to: f64) -> Scale {
        let (low, high) = range(values);
        let room = ((high - low) * 0.1).max(1.0);
        Scale { low: low - room, high: high + room, from, to, is_logarithmic: false }
    }

    /// A scale from one value to another, without room at the ends.
    pub fn between(low: f64, high: f64, from: f64, to: f64) -> Scale {
        let high = if high > low { high } else { low + 1.0 };
        Scale { low, high, from, to, is_logarithmic: false }
    }

    /// The scale whose ends are decimal logarithms.
    pub fn logarithmic(self) -> Scale {
        Scale { is_logarithmic: true, ..self }
    }

    pub fn low(&self) -> f64 {
        self.low
    }

    pub fn high(&self) -> f64 {
        self.high
    }

    pub fn at(&self, value: f64) -> f64 {
        let value = if self.is_logarithmic { logarithm(value) } else { value };
        let part = (value - self.low) / (self.high - self.low);
        tenth(self.from + part * (self.to - self.from))
    }

    /// Decimals with which a reader can tell values on the scale from each other.
    pub fn decimals(&self) -> usize {
        let span = if self.is_logarithmic { 10f64.powf(self.high) } else { self.high - self.low };
        if span >= 50.0 {
            0
        } else if span >= 5.0 {
            1
        } else {
            3
        }
    }

    /// About five round numbers within the scale; 1, 2 and 5 in each power of ten if it is
    /// logarithmic.
    pub fn ticks(&self) -> Vec<Tick> {
        if self.is_logarithmic {
            return (0..7)
                .flat_map(|power| LABELLED.map(|factor| factor * 10f64.powi(power)))
                .filter(|value| (self.low..=self.high).contains(&value.log10()))
                .map(|value| Tick { at: self.at(value), label: thousands(value as usize) })
                .collect();
        }
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

/// As its ticks, which are all that a template draws of it.
impl Serialize for Scale {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.ticks().serialize(serializer)
    }
}

/// The decimal logarithm of a value on a logarithmic scale, which begins at 1.
pub(super) fn logarithm(value: f64) -> f64 {
    value.max(1.0).log10()
}

/// The smallest and the largest value; infinities without any.
pub(super) fn range(values: impl Iterator<Item = f64>) -> (f64, f64) {
    values.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), value| {
        (low.min(value), high.max(value))
    })
}
