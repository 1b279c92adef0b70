//! The game table as columns, whatever holds them: Parquet, Arrow.

use std::borrow::Cow;
use std::sync::Arc;

use rustc_hash::FxHashMap;
use thiserror::Error;

use super::date::PartialDate;
use super::game::{Game, GameFlags};
use super::names::{LONGEST_NAME, NameId, NameTable, clean_name};
use super::result::GameResult;
use super::round::Round;
use super::table::GameTable;

/// A value of a column that makes no sense.
#[derive(Debug, Error)]
#[error("row {row}: {column} \"{value}\" makes no sense")]
pub struct ColumnError {
    /// Number of the row, from 1.
    pub row: usize,
    /// Name of the column.
    pub column: &'static str,
    /// The value.
    pub value: String,
}

/// Some games as columns, all of one length.
#[derive(Clone, Debug)]
pub struct GameColumns<'a> {
    /// Event tags.
    pub event: Vec<&'a str>,
    /// Site tags.
    pub site: Vec<&'a str>,
    /// Names of White.
    pub white: Vec<&'a str>,
    /// Names of Black.
    pub black: Vec<&'a str>,
    /// Dates as PGN writes them.
    pub date: Vec<Cow<'a, str>>,
    /// EventDate tags.
    pub event_date: Vec<Cow<'a, str>>,
    /// Rounds.
    pub round: Vec<Cow<'a, str>>,
    /// Results as PGN writes them.
    pub result: Vec<&'a str>,
    /// White's ratings; 0 unknown.
    pub white_elo: Vec<u32>,
    /// Black's ratings; 0 unknown.
    pub black_elo: Vec<u32>,
    /// White's FIDE ids; 0 unknown.
    pub white_fide_id: Vec<u32>,
    /// Black's FIDE ids; 0 unknown.
    pub black_fide_id: Vec<u32>,
    /// Half-moves.
    pub plies: Vec<u32>,
    /// Fingerprints of the moves.
    pub fingerprint: Vec<u64>,
    /// Traces of the moves.
    pub trace: Vec<u64>,
    /// Rounds of the event as tagged; 0 unknown.
    pub event_rounds: Vec<u32>,
    /// Bits of [`GameFlags`].
    pub signs: Vec<u32>,
    /// Members that games were read from.
    pub member: Vec<&'a str>,
    /// Lines of these where games begin.
    pub line: Vec<u32>,
}

/// One column.
#[derive(Clone, Debug)]
pub enum GameColumn<'a> {
    /// Text.
    Texts(Vec<Cow<'a, str>>),
    /// Numbers of 32 bits.
    Numbers(Vec<u32>),
    /// Numbers of 64 bits.
    Long(Vec<u64>),
}

