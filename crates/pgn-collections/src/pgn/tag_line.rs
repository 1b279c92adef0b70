//! One tag: `[Name "value"]`.

use super::cursor::{Cursor, roster_number, shown, tag_name};
use super::finding::Finding;
use super::masks::{BLOCK, Classify};
use crate::source::DiagnosticKind;

/// A tag whose value is longer than this (bytes) is told: nothing is called that.
pub(super) const LONGEST_VALUE: usize = crate::games::LONGEST_NAME;

/// A tag.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct TagPair<'a> {
    /// Its name.
    pub name: &'a [u8],
    /// Its value as it is written.
    pub value: &'a [u8],
    /// Whether there are escapes or NUL bytes in it, or more than anybody needs: then [`cleaned`]
    /// gives what is meant.
    pub raw: bool,
    /// Whether the line, and with it the tag, was cut off by the end of the text.
    pub open: bool,
}

/// Reads the tag that begins at the bracket here, and goes behind it: to the next line, where nothing
/// else is on this one. `None` where it is no tag; then its line is passed over.
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

/// The same for any line.
#[cold]
#[inline(never)]
pub(super) fn read_slowly<'a>(cursor: &mut Cursor<'a>) -> Option<TagPair<'a>> {
    let bytes = cursor.bytes;
    let end = cursor.line_end();
    let line = &bytes[cursor.at..end];
    let Some(name) = tag_name(line) else {
        if let Some((name, value)) = without_quotes(line) {
            let message = format!("the tag {} has no quotes", shown(name));
            cursor.warn(DiagnosticKind::BrokenTag, message);
            next_line(cursor, end);
            return Some(TagPair { name, value, raw: is_raw(value), open: false });
        }
        let message = format!("\"{}\" is no tag, and is left out", shown(line));
        cursor.warn(DiagnosticKind::BrokenTag, message);
        next_line(cursor, end);
        return None;
    };
    let opening = line.iter().position(|byte| *byte == b'"').unwrap_or(0);
    let rest = &line[opening + 1..];
    let Some(mut close) = closing(rest) else {
        if let Some(length) = goes_on_below(rest, bytes.get(end + 1..).unwrap_or_default()) {
            let message = format!("the tag {} goes on in the next line", shown(name));
            cursor.warn(DiagnosticKind::BrokenTag, message);
            let start = cursor.at + opening + 1;
            let below = end + 1 + length;
            let value = &bytes[start..below];
            let end = below + bytes[below..].iter().take_while(|byte| **byte != b'\n').count();
            cursor.go_to(end);
            next_line(cursor, end);
            return Some(TagPair { name, value, raw: true, open: false });
        }
        let message = format!("the tag {} is not closed", shown(name));
        cursor.warn(DiagnosticKind::BrokenTag, message);
        let value = rest.trim_ascii_end();
        let value = value.strip_suffix(b"]").unwrap_or(value);
        let value = value.strip_suffix(b"\"").unwrap_or(value);
        let raw = is_raw(value);
        let open = end == bytes.len();
        next_line(cursor, end);
        return Some(TagPair { name, value, raw, open });
    };
    // A name with quotes and brackets of its own may seem to end early: then it is the end of the
    // line that counts, unless another tag follows on it.
    // (Looked for first, because it is near where there are many tags on a line.)
    let behind = &rest[close.behind..];
    if !behind.contains(&b'[') && behind.trim_ascii().ends_with(b"\"]") {
        let quote = rest.len() - rest.iter().rev().position(|byte| *byte == b'"').unwrap_or(0) - 1;
        close = ClosingQuote { quote, behind: rest.len(), unescaped: true };
    }
    if close.unescaped {
        let message = format!("quotes inside of the tag {}: they are written \\\"", shown(name));
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

/// Name and value of a line like `[White Tal, Mihail]`, where it is a tag of the roster.
fn without_quotes(line: &[u8]) -> Option<(&[u8], &[u8])> {
    let inside = line.trim_ascii().strip_prefix(b"[")?.strip_suffix(b"]")?;
    let (name, value) = inside.split_at(inside.iter().position(|byte| *byte == b' ')?);
    roster_number(name)?;
    Some((name, value.trim_ascii()))
}

/// Where on the line below a value ends that its own line does not close: before the one quote there, with a bracket behind
/// it.
fn goes_on_below(rest: &[u8], below: &[u8]) -> Option<usize> {
    let cut_short = matches!(rest.trim_ascii_end().last(), Some(b'"' | b']'));
    let line = below.split(|byte| *byte == b'\n').next()?;
    let quote = line.iter().position(|byte| *byte == b'"')?;
    let closes = line[quote + 1..].trim_ascii() == b"]";
    (closes && !cut_short && line.first() != Some(&b'[')).then_some(quote)
}

/// Passes the line feed at a place, if there is one.
fn next_line(cursor: &mut Cursor<'_>, end: usize) {
    cursor.at = end;
    if cursor.byte() == Some(b'\n') {
        cursor.at += 1;
        cursor.lines += 1;
    }
}

/// Where a value ends.
struct ClosingQuote {
    /// The quote that ends it.
    quote: usize,
    /// Behind the bracket.
    behind: usize,
    /// Whether quotes before should have been escaped.
    unescaped: bool,
}

/// The first quote with a bracket behind it.
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

/// Whether a tag may have this name.
pub(super) fn is_name(name: &[u8]) -> bool {
    !name.is_empty() && name.iter().all(|byte| byte.is_ascii_alphanumeric() || *byte == b'_')
}

/// A value as it is meant: without escapes and NUL bytes; one that is too long is told.
pub(super) fn cleaned(cursor: &mut Cursor<'_>, line: u32, name: &[u8], value: &[u8]) -> Vec<u8> {
    if value.len() > LONGEST_VALUE {
        let message = format!(
            "the tag {} is {} bytes long; {LONGEST_VALUE} of them are kept",
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

    /// Name and value, what stands behind, and what was told.
    fn tag(text: &str) -> (Option<(String, String)>, &str, Vec<DiagnosticKind>) {
        let mut cursor = Cursor::new(text.as_bytes());
        let tag = read::<Portable>(&mut cursor);
        let text_of = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        let behind = &text[cursor.at..];
        let tag = tag.map(|tag| (tag.name, cleaned(&mut cursor, 1, tag.name, tag.value)));
        let kinds = cursor.findings.iter().map(|finding| finding.kind).collect();
        (tag.map(|(name, value)| (text_of(name), text_of(&value))), behind, kinds)
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
    fn escapes_are_taken_off() {
        assert_eq!(value(r#"[White "Joe \"Fish\" B\\"]"#), r#"Joe "Fish" B\"#);
        assert_eq!(value(r#"[White "C:\chess"]"#), r"C:\chess");
    }

    #[test]
    fn quotes_that_were_not_escaped_are_kept_and_told() {
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
    fn tags_that_are_not_closed_give_what_they_have() {
        for text in ["[White \"Tal\n[Black", "[White \"Tal]\n[Black", "[White \"Tal\"\n[Black"] {
            let (found, behind, kinds) = tag(text);
            assert_eq!(found.unwrap().1, "Tal", "{text}");
            assert_eq!((behind, kinds), ("[Black", vec![DiagnosticKind::BrokenTag]));
        }
    }

    #[test]
    fn a_value_over_two_lines_is_one() {
        for text in ["[White \"Tal,\nMihail\"]\nrest", "[White \"Tal,\r\nMihail\" ]\r\nrest"] {
            let (found, behind, kinds) = tag(text);
            assert_eq!(found.unwrap().1, "Tal, Mihail", "{text}");
            assert_eq!((behind, kinds), ("rest", vec![DiagnosticKind::BrokenTag]));
        }
        // What is below is a tag of its own.
        assert_eq!(tag("[White \"Tal\n[Black \"Keres\"]\n").1, "[Black \"Keres\"]\n");
        assert_eq!(tag("[White \"Tal\nsays \"hi\" there\"]\n").0.unwrap().1, "Tal");
    }

    #[test]
    fn what_is_no_tag_is_passed_over_and_told() {
        assert_eq!(tag("[so it goes]\nrest"), (None, "rest", vec![DiagnosticKind::BrokenTag]));
    }

    #[test]
    fn a_tag_without_quotes_is_taken_and_told() {
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
    fn a_value_without_end_is_told() {
        let (found, _, kinds) = tag(&format!("[White \"{}\"]\n", "x".repeat(100_000)));
        assert_eq!(found.unwrap().1.len(), 100_000);
        assert_eq!(kinds, [DiagnosticKind::LongTag]);
    }
}
