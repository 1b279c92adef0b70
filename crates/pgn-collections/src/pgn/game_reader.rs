//! Reads the games of one piece of text: decides where each begins, and completes its row.

use memchr::{memchr, memchr_iter};

use super::chunk::Chunk;
use super::cursor::{
    Cursor, FindingsMark, ends_blank_line, is_binary, is_event, roster_number, shown, tag_name,
};
use super::fingerprint::Fingerprint;
use super::masks::Classify;
use super::movetext;
use super::movetext::MovetextSummary;
use super::tag_line;
use crate::games::{Game, GameDetails, GameFlags, GameResult, NameBytes, NameId, PartialDate};
use crate::source::{DiagnosticKind, Finding};

/// Longest comment between tags (bytes). A longer one begins the moves. Judged: an unclosed comment
/// must not swallow the following games.
const LONGEST_COMMENT: usize = 10_000;

// Positions of the tags in `ROSTER`.
pub(super) const EVENT: usize = 0;
pub(super) const SITE: usize = 1;
pub(super) const DATE: usize = 2;
pub(super) const ROUND: usize = 3;
pub(super) const WHITE: usize = 4;
pub(super) const BLACK: usize = 5;
pub(super) const RESULT: usize = 6;

/// The roster tags of the two players, one bit each.
const NAMES: u8 = 1 << WHITE | 1 << BLACK;

/// Reads the games of one piece of text.
pub(super) struct GameReader<'a, 'n> {
    pub cursor: Cursor<'a>,
    pub chunk: Chunk,
    pub names: &'n mut NameBytes,
    fingerprint: &'n mut Fingerprint,
    pub event: PreviousValue<'a>,
    pub site: PreviousValue<'a>,
    pub white: PreviousValue<'a>,
    pub black: PreviousValue<'a>,
    /// The previous Date tag that was a date, and that date.
    pub date: (Option<&'a [u8]>, PartialDate),
}

/// The previous value of a tag. The next game usually has the same one.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct PreviousValue<'a> {
    pub value: Option<&'a [u8]>,
    pub id: NameId,
    /// Whether the value is not UTF-8.
    pub not_utf_8: bool,
}

/// What the tags of a game state.
#[derive(Clone, Default)]
pub(super) struct GameHeader {
    pub game: Game,
    /// The roster tags that the game has, one bit each: `1 << EVENT` and so on.
    pub roster: u8,
    /// The result of the Result tag, if the game has one.
    pub tagged: Option<GameResult>,
    /// Whether the Result tag states that both players lost.
    pub is_double_forfeit: bool,
    /// The value of the Result tag, if it is not a result.
    pub odd_result: Option<String>,
    /// The value of the UTCDate tag, if it is a date.
    pub utc_date: Option<PartialDate>,
    /// The name of the study or broadcast of which the game is a part; empty if there is none.
    pub larger: NameId,
    /// The code of the country in the EventCountry tag, if there is one.
    pub country: Option<[u8; 3]>,
    /// Whether the game is a chapter of a study. Its UTCDate is the day on which it was entered.
    pub is_chapter: bool,
    /// Whether a FEN tag states the initial position.
    pub has_initial_position: bool,
    pub details: GameDetails,
    /// Whether the text ended within a tag.
    pub open: bool,
}

/// An Event tag among the tags of a game. The previous game may have ended before it.
struct BeforeEvent {
    /// Position of the Event tag (bytes).
    at: usize,
    /// Number of line feeds before that position.
    lines: u32,
    found: FindingsMark,
    /// What the tags before it state.
    header: GameHeader,
}

impl<'a, 'n> GameReader<'a, 'n> {
    pub fn new(
        bytes: &'a [u8],
        names: &'n mut NameBytes,
        fingerprint: &'n mut Fingerprint,
    ) -> GameReader<'a, 'n> {
        let mut chunk = Chunk::default();
        // A typical game has about 650 bytes.
        chunk.games.reserve(bytes.len() / 600);
        GameReader {
            cursor: Cursor::new(bytes),
            chunk,
            names,
            fingerprint,
            event: PreviousValue::default(),
            site: PreviousValue::default(),
            white: PreviousValue::default(),
            black: PreviousValue::default(),
            date: (None, PartialDate::UNKNOWN),
        }
    }

