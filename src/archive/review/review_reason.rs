//! Why an event waits for the Ratings Administrator.

use serde::{Deserialize, Serialize};

/// Why an event is in the queue.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ReviewReason {
    /// Its ratings failed the fit test and still do.
    Failed,
    /// They failed, and were moved to the line.
    Corrected,
    /// They failed, and were filled anew.
    Rebuilt,
    /// Known ratings were left out so that the line of the others fits.
    Omitted,
    /// It rests on a weak line.
    Weak,
    /// Ratings out of spec, in an event that passed or kept them.
    OutOfSpec,
    /// Ratings under pressure.
    Pressure,
    /// Too few ratings for a line.
    NoRatings,
    /// Nothing tells the world's number two.
    NoNumberTwo,
    /// Nothing tells how many games it had.
    Uncertain,
    /// Its name says that it was no event of the sort that is ranked.
    Doubtful,
    /// Its table is another than history knows.
    Contradicted,
}

impl ReviewReason {
    /// All of them.
    pub const ALL: [ReviewReason; 12] = [
        ReviewReason::Failed,
        ReviewReason::Corrected,
        ReviewReason::Rebuilt,
        ReviewReason::Omitted,
        ReviewReason::Weak,
        ReviewReason::OutOfSpec,
        ReviewReason::Pressure,
        ReviewReason::NoRatings,
        ReviewReason::NoNumberTwo,
        ReviewReason::Uncertain,
        ReviewReason::Doubtful,
        ReviewReason::Contradicted,
    ];

    /// The word used in exports.
    pub fn word(self) -> &'static str {
        match self {
            ReviewReason::Failed => "failed",
            ReviewReason::Corrected => "failed, corrected",
            ReviewReason::Rebuilt => "failed, rebuilt",
            ReviewReason::Omitted => "ratings left out",
            ReviewReason::Weak => "weak line",
            ReviewReason::OutOfSpec => "out of spec",
            ReviewReason::Pressure => "pressure",
            ReviewReason::NoRatings => "no ratings",
            ReviewReason::NoNumberTwo => "no number two",
            ReviewReason::Uncertain => "length not known",
            ReviewReason::Doubtful => "doubtful",
            ReviewReason::Contradicted => "differs from history",
        }
    }
}
