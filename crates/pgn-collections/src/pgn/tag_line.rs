//! Reads one tag: `[Name "value"]`.

use super::cursor::{Cursor, roster_number, shown, tag_name};
use super::masks::{BLOCK, Classify};
use crate::source::{DiagnosticKind, Finding};

/// Longest value of a tag that is not reported (bytes).
pub(super) const LONGEST_VALUE: usize = crate::source::LONGEST_NAME;

/// A tag as the text contains it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct TagPair<'a> {
    /// Name of the tag.
    pub name: &'a [u8],
    /// Value of the tag, not yet cleaned.
    pub value: &'a [u8],
    /// Whether the value has escapes, NUL bytes or more than [`LONGEST_VALUE`] bytes, so that it
    /// must be [`cleaned`].
    pub raw: bool,
    /// Whether the text ended within the tag.
    pub open: bool,
}

/// Reads the tag that begins at the cursor, and moves the cursor after it.
///
/// If nothing else is on the line, the cursor moves to the next line. Returns `None` if the line is
/// not a tag, and skips it.
#[inline(always)]
pub(super) fn read<'a, C: Classify>(cursor: &mut Cursor<'a>) -> Option<TagPair<'a>> {
    let mut last = [0; BLOCK];
    let block = cursor.block(&mut last);
    let masks = C::tags(block);
    let end = masks.newline.trailing_zeros();
    let in_line = (1u64 << (end & 63)) - 1;
    let opening = masks.quote.trailing_zeros();
    let behind_opening = masks.quote & masks.quote.wrapping_sub(1);
    let closing = behind_opening.trailing_zeros();
    let behind_closing = behind_opening & behind_opening.wrapping_sub(1);
    let at = cursor.at;
    let simple = end < 64
        && closing < end
        && (behind_closing | masks.odd) & in_line == 0
        && opening > 1
        && block[opening as usize - 1] == b' '
        && block[closing as usize + 1] == b']'
        && (closing + 2 == end || (closing + 3 == end && block[closing as usize + 2] == b'\r'))
        && at + (end as usize) < cursor.bytes.len();
    if !simple {
        return read_slowly(cursor);
    }
    let line = &cursor.bytes[at..at + end as usize];
    cursor.at = at + end as usize + 1;
    cursor.lines += 1;
    Some(TagPair {
        name: &line[1..opening as usize - 1],
        value: &line[opening as usize + 1..closing as usize],
        raw: false,
        open: false,
    })
}

/// Reads a tag of any form, like [`read`].
#[cold]
#[inline(never)]
pub(super) fn read_slowly<'a>(cursor: &mut Cursor<'a>) -> Option<TagPair<'a>> {
    let bytes = cursor.bytes;
    let end = cursor.line_end();
    let line = &bytes[cursor.at..end];
    let Some(name) = tag_name(line) else {
        if let Some((name, value)) = without_quotes(line) {
            let message = format!("the {} tag has no quotes", shown(name));
            cursor.warn(DiagnosticKind::BrokenTag, message);
            next_line(cursor, end);
            return Some(TagPair { name, value, raw: is_raw(value), open: false });
        }
        let message = format!("\"{}\" is not a tag; left out", shown(line));
        cursor.warn(DiagnosticKind::BrokenTag, message);
        next_line(cursor, end);
        return None;
    };
    let opening = line.iter().position(|byte| *byte == b'"').unwrap_or(0);
    let rest = &line[opening + 1..];
    let Some(mut close) = closing(rest) else {
        if let Some(length) = continued_length(rest, bytes.get(end + 1..).unwrap_or_default()) {
            let message = format!("the {} tag continues on the next line", shown(name));
            cursor.warn(DiagnosticKind::BrokenTag, message);
            let start = cursor.at + opening + 1;
            let below = end + 1 + length;
            let value = &bytes[start..below];
            let end = below + bytes[below..].iter().take_while(|byte| **byte != b'\n').count();
            cursor.go_to(end);
            next_line(cursor, end);
            return Some(TagPair { name, value, raw: true, open: false });
        }
        let message = format!("the {} tag is not closed", shown(name));
        cursor.warn(DiagnosticKind::BrokenTag, message);
        let value = rest.trim_ascii_end();
        let value = value.strip_suffix(b"]").unwrap_or(value);
        let value = value.strip_suffix(b"\"").unwrap_or(value);
        let raw = is_raw(value);
        let open = end == bytes.len();
        next_line(cursor, end);
        return Some(TagPair { name, value, raw, open });
    };
    // A value that contains quotes and brackets may seem to end early. Then the end of the line
    // counts, unless another tag follows on the line. The bracket is searched for first, because it
    // is near if a line has many tags.
    let behind = &rest[close.behind..];
    if !behind.contains(&b'[') && behind.trim_ascii().ends_with(b"\"]") {
        let quote = rest.len() - rest.iter().rev().position(|byte| *byte == b'"').unwrap_or(0) - 1;
        close = ClosingQuote { quote, behind: rest.len(), unescaped: true };
    }
    if close.unescaped {
        let message =
            format!("the {} tag contains quotes that are not escaped as \\\"", shown(name));
        cursor.warn(DiagnosticKind::UnescapedQuote, message);
    }
    let value = &rest[..close.quote];
    let behind = opening + 1 + close.behind;
    let blanks = line[behind..].iter().take_while(|b| matches!(b, b' ' | b'\t' | b'\r')).count();
    if behind + blanks == line.len() {
        next_line(cursor, end);
    } else {
        cursor.at += behind + blanks;
    }
    Some(TagPair { name, value, raw: is_raw(value), open: false })
}

