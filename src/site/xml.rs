//! Escapes texts for XML.

/// Escapes text for XML, and removes control characters, which XML does not allow.
pub(super) fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            c if c.is_control() && c != '\n' && c != '\t' => {}
            '\u{fffe}' | '\u{ffff}' => {}
            c => escaped.push(c),
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_are_escaped_and_control_characters_removed() {
        assert_eq!(escaped("<a b=\"&\">\u{1}\u{fffe}\n"), "&lt;a b=&quot;&amp;&quot;&gt;\n");
    }
}
