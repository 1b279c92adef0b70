//! Records what happened to an event's ratings as facts with numbers: which ratings were missing,
//! left out, estimated, corrected or decided. [`words`](crate::words) describes them for readers.

use bitcode::{Decode, Encode};
use serde::Serialize;

/// The kind of a [`Step`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum StepKind {
    /// A player had no rating.
    Missing,
    /// The Ratings Administrator decided a rating.
    Decided,
    /// A known rating was left out of the estimator line.
    Omitted,
    /// A rating was deleted, so that the line can replace it.
    Deleted,
    /// A rating was estimated from the line.
    Filled,
    /// A rating was corrected to the line (a Tournament Rating Correction).
    Corrected,
    /// A rating that could have been changed was kept.
    Kept,
    /// The result of a fit test.
    Tested,
    /// The estimator line is weak.
    Weak,
    /// No line could be fitted.
    NoLine,
    /// Other information for readers.
    Note,
}

/// One step in settling the ratings. Ratings, residuals and limits are in rating points. Statistics
/// and critical values are those of the [fit test](crate::fit_test).
#[derive(Clone, Debug, PartialEq, Serialize, Encode, Decode)]
#[serde(tag = "is", rename_all = "snake_case")]
pub enum Step {
    /// The rating list was old.
    StaleList {
        /// Name of the rating system.
        system: String,
        /// Its age (whole months) at the start of the event.
        months: i32,
    },
    /// An implausible rating tag was replaced.
    MistakenTag {
        /// Name of the player.
        player: String,
        /// The rating in the tag.
        tag: f64,
        /// The rating used instead (points).
        rating: f64,
        /// Source of the rating used.
        source: TagCorrection,
    },
    /// A rating tag was replaced by the rating on FIDE's list in force.
    ListBeforeTag {
        /// Name of the player.
        player: String,
        /// The rating in the tag.
        tag: f64,
        /// The rating used: that of the list.
        rating: f64,
        /// Date of the list, as `1994-01-01`.
        edition: String,
    },
    /// A rating tag differs from FIDE's list in force, which the other tags do not confirm. The tag
    /// is used.
    #[serde(rename = "tag_beside_list")]
    TagBeforeList {
        /// Name of the player.
        player: String,
        /// The rating in the tag.
        tag: f64,
        /// The rating on the list.
        rating: f64,
        /// Date of the list, as `1994-01-01`.
        edition: String,
    },
    /// A player's rating was taken from other events or from a list, because the event's own games
    /// do not state it.
    NearbyRating {
        /// Name of the player.
        player: String,
        /// The rating (points).
        rating: f64,
        /// Date of FIDE's list, as `1994-01-01`; `None` if it is from the games of other events.
        edition: Option<String>,
    },
    /// The edition in force rates too few players, and the same list rates this one on another.
    OtherEdition {
        /// Name of the player.
        player: String,
        /// The rating (points).
        rating: f64,
        /// Date of that edition, as `1923-01-01`.
        edition: String,
    },
    /// A player's rating was estimated from tags of other years, because the tag of the event's own
    /// games is old.
    DistantRating {
        /// Name of the player.
        player: String,
        /// The rating (points).
        rating: f64,
    },
    /// The world number two was determined from the rating tags of the twelve months before the
    /// event.
    NumberTwoFromTags {
        /// Name of the world number two.
        name: String,
        /// The rating (points).
        rating: f64,
    },
    /// The world number two was counted with the rating tags of the event, which are of a list that
    /// is not stored.
    NumberTwoCounted {
        /// Name of the world number two.
        name: String,
        /// The rating (points).
        rating: f64,
        /// Date of the stored list, as `1981-01-01`.
        edition: String,
    },
    /// The world number two was taken from the list of another system and shifted to the scale of
    /// the event.
    NumberTwoShifted {
        /// Name of the world number two.
        name: String,
        /// The rating on the scale of the event.
        rating: f64,
        /// Name of the other system.
        system: String,
        /// Date of its list, as `2000-01-01`.
        edition: String,
        /// The shift: the median difference between the systems.
        by: f64,
        /// Number of players in both systems.
        players: usize,
    },
    /// The rating of the world number two is unknown.
    NumberTwoUnknown,
    /// The Ratings Administrator gave a rating.
    Decided {
        /// Name of the player.
        player: String,
        /// The rating (points).
        rating: f64,
        /// The administrator's reason.
        reason: String,
    },
    /// The Ratings Administrator deleted a rating.
    DeletedByDecision {
        /// Name of the player.
        player: String,
        /// The administrator's reason.
        reason: String,
    },
    /// A player played no game that counts.
    WithoutGames {
        /// Name of the player.
        player: String,
    },
    /// A player has no rating in the source.
    Missing {
        /// Name of the player.
        player: String,
    },
    /// Too few ratings are known to fit a line.
    TooFewRatings {
        /// Number of known ratings.
        known: usize,
        /// Number of players with games.
        players: usize,
    },
    /// A known rating was left out of the estimator line, which failed the fit test with it.
    Omitted {
        /// Name of the player.
        player: String,
        /// The rating (points).
        rating: f64,
        /// Its residual from the line that failed.
        residual: f64,
        /// Its contribution to chi-squared.
        contribution: f64,
        /// Chi-squared of the line that failed.
        statistic: f64,
        /// The value above which the test fails.
        critical: f64,
    },
    /// The estimator line passed the test.
    EstimatorFits {
        /// Number of ratings that it is based on.
        ratings: usize,
        /// Chi-squared of the test.
        statistic: f64,
        /// The value above which the test fails.
        critical: f64,
    },
    /// The estimator line is based on too few ratings.
    WeakLine {
        /// Number of ratings that it is based on.
        ratings: usize,
        /// Number of players with games.
        players: usize,
    },
    /// The estimator line is too steep to give ratings.
    SteepEstimator {
        /// Its slope (points per point of P-Zero).
        slope: f64,
    },
    /// An estimated rating is far from those that the line is based on, so the line is weak.
    FarEstimate {
        /// The first such rating.
        rating: f64,
        /// The lowest rating known.
        lowest: f64,
        /// The highest rating known.
        highest: f64,
    },
    /// The estimator line would give a rating too far from those that it is based on, so it gives
    /// none.
    BeyondEvidence {
        /// The first such rating.
        rating: f64,
        /// The lowest rating known.
        lowest: f64,
        /// The highest rating known.
        highest: f64,
    },
    /// A rating was estimated from the line.
    Filled {
        /// Name of the player.
        player: String,
        /// The rating found, if it was left out of the line.
        found: Option<f64>,
        /// The estimated rating (points).
        rating: f64,
    },
    /// The event with the estimated ratings fails the fit test.
    FilledDoNotFit,
    /// All ratings are known, but the line is too steep to be meaningful.
    SteepLine,
    /// There are two players, so there is nothing to test.
    TwoPlayers,
    /// The ratings passed the fit test.
    Fits {
        /// Chi-squared of the test.
        statistic: f64,
        /// The value above which the test fails.
        critical: f64,
    },
    /// The ratings fit more closely than chance explains.
    FitsTooClosely {
        /// Chi-squared of the test.
        statistic: f64,
        /// The value below which the ratings fit too closely.
        lower: f64,
    },
    /// The ratings do not fit.
    DoesNotFit {
        /// Chi-squared of the test.
        statistic: f64,
        /// The value above which the test fails.
        critical: f64,
    },
    /// The policy keeps all ratings.
    KeptByPolicy,
    /// A player has too few games for a correction.
    TooFewGames {
        /// Name of the player.
        player: String,
        /// The player's rating (points).
        rating: f64,
        /// Distance (points) of the rating from the line.
        residual: f64,
        /// Number of the player's games in the event.
        games: usize,
    },
    /// A correction would be far outside the range of the known ratings.
    CorrectionBeyondEvidence {
        /// Name of the player.
        player: String,
        /// The player's rating (points).
        rating: f64,
        /// The corrected rating (points).
        corrected: f64,
    },
    /// A correction would put the world number one or two below the number two.
    LeaderKept {
        /// Name of the player.
        player: String,
        /// The player's rating (points).
        rating: f64,
        /// The corrected rating (points).
        corrected: f64,
    },
    /// A rating was corrected to the line.
    Corrected {
        /// Name of the player.
        player: String,
        /// The rating before the correction (points).
        rating: f64,
        /// Distance (points) of the rating from the line.
        residual: f64,
        /// The rating after the correction (points).
        corrected: f64,
    },
    /// No rating qualifies for a correction.
    NothingToCorrect,
    /// A rating out of spec was deleted, so that the line can replace it.
    DeletedToRebuild {
        /// Name of the player.
        player: String,
        /// The rating (points).
        rating: f64,
        /// Distance (points) of the rating from the line.
        residual: f64,
    },
    /// No rating is out of spec, so none is replaced.
    NothingToRebuild,
    /// The line gives no ratings, so all are kept.
    NothingRebuilt,
}

