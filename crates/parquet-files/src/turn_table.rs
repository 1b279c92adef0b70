//! Writes the table of turns as Parquet, and reads it back. The table has no moves and no
//! positions.

use std::fs::File;
use std::io;
use std::path::Path;
use std::sync::Arc;

use polars::prelude::{
    Column, DataFrame, IntoColumn, NamedFrom, ParquetCompression, ParquetReader, ParquetWriter,
    PolarsError, SerReader, Series,
};
use rustc_hash::FxHashMap;
use thiserror::Error;

use intrinsic_ratings::{
    AnsweredGame, AnsweredTurn, Calibration, CalibrationError, LeftOut, TurnTable, TurnValues,
    reference_path,
};
use pgn_collections::guarded::guarded;

use crate::columns::{FormatError, hashes, texts};
use crate::parquet_check::{Unsound, check, seal, unsealed};

/// Most moves that an engine lists for a turn.
const MOST_VALUES: usize = 50;

/// Why a table of turns cannot be written or read.
#[derive(Debug, Error)]
pub enum TurnTableError {
    /// The file cannot be opened or created.
    #[error("{path}: cannot be opened: {error}")]
    Open {
        /// Path of the file.
        path: String,
        /// Why it cannot be opened or created.
        error: io::Error,
    },
    /// The file is not Parquet, lacks a column, or has a column of another type.
    #[error("{path}: is not a table of turns: {error}")]
    Table {
        /// Path of the file.
        path: String,
        /// How its format differs from that of a table of turns.
        error: FormatError,
    },
    /// A row contradicts itself or the row before it.
    #[error("{path}: row {row}: {fault}")]
    Row {
        /// Path of the file.
        path: String,
        /// Number of the row, from 1.
        row: usize,
        /// The contradiction in the row.
        fault: TurnFault,
    },
    /// Reading the file fails, or its bytes are not those that were written.
    #[error("{path}: is damaged: {what}; write it again (greatness intrinsic)")]
    Damaged {
        /// Path of the file.
        path: String,
        /// The damage, in words.
        what: String,
    },
}

impl TurnTableError {
    fn open(path: &Path, error: io::Error) -> TurnTableError {
        TurnTableError::Open { path: path.display().to_string(), error }
    }

    fn table(path: &Path, error: FormatError) -> TurnTableError {
        TurnTableError::Table { path: path.display().to_string(), error }
    }

    fn damaged(path: &Path, what: String) -> TurnTableError {
        TurnTableError::Damaged { path: path.display().to_string(), what }
    }
}

/// What is wrong with a row of the table of turns.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum TurnFault {
    /// `left_out` names no reason.
    #[error("left_out \"{0}\" is not a reason")]
    Reason(String),
    /// `legal` or `place` is not a number of moves.
    #[error("legal or place is not a positive number")]
    Count,
    /// The values, the place and the number of legal moves cannot all be true.
    #[error("its values contradict each other")]
    Contradiction,
    /// The turn has neither values nor a reason for having none.
    #[error("the turn has no values, and no reason for having none")]
    NoValues,
    /// The turn does not continue the game of the row before.
    #[error("the turn does not follow the one in the row before")]
    Order,
}

/// Why some rows cannot be read.
enum RowsError {
    /// A column is missing or of another type.
    Columns(FormatError),
    /// A row is wrong; `row` is its place among these rows, from 0.
    Row { row: usize, fault: TurnFault },
}

impl From<FormatError> for RowsError {
    fn from(error: FormatError) -> Self {
        RowsError::Columns(error)
    }
}

/// Number of rows that are held as columns at a time: some 20 MB.
const BATCH: usize = 1 << 16;

/// Writes a table of turns, one row per turn.
///
/// | column | content |
/// |---|---|
/// | event, year, white, black, game, fingerprint | the game |
/// | ply | number of the turn in the game, from 0 |
/// | left_out | why the turn is left out; null if it counts |
/// | legal | number of legal moves |
/// | place | place of the played move among the listed ones, from 1; one more if it is not listed |
/// | played | value of the played move (centipawns) |
/// | value_1, value_2, ... | values of the listed moves (centipawns), the best first |
/// | engine | the engine |
///
/// # Errors
///
/// Returns an error if the file cannot be written.
pub fn write_turns(turns: &TurnTable, path: &Path) -> Result<(), TurnTableError> {
    let file = File::create(path).map_err(|error| TurnTableError::open(path, error))?;
    write(turns, file).map_err(|error| TurnTableError::table(path, error.into()))?;
    seal(path).map_err(|error| TurnTableError::open(path, error))
}

