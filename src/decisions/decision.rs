//! What was decided for one event.

use serde::{Deserialize, Serialize};

use super::error::{DecisionError, signature};
use crate::games::{Tempo, visible};
use crate::tournament::{Kind, Policy, is_rating};

/// What was decided for one event.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Decision {
    /// Who decided.
    pub author: String,
    /// When: a day. Without one the version control tells it, and each build asks for it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub date: Option<toml::value::Datetime>,
    /// Why.
    pub reason: String,
    /// The players whom the event had when this was decided: `Alapin to Walbrodt, 20 players`. The review queue
    /// gives it; where the event has others now, the decision is refused.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub field: Option<String>,
    /// Another name for the event.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// Another kind than the pairing table shows.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub kind: Option<Kind>,
    /// What to do with ratings that do not fit.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub policy: Option<Policy>,
    /// Whether players under pressure move as well.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub move_pressure: Option<bool>,
    /// Whether the event enters the lists, whatever the rules say: `false` of casual games, displays, what is no event at
    /// all; `true` of one that the administrator vouches for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub listed: Option<bool>,
    /// Whether all of its games are there.
    #[serde(default, skip_serializing_if = "is_false")]
    pub complete: bool,
    /// How fast it was played.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tempo: Option<Tempo>,
    /// Whether a person has looked at the event, and it stands as it is.
    #[serde(default, skip_serializing_if = "is_false")]
    pub reviewed: bool,
    /// Rating of the world's number two (points).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub number_two: Option<f64>,
    /// Games that the event had, where its pairing table does not tell.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub expected_games: Option<usize>,
    /// Ratings set and deleted.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub ratings: Vec<RatingDecision>,
    /// Games that were not played.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub forfeits: Vec<Forfeit>,
    /// Segments in or out of the analysis.
    #[serde(default, skip_serializing_if = "Segments::says_nothing")]
    pub segments: Segments,
    /// Changing time controls, illness, fraud.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub special_conditions: Vec<String>,
    /// Ids of events that belong to this one.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub merge: Vec<String>,
    /// Events that are to be taken out of this one.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub split: Vec<Split>,
    /// A note in Markdown.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
    /// The file that it stands in and its line, for messages.
    #[serde(skip)]
    pub place: String,
}

/// A rating set or deleted.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RatingDecision {
    /// Name or id of the player.
    pub player: String,
    /// The rating (points) to use.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub set: Option<f64>,
    /// Whether the rating found is deleted, so that the line fills it.
    #[serde(default, skip_serializing_if = "is_false")]
    pub delete: bool,
    /// Why, if not for the reason of the whole.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
}

/// A game that was not played.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Forfeit {
    /// Name or id of White.
    pub white: String,
    /// Name or id of Black.
    pub black: String,
    /// Round tag of the game; needed where the two met more than once with these colours.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub round: Option<String>,
    /// Whether it is a game of a play-off.
    #[serde(default, skip_serializing_if = "is_false")]
    pub play_off: bool,
}

/// Which segments enter the analysis; what is not said stays as it is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Segments {
    /// The event proper.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub main: Option<bool>,
    /// Games of withdrawn players, annulled games, replays.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub extra: Option<bool>,
    /// Play-offs.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub play_off: Option<bool>,
}

/// An event to be taken out of another: the games among some of its players.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Split {
    /// Name of the new event.
    pub name: String,
    /// Names or ids of its players.
    pub players: Vec<String>,
}

/// For keys that are left out where they say nothing.
#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde gives a reference")]
fn is_false(value: &bool) -> bool {
    !value
}

impl Segments {
    fn says_nothing(&self) -> bool {
        *self == Segments::default()
    }
}

impl Decision {
    /// The same without what nobody sees in its words: marks that turn the text around them, control characters.
    #[must_use]
    pub(super) fn cleaned(mut self) -> Decision {
        let texts = [&mut self.author, &mut self.reason].into_iter();
        let optional = [&mut self.name, &mut self.note].into_iter().flatten();
        let parts = self.split.iter_mut().map(|split| &mut split.name);
        for text in texts.chain(optional).chain(parts).chain(&mut self.special_conditions) {
            *text = visible(text);
        }
        self
    }

    /// An error about this decision.
    pub fn wrong(&self, event: &str, message: impl Into<String>) -> DecisionError {
        DecisionError::Wrong {
            place: self.place.clone(),
            event: event.to_owned(),
            message: message.into(),
        }
    }

    /// What is wrong with it, whatever the event.
    pub fn check(&self, event: &str) -> Vec<DecisionError> {
        let mut wrong: Vec<String> = signature(&self.author, self.date, &self.reason);
        for rating in &self.ratings {
            if rating.set.is_some() == rating.delete {
                wrong.push(format!(
                    "{}: give either `set = RATING` or `delete = true`",
                    rating.player
                ));
            }
            if let Some(set) = rating.set.filter(|set| *set <= 0.0 || !is_rating(*set)) {
                wrong.push(format!("{}: {set} is no rating", rating.player));
            }
        }
        if let Some(two) = self.number_two.filter(|two| *two <= 0.0 || !is_rating(*two)) {
            wrong.push(format!("number_two: {two} is no rating"));
        }
        if self.complete && self.expected_games.is_some() {
            wrong.push("give either `complete = true` or `expected_games`".into());
        }
        let names = self.name.iter().chain(self.split.iter().map(|split| &split.name));
        if names.into_iter().any(|name| name.trim().is_empty()) {
            wrong.push("a name is empty".into());
        }
        wrong.into_iter().map(|message| self.wrong(event, message)).collect()
    }
}