    /// Skips the text before the first tag, and reports it once.
    pub fn pass_preface(&mut self) {
        let cursor = &mut self.cursor;
        let mut is_reported = false;
        while cursor.at < cursor.bytes.len() {
            let line = &cursor.bytes[cursor.at..cursor.line_end()];
            let blanks = line.iter().take_while(|b| matches!(b, b' ' | b'\t')).count();
            if tag_name(&line[blanks..]).is_some() {
                cursor.at += blanks;
                return;
            }
            let is_comment = matches!(line.first(), Some(b'%' | b';'));
            if line.get(blanks) == Some(&b'{')
                && let Some(end) = comment_end(cursor, cursor.at + blanks)
            {
                cursor.count_text(&cursor.bytes[cursor.at..end]);
                cursor.go_to(end);
                continue;
            }
            if !is_reported && !line.trim_ascii().is_empty() && !is_comment {
                is_reported = true;
                let message = if is_binary(line) {
                    "binary data instead of PGN; if it is packed, pack it in another format \
                         (zip, 7z, gzip, xz or zstd)"
                        .to_owned()
                } else if is_heading_of_ratings(line) {
                    format!(
                        "text before the first game: a table of ratings? (\"{}\"); give it with --ratings",
                        shown(line)
                    )
                } else {
                    format!("text before the first game: \"{}\"", shown(line))
                };
                cursor.warn(DiagnosticKind::TextBetweenGames, message);
            }
            cursor.count_text(line);
            let end = cursor.line_end();
            cursor.go_to(if cursor.bytes.get(end) == Some(&b'\n') { end + 1 } else { end });
        }
    }

    /// Reads one game and adds its row.
    #[inline(always)]
    pub fn game<C: Classify>(&mut self) {
        let line = self.cursor.line();
        let game = Game { line, ..Game::default() };
        let mut header = GameHeader { game, ..GameHeader::default() };
        self.tags::<C>(&mut header);
        let moves = movetext::read::<C>(&mut self.cursor, self.fingerprint);
        self.row(header, &moves);
    }

    /// Reads tags up to the moves, to the next game or to the end.
    #[inline(always)]
    fn tags<C: Classify>(&mut self, header: &mut GameHeader) {
        let mut blank = false;
        let mut first = true;
        let mut before_event: Option<Box<BeforeEvent>> = None;
        while let Some(byte) = self.cursor.byte() {
            match byte {
                b'[' => {
                    let odd = blank || !self.cursor.at_line_start();
                    if !first && odd && self.begins_another(header, blank) {
                        return;
                    }
                    let at = self.cursor.at;
                    let line = self.cursor.line();
                    let lines = self.cursor.lines;
                    let event_inside = header.roster != 0 && self.is_event_tag();
                    if event_inside && header.roster & 1 << EVENT != 0 {
                        // Another game begins without a blank line before it.
                        return;
                    }
                    let found = event_inside.then(|| self.cursor.mark());
                    let mut read = tag_line::read::<C>(&mut self.cursor);
                    if read.as_ref().is_some_and(|tag| self.has_odd_name(tag)) {
                        self.cursor.at = at;
                        self.cursor.lines = lines;
                        read = tag_line::read_slowly(&mut self.cursor);
                    }
                    if let Some(tag) = read {
                        if let Some(found) = found {
                            let header = header.clone();
                            before_event = Some(Box::new(BeforeEvent { at, lines, found, header }));
                        } else if before_event.is_some()
                            && self.ends_before(header, &mut before_event, tag.name)
                        {
                            return;
                        }
                        header.open |= tag.open;
                        if tag.raw {
                            self.raw_tag(header, &tag, line);
                        } else {
                            self.tag(header, tag.name, tag.value, line);
                        }
                    }
                    blank = false;
                    first = false;
                }
                b'\n' => {
                    // A line whose text was skipped is not blank.
                    blank |= ends_blank_line(self.cursor.bytes, self.cursor.at);
                    self.cursor.at += 1;
                    self.cursor.lines += 1;
                }
                b' ' | b'\t' | b'\r' => self.cursor.at += 1,
                b'%' if self.cursor.at_line_start() => self.cursor.go_to_line_end(),
                // Moves usually begin with a number.
                b'0'..=b'9' | b'*' => return,
                _ if self.tag_without_bracket(header) => (blank, first) = (false, false),
                _ if self.skips_text_between_tags(header) => {}
                _ => return,
            }
        }
    }

