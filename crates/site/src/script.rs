//! Serializes values for scripts.

use serde::Serialize;

/// A value as JSON that is safe in any script, also inside a page.
pub(super) fn json(value: &impl Serialize) -> String {
    json_in_file(value).replace('<', "\\u003c")
}

/// A value as JSON for a script that is a file of its own, where `<` needs no escape.
pub(super) fn json_in_file(value: &impl Serialize) -> String {
    let text = serde_json::to_string(value).expect("texts and numbers always serialize");
    text.replace('\u{2028}', "\\u2028").replace('\u{2029}', "\\u2029")
}
