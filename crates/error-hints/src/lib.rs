//! Suggestions for error messages: the known name that is most similar to an unknown one.

use std::borrow::Cow;

/// Minimum similarity (Jaro-Winkler, 0 to 1) of a suggestion. Judged: it allows for two or three
/// wrong letters in a word of ten. Lower values suggest unrelated words.
const SIMILARITY: f64 = 0.75;

/// The candidate most similar to a name, if any is similar enough.
pub fn nearest<'a>(name: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    candidates
        .into_iter()
        .map(|candidate| {
            (strsim::jaro_winkler(&candidate.to_lowercase(), &name.to_lowercase()), candidate)
        })
        .filter(|(similarity, _)| *similarity >= SIMILARITY)
        .max_by(|a, b| a.0.total_cmp(&b.0).then_with(|| b.1.cmp(a.1)))
        .map(|(_, candidate)| candidate)
}

/// A question that suggests the expected key or word most similar to the unknown one in a TOML
/// error. Empty for other errors.
pub fn for_unknown_key(message: &str) -> String {
    let mut quoted = message.split('`').skip(1).step_by(2);
    let is_unknown =
        ["unknown field", "unknown variant"].iter().any(|kind| message.starts_with(kind));
    let unknown = is_unknown.then(|| quoted.next()).flatten();
    unknown
        .and_then(|unknown| nearest(unknown, quoted))
        .map(|key| format!("did you mean `{key}`?"))
        .unwrap_or_default()
}

/// The message for an unknown word: it lists the known words and suggests the most similar one.
pub fn no_such(what: &str, word: &str, words: &[&str]) -> String {
    let hint = nearest(word, words.iter().copied());
    let hint = hint.map(|hint| format!("; did you mean {hint}?")).unwrap_or_default();
    let word: String = word.chars().take(40).collect();
    format!("no {what} {word}; there are {}{hint}", words.join(", "))
}

/// Maximum number of characters of a quoted line in an error message.
const LONGEST_LINE: usize = 200;

/// The types that errors of serde expect, and what they are called here.
const TYPES: [(&str, &str); 5] = [
    ("expected a boolean", "expected true or false"),
    ("expected usize", "expected a whole number"),
    ("expected u32", "expected a whole number"),
    ("expected f64", "expected a number"),
    ("expected a sequence", "expected a list"),
];

/// Truncates long lines, and names types in plain words. A TOML error quotes its whole line, which
/// can be the whole file.
pub fn readable(text: &str) -> String {
    let text = &TYPES.iter().fold(text.to_owned(), |text, (rust, words)| text.replace(rust, words));
    let lines: Vec<Cow<'_, str>> = text
        .split('\n')
        .map(|line| match line.char_indices().nth(LONGEST_LINE) {
            Some((end, _)) => format!("{}…", &line[..end]).into(),
            None => line.into(),
        })
        .collect();
    lines.join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_lines_are_truncated() {
        let long = "ž".repeat(100_000);
        assert_eq!(readable(&format!("a\n{long}\nb")), format!("a\n{}…\nb", "ž".repeat(200)));
        assert_eq!(readable("a\n b\n"), "a\n b\n");
    }

    #[test]
    fn types_have_plain_names() {
        let text = "invalid type: floating point `99.5`, expected usize";
        let plain = "invalid type: floating point `99.5`, expected a whole number";
        assert_eq!(readable(text), plain);
    }

    #[test]
    fn only_similar_names_are_suggested() {
        assert_eq!(nearest("viena-1898", ["vienna-1898", "vienna-1882"]), Some("vienna-1898"));
        assert_eq!(nearest("hastings-1895", ["zurich-1953"]), None);
    }
}