    /// Reads a tag of the roster that lacks its first bracket, if the game does not have it yet.
    #[cold]
    fn tag_without_bracket(&mut self, header: &mut GameHeader) -> bool {
        let end = self.cursor.line_end();
        let text = &self.cursor.bytes[self.cursor.at..end];
        let Some((name, value)) = tag_line::without_bracket(text) else { return false };
        let is_new = roster_number(name).is_some_and(|number| header.roster & 1 << number == 0);
        if is_new {
            let line = self.cursor.line();
            let message = format!("the {} tag has no opening bracket", shown(name));
            self.cursor.warn(DiagnosticKind::BrokenTag, message);
            self.cursor.go_to(end);
            let tag = tag_line::TagPair { name, value, raw: true, open: false };
            self.raw_tag(header, &tag, line);
        }
        is_new
    }

    /// Skips text between tags: surplus brackets, and comments or lines of text that are followed
    /// by another tag of this game.
    ///
    /// Returns `false` if the moves begin here.
    #[cold]
    fn skips_text_between_tags(&mut self, header: &GameHeader) -> bool {
        let cursor = &mut self.cursor;
        let bytes = cursor.bytes;
        let start = cursor.at;
        let mut end = cursor.line_end();
        match bytes[start] {
            b']' => {
                cursor.warn(DiagnosticKind::BrokenTag, "this \"]\" has no opening bracket");
                cursor.at += 1;
                return true;
            }
            b'{' => {
                let Some(behind) = comment_end(cursor, start) else { return false };
                end = behind + memchr(b'\n', &bytes[behind..]).unwrap_or(bytes.len() - behind);
                if !bytes[behind..end].trim_ascii().is_empty() {
                    return false;
                }
            }
            _ => {}
        }
        let mut rest = bytes.get(end + 1..).unwrap_or_default();
        if header.roster & NAMES != NAMES {
            rest = rest.trim_ascii_start();
        }
        let goes_on = tag_name(rest).is_some_and(|name| match roster_number(name) {
            Some(number) => number != EVENT && header.roster & 1 << number == 0,
            None => true,
        });
        if goes_on && bytes[start] != b';' {
            let message = format!("text between the tags: \"{}\"", shown(&bytes[start..end]));
            cursor.warn(DiagnosticKind::TextBetweenGames, message);
            cursor.count_text(&bytes[start..end]);
        }
        if goes_on {
            cursor.go_to(end);
        }
        goes_on
    }

    /// Returns whether the tag at the cursor is an Event tag.
    #[inline(always)]
    fn is_event_tag(&self) -> bool {
        let rest = &self.cursor.bytes[self.cursor.at..];
        // Nearly every game has an ECO tag, so the first letter alone does not suffice.
        let [b'[', first, second, ..] = rest else { return false };
        let may_be = first | 0x20 == b'e' && second | 0x20 == b'v' || *first == b' ';
        may_be && tag_name(rest).is_some_and(is_event)
    }

    /// Returns whether the name of a tag is invalid.
    ///
    /// The names of tags that nearly every game has are valid and need no check.
    #[inline(always)]
    fn has_odd_name(&self, tag: &tag_line::TagPair<'_>) -> bool {
        !matches!(
            tag.name,
            b"Event" | b"Site" | b"Date" | b"Round" | b"White" | b"Black" | b"Result" | b"ECO"
        ) && !tag_line::is_name(tag.name)
    }

    /// Returns whether a tag shows that its game began with the preceding Event tag.
    ///
    /// It does if it is a roster tag that also precedes that Event tag. The reader then returns to
    /// the Event tag, and restores the header and the findings of the previous game.
    #[cold]
    fn ends_before(
        &mut self,
        header: &mut GameHeader,
        before_event: &mut Option<Box<BeforeEvent>>,
        name: &[u8],
    ) -> bool {
        let Some(tag) = roster_number(name) else { return false };
        let before = before_event.take_if(|before| before.header.roster & 1 << tag != 0);
        let Some(before) = before else { return false };
        self.cursor.at = before.at;
        self.cursor.lines = before.lines;
        self.cursor.forget_since(before.found);
        *header = before.header;
        true
    }

