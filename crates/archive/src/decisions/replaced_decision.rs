//! Describes the bundled decisions that gave way to the user's.

use super::decision::Decision;

/// A bundled decision that the user's decisions replace.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReplacedDecision {
    pub event: String,
    /// The file and line of the bundled decision.
    pub place: String,
    /// The file and line of the user's decision.
    pub by: String,
    /// The keys of the bundled decision that the user's does not have.
    pub lost: Vec<String>,
}

impl ReplacedDecision {
    /// The replacement of one decision by another.
    pub(super) fn new(event: &str, bundled: &Decision, by: &Decision) -> ReplacedDecision {
        let kept = by.keys();
        ReplacedDecision {
            event: event.to_owned(),
            place: bundled.place.clone(),
            by: by.place.clone(),
            lost: bundled.keys().into_iter().filter(|key| !kept.contains(key)).collect(),
        }
    }

    /// The warning about what no longer applies; `None` if the user's decision has every key.
    pub fn warning(&self) -> Option<String> {
        let lost = self.lost.iter().map(|key| format!("`{key}`")).collect::<Vec<_>>().join(", ");
        let (verb, them) = match self.lost.len() {
            0 => return None,
            1 => ("applies", "it"),
            _ => ("apply", "them"),
        };
        let ReplacedDecision { event, place, .. } = self;
        Some(format!(
            "{event}: this replaces the bundled decision ({place}) as a whole, so its {lost} no \
             longer {verb}; repeat {them} here to keep {them}"
        ))
    }
}
