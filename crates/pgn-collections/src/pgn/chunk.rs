//! Reads PGN text, one piece at a time, into rows of the game table.

use memchr::{memchr, memchr_iter};

use super::cursor::{
    Cursor, FindingsMark, ROSTER, ends_blank_line, is_binary, is_event, roster_number, shown,
    tag_name,
};
use super::fingerprint::Fingerprint;
use super::masks::{Classify, Portable};
#[cfg(target_arch = "x86_64")]
use super::masks::{Vector32, Vector64};
use super::movetext;
use super::movetext::MovetextSummary;
use super::tag_line;
use crate::games::{
    Game, GameDetails, GameFlags, GameResult, NameBytes, NameId, PartialDate, Round, same_bytes,
    tag_flags,
};
use crate::source::{DiagnosticKind, Finding};

/// The result of reading one piece of text.
///
/// Its games are not yet rows of a whole table: names are numbers of the [`ChunkReader`], lines are
/// counted from the beginning of the piece, and the member is missing.
#[derive(Debug, Default)]
pub struct Chunk {
    /// The games, in the order of the text.
    pub games: Vec<Game>,
    /// The names that the reader met for the first time.
    pub names: NewNames,
    /// The first thousand findings of each kind, in the order of their lines.
    pub findings: Vec<Finding>,
    /// The number of findings beyond the first thousand, by kind.
    pub not_listed: Vec<(DiagnosticKind, usize)>,
    /// Number of line feeds in the text.
    pub lines: u32,
    /// Number of values, comments and lines that are not UTF-8, and the line of the first.
    pub not_utf_8: (u64, u32),
    /// Number of NUL bytes, and the line of the first.
    pub nul: (u64, u32),
    /// First line of the last game, if the end of the text seems to have cut that game off.
    pub cut_off: Option<u32>,
    /// The start and end of each game in the text (bytes). Empty unless the caller requested them.
    pub places: Vec<(usize, usize)>,
    /// The details of the games, if the reader keeps them.
    pub details: Option<ChunkDetails>,
}

/// The details of the games of one piece of text.
#[derive(Clone, Debug, Default)]
pub struct ChunkDetails {
    /// The details, in the order of the games. Their numbers are those of [`texts`](Self::texts).
    pub rows: Vec<GameDetails>,
    texts: NameBytes,
}

impl ChunkDetails {
    fn new() -> ChunkDetails {
        let mut details = ChunkDetails::default();
        // The empty text gets the number 0, which stands for a missing tag.
        details.texts.intern(b"");
        details
    }

    /// Iterates over the values of the tags, as the text has them, in the order of their numbers.
    pub fn texts(&self) -> impl Iterator<Item = &[u8]> {
        self.texts.iter()
    }
}

/// Names that occur for the first time in a piece of text.
#[derive(Clone, Debug, Default)]
pub struct NewNames {
    /// The reader's number of the first of these names.
    first: usize,
    names: NameBytes,
    /// Whether each name is ASCII and needs no cleaning.
    clean: Vec<bool>,
}

impl NewNames {
    /// Returns the number of names.
    pub fn len(&self) -> usize {
        self.clean.len()
    }

    /// Returns whether the table has no names.
    pub fn is_empty(&self) -> bool {
        self.clean.is_empty()
    }

    /// Returns the bytes of a name, their hash, and whether they are ASCII that needs no cleaning.
    ///
    /// Returns `None` for a name that did not occur in this piece of text for the first time.
    pub fn get(&self, id: NameId) -> Option<(&[u8], u64, bool)> {
        self.at(id.index())
    }

    /// Returns the same as [`get`](NewNames::get) for the name with the reader's number `number`.
    pub fn at(&self, number: usize) -> Option<(&[u8], u64, bool)> {
        let place = number.checked_sub(self.first)?;
        let clean = *self.clean.get(place)?;
        let (bytes, hash) = self.names.get(place)?;
        Some((bytes, hash, clean))
    }
}

/// Reads pieces of text one after the other, and numbers the names that occur.
#[derive(Debug)]
pub struct ChunkReader {
    names: NameBytes,
    /// Number of names that earlier chunks already returned.
    given: usize,
    /// Buffer for the moves of one game.
    fingerprint: Fingerprint,
    keeps_details: bool,
}

