//! Reads movetext: the number of moves, their fingerprint, the result, and where the next game
//! begins.
//!
//! Moves are not decoded. The reader classifies 64 bytes at a time ([`super::masks`]) and finds the
//! words in the masks. All words of a block that are moves enter the fingerprint together.

use memchr::{memchr_iter, memchr2, memmem, memrchr};

use super::clocks::Clocks;
use super::cursor::{
    Cursor, begins_line, begins_line_indented, is_event, roster_number, shown, tag_name,
};
use super::fingerprint::Fingerprint;
use super::masks::{BLOCK, Classify};
use super::tag_line;
use crate::games::GameResult;
use crate::source::{BYTE_ORDER_MARK, DiagnosticKind, Finding, decode};

/// Deepest nesting of variations that is not reported. Judged: annotators nest fewer than ten.
const DEEPEST_VARIATION: u32 = 100;

/// Most half-moves of a game that are not reported.
///
/// The longest tournament game had 538 half-moves (Nikolic - Arsovic, Belgrade 1989).
const LONGEST_GAME: u32 = 1200;

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct MovetextSummary {
    /// Number of half-moves.
    pub plies: u32,
    /// Hash of the moves in their order, without pieces, numbers, comments, variations, checks and
    /// annotations. It is the same on every machine.
    pub fingerprint: u64,
    /// Trace of the moves, by which similar games are found (see [`Fingerprint::finish`]).
    pub trace: u64,
    /// Result at the end of the moves, if there is one.
    pub result: Option<GameResult>,
    /// Whether a comment or the text after the result states that the game was not played.
    pub unplayed: bool,
    /// Whether a piece was dropped on the board, as in crazyhouse (`N@f5`).
    pub has_drop: bool,
    /// The clocks in the comments.
    pub clocks: Clocks,
    /// Whether the text ended within a comment or a variation.
    pub open: bool,
    /// Whether a blank line preceded the current position.
    blank_line: bool,
    reported: ReportedOnce,
}

/// Which findings of a game were reported already. Each is reported once per game.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct ReportedOnce {
    blank_line: bool,
    unknown_move: bool,
    text_after: bool,
    unbalanced: bool,
}

/// Reads movetext up to the next game, or to the end.
#[inline(always)]
pub(super) fn read<C: Classify>(
    cursor: &mut Cursor<'_>,
    sans: &mut Fingerprint,
) -> MovetextSummary {
    let start = cursor.at;
    let mut moves = MovetextSummary::default();
    let mut goes_on = true;
    while goes_on && moves.result.is_none() && cursor.at < cursor.bytes.len() {
        goes_on = block::<C>(cursor, &mut moves, sans);
    }
    if goes_on && moves.result.is_some() {
        after_result(cursor, &mut moves);
    }
    if moves.result.is_none() {
        result_in_another_spelling(cursor, start, &mut moves);
    }
    if moves.plies > LONGEST_GAME {
        too_long(cursor, moves.plies);
    }
    (moves.fingerprint, moves.trace) = sans.finish();
    moves
}

/// Reads a result at the end of the moves that the standard does not have: `1:0`, `0.5 - 0.5`.
///
/// Its parts look like numbers and signs among the moves. After moves, `0-0` remains castling and
/// `+/-` an evaluation.
#[cold]
fn result_in_another_spelling(cursor: &Cursor<'_>, start: usize, moves: &mut MovetextSummary) {
    let mut text = cursor.bytes[start..cursor.at].trim_ascii_end();
    while let Some(opened) = text.strip_suffix(b"}").and_then(|text| memrchr(b'{', text)) {
        text = text[..opened].trim_ascii_end();
    }
    let line = memrchr(b'\n', text).map_or(text, |end| &text[end + 1..]);
    if line.contains(&b';') {
        return;
    }
    // A result may have spaces between its signs: `1 - 0 F`.
    let begins_word = |place: &usize| *place == 0 || line[place - 1].is_ascii_whitespace();
    let earliest = line.len().saturating_sub(LONGEST_RESULT);
    for start in (earliest..line.len()).rev().filter(begins_word).take(4) {
        let word = &line[start..];
        let Some((result, unplayed)) = result_of(word) else { continue };
        let is_castling = word == b"0-0";
        let is_evaluation = word.iter().all(|byte| b"+-/: ".contains(byte));
        let has_moves = moves.plies > u32::from(is_castling);
        if !has_moves || !is_castling && !is_evaluation {
            moves.result = Some(result);
            moves.unplayed |= unplayed;
            return;
        }
    }
}

