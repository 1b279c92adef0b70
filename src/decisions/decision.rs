//! Defines a decision about one event.

use serde::{Deserialize, Serialize};

use super::error::{DecisionError, signature};
use crate::games::{Tempo, visible};
use crate::tournament::basic_system::K_FACTORS;
use crate::tournament::{Kind, Policy, is_rating};

/// The largest number of games that a decision may give an event. The largest opens have some
/// ten thousand.
const MOST_GAMES: usize = 1_000_000;

/// A decision about one event.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Decision {
    /// The author.
    pub author: String,
    /// The day. Without it only version control knows the date, and each build warns.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub date: Option<toml::value::Datetime>,
    /// The reason.
    pub reason: String,
    /// The players of the event when the decision was made: `Alapin to Walbrodt, 20 players`. The
    /// review queue writes it. If the event has other players now, the decision is refused.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub field: Option<String>,
    /// A new name for the event.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// The kind of the event, instead of the one that the pairing table shows.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub kind: Option<Kind>,
    /// The policy for ratings that do not fit.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub policy: Option<Policy>,
    /// Whether ratings under pressure are corrected as well.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub move_pressure: Option<bool>,
    /// K-factor of the Elo ratings after the event (rating points per point scored).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub elo_k: Option<f64>,
    /// Overrides whether the event enters the lists: `false` for casual games,
    /// displays and non-events; `true` for an event that the administrator vouches for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub listed: Option<bool>,
    /// Whether all of its games are known.
    #[serde(default, skip_serializing_if = "is_false")]
    pub complete: bool,
    /// The tempo.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tempo: Option<Tempo>,
    /// Whether a person has reviewed the event and keeps it as it is.
    #[serde(default, skip_serializing_if = "is_false")]
    pub reviewed: bool,
    /// Rating of the world's number two (points).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub number_two: Option<f64>,
    /// The number of games that the event had, if its pairing table does not show it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub expected_games: Option<usize>,
    /// Ratings that are set or deleted.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub ratings: Vec<RatingDecision>,
    /// Games that were not played.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub forfeits: Vec<Forfeit>,
    /// Segments that are taken into the analysis or out of it.
    #[serde(default, skip_serializing_if = "Segments::is_empty")]
    pub segments: Segments,
    /// Special conditions such as changed time controls, illness or fraud.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub special_conditions: Vec<String>,
    /// The ids of events to merge into this one.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub merge: Vec<String>,
    /// Events to split off this one.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub split: Vec<Split>,
    /// A note in Markdown.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
    /// The file and line of the decision, for messages.
    #[serde(skip)]
    pub place: String,
}

/// A rating that is set or deleted.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RatingDecision {
    /// Name or id of the player.
    pub player: String,
    /// The rating (points) to use.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub set: Option<f64>,
    /// Whether the rating is deleted, to be estimated from the regression line.
    #[serde(default, skip_serializing_if = "is_false")]
    pub delete: bool,
    /// The reason, if it differs from that of the decision.
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
    /// The round tag of the game. It is needed if the two players met more than once with these
    /// colours.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub round: Option<String>,
    /// Whether it is a game of a play-off.
    #[serde(default, skip_serializing_if = "is_false")]
    pub play_off: bool,
}

/// Which segments enter the analysis. Segments that are not mentioned stay as they are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Segments {
    /// The main event.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub main: Option<bool>,
    /// Games of withdrawn players, annulled games, replays.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub extra: Option<bool>,
    /// Play-offs.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub play_off: Option<bool>,
}

/// An event to be split off another: the games among some of its players.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Split {
    /// Name of the new event.
    pub name: String,
    /// Names or ids of its players.
    pub players: Vec<String>,
}

/// Whether a flag is unset and can be left out.
#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde gives a reference")]
fn is_false(value: &bool) -> bool {
    !value
}

impl Segments {
    fn is_empty(&self) -> bool {
        *self == Segments::default()
    }
}

impl Decision {
    /// Removes invisible characters from all texts: direction marks and control characters.
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

    /// Makes an error about this decision.
    pub fn wrong(&self, event: &str, message: impl Into<String>) -> DecisionError {
        DecisionError::Wrong {
            place: self.place.clone(),
            event: event.to_owned(),
            message: message.into(),
        }
    }

    /// The errors of the decision that do not depend on the event.
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
                wrong.push(format!("{}: {set} is not a possible rating", rating.player));
            }
        }
        if let Some(two) = self.number_two.filter(|two| *two <= 0.0 || !is_rating(*two)) {
            wrong.push(format!("number_two: {two} is not a possible rating"));
        }
        if let Some(k) = self.elo_k.filter(|k| !K_FACTORS.contains(k)) {
            wrong.push(format!("elo_k: {k} is not a K-factor from 1 to 100"));
        }
        if let Some(expected) = self.expected_games.filter(|expected| *expected > MOST_GAMES) {
            wrong.push(format!("expected_games: {expected} is more than {MOST_GAMES}"));
        }
        if self.complete && self.expected_games.is_some() {
            wrong.push("give either `complete = true` or `expected_games`".into());
        }
        let names = self.name.iter().chain(self.split.iter().map(|split| &split.name));
        if names.into_iter().any(|name| name.trim().is_empty()) {
            wrong.push("a name is empty; write one, or leave the key out".into());
        }
        wrong.into_iter().map(|message| self.wrong(event, message)).collect()
    }
}
