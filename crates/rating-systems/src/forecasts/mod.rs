//! What ratings foretell: how likely scores are, how sure performances, what a match was likely to bring.
//!
//! Source: Arpad E. Elo, *The Rating of Chessplayers, Past and Present* (second edition); numbers in brackets are its sections
//! and equations. Draws, exact distributions and what follows from them are ours.

mod chances;
mod curve_test;
mod decade_rates;
mod distribution;
mod first_place;
mod match_forecast;
mod norms;
mod performance;
mod predictions;
mod small_samples;

pub use crate::evaluation::draw_model::Chances;
pub use chances::Colours;
pub use curve_test::{Cell, CurveFit, CurveTest, Worth, curve_test, worth};
pub use decade_rates::{Customs, Decades, KnownGame};
pub use distribution::ScoreDistribution;
pub use first_place::{EventGame, first_place};
pub use match_forecast::{FirstTo, MatchForecast, first_to, handicap, match_forecast};
pub use norms::{
    FieldOfNorm, Title, category, field_of_norm, first_of_category, norm_percentage, norm_points,
    norm_points_of_1957,
};
pub use performance::{
    BookErrors, PROBABLE, book_errors, game_variance, performance_error, performance_error_by,
};
pub use predictions::{Exceptional, Foretold, USUAL_ERROR, foretold};
pub use small_samples::{small_sample_factor, small_sample_performance};