/// Longest result among the moves (bytes): `½–½` with two bytes for each half, and some more.
const LONGEST_RESULT: usize = 16;

/// Returns the end of a text after its last white space.
fn last_word(text: &[u8]) -> &[u8] {
    let text = &text[text.len().saturating_sub(LONGEST_RESULT)..];
    let before = text.iter().rposition(u8::is_ascii_whitespace);
    &text[before.map_or(0, |before| before + 1)..]
}

/// Returns the beginning of a text before white space, a comment or a tag.
fn first_word(text: &[u8]) -> &[u8] {
    let text = &text[..text.len().min(LONGEST_RESULT)];
    let end = text.iter().position(|byte| byte.is_ascii_whitespace() || b"{[(;".contains(byte));
    &text[..end.unwrap_or(text.len())]
}

/// Parses a word among the moves as a result.
fn result_of(word: &[u8]) -> Option<(GameResult, bool)> {
    GameResult::parse(&decode(word).0)
}

/// Returns whether a word at a place is a part of a result, or of an evaluation like one. There may
/// be spaces between the parts: `1 - 0 ff`.
fn is_of_result(bytes: &[u8], place: usize, word: &[u8]) -> bool {
    let before = last_word(&bytes[..place]);
    let is_within = result_of(first_word(&bytes[place - before.len()..])).is_some();
    is_within || word == b"-" || completes_result("1-0", word).is_some_and(|(_, unplayed)| unplayed)
}

/// Parses the result that a text completes: ` (ff)` after `1-0`, or `- 1/2` after `1/2`.
fn completes_result(points: &str, text: &[u8]) -> Option<(GameResult, bool)> {
    GameResult::parse(&format!("{points}{}", decode(text).0))
}

#[cold]
fn too_long(cursor: &mut Cursor<'_>, plies: u32) {
    let message = format!("{plies} half-moves; no tournament game had more than 538");
    cursor.warn(DiagnosticKind::LongGame, message);
}

/// Returns a mask of all bits below a place.
#[inline(always)]
fn below(place: u32) -> u64 {
    if place >= 64 { !0 } else { (1 << place) - 1 }
}

