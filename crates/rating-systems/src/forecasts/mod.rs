//! Forecasts from ratings: probabilities of scores, errors of performances, results of matches.
//!
//! Source: Arpad E. Elo, *The Rating of Chessplayers, Past and Present* (second edition), "the
//! book". Numbers in brackets are its sections and equations. Draws, exact distributions and what
//! follows from them are ours.

mod chances;
mod curve_test;
mod decade_rates;
mod distribution;
mod expected_score;
mod first_place;
mod handicaps;
mod match_forecast;
mod normal_fit;
mod norms;
mod performance;
mod predictions;

pub use crate::evaluation::draw_model::Chances;
pub use chances::Colours;
pub use curve_test::{
    CurveFit, CurveTest, DifferenceBin, SlopeAndWhite, curve_test, slope_and_white,
};
pub use decade_rates::{DecadeRates, Decades, KnownGame};
pub use distribution::ScoreDistribution;
pub use expected_score::{ExpectedScores, RatedSchedule};
pub use first_place::{ForecastGame, first_place};
pub use handicaps::{
    BY_PERFORMANCE, ROUND_ROBIN_PLAYERS, SWISS_ROUNDS, handicap_by_performance,
    round_robin_handicap, round_robin_rows, swiss_handicap, swiss_rows,
};
pub use match_forecast::{FirstTo, MatchForecast, first_to, handicap, match_forecast};
pub use normal_fit::{NormalFit, normal_fit};
pub use norms::{
    NormField, Title, category, category_of_1957, first_of_category, norm_field, norm_percentage,
    norm_points, norm_points_of_1957, rated_as_titled, rating_of_fide_master,
};
pub use performance::{BookErrors, PROBABLE, book_errors, performance_error, performance_error_by};
pub use predictions::{Exceptional, PlayedGames, ScorePrediction, USUAL_ERROR};
