//! The story of an event's ratings as facts: what was missing, dropped, filled, moved, decided, with the
//! numbers. What a reader is told of them is in [`words`](crate::words).

use bitcode::{Decode, Encode};
use serde::Serialize;

/// What sort of thing happened in a [`Step`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum StepKind {
    /// A player had no rating.
    Missing,
    /// The Ratings Administrator decided a rating.
    Decided,
    /// A known rating was left out of the estimator line.
    Omitted,
    /// A rating was deleted, to be filled by the line.
    Deleted,
    /// The line supplied a rating.
    Filled,
    /// A rating moved to the line (a Tournament Rating Correction).
    Corrected,
    /// A rating that might have moved stayed.
    Kept,
    /// What a fit test said.
    Tested,
    /// The line rests on too little.
    Weak,
    /// There is no line.
    NoLine,
    /// Anything else a reader should know.
    Note,
}

/// One step of the story. Ratings, residuals and limits are in rating points; statistics and critical values
/// are those of the [fit test](crate::fit_test).
#[derive(Clone, Debug, PartialEq, Serialize, Encode, Decode)]
#[serde(tag = "is", rename_all = "snake_case")]
pub enum Step {
    /// The list that supplied the ratings was old.
    StaleList {
        /// The rating system.
        system: String,
        /// Its age (whole months) when the event began.
        months: i32,
    },
    /// A rating tag that cannot be gave way to what was known of the player at the time.
    MistakenTag {
        /// The player.
        player: String,
        /// What the tag said.
        tag: f64,
        /// What is used.
        rating: f64,
        /// Where that comes from.
        source: TagCorrection,
    },
    /// The world's number two is told by the rating tags of the twelve months before.
    NumberTwoFromTags {
        /// Who it was.
        name: String,
        /// The rating.
        rating: f64,
    },
    /// The world's number two comes from the list of another system, moved to the scale of the event.
    NumberTwoShifted {
        /// Who it was.
        name: String,
        /// The rating on the scale of the event.
        rating: f64,
        /// The other system.
        system: String,
        /// Day of its list, as `2000-01-01`.
        edition: String,
        /// By how much it was moved: the median difference.
        by: f64,
        /// Players that both systems know.
        players: usize,
    },
    /// Nothing tells the world's number two.
    NumberTwoUnknown,
    /// The Ratings Administrator gave a rating.
    Decided {
        /// The player.
        player: String,
        /// The rating.
        rating: f64,
        /// Why.
        reason: String,
    },
    /// The Ratings Administrator deleted a rating.
    DeletedByDecision {
        /// The player.
        player: String,
        /// Why.
        reason: String,
    },
    /// A player played no game that counts.
    WithoutGames {
        /// The player.
        player: String,
    },
    /// A player has no rating in the source.
    Missing {
        /// The player.
        player: String,
    },
    /// Too few ratings are known for any line.
    TooFewRatings {
        /// Ratings known.
        known: usize,
        /// Players with games.
        players: usize,
    },
    /// A known rating was left out of the estimator line, since with it the line failed the test.
    Omitted {
        /// The player.
        player: String,
        /// The rating.
        rating: f64,
        /// Its residual in the line that failed.
        residual: f64,
        /// Its part of the statistic.
        contribution: f64,
        /// The statistic that failed.
        statistic: f64,
        /// What it exceeded.
        critical: f64,
    },
    /// The estimator line passed the test.
    EstimatorFits {
        /// Ratings that it rests on.
        ratings: usize,
        /// The statistic.
        statistic: f64,
        /// The critical value.
        critical: f64,
    },
    /// The estimator line rests on too few ratings.
    WeakLine {
        /// Ratings that it rests on.
        ratings: usize,
        /// Players with games.
        players: usize,
    },
    /// The estimator line is too steep to supply anything.
    SteepEstimator {
        /// Its slope (points per point of P-Zero).
        slope: f64,
    },
    /// The estimator line would supply a rating far from those that it rests on, and supplies none.
    BeyondEvidence {
        /// The first such rating.
        rating: f64,
        /// The lowest rating known.
        lowest: f64,
        /// The highest rating known.
        highest: f64,
    },
    /// The line supplied a rating.
    Filled {
        /// The player.
        player: String,
        /// What was found before, where it was left out.
        found: Option<f64>,
        /// What the line supplied.
        rating: f64,
    },
    /// With the ratings that the line supplied the event does not fit.
    FilledDoNotFit,
    /// A full set of ratings whose line is too steep to say anything.
    SteepLine,
    /// Two players: there is nothing to test.
    TwoPlayers,
    /// The ratings fit.
    Fits {
        /// The statistic.
        statistic: f64,
        /// The critical value.
        critical: f64,
    },
    /// The ratings fit more closely than chance allows.
    FitsTooClosely {
        /// The statistic.
        statistic: f64,
        /// The lower critical value.
        lower: f64,
    },
    /// The ratings do not fit.
    DoesNotFit {
        /// The statistic.
        statistic: f64,
        /// The critical value.
        critical: f64,
    },
    /// By the policy nothing moves.
    KeptByPolicy,
    /// A player has too few games for a correction.
    TooFewGames {
        /// The player.
        player: String,
        /// His rating.
        rating: f64,
        /// Its residual.
        residual: f64,
        /// His games.
        games: usize,
    },
    /// A correction would go far beyond the known ratings.
    CorrectionBeyondEvidence {
        /// The player.
        player: String,
        /// His rating.
        rating: f64,
        /// Where it would go.
        corrected: f64,
    },
    /// A rating moved to the line.
    Corrected {
        /// The player.
        player: String,
        /// The rating as it was.
        rating: f64,
        /// Its residual.
        residual: f64,
        /// The rating as it is now.
        corrected: f64,
    },
    /// No rating qualifies for a correction.
    NothingToCorrect,
    /// A rating out of spec was deleted, to be filled again.
    DeletedToRebuild {
        /// The player.
        player: String,
        /// The rating.
        rating: f64,
        /// Its residual.
        residual: f64,
    },
    /// No rating is out of spec, so that none is rebuilt.
    NothingToRebuild,
    /// The line supplied nothing, so that everything stays.
    NothingRebuilt,
}

