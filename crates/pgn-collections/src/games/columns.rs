//! The game table as columns, independent of the format that holds them (Parquet, Arrow).

use std::borrow::Cow;
use std::sync::Arc;

use rustc_hash::FxHashMap;
use thiserror::Error;

use super::date::PartialDate;
use super::game::{Game, GameFlags};
use super::result::GameResult;
use super::round::Round;
use super::table::GameTable;

/// A value that its column cannot hold.
#[derive(Debug, Error)]
#[error("row {row}: {column} \"{value}\" is not a valid value")]
pub struct ColumnError {
    /// Number of the row, from 1.
    pub row: usize,
    /// Name of the column.
    pub column: &'static str,
    /// The value that the column cannot hold.
    pub value: String,
}

/// Games as columns, all of the same length.
#[derive(Clone, Debug)]
pub struct GameColumns<'a> {
    /// Values of the Event tags.
    pub event: Vec<&'a str>,
    /// Values of the Site tags.
    pub site: Vec<&'a str>,
    /// Names of White.
    pub white: Vec<&'a str>,
    /// Names of Black.
    pub black: Vec<&'a str>,
    /// Dates in PGN notation.
    pub date: Vec<Cow<'a, str>>,
    /// Values of the EventDate tags, in PGN notation.
    pub event_date: Vec<Cow<'a, str>>,
    /// Rounds in PGN notation.
    pub round: Vec<Cow<'a, str>>,
    /// Results in PGN notation.
    pub result: Vec<&'a str>,
    /// White's ratings (points); 0 is unknown.
    pub white_elo: Vec<u32>,
    /// Black's ratings (points); 0 is unknown.
    pub black_elo: Vec<u32>,
    /// White's FIDE ids; 0 is unknown.
    pub white_fide_id: Vec<u32>,
    /// Black's FIDE ids; 0 is unknown.
    pub black_fide_id: Vec<u32>,
    /// Numbers of half-moves.
    pub plies: Vec<u32>,
    /// Fingerprints of the moves.
    pub fingerprint: Vec<u64>,
    /// Traces of the moves.
    pub trace: Vec<u64>,
    /// Number of rounds of the event, from the EventRounds tag; 0 is unknown.
    pub event_rounds: Vec<u32>,
    /// FIDE's category of the event, from the EventCategory tag; 0 is unknown.
    pub event_category: Vec<u32>,
    /// Bits of [`GameFlags`].
    pub signs: Vec<u32>,
    /// The member from which each game was read.
    pub member: Vec<&'a str>,
    /// The line of the member on which each game begins, from 1.
    pub line: Vec<u32>,
}

/// The values of one column.
#[derive(Clone, Debug)]
pub enum GameColumn<'a> {
    /// Texts, such as names and dates.
    Texts(Vec<Cow<'a, str>>),
    /// Numbers of 32 bits.
    Numbers(Vec<u32>),
    /// Numbers of 64 bits.
    Long(Vec<u64>),
}