/// Reads up to 64 bytes. Returns whether the game continues.
#[inline(always)]
fn block<C: Classify>(
    cursor: &mut Cursor<'_>,
    moves: &mut MovetextSummary,
    sans: &mut Fingerprint,
) -> bool {
    let mut last = [0; BLOCK];
    let block = cursor.block(&mut last);
    let masks = C::moves(block);
    let there = (cursor.bytes.len() - cursor.at).min(BLOCK) as u32;
    let special = masks.special & below(there);
    let mut stop = if special == 0 { there } else { special.trailing_zeros() };
    let mut token = masks.token & below(stop);
    let mut starts = token & !(token << 1);
    if stop == 64 && token >> 63 == 1 {
        // A token that may continue after the block becomes the first of the next block.
        let last = 63 - starts.leading_zeros();
        if last == 0 {
            endless_word(cursor, moves);
            return true;
        }
        stop = last;
        token &= below(stop);
        starts &= below(stop);
    }
    let digits = masks.digit & below(stop);
    // Adding its first bit to a run of digits carries to the bit after the run. A number is odd if
    // a token continues there.
    let behind_number = (starts & digits).wrapping_add(digits) & !digits;
    let last = token & !(token >> 1);
    let odd = behind_number & token
        | last & !(digits | masks.upper)
        | last & starts & masks.upper
        | masks.equals & token
        | starts & !(masks.letter | digits);
    let mut heads = starts & masks.letter;
    // Words that are not plain moves or numbers are examined singly. The moves before them are
    // added together.
    let mut odd = odd;
    while odd != 0 {
        let until = odd.trailing_zeros();
        let start = 63 - (starts & below(until + 1)).leading_zeros();
        let length = (!(token >> start)).trailing_zeros();
        add_moves::<C>(moves, sans, block, (token, masks.upper), heads & below(start));
        word(cursor, moves, sans, start, length);
        if moves.result.is_some() {
            stop = start + length;
            heads = 0;
            break;
        }
        heads &= !below(start + length);
        odd &= !below(start + length);
    }
    add_moves::<C>(moves, sans, block, (token, masks.upper), heads);
    let newline = masks.newline & below(stop);
    let starts = starts & below(stop);
    if starts != 0 && moves.blank_line && !moves.reported.blank_line {
        blank_line_in_moves(cursor, moves, 0);
    }
    let blank = newline & (newline << 1 | newline << 2 | line_feeds_before(cursor));
    if blank != 0 {
        blank_lines(cursor, moves, block, newline, starts);
    }
    cursor.lines += newline.count_ones();
    cursor.at += stop as usize;
    if special != 0 && stop == special.trailing_zeros() && moves.result.is_none() {
        return special_byte(cursor, moves, sans);
    }
    true
}

/// Adds the moves that begin at the places `heads` of a block, without the letters of the pieces,
/// which differ between languages.
#[inline(always)]
fn add_moves<C: Classify>(
    moves: &mut MovetextSummary,
    sans: &mut Fingerprint,
    block: &[u8; BLOCK],
    (token, upper): (u64, u64),
    heads: u64,
) {
    moves.plies += heads.count_ones();
    // The carry shows where the moves end. The difference of end and head sets all bits between.
    let ends = heads.wrapping_add(token) & !token;
    sans.add_block::<C>(block, ends.wrapping_sub(heads) & !upper);
}

/// Returns a mask of the line feeds that may end a blank line, because a line feed is among the two
/// bytes before the block.
#[inline(always)]
fn line_feeds_before(cursor: &Cursor<'_>) -> u64 {
    let last = u64::from(cursor.at >= 1 && cursor.bytes[cursor.at - 1] == b'\n');
    let last_but_one = u64::from(cursor.at >= 2 && cursor.bytes[cursor.at - 2] == b'\n');
    (last * 0b11) | last_but_one
}

/// Examines lines that may be blank.
#[cold]
fn blank_lines(
    cursor: &mut Cursor<'_>,
    moves: &mut MovetextSummary,
    bytes: &[u8; BLOCK],
    newline: u64,
    starts: u64,
) {
    let mut rest = newline;
    while rest != 0 {
        let place = rest.trailing_zeros() as usize;
        rest &= rest - 1;
        let before = bytes[..place].iter().rev();
        let before = before.chain(cursor.bytes[..cursor.at].iter().rev());
        let line = before.take_while(|byte| **byte != b'\n').take(2);
        if line.clone().count() < 2 && line.clone().all(|byte| matches!(byte, b' ' | b'\t' | b'\r'))
        {
            moves.blank_line = true;
            if starts & !below(place as u32) != 0 && !moves.reported.blank_line {
                blank_line_in_moves(cursor, moves, place);
            }
        }
    }
}

#[cold]
fn blank_line_in_moves(cursor: &mut Cursor<'_>, moves: &mut MovetextSummary, place: usize) {
    moves.reported.blank_line = true;
    let message = "a blank line within the moves; the moves continue after it";
    cursor.warn_at(cursor.at + place, DiagnosticKind::BlankLine, message);
}