fn write(turns: &TurnTable, file: File) -> Result<(), PolarsError> {
    let turns_of_all = turns.games.iter().flat_map(|game| &game.turns);
    let listed = turns_of_all.filter_map(|turn| Some(turn.values.as_ref()?.values.len()));
    let values = listed.max().unwrap_or(0);
    let mut games = batches(&turns.games).peekable();
    let first = frame(turns, games.next().unwrap_or_default(), values)?;
    let mut writer = ParquetWriter::new(file)
        .with_compression(ParquetCompression::Zstd(None))
        .with_key_value_metadata(unsealed())
        .batched(first.schema())?;
    writer.write_batch(&first)?;
    for batch in games {
        writer.write_batch(&frame(turns, batch, values)?)?;
    }
    writer.finish()?;
    Ok(())
}

/// One row of the table: a turn, its number in the game (from 0), and the game.
struct Row<'t> {
    game: &'t AnsweredGame,
    ply: i32,
    turn: &'t AnsweredTurn,
}

/// Converts the turns of some games to columns. `values` is the number of columns of values.
fn frame(
    turns: &TurnTable,
    games: &[AnsweredGame],
    values: usize,
) -> Result<DataFrame, PolarsError> {
    let mut rows: Vec<Row> = Vec::new();
    for game in games {
        rows.extend((0..).zip(&game.turns).map(|(ply, turn)| Row { game, ply, turn }));
    }
    let fingerprints: Vec<u64> = rows.iter().map(|row| row.game.fingerprint).collect();
    let mut columns: Vec<Column> = vec![
        text_column("event", &rows, |row| Some(&row.game.event)),
        number_column("year", &rows, |row| row.game.year.map(i32::from)),
        text_column("white", &rows, |row| Some(&row.game.white)),
        text_column("black", &rows, |row| Some(&row.game.black)),
        number_column("game", &rows, |row| Some(row.game.number.into())),
        Series::new("fingerprint".into(), fingerprints).into_column(),
        number_column("ply", &rows, |row| Some(row.ply)),
        text_column("left_out", &rows, |row| row.turn.left_out.map(LeftOut::word)),
        number_column("legal", &rows, |row| Some(row.turn.values.as_ref()?.legal.into())),
        number_column("place", &rows, |row| {
            let values = row.turn.values.as_ref()?;
            Some(values.place.unwrap_or(values.values.len()) as i32 + 1)
        }),
        number_column("played", &rows, |row| Some(row.turn.values.as_ref()?.played.into())),
    ];
    for place in 0..values {
        columns.push(number_column(&format!("value_{}", place + 1), &rows, |row| {
            row.turn.values.as_ref()?.values.get(place).copied().map(i32::from)
        }));
    }
    columns.push(text_column("engine", &rows, |_| Some(&turns.engine)));
    DataFrame::new(rows.len(), columns)
}

