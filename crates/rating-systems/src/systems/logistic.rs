//! The logistic curve of expected scores, on the scale on which 400 points are ten to one.

/// Natural units of strength in a point: who is 400 points stronger scores ten times as often as he loses.
pub const NATURAL: f64 = std::f64::consts::LN_10 / 400.0;

/// The logistic function: the expected score, in `[0, 1]`, of who is so many natural units stronger.
pub fn logistic(z: f64) -> f64 {
    1.0 / (1.0 + (-z).exp())
}