/// Skips a word that is longer than a block. It cannot be a move.
#[cold]
fn endless_word(cursor: &mut Cursor<'_>, moves: &mut MovetextSummary) {
    let rest = &cursor.bytes[cursor.at..];
    let end = rest
        .iter()
        .position(|byte| !byte.is_ascii_alphanumeric() && !b"-/=".contains(byte))
        .unwrap_or(rest.len());
    unknown(cursor, moves, cursor.at, &rest[..end]);
    cursor.at += end;
}

fn unknown(cursor: &mut Cursor<'_>, moves: &mut MovetextSummary, place: usize, word: &[u8]) {
    if !moves.reported.unknown_move && !is_of_result(cursor.bytes, place, word) {
        moves.reported.unknown_move = true;
        let message = format!("\"{}\" among the moves is not a move; left out", shown(word));
        cursor.warn_at(place, DiagnosticKind::UnknownMove, message);
    }
}

/// Reads a token that is not a plain move or number.
#[cold]
fn word(
    cursor: &mut Cursor<'_>,
    moves: &mut MovetextSummary,
    sans: &mut Fingerprint,
    start: u32,
    length: u32,
) {
    let start = cursor.at + start as usize;
    let bytes = cursor.bytes;
    let word = &bytes[start..start + length as usize];
    // `N@f5`: the square is read as a move.
    if length == 1 && is_drop(&bytes[start..]) {
        moves.has_drop = true;
        return;
    }
    match word {
        b"1-0" => moves.result = Some(GameResult::White),
        b"0-1" => moves.result = Some(GameResult::Black),
        // `1/2:1/2` and `1/2–1/2` are read at the end of the moves.
        b"1/2-1/2" | b"1/2"
            if bytes
                .get(start + word.len())
                .is_none_or(|next| *next != b':' && next.is_ascii()) =>
        {
            moves.result = Some(GameResult::Draw);
        }
        b"0-0" => add_san(moves, sans, b"O-O"),
        b"0-0-0" => add_san(moves, sans, b"O-O-O"),
        // The result of a forfeit.
        b"1-0F" | b"0-1F" => {
            let is_white = word[0] == b'1';
            moves.result = Some(if is_white { GameResult::White } else { GameResult::Black });
            moves.unplayed = true;
        }
        // Signs of ChessBase for a novelty and a diagram.
        b"N" | b"D" => {}
        // A null move of analysis counts as a half-move, and `+--` is an evaluation.
        b"--" if start == 0 || bytes[start - 1] != b'+' => add_san(moves, sans, b"--"),
        // Parts of `e.p.`, as in `exd6e.p.`.
        b"e" | b"p" | b"ep" => {}
        // Evaluations: `=`, or parts of `+=`, `+/-` and `-+`.
        sign if is_evaluation(bytes, start, sign) => {}
        _ => {
            let digits = word.iter().take_while(|byte| byte.is_ascii_digit()).count();
            // The evaluation may be joined to the move: `Nf3-+`.
            let end = word.iter().rposition(|byte| !b"-/=".contains(byte)).map_or(0, |end| end + 1);
            let plain: Vec<u8> =
                word[digits.min(end)..end].iter().copied().filter(|byte| *byte != b'=').collect();
            let before_ep = plain.strip_suffix(b"ep").or_else(|| plain.strip_suffix(b"e"));
            match before_ep.filter(|san| is_san(san)).unwrap_or(&plain) {
                san if is_san(san) => add_san(moves, sans, san),
                _ => unknown(cursor, moves, start, word),
            }
        }
    }
}

/// Returns whether a word of signs at a place is an evaluation or a part of one. A plus is no part
/// of a word.
fn is_evaluation(bytes: &[u8], start: usize, sign: &[u8]) -> bool {
    let before = start.checked_sub(1).and_then(|place| bytes.get(place));
    let has_plus = before == Some(&b'+') || bytes.get(start + sign.len()) == Some(&b'+');
    sign.iter().all(|byte| b"=/-".contains(byte)) && (has_plus || sign.contains(&b'='))
}

/// Returns whether a text begins with a piece that is dropped on a square (`N@f5`).
fn is_drop(text: &[u8]) -> bool {
    matches!(text, [piece, b'@', b'a'..=b'h', b'1'..=b'8', ..] if b"PNBRQpnbrq".contains(piece))
}

