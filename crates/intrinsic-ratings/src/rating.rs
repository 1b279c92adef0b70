//! The intrinsic performance rating: of what strength moves are.

use super::calibration::Calibration;
use super::choices::{Choices, TurnValues};
use super::fitting::{Method, fit};
use super::model::{ChoiceModel, Skill};

/// Turns below which nothing is rated.
pub const FEWEST_TURNS: usize = 100;
/// Turns below which a rating is weak.
pub const WEAK_BELOW: usize = 300;

/// How much a rating is worth.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Quality {
    /// 300 turns and more, by an accepted calibration.
    Full,
    /// Fewer turns.
    Weak,
    /// By a calibration that was not accepted.
    Provisional,
}

impl Quality {
    /// As it stands in tables.
    pub fn word(self) -> &'static str {
        match self {
            Quality::Full => "full",
            Quality::Weak => "weak",
            Quality::Provisional => "provisional",
        }
    }
}

/// A rating, with its intervals of two standard errors.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rating {
    /// The rating (Elo).
    pub rating: f64,
    /// The interval as the model has it (Elo): less and more.
    pub projected: (f64, f64),
    /// The interval as such ratings really spread (Elo): less and more.
    pub actual: (f64, f64),
    /// How much it is worth.
    pub quality: Quality,
}

/// What the moves of somebody, or of an event, show.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct IntrinsicPerformance {
    /// Turns that count.
    pub turns: usize,
    /// The skill that they show; nothing of fewer than [`FEWEST_TURNS`].
    pub skill: Option<Skill>,
    /// Whether the skill is an end of the range, and so tells nothing.
    pub is_end: bool,
    /// The rating; nothing without skill or calibration.
    pub rating: Option<Rating>,
    /// Mean error (scaled pawns) of the moves played.
    pub error: f64,
    /// What the skill lets expect of it on these turns.
    pub error_expected: f64,
    /// Standard error of that.
    pub error_sigma: f64,
    /// What a rating lets expect of it, where one was given.
    pub error_by_rating: Option<f64>,
    /// Part, in [0, 1], of turns in which the engine's best move was made.
    pub matches: f64,
    /// What the skill lets expect of it.
    pub matches_expected: f64,
    /// Mean loss (pawns).
    pub loss: f64,
    /// Mean accuracy (percent).
    pub accuracy: f64,
}

/// Rates turns: those that count, of one player or of several. The skill is found on these turns; the rating is what it lets expect on the same reference
/// turns for everybody. `elo` is the player's own rating, for comparison; it does not enter the rating.
pub fn rate<'t>(
    turns: impl IntoIterator<Item = &'t TurnValues>,
    calibration: &Calibration,
    elo: Option<f64>,
) -> IntrinsicPerformance {
    let choices = Choices::of(turns, &calibration.terms());
    rate_choices(&choices, calibration, calibration.method(), elo)
}

/// The same of turns that are ready, by a method.
pub fn rate_choices(
    choices: &Choices,
    calibration: &Calibration,
    method: Method,
    elo: Option<f64>,
) -> IntrinsicPerformance {
    let turns = choices.len();
    let model = ChoiceModel::Powers;
    let found = (turns >= FEWEST_TURNS)
        .then(|| fit(choices, method, calibration.consistency, model))
        .flatten();
    let expected = found.map(|found| choices.expected(found.skill, model)).unwrap_or_default();
    let rating = found.filter(|found| !found.is_end).and_then(|found| {
        let line = calibration.line?;
        let on_reference = calibration.expected_on_reference(found.skill)?;
        let rating = line.rating(on_reference);
        let half = 2.0 * line.slope.abs() * expected.error_sigma;
        let wide = half * calibration.factor;
        let quality = if !calibration.is_accepted() {
            Quality::Provisional
        } else if turns < WEAK_BELOW {
            Quality::Weak
        } else {
            Quality::Full
        };
        Some(Rating {
            rating,
            projected: (rating - half, rating + half),
            actual: (rating - wide, rating + wide),
            quality,
        })
    });
    IntrinsicPerformance {
        turns,
        skill: found.map(|found| found.skill),
        is_end: found.is_some_and(|found| found.is_end),
        rating,
        error: choices.error(),
        error_expected: expected.error,
        error_sigma: expected.error_sigma,
        error_by_rating: elo
            .and_then(|elo| calibration.skill_of(elo))
            .filter(|_| turns > 0)
            .map(|skill| choices.expected_error(skill, model)),
        matches: choices.matches(),
        matches_expected: expected.matches,
        loss: choices.mean_loss(),
        accuracy: choices.mean_accuracy(),
    }
}
