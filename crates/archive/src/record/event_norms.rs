//! Holds the category of an event and the norms that were achieved in it.

use rating_systems::forecasts::Title;

/// The ratings to which the rules are applied.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NormRatings {
    Fide,
    /// Historical Elo ratings on the day of the event, where FIDE had none yet.
    Historical,
}

impl NormRatings {
    /// The word in exports.
    pub fn word(self) -> &'static str {
        match self {
            NormRatings::Fide => "fide",
            NormRatings::Historical => "historical-elo",
        }
    }
}

/// A condition on the field of an event for norms.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Condition {
    /// Four fifths of the players have a rating.
    Rated,
    /// The players come from at least three federations.
    Federations,
    /// A third of the players are not from the largest federation.
    OtherFederations,
    /// Half of the players have a title, or a rating above 2300, or 2000 in women's events.
    Titled,
}

impl Condition {
    /// The condition in words, for an open or a women's event.
    pub fn words(self, is_womens: bool) -> &'static str {
        match self {
            Condition::Rated => "four fifths rated",
            Condition::Federations => "three federations",
            Condition::OtherFederations => "a third not of one federation",
            Condition::Titled if is_womens => "half titled or above 2000",
            Condition::Titled => "half titled or above 2300",
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AchievedNorm {
    /// The place of the player in the analysis.
    pub place: usize,
    /// The highest title for which it is a norm.
    pub title: Title,
    pub games: usize,
    pub score: f64,
    pub needed: f64,
}

/// The category of a round robin, with its norms.
#[derive(Clone, Debug, PartialEq)]
pub struct EventNorms {
    /// The average rating (points), rounded to a whole number.
    pub average: f64,
    pub category: u32,
    /// Whether the rules for women's events apply.
    pub is_womens: bool,
    /// The ratings used.
    pub by: NormRatings,
    /// The conditions: met, failed, or unknown.
    pub conditions: Vec<(Condition, Option<bool>)>,
    /// The norms that were achieved, the best placed player first.
    pub made: Vec<AchievedNorm>,
}

impl EventNorms {
    /// Writes the category: `12`, `4w`.
    pub fn category_text(&self) -> String {
        format!("{}{}", self.category, if self.is_womens { "w" } else { "" })
    }
}