impl<'a> GameColumns<'a> {
    /// Some games of a table.
    pub fn of(table: &'a GameTable, games: &[Game]) -> GameColumns<'a> {
        let names = |id: fn(&Game) -> NameId| -> Vec<&'a str> {
            games.iter().map(|game| table.text(id(game))).collect()
        };
        let texts = |text: fn(&Game) -> String| -> Vec<Cow<'a, str>> {
            games.iter().map(|game| Cow::Owned(text(game))).collect()
        };
        let numbers = |number: fn(&Game) -> u32| -> Vec<u32> { games.iter().map(number).collect() };
        GameColumns {
            event: names(|game| game.event),
            site: names(|game| game.site),
            white: names(|game| game.white),
            black: names(|game| game.black),
            date: texts(|game| game.date.to_string()),
            event_date: texts(|game| game.event_date.to_string()),
            round: texts(|game| game.round.to_string()),
            result: games.iter().map(|game| game.result.pgn()).collect(),
            white_elo: numbers(|game| game.white_elo.into()),
            black_elo: numbers(|game| game.black_elo.into()),
            white_fide_id: numbers(|game| game.white_fide_id),
            black_fide_id: numbers(|game| game.black_fide_id),
            plies: numbers(|game| game.plies.into()),
            fingerprint: games.iter().map(|game| game.fingerprint).collect(),
            trace: games.iter().map(|game| game.trace).collect(),
            event_rounds: numbers(|game| game.event_rounds.into()),
            signs: numbers(|game| game.flags.bits().into()),
            member: games.iter().map(|game| &**table.member_of(game)).collect(),
            line: numbers(|game| game.line),
        }
    }

    /// All columns with their names, in the order of the files.
    pub fn all(self) -> [(&'static str, GameColumn<'a>); 19] {
        let texts =
            |texts: Vec<&'a str>| GameColumn::Texts(texts.into_iter().map(Cow::Borrowed).collect());
        [
            ("event", texts(self.event)),
            ("site", texts(self.site)),
            ("white", texts(self.white)),
            ("black", texts(self.black)),
            ("date", GameColumn::Texts(self.date)),
            ("event_date", GameColumn::Texts(self.event_date)),
            ("round", GameColumn::Texts(self.round)),
            ("result", texts(self.result)),
            ("white_elo", GameColumn::Numbers(self.white_elo)),
            ("black_elo", GameColumn::Numbers(self.black_elo)),
            ("white_fide_id", GameColumn::Numbers(self.white_fide_id)),
            ("black_fide_id", GameColumn::Numbers(self.black_fide_id)),
            ("plies", GameColumn::Numbers(self.plies)),
            ("fingerprint", GameColumn::Long(self.fingerprint)),
            ("trace", GameColumn::Long(self.trace)),
            ("event_rounds", GameColumn::Numbers(self.event_rounds)),
            ("signs", GameColumn::Numbers(self.signs)),
            ("member", texts(self.member)),
            ("line", GameColumn::Numbers(self.line)),
        ]
    }

    /// Appends the games to a table; `before` rows came before these.
    ///
    /// # Errors
    ///
    /// Where a value makes no sense.
    pub fn append_to(
        &self,
        table: &mut GameTable,
        members: &mut Members,
        before: usize,
    ) -> Result<(), ColumnError> {
        let wrong = |row: usize, column: &'static str, value: &str| ColumnError {
            row: before + row + 1,
            column,
            value: value.chars().take(40).collect(),
        };
        let small = |row: usize, column: &'static str, value: u32| {
            u16::try_from(value).map_err(|_| wrong(row, column, &value.to_string()))
        };
        let day = |row: usize, column: &'static str, value: &str| {
            PartialDate::parse(value).ok_or_else(|| wrong(row, column, value))
        };
        for row in 0..self.line.len() {
            let (result, _) = GameResult::parse(self.result[row])
                .ok_or_else(|| wrong(row, "result", self.result[row]))?;
            let game = Game {
                event: kept(&mut table.names, self.event[row]),
                site: kept(&mut table.names, self.site[row]),
                white: kept(&mut table.names, self.white[row]),
                black: kept(&mut table.names, self.black[row]),
                date: day(row, "date", &self.date[row])?,
                event_date: day(row, "event_date", &self.event_date[row])?,
                round: Round::parse(&self.round[row]),
                result,
                white_elo: small(row, "white_elo", self.white_elo[row])?,
                black_elo: small(row, "black_elo", self.black_elo[row])?,
                white_fide_id: self.white_fide_id[row],
                black_fide_id: self.black_fide_id[row],
                plies: small(row, "plies", self.plies[row])?,
                fingerprint: self.fingerprint[row],
                trace: self.trace[row],
                event_rounds: u8::try_from(self.event_rounds[row]).unwrap_or(0),
                flags: u16::try_from(self.signs[row])
                    .map(GameFlags::from_bits_retain)
                    .map_err(|_| wrong(row, "signs", &self.signs[row].to_string()))?,
                member: members.number(self.member[row], &mut table.members),
                line: self.line[row],
            };
            table.push(game);
        }
        Ok(())
    }
}

/// The members of a file, in the order of their first games. Games of one member stand together, so
/// looking at the last one nearly always suffices.
#[derive(Debug, Default)]
pub struct Members {
    last: Option<u32>,
    numbers: FxHashMap<Arc<str>, u32>,
}

impl Members {
    fn number(&mut self, name: &str, all: &mut Vec<Arc<str>>) -> u32 {
        if let Some(last) = self.last.filter(|last| &*all[*last as usize] == name) {
            return last;
        }
        let number = match self.numbers.get(name) {
            Some(number) => *number,
            None => {
                let (number, name): (u32, Arc<str>) = (all.len() as u32, name.into());
                all.push(Arc::clone(&name));
                self.numbers.insert(name, number);
                number
            }
        };
        self.last = Some(number);
        number
    }
}

/// Bytes of a text of which a name is made; what is cleaned out of it is hardly ever any.
const LONGEST_READ: usize = 16 * LONGEST_NAME;

/// A name of the file; what is not plain is cleaned as that of a PGN is.
fn kept(names: &mut NameTable, text: &str) -> NameId {
    let is_plain =
        text.len() <= LONGEST_NAME && text.bytes().all(|byte| matches!(byte, b' '..=b'~'));
    if is_plain {
        return names.intern(text);
    }
    // Of a text of megabytes only its beginning can be kept.
    let end = text.floor_char_boundary(LONGEST_READ);
    names.intern(&clean_name(&text[..end]))
}
