//! What readers are told of the steps of an event's ratings: a sentence each.

use serde::{Serialize, Serializer};

use crate::estimator::BEYOND_EVIDENCE;
use crate::steps::{Step, StepKind, TagCorrection};

/// On which side of the line a residual lies.
fn side(residual: f64) -> &'static str {
    if residual > 0.0 { "above" } else { "below" }
}

/// A step in words.
pub fn sentence(step: &Step) -> String {
    match step {
        Step::StaleList { system, months } => {
            format!("The {system} list in force was {months} months old.")
        }
        Step::MistakenTag { player, tag, rating, source } => {
            let source = match source {
                TagCorrection::EloList => "the Elo list",
                TagCorrection::OtherTags => "his other tags",
            };
            format!(
                "{player}'s tag of {tag:.0} cannot be: {source} of the time says {rating:.0}, which is used."
            )
        }
        Step::NumberTwoFromTags { name, rating } => format!(
            "The world's number two ({name}, {rating:.0}) is told by the rating tags of the games of the \
             twelve months before."
        ),
        Step::NumberTwoShifted { name, rating, system, edition, by, players } => format!(
            "The world's number two ({name}, {rating:.0}) is that of the {system} list of {edition}, moved by \
             {by:+.0}: the median difference over {players} players that both systems know."
        ),
        Step::NumberTwoUnknown => {
            "Nothing tells the world's number two at the time, so there is no strength \
             and no G-score."
                .into()
        }
        Step::Decided { player, rating, reason } => {
            format!("The Ratings Administrator gives {player} {rating:.0}: {reason}")
        }
        Step::DeletedByDecision { player, reason } => {
            format!("The Ratings Administrator deletes the rating of {player}: {reason}")
        }
        Step::WithoutGames { player } => {
            format!("{player} played no game that counts and stays outside the line.")
        }
        Step::Missing { player } => format!("{player} has no rating in the source."),
        Step::TooFewRatings { known, players } => format!(
            "{known} of {players} ratings known: no line can be drawn, and the event waits for ratings."
        ),
        Step::Omitted { player, rating, residual, contribution, statistic, critical } => format!(
            "{player}'s {rating:.0} is left out of the line: it lies {:.0} points {} and makes up \
             {contribution:.2} of a statistic of {statistic:.2} against a limit of {critical:.2}.",
            residual.abs(),
            side(*residual),
        ),
        Step::EstimatorFits { ratings, statistic, critical } => format!(
            "The line through {ratings} known ratings fits: {statistic:.2} against a limit of {critical:.2}."
        ),
        Step::WeakLine { ratings, players } => {
            format!("The line rests on {ratings} of {players} ratings and is weak.")
        }
        Step::SteepEstimator { slope } => format!(
            "The results hardly differ, so that the line has a slope of {:.0}; it supplies nothing.",
            slope.abs()
        ),
        Step::BeyondEvidence { rating, lowest, highest } => format!(
            "The line would supply {rating:.0}, more than {BEYOND_EVIDENCE:.0} points beyond the known \
             ratings ({lowest:.0} to {highest:.0}); it supplies none."
        ),
        Step::Filled { player, rating, .. } => {
            format!("The line supplies {rating:.0} for {player}.")
        }
        Step::FilledDoNotFit => {
            "With the ratings that the line supplied the event does not fit: the line is weak."
                .into()
        }
        Step::SteepLine => {
            "The results hardly differ, so that a line through them says nothing; no \
             performance ratings are shown."
                .into()
        }
        Step::TwoPlayers => {
            "Two players: the line runs through both points, so the fit test says nothing.".into()
        }
        Step::Fits { statistic, critical } => {
            format!("The ratings fit: {statistic:.2} against a limit of {critical:.2}.")
        }
        Step::FitsTooClosely { statistic, lower } => {
            format!("The ratings fit unusually closely: {statistic:.3} lies below {lower:.3}.")
        }
        Step::DoesNotFit { statistic, critical } => {
            format!("The ratings do not fit: {statistic:.2} against a limit of {critical:.2}.")
        }
        Step::KeptByPolicy => "By the policy for this event nothing moves.".into(),
        Step::TooFewGames { player, rating, residual, games } => format!(
            "{player}'s {rating:.0} lies {:.0} points {} the line, but {games} games are too few to move it.",
            residual.abs(),
            side(*residual),
        ),
        Step::CorrectionBeyondEvidence { player, rating, corrected } => format!(
            "{player}'s {rating:.0} would move to {corrected:.0}, more than {BEYOND_EVIDENCE:.0} points beyond \
             the known ratings, and stays."
        ),
        Step::Corrected { player, rating, residual, corrected } => format!(
            "{player}'s {rating:.0} lies {:.0} points {} the line and moves to {corrected:.0}.",
            residual.abs(),
            side(*residual),
        ),
        Step::NothingToCorrect => {
            "No rating qualifies for a correction; the failure stands.".into()
        }
        Step::DeletedToRebuild { player, rating, residual } => format!(
            "{player}'s {rating:.0} lies {:.0} points {} the line and is deleted.",
            residual.abs(),
            side(*residual),
        ),
        Step::NothingToRebuild => {
            "No rating is out of spec, so none is rebuilt; the failure stands.".into()
        }
        Step::NothingRebuilt => {
            "The line supplies nothing, so the ratings stay as they were; the failure stands."
                .into()
        }
    }
}

/// A step as documents have it: the fact and the words.
#[derive(Serialize)]
struct Document<'a> {
    step: StepKind,
    player: Option<&'a str>,
    rating_before: Option<f64>,
    rating_after: Option<f64>,
    text: String,
    fact: &'a Step,
}

/// Writes steps into a document: each as a fact with its numbers, and in words.
///
/// # Errors
///
/// Those of the serializer.
pub fn documents<S: Serializer>(steps: &[Step], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_seq(steps.iter().map(|step| {
        let (rating_before, rating_after) = step.ratings();
        Document {
            step: step.kind(),
            player: step.player(),
            rating_before,
            rating_after,
            text: sentence(step),
            fact: step,
        }
    }))
}
