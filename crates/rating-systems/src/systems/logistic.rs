//! The logistic function, on the scale on which 400 points are odds of ten to one.

/// Natural units of strength in a point: a player who is 400 points stronger scores ten times as
/// many points as the opponent.
pub const NATURAL: f64 = std::f64::consts::LN_10 / 400.0;

/// The logistic function: the expected score, in `[0, 1]`, of a player who is `z` natural units
/// stronger.
pub fn logistic(z: f64) -> f64 {
    1.0 / (1.0 + (-z).exp())
}

/// The logistic function with the exponential of the crate `libm`, which gives the same bits on
/// every machine.
pub(crate) fn portable_logistic(z: f64) -> f64 {
    1.0 / (1.0 + libm::exp(-z))
}

/// `ln(1 + e^z)`, the integral of the logistic function, whose value at `z` is known.
pub(crate) fn softplus(z: f64, logistic: f64) -> f64 {
    // For large z, 1 - logistic(z) has no significant digits left.
    if z < 20.0 { -(1.0 - logistic).ln() } else { z }
}
