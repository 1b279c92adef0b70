//! Names the reasons for which an event waits for review.

use serde::{Deserialize, Serialize};

/// A reason why an event is in the review queue.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ReviewReason {
    /// Its ratings failed the fit test and still do.
    Failed,
    /// They failed, and were moved to the performance line.
    Corrected,
    /// They failed, and were replaced by estimates from the estimator line.
    Rebuilt,
    /// Known ratings were left out so that the line of the others fits.
    Omitted,
    /// One of the world's two best kept a rating that does not fit, because the line would put the
    /// player below the number two.
    LeaderKept,
    /// Its performance line rests on too few known ratings.
    Weak,
    /// Ratings out of spec, in an event that passed or kept them.
    OutOfSpec,
    /// Ratings under pressure.
    Pressure,
    /// It has too few ratings for a performance line.
    NoRatings,
    /// The rating of the world number two is unknown.
    NoNumberTwo,
    /// The number of games that it had is unknown.
    Uncertain,
    /// Its name indicates an event that is not ranked.
    Doubtful,
    /// Its table differs from a historical source.
    Contradicted,
    /// Its games differ from what its tags state about it.
    Tags,
}

impl ReviewReason {
    pub const ALL: [ReviewReason; 14] = [
        ReviewReason::Failed,
        ReviewReason::Corrected,
        ReviewReason::Rebuilt,
        ReviewReason::Omitted,
        ReviewReason::LeaderKept,
        ReviewReason::Weak,
        ReviewReason::OutOfSpec,
        ReviewReason::Pressure,
        ReviewReason::NoRatings,
        ReviewReason::NoNumberTwo,
        ReviewReason::Uncertain,
        ReviewReason::Doubtful,
        ReviewReason::Contradicted,
        ReviewReason::Tags,
    ];

    /// The word used in exports.
    pub fn word(self) -> &'static str {
        match self {
            ReviewReason::Failed => "failed",
            ReviewReason::Corrected => "failed, corrected",
            ReviewReason::Rebuilt => "failed, rebuilt",
            ReviewReason::Omitted => "ratings left out",
            ReviewReason::LeaderKept => "leader kept",
            ReviewReason::Weak => "weak line",
            ReviewReason::OutOfSpec => "out of spec",
            ReviewReason::Pressure => "pressure",
            ReviewReason::NoRatings => "no ratings",
            ReviewReason::NoNumberTwo => "no number two",
            ReviewReason::Uncertain => "length not known",
            ReviewReason::Doubtful => "doubtful",
            ReviewReason::Contradicted => "differs from history",
            ReviewReason::Tags => "differs from its tags",
        }
    }
}