    /// Returns whether the tag at the cursor is the first tag of another game.
    ///
    /// The tag is after a blank line (`blank`) or within a line.
    #[cold]
    fn begins_another(&mut self, header: &GameHeader, blank: bool) -> bool {
        let Some(name) = tag_name(&self.cursor.bytes[self.cursor.at..]) else { return false };
        if !blank {
            return self.cursor.game_begins(self.cursor.at);
        }
        let has_it = roster_number(name).is_some_and(|tag| header.roster & 1 << tag != 0);
        let begins = has_it || self.cursor.game_begins(self.cursor.at) && is_event(name);
        if !begins {
            let message = "a blank line between the tags; the tags continue after it";
            self.cursor.warn(DiagnosticKind::BlankLine, message);
        }
        begins
    }

    /// Completes the row of a game and adds it to the chunk.
    #[inline(always)]
    fn row(&mut self, header: GameHeader, moves: &MovetextSummary) {
        let mut game = header.game;
        if let Some(date) = header.utc_date
            && game.date == PartialDate::UNKNOWN
            && !header.is_chapter
        {
            game.date = date;
        }
        if header.has_initial_position {
            game.flags.remove(GameFlags::SET_UP);
        }
        if header.larger != NameId::default() {
            game.event = header.larger;
        }
        if let Some(country) = header.country {
            game.site = self.site_in_country(game.site, country);
        }
        game.plies = moves.plies.min(u32::from(u16::MAX)) as u16;
        (game.fingerprint, game.trace) = (moves.fingerprint, moves.trace);
        if moves.unplayed {
            game.flags.insert(GameFlags::UNPLAYED);
        }
        if moves.clocks.is_there {
            self.tempo_by_clocks(&mut game, moves);
        }
        if moves.has_drop {
            game.flags.insert(GameFlags::VARIANT);
        }
        game.result = match (header.tagged, moves.result) {
            (Some(tagged), Some(by_moves)) if tagged == by_moves => tagged,
            _ => self.doubtful_result(&header, moves),
        };
        if header.roster & NAMES != NAMES || header.open || moves.open || moves.result.is_none() {
            self.incomplete(&header, moves);
        }
        self.chunk.games.push(game);
        if let Some(details) = &mut self.chunk.details {
            details.rows.push(header.details);
        }
    }

    /// Sets the tempo that the clocks show. Reports tags that contradict it.
    ///
    /// Tags are copied from one game to all, and clocks are those of the game. Between rapid and
    /// blitz the tags decide, because they state the time added for each move.
    #[cold]
    fn tempo_by_clocks(&mut self, game: &mut Game, moves: &MovetextSummary) {
        let shown = moves.clocks.tempo();
        let stated = game.flags & GameFlags::TEMPI;
        if shown.is_empty() || !stated.is_empty() && stated.contains(shown) {
            return;
        }
        let is_classical = |flags: GameFlags| flags.contains(GameFlags::CLASSICAL);
        if !stated.is_empty() {
            if is_classical(stated) == is_classical(shown) {
                return;
            }
            let word = |flags| if is_classical(flags) { "classical" } else { "rapid or blitz" };
            let message = format!(
                "the tags state {} chess, but the clocks of the moves show {}; the clocks are used",
                word(stated),
                word(shown)
            );
            self.cursor.push(Finding::warning(game.line, DiagnosticKind::BadTag, message));
        }
        game.flags.remove(GameFlags::TEMPI);
        game.flags.insert(shown);
    }