fn text_column<'t>(
    name: &str,
    rows: &[Row<'t>],
    text: impl Fn(&Row<'t>) -> Option<&'t str>,
) -> Column {
    Series::new(name.into(), rows.iter().map(text).collect::<Vec<_>>()).into_column()
}

fn number_column(name: &str, rows: &[Row], number: impl Fn(&Row) -> Option<i32>) -> Column {
    Series::new(name.into(), rows.iter().map(number).collect::<Vec<_>>()).into_column()
}

/// Reads a file that [`write_turns`] wrote, or a concatenation of several. Returns one table for
/// each engine.
///
/// # Errors
///
/// Returns an error if the file cannot be read, or a row is wrong.
pub fn read_turns(path: &Path) -> Result<Vec<TurnTable>, TurnTableError> {
    guarded(|| read_batches(path))
        .unwrap_or_else(|panic| Err(TurnTableError::damaged(path, panic.0)))
}

fn read_batches(path: &Path) -> Result<Vec<TurnTable>, TurnTableError> {
    check(path).map_err(|unsound| match unsound {
        Unsound::Read(error) => TurnTableError::open(path, error),
        Unsound::Metadata(error) => TurnTableError::table(path, error.into()),
        Unsound::Damaged(what) => TurnTableError::damaged(path, what),
    })?;
    let rows = ParquetReader::new(open(path)?)
        .num_rows()
        .map_err(|error| TurnTableError::table(path, error.into()))?;
    let mut reading = Reading::default();
    for start in (0..rows).step_by(BATCH) {
        let length = BATCH.min(rows - start);
        let frame = ParquetReader::new(open(path)?)
            .with_slice(Some((start, length)))
            .finish()
            .map_err(|error| TurnTableError::table(path, error.into()))?;
        if frame.height() != length || frame.columns().iter().any(|of| of.len() != length) {
            let what = format!("rows are missing from row {} on", start + 1);
            return Err(TurnTableError::damaged(path, what));
        }
        reading.add_rows(&frame).map_err(|error| match error {
            RowsError::Columns(error) => TurnTableError::table(path, error),
            RowsError::Row { row, fault } => {
                let path = path.display().to_string();
                TurnTableError::Row { path, row: start + row + 1, fault }
            }
        })?;
    }
    Ok(reading.tables)
}

fn open(path: &Path) -> Result<File, TurnTableError> {
    File::open(path).map_err(|error| TurnTableError::open(path, error))
}

/// Reads a calibration, and the values of its reference turns from the table next to it.
///
/// # Errors
///
/// Returns an error if either file cannot be read or has impossible values, or if the table is of
/// another engine.
pub fn read_calibration(path: &Path) -> Result<Calibration, CalibrationError> {
    let found = Calibration::read(path)?;
    let reference = reference_path(path);
    let read = read_turns(&reference).map_err(|error| error.to_string()).and_then(|tables| {
        let table = tables.into_iter().find(|table| table.engine == found.engine);
        table.ok_or_else(|| format!("{} is of another engine", reference.display()))
    });
    let table =
        read.map_err(|what| CalibrationError::Value { path: path.display().to_string(), what })?;
    let turns = table.games.iter().flat_map(|game| &game.turns);
    Ok(found.with_reference(turns.filter_map(|turn| turn.values.as_ref())))
}

/// Splits games into batches of about [`BATCH`] turns. No game is split.
fn batches(games: &[AnsweredGame]) -> impl Iterator<Item = &[AnsweredGame]> {
    let mut rest = games;
    std::iter::from_fn(move || {
        let mut turns = 0;
        let end = rest.iter().position(|game| {
            turns += game.turns.len();
            turns > BATCH
        });
        let (batch, left) = rest.split_at(end.map_or(rest.len(), |end| end.max(1)));
        rest = left;
        (!batch.is_empty()).then_some(batch)
    })
}

/// The columns of some rows of the table of turns.
struct TurnColumns<'a> {
    event: Vec<Option<&'a str>>,
    white: Vec<Option<&'a str>>,
    black: Vec<Option<&'a str>>,
    engine: Vec<Option<&'a str>>,
    left_out: Vec<Option<&'a str>>,
    year: Vec<Option<i32>>,
    game: Vec<Option<i32>>,
    ply: Vec<Option<i32>>,
    legal: Vec<Option<i32>>,
    place: Vec<Option<i32>>,
    played: Vec<Option<i32>>,
    fingerprint: Vec<Option<u64>>,
    /// `value_1`, `value_2` and so on.
    values: Vec<Vec<Option<i32>>>,
}

