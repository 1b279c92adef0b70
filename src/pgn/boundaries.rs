//! Where games begin.

use memchr::memchr_iter;

/// A game's text and the line it begins on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GameText<'a> {
    /// Line number of the first line, from 1.
    pub line: u32,
    /// The text up to the next game.
    pub text: &'a str,
}

/// Cuts a text into games.
///
/// A game begins at a tag line (`[Name "`) after moves, or at an `[Event "` line anywhere: a
/// comment that was never closed ends there too. Text before the first tag line belongs to the
/// first game.
pub fn games(text: &str) -> impl Iterator<Item = GameText<'_>> {
    let bytes = text.as_bytes();
    let mut starts: Vec<(usize, u32)> = Vec::new();
    let mut begin = 0;
    let mut after_moves = true;
    let mut event_seen = false;
    let mut in_comment = false;
    let ends = memchr_iter(b'\n', bytes).chain(std::iter::once(bytes.len()));
    for (number, end) in (1u32..).zip(ends) {
        let line = &bytes[begin..end];
        if is_tag(line) && (!in_comment || is_event(line)) {
            let event = is_event(line);
            if after_moves || (event && event_seen) {
                starts.push((begin, number));
                event_seen = false;
                in_comment = false;
            }
            event_seen |= event;
            after_moves = false;
        } else if line.iter().any(|byte| !byte.is_ascii_whitespace()) {
            after_moves = true;
            in_comment = comment_open(line, in_comment);
        }
        begin = end + 1;
    }
    let after: Vec<usize> =
        starts.iter().skip(1).map(|(start, _)| *start).chain([bytes.len()]).collect();
    starts
        .into_iter()
        .zip(after)
        .map(|((start, line), end)| GameText { line, text: &text[start..end] })
}

/// Whether a line is `[Name "...`.
fn is_tag(line: &[u8]) -> bool {
    let Some(rest) = line.strip_prefix(b"[") else { return false };
    let name =
        rest.iter().take_while(|byte| byte.is_ascii_alphanumeric() || **byte == b'_').count();
    name > 0 && rest[name..].trim_ascii_start().starts_with(b"\"")
}

fn is_event(line: &[u8]) -> bool {
    line.strip_prefix(b"[Event").is_some_and(|rest| rest.trim_ascii_start().starts_with(b"\""))
}

/// Whether a brace comment is open at the end of a line of moves.
fn comment_open(line: &[u8], mut open: bool) -> bool {
    for byte in line {
        match byte {
            b'{' => open = true,
            b'}' => open = false,
            b';' if !open => return false,
            _ => {}
        }
    }
    open
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(text: &str) -> Vec<u32> {
        games(text).map(|game| game.line).collect()
    }

    #[test]
    fn games_begin_at_tags_after_moves() {
        let text = "[Event \"A\"]\n[White \"X\"]\n\n1.e4 1-0\n\n[Event \"B\"]\n\n1.d4 *\n";
        assert_eq!(lines(text), [1, 6]);
        assert_eq!(games(text).nth(1).map(|game| game.text), Some("[Event \"B\"]\n\n1.d4 *\n"));
    }

    #[test]
    fn games_without_moves_are_told_by_their_event_tags() {
        assert_eq!(lines("[Event \"A\"]\n[Result \"1-0\"]\n[Event \"B\"]\n[Result \"*\"]"), [1, 3]);
    }

    #[test]
    fn a_tag_in_a_comment_begins_nothing() {
        let text = "[Event \"A\"]\n\n1.e4 { see\n[White \"X\"]\n} e5 1-0\n\n[Event \"B\"]\n\n*\n";
        assert_eq!(lines(text), [1, 7]);
    }

    #[test]
    fn a_comment_that_is_never_closed_costs_no_neighbour() {
        assert_eq!(lines("[Event \"A\"]\n\n1.e4 { oh\n\n[Event \"B\"]\n\n1.d4 *\n"), [1, 5]);
    }

    #[test]
    fn blank_lines_in_the_moves_do_not_split_a_game() {
        assert_eq!(lines("[Event \"A\"]\n\n1.e4\n\n\ne5 1-0\n"), [1]);
    }

    #[test]
    fn a_text_without_tags_has_no_games() {
        assert!(lines("just words\nand more\n").is_empty());
        assert!(lines("").is_empty());
    }
}
