//! Describes each step of an event's ratings in a sentence for readers.

use serde::{Serialize, Serializer};

use crate::estimator::BEYOND_EVIDENCE;
use crate::steps::{Step, StepKind, TagCorrection};

/// Describes a step in one or two sentences.
pub fn sentence(step: &Step) -> String {
    match step {
        Step::StaleList { system, months } => stale_list(system, *months),
        Step::MistakenTag { player, tag, rating, source } => {
            mistaken_tag(player, *tag, *rating, *source)
        }
        Step::ListBeforeTag { player, tag, rating, edition } => format!(
            "{player} has {rating:.0} on FIDE's list of {edition}, which was in force, and {tag:.0} \
             in the tags of the games. The list counts."
        ),
        Step::TagBeforeList { player, tag, rating, edition } => format!(
            "{player} has {tag:.0} in the tags of the games, and {rating:.0} on FIDE's list of \
             {edition}. The other tags do not show that this list was used, so the tag counts."
        ),
        Step::NearbyRating { player, rating, edition: Some(edition) } => format!(
            "The games do not state a rating of {player}. It is taken from FIDE's list of \
             {edition}: {rating:.0}."
        ),
        Step::NearbyRating { player, rating, edition: None } => format!(
            "The games do not state a rating of {player}. It is taken from the player's games \
             within half a year of the event: {rating:.0}."
        ),
        Step::OtherEdition { player, rating, edition } => format!(
            "The list in force rates too few players. The rating of {player} is that of the \
             nearest list with the player, {edition}: {rating:.0}."
        ),
        Step::DistantRating { player, rating } => format!(
            "The games state an old rating of {player}, which is ignored. It is estimated from the \
             player's games of other years, at most four years away: {rating:.0}."
        ),
        Step::NumberTwoFromTags { name, rating } => number_two_from_tags(name, *rating),
        Step::NumberTwoCounted { name, rating, edition } => format!(
            "The rating tags are of a list of FIDE that is not stored. The world number two, {name} \
             (rating {rating:.0}), is counted from the list of {edition} with these tags."
        ),
        Step::NumberTwoShifted { name, rating, system, edition, by, players } => format!(
            "The world number two, {name} (rating {rating:.0}), is taken from the {system} list of \
             {edition}. The rating is adjusted by {by:+.0} points, the median difference between \
             the two systems over {players} players."
        ),
        Step::NumberTwoUnknown => NUMBER_TWO_UNKNOWN.into(),
        Step::Decided { player, rating, reason } => format!(
            "The Ratings Administrator set the rating of {player} to {rating:.0}. Reason: {reason}"
        ),
        Step::DeletedByDecision { player, reason } => {
            format!("The Ratings Administrator deleted the rating of {player}. Reason: {reason}")
        }
        Step::WithoutGames { player } => {
            format!("{player} played no game that counts and is left out of the regression.")
        }
        Step::Missing { player } => format!("{player} has no rating in the sources."),
        Step::TooFewRatings { known, players } => too_few_ratings(*known, *players),
        Step::Omitted { player, rating, residual, contribution, statistic, critical } => format!(
            "{} It is left out of the estimator line, because it contributes {contribution:.2} to \
             a chi-squared of {statistic:.2}; the critical value is {critical:.2}.",
            distance_from_line(player, *rating, *residual, "estimator line"),
        ),
        Step::EstimatorFits { ratings, statistic, critical } => format!(
            "The estimator line through {ratings} known ratings passes the fit test: {}.",
            test_values(*statistic, *critical)
        ),
        Step::WeakLine { ratings, players } => format!(
            "The estimator line is weak: it is based on {ratings} known ratings in a field of \
             {players} players."
        ),
        Step::SteepEstimator { slope } => steep_estimator(*slope),
        Step::FarEstimate { rating, lowest, highest } => format!(
            "The estimator line gives a rating of {rating:.0}. That is more than \
             {BEYOND_EVIDENCE:.0} points outside the range of the known ratings, {lowest:.0} to \
             {highest:.0}, so the line is weak."
        ),
        Step::BeyondEvidence { rating, lowest, highest } => {
            beyond_evidence(*rating, *lowest, *highest)
        }
        Step::Filled { player, rating, .. } => {
            format!("The estimator line gives {player} a rating of {rating:.0}.")
        }
        Step::FilledDoNotFit => FILLED_DO_NOT_FIT.into(),
        Step::SteepLine => STEEP_LINE.into(),
        Step::TwoPlayers => TWO_PLAYERS.into(),
        Step::Fits { statistic, critical } => {
            format!("The ratings pass the fit test: {}.", test_values(*statistic, *critical))
        }
        Step::FitsTooClosely { statistic, lower } => format!(
            "The ratings fit unusually closely: chi-squared {statistic:.3} is below the lower \
             value of {lower:.3}."
        ),
        Step::DoesNotFit { statistic, critical } => {
            format!("The ratings fail the fit test: {}.", test_values(*statistic, *critical))
        }
        Step::KeptByPolicy => "The policy for this event keeps all ratings.".into(),
        Step::TooFewGames { player, rating, residual, games } => {
            too_few_games(player, *rating, *residual, *games)
        }
        Step::CorrectionBeyondEvidence { player, rating, corrected } => format!(
            "{player}'s rating of {rating:.0} is not corrected. The corrected rating, \
             {corrected:.0}, would be more than {BEYOND_EVIDENCE:.0} points outside the range of \
             the known ratings."
        ),
        Step::LeaderKept { player, rating, corrected } => format!(
            "{player}'s rating of {rating:.0} is not replaced by {corrected:.0}, because that would \
             put one of the world's two best below the number two."
        ),
        Step::Corrected { player, rating, residual, corrected } => format!(
            "{} It is corrected to {corrected:.0}.",
            distance_from_line(player, *rating, *residual, "performance line")
        ),
        Step::NothingToCorrect => NOTHING_TO_CORRECT.into(),
        Step::DeletedToRebuild { player, rating, residual } => format!(
            "{} It is deleted so that the estimator line can replace it.",
            distance_from_line(player, *rating, *residual, "performance line")
        ),
        Step::NothingToRebuild => NOTHING_TO_REBUILD.into(),
        Step::NothingRebuilt => NOTHING_REBUILT.into(),
    }
}