impl Default for ChunkReader {
    fn default() -> ChunkReader {
        let mut names = NameBytes::default();
        // The empty name gets the number 0, which stands for a missing tag.
        names.intern(b"");
        let fingerprint = Fingerprint::default();
        ChunkReader { names, given: 0, fingerprint, keeps_details: false }
    }
}

impl ChunkReader {
    /// Creates a reader that also returns the details of the games.
    pub fn with_details() -> ChunkReader {
        ChunkReader { keeps_details: true, ..ChunkReader::default() }
    }

    /// Reads all games of a text.
    ///
    /// The first tag begins the first game. Any of these begins the next one:
    ///
    /// - a tag after moves,
    /// - a second Event tag,
    /// - a roster tag that the game already has, after a blank line,
    /// - an Event tag, if a roster tag that precedes it occurs again after it.
    ///
    /// Text before the first tag belongs to no game. With `places`, the chunk contains the start
    /// and end of each game in the text.
    pub fn read(&mut self, bytes: &[u8], places: bool) -> Chunk {
        #[cfg(target_arch = "x86_64")]
        {
            if Vector64::is_there() {
                // SAFETY: the processor has all instructions that the function is compiled for.
                return unsafe { self.read_by_64(bytes, places) };
            }
            if Vector32::is_there() {
                // SAFETY: the processor has all instructions that the function is compiled for.
                return unsafe { self.read_by_32(bytes, places) };
            }
        }
        self.read_with::<Portable>(bytes, places)
    }

    /// Reads all games of a text like [`read`](ChunkReader::read), but without vector instructions.
    ///
    /// The result is the same; tests compare the two.
    pub fn read_portably(&mut self, bytes: &[u8], places: bool) -> Chunk {
        self.read_with::<Portable>(bytes, places)
    }

    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
    fn read_by_32(&mut self, bytes: &[u8], places: bool) -> Chunk {
        self.read_with::<Vector32>(bytes, places)
    }

    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt,avx512f,avx512bw,avx512vbmi2")]
    fn read_by_64(&mut self, bytes: &[u8], places: bool) -> Chunk {
        self.read_with::<Vector64>(bytes, places)
    }

    #[inline(always)]
    fn read_with<C: Classify>(&mut self, bytes: &[u8], places: bool) -> Chunk {
        let mut reader = Reader::new(bytes, &mut self.names, &mut self.fingerprint);
        reader.chunk.details = self.keeps_details.then(ChunkDetails::new);
        reader.pass_preface();
        while reader.cursor.at < bytes.len() {
            let start = reader.cursor.at;
            reader.game::<C>();
            if places {
                reader.chunk.places.push((start, reader.cursor.at));
            }
        }
        let mut chunk = reader.finish();
        let names = self.names.since(self.given);
        let clean = names.iter().map(is_clean).collect();
        chunk.names = NewNames { first: self.given, names, clean };
        self.given = self.names.len();
        chunk
    }
}

/// The previous value of a tag. The next game usually has the same one.
#[derive(Clone, Copy, Debug, Default)]
struct PreviousValue<'a> {
    value: Option<&'a [u8]>,
    id: NameId,
    /// Whether the value is not UTF-8.
    not_utf_8: bool,
}

