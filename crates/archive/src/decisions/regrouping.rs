//! Defines the parts of a decision that change which games an event has.

use serde::{Deserialize, Serialize};

use super::decision::{Decision, MovedGame, Person, Split};

/// The merges, splits, moved games and merged persons of a decision.
///
/// An archive contains them already, so they cannot be applied to its events a second time.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Regrouping {
    /// The ids of merged events.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub merge: Vec<String>,
    /// Events that are split off.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub split: Vec<Split>,
    /// Games of other events.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub moved_games: Vec<MovedGame>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub persons: Vec<Person>,
}

/// Removes the common values of two lists from both.
fn cancel<T: PartialEq + Clone>(mine: &mut Vec<T>, theirs: &mut Vec<T>) {
    let common: Vec<T> = mine.iter().filter(|value| theirs.contains(value)).cloned().collect();
    mine.retain(|value| !common.contains(value));
    theirs.retain(|value| !common.contains(value));
}

impl Regrouping {
    pub fn new(decision: &Decision) -> Regrouping {
        let Decision { merge, split, moved_games, persons, .. } = decision.clone();
        Regrouping { merge, split, moved_games, persons }
    }

    /// Whether the decision leaves every game where it is.
    pub fn is_empty(&self) -> bool {
        *self == Regrouping::default()
    }

    /// Separates what a decision adds to a regrouping that was carried out: returns the decision
    /// without what was carried out, and what was carried out but is no longer decided.
    pub fn new_part(&self, decision: &Decision) -> (Decision, Regrouping) {
        let (mut new, mut undone) = (decision.clone(), self.clone());
        cancel(&mut new.merge, &mut undone.merge);
        cancel(&mut new.split, &mut undone.split);
        cancel(&mut new.moved_games, &mut undone.moved_games);
        cancel(&mut new.persons, &mut undone.persons);
        (new, undone)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_is_not_carried_out_yet_is_new() {
        let [a, b, c] = ["a-1900", "b-1900", "c-1900"].map(str::to_owned);
        let built = Regrouping { merge: vec![a.clone(), b.clone()], ..Regrouping::default() };
        let decision = Decision { merge: vec![b, c.clone()], ..Decision::default() };
        let (new, undone) = built.new_part(&decision);
        assert_eq!((new.merge, undone.merge), (vec![c], vec![a]));
    }
}