    /// Decides the result if the Result tag and the end of the moves do not agree.
    ///
    /// The tag takes precedence, unless it is missing or states no result. Reports a contradiction,
    /// and a game without a result.
    #[cold]
    fn doubtful_result(&mut self, header: &GameHeader, moves: &MovetextSummary) -> GameResult {
        let line = header.game.line;
        if header.is_double_forfeit {
            let message = "both players lost, so the game has no result";
            self.cursor.push(Finding::note(line, DiagnosticKind::MissingResult, message));
            return GameResult::Unknown;
        }
        let by_moves = moves.result.filter(|result| *result != GameResult::Unknown);
        match (header.tagged, by_moves) {
            (Some(GameResult::Unknown) | None, Some(by_moves)) => {
                if let Some(odd) = &header.odd_result {
                    let message = format!(
                        "Result \"{odd}\" is not a result; the moves end with {}",
                        by_moves.pgn()
                    );
                    self.cursor.push(Finding::warning(line, DiagnosticKind::BadTag, message));
                }
                by_moves
            }
            (Some(tagged), by_moves) => {
                if by_moves.is_some_and(|by_moves| by_moves != tagged) {
                    let message = format!(
                        "Result is {} but the moves end with another; the tag is used",
                        tagged.pgn()
                    );
                    let kind = DiagnosticKind::ResultMismatch;
                    self.cursor.push(Finding::warning(line, kind, message));
                }
                tagged
            }
            (None, None) => {
                let message = match &header.odd_result {
                    Some(odd) => {
                        format!("Result \"{odd}\" is not a result, and the moves end without one")
                    }
                    None => "no Result tag, and the moves end without one".to_owned(),
                };
                self.cursor.push(Finding::warning(line, DiagnosticKind::MissingResult, message));
                GameResult::Unknown
            }
        }
    }

    /// Reports what a game lacks, and records a game that the end of the text cut off.
    #[cold]
    fn incomplete(&mut self, header: &GameHeader, moves: &MovetextSummary) {
        let line = header.game.line;
        for (tag, number) in [("White", WHITE), ("Black", BLACK)] {
            if header.roster & 1 << number == 0 {
                let message = format!("no {tag} tag");
                self.cursor.push(Finding::warning(line, DiagnosticKind::MissingTag, message));
            }
        }
        let is_unplayed = header.game.flags.contains(GameFlags::UNPLAYED);
        if moves.result.is_none() && header.tagged.is_some() && !is_unplayed {
            let message = "the moves end without a result; that of the tag is used";
            self.cursor.push(Finding::warning(line, DiagnosticKind::MissingResult, message));
        }
        let at_end = self.cursor.at >= self.cursor.bytes.len();
        let no_line_end = self.cursor.bytes.last() != Some(&b'\n');
        let in_the_middle = header.open || moves.open || no_line_end;
        if at_end && moves.result.is_none() && in_the_middle {
            self.chunk.cut_off = Some(line);
        }
    }

    /// Returns the chunk with the counts and findings.
    pub fn finish(self) -> Chunk {
        let GameReader { cursor, mut chunk, .. } = self;
        chunk.lines = cursor.lines;
        chunk.not_listed = cursor.not_listed();
        chunk.findings = cursor.findings;
        // Some findings about the first line of a game are added when the game is complete.
        chunk.findings.sort_by_key(|finding| finding.line);
        chunk.not_utf_8 = cursor.not_utf_8;
        chunk.encoded_twice = cursor.encoded_twice;
        chunk.nul = cursor.nul;
        chunk
    }
}

/// Returns the place after the comment that begins at a place, unless it is not closed before the
/// next game.
fn comment_end(cursor: &Cursor<'_>, start: usize) -> Option<usize> {
    let bytes = cursor.bytes;
    let rest = &bytes[start..bytes.len().min(start + LONGEST_COMMENT)];
    let close = memchr(b'}', rest)?;
    let mut tags = memchr_iter(b'[', &rest[..close]);
    let has_game = tags.any(|place| cursor.game_begins(start + place));
    (!has_game).then_some(start + close + 1)
}

/// Returns whether a line is the heading of a rating list: words between commas, semicolons or
/// tabs, among them `name` and `rating` or `elo`.
fn is_heading_of_ratings(line: &[u8]) -> bool {
    let words = line.split(|byte| matches!(byte, b',' | b';' | b'\t'));
    let words: Vec<&[u8]> = words.map(<[u8]>::trim_ascii).collect();
    let has = |wanted: &[u8]| words.iter().any(|word| word.eq_ignore_ascii_case(wanted));
    has(b"name") && (has(b"rating") || has(b"elo"))
}
