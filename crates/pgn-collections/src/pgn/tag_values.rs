//! Reads the values of tags into the row and the details of a game.

use super::cursor::{ROSTER, roster_number, shown};
use super::game_reader::{
    BLACK, DATE, EVENT, GameHeader, GameReader, PreviousValue, RESULT, ROUND, SITE, WHITE,
};
use super::tag_line;
use crate::games::tag_flags::{self, StartingPosition};
use crate::games::{GameFlags, GameResult, NameId, PartialDate, Round, rating_points, same_bytes};
use crate::source::{DiagnosticKind, Finding, is_encoded_twice};

/// Longest value that the reader keeps (bytes).
///
/// Cleaning later cuts values to 250 bytes. This limit saves memory until then, because the reader
/// keeps all names.
const LONGEST_READ: usize = 4096;

/// Tags that are read in addition to the roster.
const OTHER_TAGS: [&[u8]; 28] = [
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
    b"EventCategory",
    b"EventComplete",
    b"EventCountry",
    b"UTCDate",
    b"BroadcastName",
    b"StudyName",
    b"ChapterName",
    b"ChessForgeWorkbook",
    b"Variant",
    b"ECO",
];

impl<'a> GameReader<'a, '_> {
    /// Adds a tag whose value needs no cleaning.
    #[inline(always)]
    pub fn tag(&mut self, header: &mut GameHeader, name: &'a [u8], value: &'a [u8], line: u32) {
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
    pub fn raw_tag(&mut self, header: &mut GameHeader, tag: &tag_line::TagPair<'a>, line: u32) {
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
        self.cursor.push(Finding::warning(line, DiagnosticKind::RepeatedTag, message));
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
            b"FEN" => match StartingPosition::parse(&text(value)) {
                StartingPosition::NotStated => {}
                StartingPosition::Initial => header.has_initial_position = true,
                StartingPosition::Other => game.flags.insert(GameFlags::SET_UP),
            },
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
                let player = if name == b"WhiteTeam" { game.white } else { game.black };
                let player = self.names.get(player.index()).map_or(&b""[..], |(name, _)| name);
                if !tag_flags::names_player(value, player) {
                    game.flags.insert(GameFlags::TEAMS);
                }
            }
            b"EventRounds" => {
                game.event_rounds = number(value).and_then(|n| u8::try_from(n).ok()).unwrap_or(0);
            }
            b"EventCategory" => {
                game.event_category = number(value).and_then(|n| u8::try_from(n).ok()).unwrap_or(0);
            }
            b"EventComplete" => {
                let is_complete = value.trim_ascii().eq_ignore_ascii_case(b"yes");
                game.flags.set(GameFlags::COMPLETE, is_complete);
            }
            b"EventCountry" => header.country = country_code(value),
            // The server's date is used for games that have no other.
            b"UTCDate" => header.utc_date = PartialDate::parse_bytes(value),
            // The Event tags of studies and broadcasts may name single pairings. A study that is a
            // round of a broadcast does not have the name of the event.
            b"BroadcastName" if !value.trim_ascii().is_empty() => {
                header.larger = self.intern(value, line);
            }
            b"StudyName" if !value.trim_ascii().is_empty() => {
                header.is_chapter = true;
                if header.larger == NameId::default() && !value.starts_with(b"Round ") {
                    header.larger = self.intern(value, line);
                }
            }
            b"ChapterName" => header.is_chapter = true,
            // The title of all games of the file.
            b"ChessForgeWorkbook" if !value.trim_ascii().is_empty() => {
                header.larger = self.intern(value, line);
            }
            b"Variant" => game.flags |= tag_flags::of_variant(&text(value)),
            // It may be one of these tags with other capitals.
            _ => self.misspelt_tag(header, name, value, line),
        }
    }

    /// Returns a Site tag with the code of its country, as the PGN standard has it (`Zurich SUI`),
    /// if it has none.
    #[cold]
    pub fn site_in_country(&mut self, site: NameId, country: [u8; 3]) -> NameId {
        let text = self.names.get(site.index()).map_or(&b""[..], |(name, _)| name);
        let place = if matches!(text, b"?" | b"-") { b"" } else { text };
        if place.rsplit(|byte| !byte.is_ascii_alphanumeric()).next().is_some_and(is_code) {
            return site;
        }
        let whole = [place, if place.is_empty() { b"" } else { b" " }, &country].concat();
        self.names.intern(&whole).0
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
                self.cursor.count_not_utf_8(line);
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
        if !value.is_ascii() {
            match std::str::from_utf8(value) {
                Err(_) => self.cursor.count_not_utf_8(line),
                Ok(text) if is_encoded_twice(text) => {
                    self.cursor.encoded_twice.get_or_insert(line);
                }
                Ok(_) => {}
            }
        }
        let value = value.trim_ascii();
        self.names.intern(&value[..value.len().min(LONGEST_READ)]).0
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
        let date = PartialDate::parse_bytes(value)
            .or_else(|| PartialDate::parse_other_form(&String::from_utf8_lossy(value)));
        date.unwrap_or_else(|| {
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

    /// Parses a rating. Returns 0 for an unknown or invalid one, and reports an invalid one.
    fn elo(&mut self, tag: &str, value: &[u8], line: u32) -> u16 {
        match value.trim_ascii() {
            b"" | b"?" | b"-" | b"0" => 0,
            value => match number(value).and_then(rating_points) {
                Some(elo) => elo,
                None => {
                    self.bad_tag(tag, value, "rating", line);
                    0
                }
            },
        }
    }
}

/// Adds a Result tag that is not exactly `1-0`, `0-1` or `1/2-1/2`.
#[cold]
fn odd_result(header: &mut GameHeader, value: &[u8]) {
    match GameResult::parse(&text(value)) {
        Some((result, unplayed)) => {
            header.tagged = Some(result);
            header.is_double_forfeit = unplayed && result == GameResult::Unknown;
            header.game.flags.set(GameFlags::UNPLAYED, unplayed);
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

/// Returns the code of a country in an EventCountry tag, if it has the form of one.
fn country_code(value: &[u8]) -> Option<[u8; 3]> {
    value.trim_ascii().try_into().ok().filter(|code: &[u8; 3]| is_code(code))
}

/// Returns whether a text has the form of a country's code: three capital letters.
fn is_code(text: &[u8]) -> bool {
    text.len() == 3 && text.iter().all(u8::is_ascii_uppercase)
}
