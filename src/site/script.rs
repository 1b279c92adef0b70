//! Values in scripts.

use serde::Serialize;

/// A value as it may stand in any script, also inside of a page.
pub(super) fn json(value: &impl Serialize) -> String {
    // Texts, numbers and lists of them always serialize.
    let text = serde_json::to_string(value).expect("texts and numbers always serialize");
    text.replace('<', "\\u003c").replace('\u{2028}', "\\u2028").replace('\u{2029}', "\\u2029")
}