/// Adds a half-move that was not read by the fast path.
fn add_san(moves: &mut MovetextSummary, sans: &mut Fingerprint, san: &[u8]) {
    moves.plies += 1;
    sans.add(san);
}

/// Returns whether a word without annotations has the form of a move.
///
/// A move is castling, or a piece by its letter in any language, an origin, a capture sign, a
/// target square and a promotion, of which only the target is required.
fn is_san(san: &[u8]) -> bool {
    if matches!(san, b"O-O" | b"O-O-O") {
        return true;
    }
    let (piece, rest) = match san.split_first() {
        Some((b'A'..=b'Z', rest)) => (true, rest),
        _ => (false, san),
    };
    let is_promoted = !piece && matches!(rest.last(), Some(b'A'..=b'Z'));
    let rest = if is_promoted { &rest[..rest.len() - 1] } else { rest };
    let Some((from, [b'a'..=b'h', b'1'..=b'8'])) = rest.split_last_chunk::<2>() else {
        return false;
    };
    let from = from.strip_suffix(b"x").or_else(|| from.strip_suffix(b"-")).unwrap_or(from);
    matches!(from, [] | [b'a'..=b'h'] | [b'1'..=b'8'] | [b'a'..=b'h', b'1'..=b'8'])
}

/// Reads a special byte at the cursor. Returns whether the game continues.
#[inline(never)]
fn special_byte(
    cursor: &mut Cursor<'_>,
    moves: &mut MovetextSummary,
    sans: &mut Fingerprint,
) -> bool {
    match cursor.byte() {
        Some(b'{') => return comment(cursor, moves),
        Some(b'(') => return variation(cursor, moves),
        Some(b'*') => {
            moves.result = Some(GameResult::Unknown);
            cursor.at += 1;
        }
        Some(b'[') if is_next_game(cursor) => return false,
        Some(b';') => cursor.go_to_line_end(),
        Some(b'%') if cursor.at_line_start() => cursor.go_to_line_end(),
        Some(b'$' | b'%') | None => cursor.at += 1,
        Some(0) => {
            cursor.count_nul(1, cursor.line());
            cursor.at += 1;
        }
        Some(byte @ (b'[' | b']' | b'}' | b')')) => {
            if !moves.reported.unbalanced {
                moves.reported.unbalanced = true;
                let message = format!("this \"{}\" has no opening counterpart", char::from(byte));
                cursor.warn(DiagnosticKind::Unbalanced, message);
            }
            cursor.at += 1;
        }
        Some(_) => beyond_ascii(cursor, moves, sans),
    }
    true
}

/// Returns whether the bracket at the cursor begins the next game: a tag at the beginning of a
/// line, or an Event tag anywhere.
fn is_next_game(cursor: &Cursor<'_>) -> bool {
    tag_name(&cursor.bytes[cursor.at..])
        .is_some_and(|name| is_event(name) || begins_line_indented(cursor.bytes, cursor.at))
}

/// Returns whether a text begins with a tag of the roster. After a result such a tag begins the
/// next game, even within a line.
fn is_roster_tag(bytes: &[u8]) -> bool {
    tag_name(bytes).and_then(roster_number).is_some()
}

