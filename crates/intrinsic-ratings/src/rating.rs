//! Computes intrinsic performance ratings: the strength that moves show.

use super::calibration::Calibration;
use super::choices::{Choices, TurnValues};
use super::fitting::{Method, fit};
use super::model::{ChoiceModel, Skill};
use strum::IntoStaticStr;

/// Fewest turns that are rated. Judged: the model projects a standard error of about 120 points for
/// 150 turns. That is about 150 points for 100 turns, and more than 200 for 50.
pub const FEWEST_TURNS: usize = 100;
/// Fewest turns of a rating that is not weak. Judged: the projected standard error is then about 85
/// points, less than the distance between two bands of ratings.
pub const WEAK_BELOW: usize = 300;

/// How reliable a rating is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, IntoStaticStr)]
#[strum(serialize_all = "snake_case")]
pub enum Quality {
    /// At least 300 turns, with an accepted calibration.
    Full,
    /// Fewer than 300 turns, with an accepted calibration.
    Weak,
    /// The calibration was not accepted.
    Provisional,
}

impl Quality {
    /// The word used in tables.
    pub fn word(self) -> &'static str {
        self.into()
    }
}

/// A rating with intervals of two standard errors.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rating {
    /// The rating (Elo).
    pub rating: f64,
    /// Interval (Elo) according to the model: lower and upper end.
    pub projected: (f64, f64),
    /// Interval (Elo) with the observed spread of such ratings: lower and upper end.
    pub actual: (f64, f64),
    /// How reliable it is.
    pub quality: Quality,
}

/// The quality of the moves of a player or of an event.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct IntrinsicPerformance {
    /// Number of rated turns.
    pub turns: usize,
    /// The fitted skill; `None` with fewer than 100 turns.
    pub skill: Option<Skill>,
    /// Whether the skill is at an end of the searched range, so that it gives no rating.
    pub is_end: bool,
    /// The rating; `None` without a skill or a calibration.
    pub rating: Option<Rating>,
    /// Mean error (scaled pawns) of the moves played.
    pub error: f64,
    /// Mean error (scaled pawns) predicted by the skill on these turns.
    pub error_expected: f64,
    /// Standard error of the predicted mean error.
    pub error_sigma: f64,
    /// Mean error (scaled pawns) predicted by the player's rating, if one was given.
    pub error_by_rating: Option<f64>,
    /// Part, in `[0, 1]`, of turns in which the engine's best move was played.
    pub matches: f64,
    /// Part, in `[0, 1]`, predicted by the skill.
    pub matches_expected: f64,
    /// Standard error of that part: `sqrt(sum p (1 - p)) / T`, where p is the probability of the
    /// engine's move in each of T turns. Source: K. Regan, *Intrinsic Ratings Compendium* (2012).
    pub matches_sigma: f64,
    /// Mean loss (pawns).
    pub loss: f64,
    /// Mean accuracy (percent).
    pub accuracy: f64,
}

/// Rates the turns of one or several players.
///
/// The skill is fitted to these turns. The rating follows from its expected error on the reference
/// turns, which do not depend on the player. `elo` is the player's published rating, for
/// comparison; it does not enter the rating.
pub fn rate<'t>(
    turns: impl IntoIterator<Item = &'t TurnValues>,
    calibration: &Calibration,
    elo: Option<f64>,
) -> IntrinsicPerformance {
    let choices = Choices::new(turns, &calibration.terms());
    rate_choices(&choices, calibration, calibration.method(), elo)
}

/// Rates prepared turns by a given method.
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
        matches_sigma: expected.matches_sigma,
        loss: choices.mean_loss(),
        accuracy: choices.mean_accuracy(),
    }
}
