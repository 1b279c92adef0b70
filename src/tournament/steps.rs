//! The story of an event's ratings: what was missing, dropped, filled, moved, decided, and why.

use serde::Serialize;

/// What happened in a [`Step`].
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
    /// A rating that might have moved stayed, for the reason in the text.
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

/// One step of the story.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Step {
    /// What happened.
    pub step: StepKind,
    /// To whom, if to one player.
    pub player: Option<String>,
    /// The rating (points) before the step.
    pub rating_before: Option<f64>,
    /// The rating (points) after the step.
    pub rating_after: Option<f64>,
    /// One sentence for people.
    pub text: String,
}

impl Step {
    /// A step that concerns the event as a whole.
    pub fn of_event(step: StepKind, text: impl Into<String>) -> Step {
        Step { step, player: None, rating_before: None, rating_after: None, text: text.into() }
    }

    /// A step that concerns one player's rating.
    pub fn of_player(
        step: StepKind,
        player: &str,
        rating_before: Option<f64>,
        rating_after: Option<f64>,
        text: impl Into<String>,
    ) -> Step {
        Step { step, player: Some(player.into()), rating_before, rating_after, text: text.into() }
    }
}