/// Returns name and value of a line like `[White Tal, Mihail]` if the name is in the roster.
fn without_quotes(line: &[u8]) -> Option<(&[u8], &[u8])> {
    let inside = line.trim_ascii().strip_prefix(b"[")?.strip_suffix(b"]")?;
    let (name, value) = inside.split_at(inside.iter().position(|byte| *byte == b' ')?);
    roster_number(name)?;
    Some((name, value.trim_ascii()))
}

/// Returns name and value of the line of a roster tag that lacks its first bracket:
/// `Event "Hastings"]`.
pub(super) fn without_bracket(line: &[u8]) -> Option<(&[u8], &[u8])> {
    let inside = line.trim_ascii().strip_suffix(b"\"]")?;
    let (name, value) = inside.split_at(inside.iter().position(|byte| *byte == b'"')?);
    let name = name.trim_ascii();
    roster_number(name)?;
    Some((name, &value[1..]))
}

/// Returns the length of the second line of a value that its first line does not close.
///
/// The second line must have one quote, which a bracket follows.
fn continued_length(rest: &[u8], below: &[u8]) -> Option<usize> {
    let cut_short = matches!(rest.trim_ascii_end().last(), Some(b'"' | b']'));
    let line = below.split(|byte| *byte == b'\n').next()?;
    let quote = line.iter().position(|byte| *byte == b'"')?;
    let closes = line[quote + 1..].trim_ascii() == b"]";
    (closes && !cut_short && line.first() != Some(&b'[')).then_some(quote)
}

/// Moves to a position, and past the line feed there if there is one.
fn next_line(cursor: &mut Cursor<'_>, end: usize) {
    cursor.at = end;
    if cursor.byte() == Some(b'\n') {
        cursor.at += 1;
        cursor.lines += 1;
    }
}

/// The end of a value.
struct ClosingQuote {
    /// Position of the quote that ends the value.
    quote: usize,
    /// Position after the bracket.
    behind: usize,
    /// Whether the value contains quotes that should have been escaped.
    unescaped: bool,
}

/// Returns the first quote that a bracket follows.
fn closing(rest: &[u8]) -> Option<ClosingQuote> {
    let mut unescaped = false;
    let mut place = 0;
    while place < rest.len() {
        match rest[place] {
            b'\\' => place += 1,
            b'"' => {
                let blanks = rest[place + 1..].iter().take_while(|byte| **byte == b' ').count();
                if rest.get(place + 1 + blanks) == Some(&b']') {
                    return Some(ClosingQuote {
                        quote: place,
                        behind: place + blanks + 2,
                        unescaped,
                    });
                }
                unescaped = true;
            }
            _ => {}
        }
        place += 1;
    }
    None
}

fn is_raw(value: &[u8]) -> bool {
    value.len() > LONGEST_VALUE || value.iter().any(|byte| matches!(byte, b'\\' | 0 | b'\n'))
}

/// Returns whether a tag may have this name.
pub(super) fn is_name(name: &[u8]) -> bool {
    !name.is_empty() && name.iter().all(|byte| byte.is_ascii_alphanumeric() || *byte == b'_')
}