/// Reads a word that begins beyond ASCII: a draw (`½-½`), a figurine, or a word among the moves.
#[cold]
fn beyond_ascii(cursor: &mut Cursor<'_>, moves: &mut MovetextSummary, sans: &mut Fingerprint) {
    let rest = &cursor.bytes[cursor.at..];
    // The sign in UTF-8 and in Windows-1252.
    for sign in ["½".as_bytes(), b"\xbd"] {
        if rest.starts_with(sign) {
            let word = first_word(rest);
            let is_result = result_of(word) == Some((GameResult::Draw, false));
            let before = cursor.at.checked_sub(1).map(|place| cursor.bytes[place]);
            cursor.at += if is_result { word.len() } else { sign.len() };
            // `1-½` is no result.
            if before != Some(b'-') {
                moves.result = Some(GameResult::Draw);
            }
            return;
        }
    }
    let end = rest.iter().position(|byte| byte.is_ascii_whitespace() || b"{}[]();".contains(byte));
    let word = &rest[..end.unwrap_or(rest.len()).max(1)];
    // A figurine or a Cyrillic letter may name the piece: `♘f3`, `Кf3`.
    let behind = &word[word.iter().take_while(|byte| !byte.is_ascii()).count()..];
    let marks = behind.iter().rev().take_while(|byte| b"+#!?".contains(byte)).count();
    match &behind[..behind.len() - marks] {
        san if is_san(san) => {
            moves.plies += 1;
            sans.add(san);
        }
        _ if is_sign_of_informator(word) => {}
        _ => unknown(cursor, moves, cursor.at, word),
    }
    cursor.at += word.len();
}

/// Returns whether a word has only signs of the Informator, which evaluate a position or a move.
fn is_sign_of_informator(word: &[u8]) -> bool {
    const SIGNS: &str = "±∓⩲⩱∞□⨀⟳↑→⇆⊕△⌓=+-−–/";
    std::str::from_utf8(word).is_ok_and(|word| word.chars().all(|sign| SIGNS.contains(sign)))
}

/// Skips a comment in braces. Returns whether the game continues after it.
fn comment(cursor: &mut Cursor<'_>, moves: &mut MovetextSummary) -> bool {
    let bytes = cursor.bytes;
    let start = cursor.at + 1;
    let mut place = start;
    let (end, closed) = loop {
        let Some(found) = memchr2(b'}', b'[', &bytes[place..]) else {
            break (bytes.len(), false);
        };
        place += found;
        if bytes[place] == b'}' {
            break (place, true);
        }
        if let Some(command) = bytes[place..].strip_prefix(b"[%") {
            moves.clocks.read(command, moves.plies);
            place += 2;
            continue;
        }
        if cursor.game_begins(place) {
            break (place, false);
        }
        if begins_line(bytes, place) && tag_name(&bytes[place..]).is_some() {
            let message = "a line like a tag within a comment; read as part of the comment";
            cursor.note(DiagnosticKind::TagInComment, message);
        }
        place += 1;
    };
    if !closed {
        let message = "a comment that is not closed; it ends where the next game begins";
        cursor.warn(DiagnosticKind::UnclosedComment, message);
        moves.open |= end == bytes.len();
    }
    let text = &bytes[start..end];
    // A comment on a game with moves may speak of another game.
    if moves.plies == 0 && states_unplayed(text) {
        moves.unplayed = true;
    }
    cursor.count_text(text);
    cursor.go_to(if closed { end + 1 } else { end });
    closed
}

/// Returns whether a text states, in the usual languages, that a game was not played.
fn states_unplayed(text: &[u8]) -> bool {
    const WORDS: [&[u8]; 7] = [
        b"forfeit",
        b"unplayed",
        b"not played",
        b"walkover",
        b"by default",
        b"kampflos",
        b"forfait",
    ];
    let lower = text[..text.len().min(10_000)].to_ascii_lowercase();
    WORDS.iter().any(|word| memmem::find(&lower, word).is_some())
}

