//! Holds a decision as pages and exports show it.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::decisions::Regrouping;
use crate::record::review_reason::ReviewReason;

/// A decision of the Ratings Administrator about an event, as pages and exports show it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Decided {
    pub author: String,
    pub date: String,
    pub reason: String,
    /// What was decided, one sentence each.
    pub what: Vec<String>,
    /// Special conditions such as changed time controls, illness or fraud.
    pub special_conditions: Vec<String>,
    /// The source of what was decided, such as a book.
    #[serde(default)]
    pub source: Option<String>,
    /// A note in Markdown.
    pub note: Option<String>,
    /// The decision whether the event enters the lists; `None` if that was not decided.
    #[serde(default)]
    pub listed: Option<bool>,
    /// The reasons for review that the decision settles.
    pub settles: Vec<ReviewReason>,
    /// The name of the decision's file, without its folder.
    #[serde(default)]
    pub file: String,
    /// The displayed names of players whom the decision names otherwise, by the names as written.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub names: BTreeMap<String, String>,
    /// The merges, splits, moved games and merged persons that the archive contains.
    #[serde(default, skip_serializing_if = "Regrouping::is_empty")]
    pub regrouped: Regrouping,
}