impl<'a> TurnColumns<'a> {
    fn read(frame: &'a DataFrame) -> Result<TurnColumns<'a>, FormatError> {
        Ok(TurnColumns {
            event: texts(frame, "event")?,
            white: texts(frame, "white")?,
            black: texts(frame, "black")?,
            engine: texts(frame, "engine")?,
            left_out: texts(frame, "left_out")?,
            year: numbers(frame, "year")?,
            game: numbers(frame, "game")?,
            ply: numbers(frame, "ply")?,
            legal: numbers(frame, "legal")?,
            place: numbers(frame, "place")?,
            played: numbers(frame, "played")?,
            fingerprint: hashes(frame, "fingerprint")?,
            values: (1..=MOST_VALUES)
                .map_while(|place| numbers(frame, &format!("value_{place}")).ok())
                .collect(),
        })
    }

    /// The engine's answer in a row.
    fn answer(&self, row: usize) -> Result<AnsweredTurn, TurnFault> {
        let left_out = self.left_out[row].map(reason).transpose()?;
        let values = self.turn_values(row)?;
        if left_out.is_none() && values.is_none() {
            return Err(TurnFault::NoValues);
        }
        Ok(AnsweredTurn { left_out, values })
    }

    /// The values of a row; `None` where the table has none.
    fn turn_values(&self, row: usize) -> Result<Option<TurnValues>, TurnFault> {
        let (Some(legal), Some(place), Some(played)) =
            (self.legal[row], self.place[row], small(self.played[row]))
        else {
            return Ok(None);
        };
        let legal = u8::try_from(legal).map_err(|_| TurnFault::Count)?;
        let place = usize::try_from(place).map_err(|_| TurnFault::Count)?;
        let place = place.checked_sub(1).ok_or(TurnFault::Count)?;
        let values: Vec<i16> = self.values.iter().map_while(|of| small(of[row])).collect();
        if !are_possible(legal, &values, place, played) {
            return Err(TurnFault::Contradiction);
        }
        let place = (place < values.len()).then_some(place);
        Ok(Some(TurnValues { legal, values, place, played }))
    }
}

/// Returns whether the values of a turn can all be true.
///
/// The values (centipawns) must be in descending order, and at most as many as the legal moves. The
/// move at `place` (from 0) must have the value `played`. A move that is not listed has the place
/// after the last, and at most the value of the last.
fn are_possible(legal: u8, values: &[i16], place: usize, played: i16) -> bool {
    let Some(last) = values.last() else { return false };
    let legal = usize::from(legal);
    let is_listed = place < values.len();
    let is_unlisted = place == values.len() && legal > values.len();
    values.is_sorted_by(|a, b| a >= b)
        && values.len() <= legal
        && (is_listed || is_unlisted)
        && values.get(place).map_or(played <= *last, |value| *value == played)
}

fn numbers(frame: &DataFrame, name: &str) -> Result<Vec<Option<i32>>, FormatError> {
    Ok(frame.column(name)?.i32()?.iter().collect())
}

/// The reason that a word of the column `left_out` names.
fn reason(word: &str) -> Result<LeftOut, TurnFault> {
    LeftOut::of_word(word).ok_or_else(|| TurnFault::Reason(word.chars().take(40).collect()))
}

/// A number that fits into 16 bits; `None` for any other.
fn small(value: Option<i32>) -> Option<i16> {
    value.and_then(|value| i16::try_from(value).ok())
}

/// The tables read so far, one for each engine.
#[derive(Default)]
struct Reading {
    tables: Vec<TurnTable>,
    texts: FxHashMap<String, Arc<str>>,
}

impl Reading {
    fn text(&mut self, text: &str) -> Arc<str> {
        if let Some(known) = self.texts.get(text) {
            return Arc::clone(known);
        }
        let new: Arc<str> = text.into();
        self.texts.insert(text.to_owned(), Arc::clone(&new));
        new
    }

    fn add_rows(&mut self, frame: &DataFrame) -> Result<(), RowsError> {
        let columns = TurnColumns::read(frame)?;
        for row in 0..frame.height() {
            self.add_turn(&columns, row).map_err(|fault| RowsError::Row { row, fault })?;
        }
        Ok(())
    }