/// The source of the rating that replaced an implausible tag.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Encode, Decode)]
#[serde(rename_all = "snake_case")]
pub enum TagCorrection {
    /// The Elo list of the time.
    EloList,
    /// The player's other rating tags of the time.
    OtherTags,
}

impl Step {
    /// Returns the kind of the step.
    pub fn kind(&self) -> StepKind {
        match self {
            Step::Missing { .. } => StepKind::Missing,
            Step::Decided { .. } => StepKind::Decided,
            Step::Omitted { .. } => StepKind::Omitted,
            Step::DeletedByDecision { .. } | Step::DeletedToRebuild { .. } => StepKind::Deleted,
            Step::Filled { .. } => StepKind::Filled,
            Step::Corrected { .. } => StepKind::Corrected,
            Step::KeptByPolicy
            | Step::TooFewGames { .. }
            | Step::CorrectionBeyondEvidence { .. }
            | Step::LeaderKept { .. }
            | Step::NothingToCorrect
            | Step::NothingToRebuild
            | Step::NothingRebuilt => StepKind::Kept,
            Step::EstimatorFits { .. }
            | Step::Fits { .. }
            | Step::FitsTooClosely { .. }
            | Step::DoesNotFit { .. } => StepKind::Tested,
            Step::WeakLine { .. } | Step::FarEstimate { .. } | Step::FilledDoNotFit => {
                StepKind::Weak
            }
            Step::TooFewRatings { .. }
            | Step::SteepEstimator { .. }
            | Step::BeyondEvidence { .. } => StepKind::NoLine,
            Step::StaleList { .. }
            | Step::MistakenTag { .. }
            | Step::ListBeforeTag { .. }
            | Step::TagBeforeList { .. }
            | Step::NearbyRating { .. }
            | Step::OtherEdition { .. }
            | Step::DistantRating { .. }
            | Step::NumberTwoFromTags { .. }
            | Step::NumberTwoCounted { .. }
            | Step::NumberTwoShifted { .. }
            | Step::NumberTwoUnknown
            | Step::WithoutGames { .. }
            | Step::SteepLine
            | Step::TwoPlayers => StepKind::Note,
        }
    }

