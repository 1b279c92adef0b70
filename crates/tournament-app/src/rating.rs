//! What can be a rating.

/// Ratings beyond this (points, either way) are mistakes, and would drown the others' figures.
pub const LARGEST_RATING: f64 = 100_000.0;

/// Whether a number can be a rating.
pub fn is_rating(number: f64) -> bool {
    number.is_finite() && number.abs() <= LARGEST_RATING
}