/// What a mistaken rating tag gave way to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Encode, Decode)]
#[serde(rename_all = "snake_case")]
pub enum TagCorrection {
    /// The Elo list of the time.
    EloList,
    /// The player's other tags of the time.
    OtherTags,
}

impl Step {
    /// What sort of thing happened.
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
            | Step::NothingToCorrect
            | Step::NothingToRebuild
            | Step::NothingRebuilt => StepKind::Kept,
            Step::EstimatorFits { .. }
            | Step::Fits { .. }
            | Step::FitsTooClosely { .. }
            | Step::DoesNotFit { .. } => StepKind::Tested,
            Step::WeakLine { .. } | Step::FilledDoNotFit => StepKind::Weak,
            Step::TooFewRatings { .. }
            | Step::SteepEstimator { .. }
            | Step::BeyondEvidence { .. } => StepKind::NoLine,
            Step::StaleList { .. }
            | Step::MistakenTag { .. }
            | Step::NumberTwoFromTags { .. }
            | Step::NumberTwoShifted { .. }
            | Step::NumberTwoUnknown
            | Step::WithoutGames { .. }
            | Step::SteepLine
            | Step::TwoPlayers => StepKind::Note,
        }
    }

    /// To whom, if to one player in the story of the event itself.
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
            | Step::Corrected { player, .. }
            | Step::DeletedToRebuild { player, .. } => Some(player),
            _ => None,
        }
    }

    /// The player's rating (points) before the step and after it.
    pub fn ratings(&self) -> (Option<f64>, Option<f64>) {
        match *self {
            Step::Decided { rating, .. } => (None, Some(rating)),
            Step::Omitted { rating, .. } | Step::DeletedToRebuild { rating, .. } => {
                (Some(rating), None)
            }
            Step::Filled { found, rating, .. } => (found, Some(rating)),
            Step::TooFewGames { rating, .. } | Step::CorrectionBeyondEvidence { rating, .. } => {
                (Some(rating), Some(rating))
            }
            Step::Corrected { rating, corrected, .. } => (Some(rating), Some(corrected)),
            _ => (None, None),
        }
    }

    /// Whether it says that the results hardly differ, so that no line can be drawn.
    pub fn is_of_steep_line(&self) -> bool {
        matches!(self, Step::SteepLine | Step::SteepEstimator { .. })
    }
}
