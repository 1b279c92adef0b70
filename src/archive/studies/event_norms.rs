//! The category of an event, and the norms for titles that were made in it.

use crate::forecasts::Title;

/// Whose ratings the rules are applied to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NormRatings {
    /// FIDE's.
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

/// What a field has to have so that norms can be made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Condition {
    /// Four fifths have a rating.
    Rated,
    /// Three federations.
    Federations,
    /// A third are not of the federation that has most.
    OtherFederations,
    /// Half have a title, or a rating above 2300.
    Titled,
}

impl Condition {
    /// In words.
    pub fn words(self) -> &'static str {
        match self {
            Condition::Rated => "four fifths rated",
            Condition::Federations => "three federations",
            Condition::OtherFederations => "a third not of one federation",
            Condition::Titled => "half titled or above 2300",
        }
    }
}

/// A norm that was made.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AchievedNorm {
    /// Place in the analysis of who made it.
    pub place: usize,
    /// The highest title that it is one for.
    pub title: Title,
    /// His games.
    pub games: usize,
    /// His points.
    pub score: f64,
    /// Those that were needed.
    pub needed: f64,
}

/// The category of a round robin, with its norms.
#[derive(Clone, Debug, PartialEq)]
pub struct EventNorms {
    /// The average rating (points), to the whole.
    pub average: f64,
    /// The category.
    pub category: u32,
    /// Whether by the figures of women's events.
    pub is_womens: bool,
    /// By whose ratings.
    pub by: NormRatings,
    /// The conditions: met, failed, or unknown.
    pub conditions: Vec<(Condition, Option<bool>)>,
    /// Norms that were made, the best placed first.
    pub made: Vec<AchievedNorm>,
}

impl EventNorms {
    /// The category as it is written: `12`, `4w`.
    pub fn category_text(&self) -> String {
        format!("{}{}", self.category, if self.is_womens { "w" } else { "" })
    }
}
