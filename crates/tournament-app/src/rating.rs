//! Defines valid ratings.

/// Largest absolute rating (points). Larger values are errors that would swamp the other figures.
pub const LARGEST_RATING: f64 = 100_000.0;

/// Whether a number is a valid rating.
pub fn is_rating(number: f64) -> bool {
    number.is_finite() && number.abs() <= LARGEST_RATING
}
