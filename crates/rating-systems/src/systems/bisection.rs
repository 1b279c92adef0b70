//! Bisection: finds where a monotonic condition changes.

/// The point in `[low, high]` below which `is_low` holds and above which it does not, after this
/// many halvings of the interval.
pub(crate) fn bisect(
    mut low: f64,
    mut high: f64,
    halvings: usize,
    is_low: impl Fn(f64) -> bool,
) -> f64 {
    for _ in 0..halvings {
        let middle = (low + high) / 2.0;
        if is_low(middle) { low = middle } else { high = middle }
    }
    (low + high) / 2.0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bisection_finds_a_square_root() {
        let root = bisect(0.0, 2.0, 60, |x| x * x < 2.0);
        assert!((root - std::f64::consts::SQRT_2).abs() < 1e-12, "{root}");
    }
}