    /// Adds a turn to its game. The turn of ply 0 begins another game.
    fn add_turn(&mut self, columns: &TurnColumns<'_>, row: usize) -> Result<(), TurnFault> {
        let answer = columns.answer(row)?;
        let (event, white, black) = (
            self.text(columns.event[row].unwrap_or_default()),
            self.text(columns.white[row].unwrap_or_default()),
            self.text(columns.black[row].unwrap_or_default()),
        );
        let number = columns.game[row].and_then(|game| u16::try_from(game).ok()).unwrap_or(0);
        let table = self.table_of(columns.engine[row].unwrap_or_default());
        if columns.ply[row] == Some(0) {
            table.games.push(AnsweredGame {
                event,
                year: small(columns.year[row]),
                white,
                black,
                number,
                fingerprint: columns.fingerprint[row].unwrap_or(0),
                turns: vec![answer],
            });
            return Ok(());
        }
        let game = table.games.last_mut().filter(|last| {
            last.number == number
                && last.event == event
                && last.white == white
                && last.black == black
                && columns.ply[row] == i32::try_from(last.turns.len()).ok()
        });
        game.ok_or(TurnFault::Order)?.turns.push(answer);
        Ok(())
    }

    /// The table of an engine, which is created if there is none.
    fn table_of(&mut self, engine: &str) -> &mut TurnTable {
        let known = self.tables.iter().position(|table| table.engine == engine);
        let place = known.unwrap_or(self.tables.len());
        if known.is_none() {
            self.tables.push(TurnTable { engine: engine.to_owned(), games: Vec::new() });
        }
        &mut self.tables[place]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::with_a_changed_bit;

    fn table() -> TurnTable {
        let answer = |value: i16, place: Option<usize>| AnsweredTurn {
            left_out: None,
            values: Some(TurnValues {
                legal: 20,
                values: vec![value, value - 30],
                place,
                played: place.map_or(value - 400, |place| value - 30 * place as i16),
            }),
        };
        let left_out = |reason| AnsweredTurn { left_out: Some(reason), values: None };
        let game = |number, turns| AnsweredGame {
            event: "vienna-1898".into(),
            year: Some(1898),
            white: "tarrasch-siegbert".into(),
            black: "pillsbury-harry".into(),
            number,
            fingerprint: u64::MAX - u64::from(number),
            turns,
        };
        TurnTable {
            engine: "an engine".into(),
            games: vec![
                game(1, vec![left_out(LeftOut::Opening), answer(30, Some(1)), answer(-50, None)]),
                game(2, vec![answer(3, Some(0)), left_out(LeftOut::Illegal)]),
            ],
        }
    }

    #[test]
    fn a_written_table_is_read_back() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("turns.parquet");
        write_turns(&table(), &path).unwrap();
        assert_eq!(read_turns(&path).unwrap(), [table()]);
        write_turns(&TurnTable::default(), &path).unwrap();
        assert_eq!(read_turns(&path).unwrap(), []);
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1);
    }

    #[test]
    fn a_wrong_row_is_refused_with_its_number() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("turns.parquet");
        let refused = |table: TurnTable| {
            write_turns(&table, &path).unwrap();
            read_turns(&path).unwrap_err().to_string()
        };
        let mut odd = table();
        odd.games[1].turns[0].values = None;
        let message = refused(odd);
        assert!(message.contains("row 4: the turn has no values"), "{message}");
        let mut odd = table();
        odd.games[0].turns[1].values.as_mut().unwrap().played = 31;
        let message = refused(odd);
        assert!(message.contains("row 2: its values contradict"), "{message}");
        std::fs::write(&path, "no table").unwrap();
        let message = read_turns(&path).unwrap_err().to_string();
        assert!(message.contains("is not a table of turns"), "{message}");
        let message = read_turns(&folder.path().join("none")).unwrap_err().to_string();
        assert!(message.contains("cannot be opened"), "{message}");
    }

    #[test]
    fn a_changed_bit_never_yields_other_turns() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("turns.parquet");
        write_turns(&table(), &path).unwrap();
        let whole = std::fs::read(&path).unwrap();
        let mut refused = 0;
        for (place, damaged) in with_a_changed_bit(&whole) {
            std::fs::write(&path, damaged).unwrap();
            match read_turns(&path) {
                Ok(tables) => assert_eq!(tables, [table()], "byte {place}"),
                Err(_) => refused += 1,
            }
        }
        assert!(refused * 4 > whole.len(), "{refused} of {}", whole.len());
    }
}