/// Reads the games of one piece of text.
struct Reader<'a, 'n> {
    cursor: Cursor<'a>,
    chunk: Chunk,
    names: &'n mut NameBytes,
    fingerprint: &'n mut Fingerprint,
    event: PreviousValue<'a>,
    site: PreviousValue<'a>,
    white: PreviousValue<'a>,
    black: PreviousValue<'a>,
    /// The previous Date tag that was a date, and that date.
    date: (Option<&'a [u8]>, PartialDate),
}

/// What the tags of a game state.
struct GameHeader {
    game: Game,
    /// The roster tags that the game has, one bit each: `1 << EVENT` and so on.
    roster: u8,
    /// The result of the Result tag, if the game has one.
    tagged: Option<GameResult>,
    /// The value of the Result tag, if it is not a result.
    odd_result: Option<String>,
    /// The value of the UTCDate tag, if it is a date.
    utc_date: Option<PartialDate>,
    /// The value of the BroadcastName tag; the empty name if there is none.
    broadcast: NameId,
    details: GameDetails,
    /// Whether the text ended within a tag.
    open: bool,
    /// The state before an Event tag that follows other roster tags of the game.
    before_event: Option<Box<BeforeEvent>>,
}

/// The state before an Event tag among the tags of a game. The previous game may have ended there.
struct BeforeEvent {
    /// Position of the Event tag (bytes).
    at: usize,
    /// Number of line feeds before that position.
    lines: u32,
    found: FindingsMark,
    game: Game,
    roster: u8,
    tagged: Option<GameResult>,
    odd_result: Option<String>,
    utc_date: Option<PartialDate>,
    broadcast: NameId,
    details: GameDetails,
}

/// Longest comment between tags (bytes). A longer one begins the moves. Judged: an unclosed comment
/// must not swallow the following games.
const LONGEST_COMMENT: usize = 10_000;

/// Longest value that the reader keeps (bytes).
///
/// Cleaning later cuts values to 250 bytes. This limit saves memory until then, because the reader
/// keeps all names.
const LONGEST_READ: usize = 4096;

/// Tags that are read in addition to the roster.
const OTHER_TAGS: [&[u8]; 22] = [
    b"WhiteElo",
    b"BlackElo",
    b"WhiteFideId",
    b"BlackFideId",
    b"EventDate",
    b"FEN",
    b"SetUp",
    b"Termination",
    b"TimeControl",
    b"EventType",
    b"Mode",
    b"WhiteType",
    b"WhiteTitle",
    b"BlackType",
    b"BlackTitle",
    b"WhiteTeam",
    b"BlackTeam",
    b"EventRounds",
    b"UTCDate",
    b"BroadcastName",
    b"Variant",
    b"ECO",
];

// Positions of the tags in `ROSTER`.
const EVENT: usize = 0;
const SITE: usize = 1;
const DATE: usize = 2;
const ROUND: usize = 3;
const WHITE: usize = 4;
const BLACK: usize = 5;
const RESULT: usize = 6;

impl<'a, 'n> Reader<'a, 'n> {
    fn new(
        bytes: &'a [u8],
        names: &'n mut NameBytes,
        fingerprint: &'n mut Fingerprint,
    ) -> Reader<'a, 'n> {
        let mut chunk = Chunk::default();
        // A typical game has about 650 bytes.
        chunk.games.reserve(bytes.len() / 600);
        Reader {
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
    fn pass_preface(&mut self) {
        let cursor = &mut self.cursor;
        let mut is_reported = false;
        while cursor.at < cursor.bytes.len() {
            let line = &cursor.bytes[cursor.at..cursor.line_end()];
            let blanks = line.iter().take_while(|b| matches!(b, b' ' | b'\t')).count();
            if tag_name(&line[blanks..]).is_some() {
                cursor.at += blanks;
                return;
            }
            if !is_reported && !line.trim_ascii().is_empty() && line.first() != Some(&b'%') {
                is_reported = true;
                let message = if is_binary(line) {
                    "binary data instead of PGN; if it is packed, pack it in another format \
                         (zip, 7z, gzip, xz or zstd)"
                        .to_owned()
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
    fn game<C: Classify>(&mut self) {
        let line = self.cursor.line();
        let mut header = GameHeader {
            game: Game { line, ..Game::default() },
            roster: 0,
            tagged: None,
            odd_result: None,
            utc_date: None,
            broadcast: NameId::default(),
            details: GameDetails::default(),
            open: false,
            before_event: None,
        };
        self.tags::<C>(&mut header);
        let moves = movetext::read::<C>(&mut self.cursor, self.fingerprint);
        self.row(header, &moves);
    }

    /// Reads tags up to the moves, to the next game or to the end.
    #[inline(always)]
    fn tags<C: Classify>(&mut self, header: &mut GameHeader) {
        let mut blank = false;
        let mut first = true;
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
                            let before = BeforeEvent {
                                at,
                                lines,
                                found,
                                game: header.game,
                                roster: header.roster,
                                tagged: header.tagged,
                                odd_result: header.odd_result.clone(),
                                utc_date: header.utc_date,
                                broadcast: header.broadcast,
                                details: header.details,
                            };
                            header.before_event = Some(Box::new(before));
                        } else if header.before_event.is_some()
                            && self.ends_before(header, tag.name)
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
                _ if self.skips_text_between_tags(header) => {}
                _ => return,
            }
        }
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
                let rest = &bytes[start..bytes.len().min(start + LONGEST_COMMENT)];
                let Some(close) = memchr(b'}', rest) else { return false };
                if memchr_iter(b'[', &rest[..close]).any(|place| cursor.game_begins(start + place))
                {
                    return false;
                }
                let behind = start + close + 1;
                end = behind + memchr(b'\n', &bytes[behind..]).unwrap_or(bytes.len() - behind);
                if !bytes[behind..end].trim_ascii().is_empty() {
                    return false;
                }
            }
            _ => {}
        }
        let lacks_names = header.roster & (1 << WHITE | 1 << BLACK) != 1 << WHITE | 1 << BLACK;
        let mut rest = bytes.get(end + 1..).unwrap_or_default();
        if lacks_names {
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
    fn ends_before(&mut self, header: &mut GameHeader, name: &[u8]) -> bool {
        let Some(tag) = roster_number(name) else { return false };
        let before = header.before_event.take_if(|before| before.roster & 1 << tag != 0);
        let Some(before) = before else { return false };
        self.cursor.at = before.at;
        self.cursor.lines = before.lines;
        self.cursor.forget_since(before.found);
        header.game = before.game;
        header.roster = before.roster;
        header.tagged = before.tagged;
        header.odd_result = before.odd_result;
        header.utc_date = before.utc_date;
        header.broadcast = before.broadcast;
        header.details = before.details;
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

    /// Adds a tag whose value needs no cleaning.
    #[inline(always)]
    fn tag(&mut self, header: &mut GameHeader, name: &'a [u8], value: &'a [u8], line: u32) {
        let number = match name {
            b"Event" => EVENT,
            b"Site" => SITE,
            b"Date" => DATE,
            b"Round" => ROUND,
            b"White" => WHITE,
            b"Black" => BLACK,
            b"Result" => RESULT,
            b"ECO" => return self.detail(header, name, value),
            _ => return self.other_tag(header, name, value, line),
        };
        let bit = 1 << number;
        if header.roster & bit != 0 {
            return self.repeated(name, line);
        }
        header.roster |= bit;
        let game = &mut header.game;
        match number {
            EVENT => game.event = self.name(|reader| &mut reader.event, value, line),
            SITE => game.site = self.name(|reader| &mut reader.site, value, line),
            WHITE => game.white = self.name(|reader| &mut reader.white, value, line),
            BLACK => game.black = self.name(|reader| &mut reader.black, value, line),
            DATE => game.date = self.date(value, line),
            ROUND => game.round = round(value),
            _ => match value {
                b"1-0" => header.tagged = Some(GameResult::White),
                b"0-1" => header.tagged = Some(GameResult::Black),
                b"1/2-1/2" => header.tagged = Some(GameResult::Draw),
                value => odd_result(header, value),
            },
        }
    }

    /// Adds a tag whose value must be cleaned first.
    #[cold]
    fn raw_tag(&mut self, header: &mut GameHeader, tag: &tag_line::TagPair<'a>, line: u32) {
        let value = tag_line::cleaned(&mut self.cursor, line, tag.name, tag.value);
        match roster_number(tag.name) {
            Some(number) => self.roster_tag(header, number, &value, line),
            None => self.other_tag(header, tag.name, &value, line),
        }
    }

    /// Adds a roster tag with a cleaned value.
    #[cold]
    fn roster_tag(&mut self, header: &mut GameHeader, number: usize, value: &[u8], line: u32) {
        let bit = 1 << number;
        if header.roster & bit != 0 {
            return self.repeated(ROSTER[number], line);
        }
        header.roster |= bit;
        let game = &mut header.game;
        match number {
            EVENT => game.event = self.intern(value, line),
            SITE => game.site = self.intern(value, line),
            WHITE => game.white = self.intern(value, line),
            BLACK => game.black = self.intern(value, line),
            DATE => game.date = self.parse_date("Date", value, line),
            ROUND => game.round = round(value),
            _ => odd_result(header, value),
        }
    }

    /// Adds a tag whose name has the wrong capitals: `white`, `WHITEELO`.
    #[cold]
    fn misspelt_tag(&mut self, header: &mut GameHeader, name: &[u8], value: &[u8], line: u32) {
        if let Some(number) = roster_number(name) {
            return self.roster_tag(header, number, value, line);
        }
        let standard = OTHER_TAGS.iter().find(|tag| tag.eq_ignore_ascii_case(name));
        if let Some(standard) = standard.filter(|standard| **standard != name) {
            self.other_tag(header, standard, value, line);
        }
    }

    /// Reports a roster tag that the game already has.
    #[cold]
    fn repeated(&mut self, name: &[u8], line: u32) {
        let message = format!("a second {} tag; the first is used", shown(name));
        let finding = Finding::warning(line, DiagnosticKind::RepeatedTag, message);
        self.cursor.push(finding);
    }

    /// Adds a tag that is not in the roster.
    #[inline(never)]
    fn other_tag(&mut self, header: &mut GameHeader, name: &[u8], value: &[u8], line: u32) {
        self.detail(header, name, value);
        let game = &mut header.game;
        match name {
            b"WhiteElo" => game.white_elo = self.elo("WhiteElo", value, line),
            b"BlackElo" => game.black_elo = self.elo("BlackElo", value, line),
            b"WhiteFideId" => game.white_fide_id = number(value).unwrap_or(0),
            b"BlackFideId" => game.black_fide_id = number(value).unwrap_or(0),
            b"EventDate" => game.event_date = self.parse_date("EventDate", value, line),
            b"FEN" => game.flags.insert(GameFlags::SET_UP),
            b"SetUp" if value.trim_ascii() == b"1" => game.flags.insert(GameFlags::SET_UP),
            b"Termination" => game.flags |= tag_flags::of_termination(&text(value)),
            b"TimeControl" => game.flags |= tag_flags::of_time_control(&text(value)),
            b"EventType" | b"Mode" => game.flags |= tag_flags::of_event_type(&text(value)),
            b"WhiteType" | b"WhiteTitle" if tag_flags::is_program(value) => {
                game.flags.insert(GameFlags::WHITE_PROGRAM);
            }
            b"BlackType" | b"BlackTitle" if tag_flags::is_program(value) => {
                game.flags.insert(GameFlags::BLACK_PROGRAM);
            }
            b"WhiteTeam" | b"BlackTeam" if tag_flags::names_a_team(value) => {
                game.flags.insert(GameFlags::TEAMS);
            }
            b"EventRounds" => {
                game.event_rounds = number(value).and_then(|n| u8::try_from(n).ok()).unwrap_or(0);
            }
            // The server's date is used for games that have no other.
            b"UTCDate" => header.utc_date = PartialDate::parse_bytes(value),
            // The name of a broadcast, whose Event tags may name single pairings.
            b"BroadcastName" if !value.trim_ascii().is_empty() => {
                header.broadcast = self.intern(value, line);
            }
            b"Variant" => game.flags |= tag_flags::of_variant(&text(value)),
            // It may be one of these tags with other capitals.
            _ => self.misspelt_tag(header, name, value, line),
        }
    }

    /// Keeps the value of a tag that is a detail, if details are kept. The first of two tags
    /// counts.
    #[inline(always)]
    fn detail(&mut self, header: &mut GameHeader, name: &[u8], value: &[u8]) {
        let Some(details) = &mut self.chunk.details else { return };
        if let Some(place) = header.details.place_of(name)
            && *place == NameId::default()
        {
            let value = value.trim_ascii();
            *place = details.texts.intern(&value[..value.len().min(LONGEST_READ)]).0;
        }
    }

    /// Interns a value. It usually equals that of the previous game.
    #[inline(always)]
    fn name(
        &mut self,
        last: impl Fn(&mut Self) -> &mut PreviousValue<'a>,
        value: &'a [u8],
        line: u32,
    ) -> NameId {
        let known = last(self);
        if known.value.is_some_and(|known| same_bytes(known, value)) {
            let (id, not_utf_8) = (known.id, known.not_utf_8);
            if not_utf_8 {
                self.count_not_utf_8(line);
            }
            return id;
        }
        let id = self.intern(value, line);
        let not_utf_8 = !value.is_ascii() && std::str::from_utf8(value).is_err();
        *last(self) = PreviousValue { value: Some(value), id, not_utf_8 };
        id
    }

    /// Interns a value, cut to a maximum length.
    fn intern(&mut self, value: &[u8], line: u32) -> NameId {
        if !value.is_ascii() && std::str::from_utf8(value).is_err() {
            self.count_not_utf_8(line);
        }
        let value = value.trim_ascii();
        self.names.intern(&value[..value.len().min(LONGEST_READ)]).0
    }

    /// Counts a value that is not UTF-8.
    ///
    /// Repeated values count too, so the number for a file does not depend on how its text is
    /// divided among readers.
    #[cold]
    fn count_not_utf_8(&mut self, line: u32) {
        if self.cursor.not_utf_8.0 == 0 {
            self.cursor.not_utf_8.1 = line;
        }
        self.cursor.not_utf_8.0 += 1;
    }

    /// Parses a Date tag. Its value usually equals that of the previous game.
    #[inline(always)]
    fn date(&mut self, value: &'a [u8], line: u32) -> PartialDate {
        let (known, date) = self.date;
        if known.is_some_and(|known| same_bytes(known, value)) {
            return date;
        }
        // Invalid dates are not remembered, so each game with one is reported.
        match PartialDate::parse_bytes(value) {
            Some(date) => {
                if date != PartialDate::UNKNOWN {
                    self.date = (Some(value), date);
                }
                date
            }
            None => self.parse_date("Date", value, line),
        }
    }

    /// Parses a date. Reports an invalid one, and returns the part of it that can be read.
    fn parse_date(&mut self, tag: &str, value: &[u8], line: u32) -> PartialDate {
        PartialDate::parse_bytes(value).unwrap_or_else(|| {
            let kept = PartialDate::salvaged(&text(value));
            match kept.known_parts() {
                0 => self.bad_tag(tag, value, "date", line),
                _ => self.bad_tag(tag, value, &format!("date; {kept} is used"), line),
            }
            kept
        })
    }

    /// Reports a value that is not what its tag requires.
    #[cold]
    fn bad_tag(&mut self, tag: &str, value: &[u8], what: &str, line: u32) {
        let message = format!("{tag} \"{}\" is not a {what}", shown(value));
        self.cursor.push(Finding::warning(line, DiagnosticKind::BadTag, message));
    }

    /// Parses a rating of 1 to 4000 points. Returns 0 for an unknown or invalid one, and reports an
    /// invalid one.
    fn elo(&mut self, tag: &str, value: &[u8], line: u32) -> u16 {
        match value.trim_ascii() {
            b"" | b"?" | b"-" | b"0" => 0,
            value => match number(value).filter(|elo| (1..=4000).contains(elo)) {
                Some(elo) => elo as u16,
                None => {
                    self.bad_tag(tag, value, "rating", line);
                    0
                }
            },
        }
    }

    /// Completes the row of a game and adds it to the chunk.
    #[inline(always)]
    fn row(&mut self, header: GameHeader, moves: &MovetextSummary) {
        let mut game = header.game;
        if let Some(date) = header.utc_date.filter(|_| game.date == PartialDate::UNKNOWN) {
            game.date = date;
        }
        if header.broadcast != NameId::default() {
            game.event = header.broadcast;
        }
        game.plies = moves.plies.min(u32::from(u16::MAX)) as u16;
        (game.fingerprint, game.trace) = (moves.fingerprint, moves.trace);
        if moves.unplayed {
            game.flags.insert(GameFlags::UNPLAYED);
        }
        let names = 1 << WHITE | 1 << BLACK;
        game.result = match (header.tagged, moves.result) {
            (Some(tagged), Some(by_moves)) if tagged == by_moves => tagged,
            _ => self.doubtful_result(&header, moves),
        };
        if header.roster & names != names || header.open || moves.open || moves.result.is_none() {
            self.incomplete(&header, moves);
        }
        self.chunk.games.push(game);
        if let Some(details) = &mut self.chunk.details {
            details.rows.push(header.details);
        }
    }

    /// Decides the result if the Result tag and the end of the moves do not agree.
    ///
    /// The tag takes precedence, unless it is missing or states no result. Reports a contradiction,
    /// and a game without a result.
    #[cold]
    fn doubtful_result(&mut self, header: &GameHeader, moves: &MovetextSummary) -> GameResult {
        let line = header.game.line;
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
                let finding = Finding::warning(line, DiagnosticKind::MissingTag, message);
                self.cursor.push(finding);
            }
        }
        if moves.result.is_none() && header.tagged.is_some() {
            let message = "the moves end without a result; that of the tag is used";
            let finding = Finding::warning(line, DiagnosticKind::MissingResult, message);
            self.cursor.push(finding);
        }
        let at_end = self.cursor.at >= self.cursor.bytes.len();
        let no_line_end = self.cursor.bytes.last() != Some(&b'\n');
        let in_the_middle = header.open || moves.open || no_line_end;
        if at_end && moves.result.is_none() && in_the_middle {
            self.chunk.cut_off = Some(line);
        }
    }

    /// Returns the chunk with the counts and findings.
    fn finish(self) -> Chunk {
        let Reader { cursor, mut chunk, .. } = self;
        chunk.lines = cursor.lines;
        chunk.not_listed = cursor.not_listed();
        chunk.findings = cursor.findings;
        // Some findings about the first line of a game are added when the game is complete.
        chunk.findings.sort_by_key(|finding| finding.line);
        chunk.not_utf_8 = cursor.not_utf_8;
        chunk.nul = cursor.nul;
        chunk
    }
}

/// Returns whether a name is printable ASCII, not too long, and without consecutive spaces.
fn is_clean(name: &[u8]) -> bool {
    name.len() <= tag_line::LONGEST_VALUE
        && name.iter().all(|byte| matches!(byte, b' '..=b'~'))
        && !name.windows(2).any(|two| two == b"  ")
}

/// Adds a Result tag that is not exactly `1-0`, `0-1` or `1/2-1/2`.
#[cold]
fn odd_result(header: &mut GameHeader, value: &[u8]) {
    match GameResult::parse(&text(value)) {
        Some((result, unplayed)) => {
            header.tagged = Some(result);
            if unplayed {
                header.game.flags.insert(GameFlags::UNPLAYED);
            }
        }
        None if value.trim_ascii().is_empty() => {}
        None => header.odd_result = Some(shown(value)),
    }
}

/// Returns a value as trimmed text. Bytes that are not UTF-8 are replaced.
fn text(value: &[u8]) -> String {
    String::from_utf8_lossy(value).trim().to_owned()
}

/// Parses a whole number of at most nine digits.
fn number(value: &[u8]) -> Option<u32> {
    let digits = value.trim_ascii();
    if digits.is_empty() || digits.len() > 9 {
        return None;
    }
    digits.iter().try_fold(0, |number, byte| {
        byte.is_ascii_digit().then(|| 10 * number + u32::from(byte - b'0'))
    })
}

/// Parses a round, which is usually a plain number.
#[inline(always)]
fn round(value: &[u8]) -> Round {
    match value {
        [digit @ b'1'..=b'9'] => Round::of_number(u16::from(digit - b'0')),
        [tens @ b'1'..=b'9', digit @ b'0'..=b'9'] => {
            Round::of_number(10 * u16::from(tens - b'0') + u16::from(digit - b'0'))
        }
        [b'?' | b'-'] => Round::UNKNOWN,
        value => Round::parse(&text(value)),
    }
}