/// Returns a value without escapes and NUL bytes. Reports a value that is too long.
pub(super) fn cleaned(cursor: &mut Cursor<'_>, line: u32, name: &[u8], value: &[u8]) -> Vec<u8> {
    if value.len() > LONGEST_VALUE {
        let message = format!(
            "the {} tag is {} bytes long; only {LONGEST_VALUE} bytes are kept",
            shown(name),
            value.len()
        );
        cursor.push(Finding::warning(line, DiagnosticKind::LongTag, message));
    }
    let nul = value.iter().filter(|byte| **byte == 0).count();
    cursor.count_nul(nul as u64, line);
    let mut plain = Vec::with_capacity(value.len());
    let mut bytes = value.iter().copied().filter(|byte| *byte != 0).peekable();
    while let Some(byte) = bytes.next() {
        match (byte, bytes.peek()) {
            (b'\\', Some(b'"' | b'\\')) => plain.extend(bytes.next()),
            (b'\r', Some(b'\n')) => {}
            (b'\n', _) => plain.push(b' '),
            _ => plain.push(byte),
        }
    }
    plain
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pgn::masks::Portable;

    /// Name and value of the tag, the text after it, and the kinds of the findings.
    fn tag(text: &str) -> (Option<(String, String)>, &str, Vec<DiagnosticKind>) {
        let mut cursor = Cursor::new(text.as_bytes());
        let tag = read::<Portable>(&mut cursor);
        let behind = &text[cursor.at..];
        let tag = tag.map(|tag| {
            let value = cleaned(&mut cursor, 1, tag.name, tag.value);
            let [name, value] = [tag.name, &value].map(String::from_utf8_lossy);
            (name.into_owned(), value.into_owned())
        });
        let kinds = cursor.findings.iter().map(|finding| finding.kind).collect();
        (tag, behind, kinds)
    }

    fn value(text: &str) -> String {
        tag(text).0.unwrap().1
    }

    #[test]
    fn a_tag_is_a_name_and_a_value() {
        let expected = Some(("White".to_owned(), "Tal, Mihail".to_owned()));
        for text in [
            "[White \"Tal, Mihail\"]\nrest",
            "[White \"Tal, Mihail\"]\r\nrest",
            "[White  \"Tal, Mihail\"]  \nrest",
            "[ White\t\"Tal, Mihail\" ]\nrest",
        ] {
            assert_eq!(tag(text), (expected.clone(), "rest", vec![]), "{text}");
        }
        assert_eq!(tag("[White \"Tal, Mihail\"]"), (expected, "", vec![]));
    }

    #[test]
    fn escapes_are_resolved() {
        assert_eq!(value(r#"[White "Joe \"Fish\" B\\"]"#), r#"Joe "Fish" B\"#);
        assert_eq!(value(r#"[White "C:\chess"]"#), r"C:\chess");
    }

    #[test]
    fn quotes_that_are_not_escaped_are_kept_and_reported() {
        for (text, expected) in [
            (r#"[White "Joe "Fish" B"]"#, r#"Joe "Fish" B"#),
            (r#"[White "He said "hi"] once"]"#, r#"He said "hi"] once"#),
        ] {
            let (found, _, kinds) = tag(text);
            assert_eq!(found.unwrap().1, expected);
            assert_eq!(kinds, [DiagnosticKind::UnescapedQuote]);
        }
    }

    #[test]
    fn tags_that_are_not_closed_keep_their_value() {
        for text in ["[White \"Tal\n[Black", "[White \"Tal]\n[Black", "[White \"Tal\"\n[Black"] {
            let (found, behind, kinds) = tag(text);
            assert_eq!(found.unwrap().1, "Tal", "{text}");
            assert_eq!((behind, kinds), ("[Black", vec![DiagnosticKind::BrokenTag]));
        }
    }

    #[test]
    fn a_value_may_continue_on_the_next_line() {
        for text in ["[White \"Tal,\nMihail\"]\nrest", "[White \"Tal,\r\nMihail\" ]\r\nrest"] {
            let (found, behind, kinds) = tag(text);
            assert_eq!(found.unwrap().1, "Tal, Mihail", "{text}");
            assert_eq!((behind, kinds), ("rest", vec![DiagnosticKind::BrokenTag]));
        }
        // The line below is another tag.
        assert_eq!(tag("[White \"Tal\n[Black \"Keres\"]\n").1, "[Black \"Keres\"]\n");
        assert_eq!(tag("[White \"Tal\nsays \"hi\" there\"]\n").0.unwrap().1, "Tal");
    }

    #[test]
    fn a_line_that_is_not_a_tag_is_skipped_and_reported() {
        assert_eq!(tag("[so it goes]\nrest"), (None, "rest", vec![DiagnosticKind::BrokenTag]));
    }

    #[test]
    fn a_tag_without_quotes_is_read_and_reported() {
        let (found, behind, kinds) = tag("[White Tal, Mihail]\nrest");
        assert_eq!(found.unwrap().1, "Tal, Mihail");
        assert_eq!((behind, kinds), ("rest", vec![DiagnosticKind::BrokenTag]));
    }

    #[test]
    fn several_tags_may_share_a_line() {
        assert_eq!(tag("[White \"A\"] [Black \"B\"]\n").1, "[Black \"B\"]\n");
        assert_eq!(tag("[White \"A\"] 1.e4").1, "1.e4");
    }

    #[test]
    fn a_value_that_is_too_long_is_reported() {
        let (found, _, kinds) = tag(&format!("[White \"{}\"]\n", "x".repeat(100_000)));
        assert_eq!(found.unwrap().1.len(), 100_000);
        assert_eq!(kinds, [DiagnosticKind::LongTag]);
    }
}