impl<'a> GameColumn<'a> {
    fn borrowed(texts: Vec<&'a str>) -> GameColumn<'a> {
        GameColumn::Texts(texts.into_iter().map(Cow::Borrowed).collect())
    }
}

impl<'a> GameColumns<'a> {
    /// The columns of some games of a table.
    pub fn new(table: &'a GameTable, games: &[Game]) -> GameColumns<'a> {
        GameColumns {
            event: games.iter().map(|game| table.text(game.event)).collect(),
            site: games.iter().map(|game| table.text(game.site)).collect(),
            white: games.iter().map(|game| table.text(game.white)).collect(),
            black: games.iter().map(|game| table.text(game.black)).collect(),
            date: games.iter().map(|game| game.date.to_string().into()).collect(),
            event_date: games.iter().map(|game| game.event_date.to_string().into()).collect(),
            round: games.iter().map(|game| game.round.to_string().into()).collect(),
            result: games.iter().map(|game| game.result.pgn()).collect(),
            white_elo: games.iter().map(|game| game.white_elo.into()).collect(),
            black_elo: games.iter().map(|game| game.black_elo.into()).collect(),
            white_fide_id: games.iter().map(|game| game.white_fide_id).collect(),
            black_fide_id: games.iter().map(|game| game.black_fide_id).collect(),
            plies: games.iter().map(|game| game.plies.into()).collect(),
            fingerprint: games.iter().map(|game| game.fingerprint).collect(),
            trace: games.iter().map(|game| game.trace).collect(),
            event_rounds: games.iter().map(|game| game.event_rounds.into()).collect(),
            event_category: games.iter().map(|game| game.event_category.into()).collect(),
            signs: games.iter().map(|game| game.flags.bits()).collect(),
            member: games.iter().map(|game| &**table.member_of(game)).collect(),
            line: games.iter().map(|game| game.line).collect(),
        }
    }

    /// Returns all columns with their names, in the order in which files hold them.
    pub fn all(self) -> [(&'static str, GameColumn<'a>); 20] {
        [
            ("event", GameColumn::borrowed(self.event)),
            ("site", GameColumn::borrowed(self.site)),
            ("white", GameColumn::borrowed(self.white)),
            ("black", GameColumn::borrowed(self.black)),
            ("date", GameColumn::Texts(self.date)),
            ("event_date", GameColumn::Texts(self.event_date)),
            ("round", GameColumn::Texts(self.round)),
            ("result", GameColumn::borrowed(self.result)),
            ("white_elo", GameColumn::Numbers(self.white_elo)),
            ("black_elo", GameColumn::Numbers(self.black_elo)),
            ("white_fide_id", GameColumn::Numbers(self.white_fide_id)),
            ("black_fide_id", GameColumn::Numbers(self.black_fide_id)),
            ("plies", GameColumn::Numbers(self.plies)),
            ("fingerprint", GameColumn::Long(self.fingerprint)),
            ("trace", GameColumn::Long(self.trace)),
            ("event_rounds", GameColumn::Numbers(self.event_rounds)),
            ("event_category", GameColumn::Numbers(self.event_category)),
            ("signs", GameColumn::Numbers(self.signs)),
            ("member", GameColumn::borrowed(self.member)),
            ("line", GameColumn::Numbers(self.line)),
        ]
    }

    /// Appends the games to a table.
    ///
    /// `before` is the number of rows of the file before these. Errors state the row by it.
    ///
    /// # Errors
    ///
    /// Returns an error if a column holds a value that is not valid.
    pub fn append_to(
        &self,
        table: &mut GameTable,
        members: &mut Members,
        before: usize,
    ) -> Result<(), ColumnError> {
        for row in 0..self.line.len() {
            let number = before + row + 1;
            let (result, _) = GameResult::parse(self.result[row])
                .ok_or_else(|| ColumnError::new(number, "result", self.result[row]))?;
            let game = Game {
                event: table.names.intern(self.event[row]),
                site: table.names.intern(self.site[row]),
                white: table.names.intern(self.white[row]),
                black: table.names.intern(self.black[row]),
                date: date(number, "date", &self.date[row])?,
                event_date: date(number, "event_date", &self.event_date[row])?,
                round: Round::parse(&self.round[row]),
                result,
                white_elo: small_number(number, "white_elo", self.white_elo[row])?,
                black_elo: small_number(number, "black_elo", self.black_elo[row])?,
                white_fide_id: self.white_fide_id[row],
                black_fide_id: self.black_fide_id[row],
                plies: small_number(number, "plies", self.plies[row])?,
                fingerprint: self.fingerprint[row],
                trace: self.trace[row],
                event_rounds: u8::try_from(self.event_rounds[row]).unwrap_or(0),
                event_category: u8::try_from(self.event_category[row]).unwrap_or(0),
                flags: GameFlags::from_bits_retain(self.signs[row]),
                member: members.number(self.member[row], &mut table.members),
                line: self.line[row],
            };
            table.push(game);
        }
        Ok(())
    }
}

impl ColumnError {
    fn new(row: usize, column: &'static str, value: &str) -> ColumnError {
        ColumnError { row, column, value: value.chars().take(40).collect() }
    }
}

/// Converts a value of a column, in the row of this number, to 16 bits.
fn small_number(row: usize, column: &'static str, value: u32) -> Result<u16, ColumnError> {
    u16::try_from(value).map_err(|_| ColumnError::new(row, column, &value.to_string()))
}

/// Parses a date of a column, in the row of this number.
fn date(row: usize, column: &'static str, value: &str) -> Result<PartialDate, ColumnError> {
    PartialDate::parse(value).ok_or_else(|| ColumnError::new(row, column, value))
}

/// Numbers the members of a file in the order of their first games.
///
/// The games of one member stand together, so the last member nearly always matches.
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