    /// Returns the player concerned, if the step concerns one player of the event.
    pub fn player(&self) -> Option<&str> {
        match self {
            Step::Decided { player, .. }
            | Step::DeletedByDecision { player, .. }
            | Step::WithoutGames { player }
            | Step::Missing { player }
            | Step::Omitted { player, .. }
            | Step::Filled { player, .. }
            | Step::TooFewGames { player, .. }
            | Step::CorrectionBeyondEvidence { player, .. }
            | Step::LeaderKept { player, .. }
            | Step::Corrected { player, .. }
            | Step::DeletedToRebuild { player, .. } => Some(player),
            _ => None,
        }
    }

    /// Returns the player's rating (points) before and after the step.
    pub fn ratings(&self) -> (Option<f64>, Option<f64>) {
        match *self {
            Step::Decided { rating, .. } => (None, Some(rating)),
            Step::Omitted { rating, .. } | Step::DeletedToRebuild { rating, .. } => {
                (Some(rating), None)
            }
            Step::Filled { found, rating, .. } => (found, Some(rating)),
            Step::TooFewGames { rating, .. }
            | Step::CorrectionBeyondEvidence { rating, .. }
            | Step::LeaderKept { rating, .. } => (Some(rating), Some(rating)),
            Step::Corrected { rating, corrected, .. } => (Some(rating), Some(corrected)),
            _ => (None, None),
        }
    }

    /// Whether the step reports that the results are almost equal, so that no line is drawn.
    pub fn is_of_steep_line(&self) -> bool {
        matches!(self, Step::SteepLine | Step::SteepEstimator { .. })
    }
}