/// Skips a variation. Returns whether the game continues after it.
fn variation(cursor: &mut Cursor<'_>, moves: &mut MovetextSummary) -> bool {
    let opened = cursor.line();
    let (mut depth, mut deepest) = (0u32, 0u32);
    let goes_on = loop {
        match cursor.byte() {
            None => {
                moves.open = true;
                break false;
            }
            Some(b'(') => {
                depth += 1;
                deepest = deepest.max(depth);
            }
            Some(b')') => {
                depth -= 1;
                if depth == 0 {
                    cursor.at += 1;
                    break true;
                }
            }
            Some(b'{') => {
                // A comment in a variation does not concern the game.
                let mut ignored = MovetextSummary { plies: 1, ..MovetextSummary::default() };
                let goes_on = comment(cursor, &mut ignored);
                moves.open |= ignored.open;
                if !goes_on {
                    break false;
                }
                continue;
            }
            Some(b';') => {
                cursor.go_to_line_end();
                continue;
            }
            Some(b'[') if is_next_game(cursor) => break false,
            Some(b'\n') => cursor.lines += 1,
            Some(0) => cursor.count_nul(1, cursor.line()),
            Some(_) => {}
        }
        cursor.at += 1;
    };
    if depth > 0 {
        let message = "a variation that is not closed; it ends where the next game begins";
        let finding = Finding::warning(opened, DiagnosticKind::Unbalanced, message);
        cursor.push(finding);
    }
    if deepest > DEEPEST_VARIATION {
        let message = format!("variations nested {deepest} levels deep");
        let finding = Finding::warning(opened, DiagnosticKind::DeepVariation, message);
        cursor.push(finding);
    }
    goes_on
}

/// Reads the text after the result. A well-formed file has only white space and comments there.
#[inline(always)]
fn after_result(cursor: &mut Cursor<'_>, moves: &mut MovetextSummary) {
    let line = cursor.lines;
    while let Some(byte) = cursor.byte() {
        match byte {
            b'\n' => {
                cursor.lines += 1;
                cursor.at += 1;
            }
            b' ' | b'\t' | b'\r' => cursor.at += 1,
            // Files that were joined begin with a byte order mark each.
            0xEF if cursor.bytes[cursor.at..].starts_with(BYTE_ORDER_MARK) => {
                cursor.at += BYTE_ORDER_MARK.len();
            }
            b'[' if is_next_game(cursor) || is_roster_tag(&cursor.bytes[cursor.at..]) => return,
            _ => {
                if !text_after_game(cursor, moves, byte, line) {
                    return;
                }
            }
        }
    }
}

/// Reads text between games. Returns whether more of it may follow.
///
/// Text on other lines than the result may be the remainder of another game, so it does not concern
/// this one.
#[cold]
fn text_after_game(
    cursor: &mut Cursor<'_>,
    moves: &mut MovetextSummary,
    byte: u8,
    line: u32,
) -> bool {
    let unplayed = moves.unplayed;
    let is_same_line = cursor.lines == line;
    match byte {
        b'{' => {
            let goes_on = comment(cursor, moves);
            moves.unplayed = unplayed || (moves.unplayed && is_same_line);
            return goes_on;
        }
        b';' => cursor.go_to_line_end(),
        b'%' if cursor.at_line_start() => cursor.go_to_line_end(),
        0 => {
            cursor.count_nul(1, cursor.line());
            cursor.at += 1;
        }
        _ => {
            let mut end = cursor.line_end();
            let bytes = cursor.bytes;
            let next = memchr_iter(b'[', &bytes[cursor.at..end])
                .map(|place| cursor.at + place)
                .find(|place| is_roster_tag(&bytes[*place..]));
            end = next.unwrap_or(end);
            let text = bytes[cursor.at..end].trim_ascii_end();
            if tag_line::without_bracket(text).is_some_and(|(name, _)| is_event(name)) {
                return false;
            }
            let is_forfeit = completes_result("1-0", text).is_some_and(|(_, unplayed)| unplayed);
            // The text may end a result: `1/2 - 1/2` or `1-0.`.
            let ends_result =
                ["1/2", "1-0"].iter().any(|points| completes_result(points, text).is_some());
            let says_nothing = text.is_empty() || is_same_line && ends_result;
            if is_same_line && (is_forfeit || states_unplayed(text)) {
                moves.unplayed = true;
            } else if !moves.reported.text_after && !says_nothing {
                moves.reported.text_after = true;
                let message = format!("text after a game's result: \"{}\"", shown(text));
                cursor.warn(DiagnosticKind::TextBetweenGames, message);
            }
            cursor.count_text(text);
            cursor.at = end;
        }
    }
    true
}