const NUMBER_TWO_UNKNOWN: &str = "The rating of the world number two is unknown for this date, so \
     strength and G-scores cannot be computed.";
const FILLED_DO_NOT_FIT: &str =
    "With the estimated ratings the event fails the fit test, so the estimator line is weak.";
const STEEP_LINE: &str = "The results differ too little, so the performance line is too steep to \
     be meaningful. No performance ratings are shown.";
const TWO_PLAYERS: &str = "With two players the performance line passes through both points, so \
     the fit test does not apply.";
const NOTHING_TO_CORRECT: &str =
    "No rating meets the conditions for a correction. The event still fails the fit test.";
const NOTHING_TO_REBUILD: &str =
    "No rating is out of spec, so none is replaced. The event still fails the fit test.";
const NOTHING_REBUILT: &str = "The estimator line gives no ratings, so all ratings are kept. The \
     event still fails the fit test.";

fn stale_list(system: &str, months: i32) -> String {
    let unit = if months == 1 { "month" } else { "months" };
    format!("The {system} rating list in force was {months} {unit} old when the event began.")
}

fn mistaken_tag(player: &str, tag: f64, rating: f64, source: TagCorrection) -> String {
    let source = match source {
        TagCorrection::EloList => "the Elo list of the time",
        TagCorrection::OtherTags => "the player's other rating tags of the time",
    };
    format!(
        "The rating tag of {player}, {tag:.0}, is a mistake. The rating used is {rating:.0}, from \
         {source}."
    )
}

fn number_two_from_tags(name: &str, rating: f64) -> String {
    format!(
        "The world number two, {name} (rating {rating:.0}), is determined from the rating tags of \
         the games of the twelve months before the event."
    )
}

fn too_few_ratings(known: usize, players: usize) -> String {
    let who = match known {
        0 => format!("None of the {players} players has a rating"),
        1 => format!("Only 1 of the {players} players has a rating"),
        _ => format!("Only {known} of the {players} players have a rating"),
    };
    format!("{who}, so no line can be fitted. The event is unrated until more ratings are found.")
}

fn steep_estimator(slope: f64) -> String {
    format!(
        "The results differ too little, so the estimator line is too steep ({:.0} rating points \
         per point of P-Zero). It gives no ratings.",
        slope.abs()
    )
}

fn beyond_evidence(rating: f64, lowest: f64, highest: f64) -> String {
    let outside = (lowest - rating).max(rating - highest);
    format!(
        "The estimator line would give a rating of {rating:.0}. That is {outside:.0} points outside \
         the range of the known ratings, {lowest:.0} to {highest:.0}, so the line gives no ratings."
    )
}

fn too_few_games(player: &str, rating: f64, residual: f64, games: usize) -> String {
    let count = if games == 1 { "1 game is".into() } else { format!("{games} games are") };
    let distance = distance_from_line(player, rating, residual, "performance line");
    format!("{distance} It is not corrected, because {count} too few for a correction.")
}

/// States how far (rating points) a rating is above or below a line.
fn distance_from_line(player: &str, rating: f64, residual: f64, line: &str) -> String {
    let side = if residual > 0.0 { "above" } else { "below" };
    let points = residual.abs();
    format!("{player}'s rating of {rating:.0} is {points:.0} points {side} the {line}.")
}

/// The statistic of the fit test and its limit.
fn test_values(statistic: f64, critical: f64) -> String {
    format!("chi-squared {statistic:.2}, critical value {critical:.2}")
}

/// The form of a step in JSON documents: the fact and its sentence.
#[derive(Serialize)]
struct StepDocument<'a> {
    step: StepKind,
    player: Option<&'a str>,
    rating_before: Option<f64>,
    rating_after: Option<f64>,
    text: String,
    fact: &'a Step,
}

/// Serializes steps for a JSON document. Each step is written as a fact with its numbers, and as a
/// sentence.
///
/// # Errors
///
/// Returns the errors of the serializer.
pub fn documents<S: Serializer>(steps: &[Step], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_seq(steps.iter().map(|step| {
        let (rating_before, rating_after) = step.ratings();
        StepDocument {
            step: step.kind(),
            player: step.player(),
            rating_before,
            rating_after,
            text: sentence(step),
            fact: step,
        }
    }))
}
