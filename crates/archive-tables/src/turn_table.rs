//! The table of turns as Parquet, and back; it holds no moves and no positions.

use std::fs::File;
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

use super::parquet_check::{Unsound, check, seal, unsealed};

/// Most moves that an engine lists.
const MOST_VALUES: usize = 50;

/// A table that cannot be written or read.
#[derive(Debug, Error)]
pub enum TurnTableError {
    /// The file cannot be opened or made.
    #[error("{path}: cannot be opened: {error}")]
    Open {
        /// The file.
        path: String,
        /// Why.
        error: std::io::Error,
    },
    /// It is no Parquet file, or lacks a column, or has one of another type.
    #[error("{path}: is no table of turns: {error}")]
    Table {
        /// The file.
        path: String,
        /// Why.
        error: PolarsError,
    },
    /// A value makes no sense.
    #[error("{path}: row {row}: {what}")]
    Value {
        /// The file.
        path: String,
        /// Number of the row, from 1.
        row: usize,
        /// What is wrong.
        what: String,
    },
    /// Reading it fails, or its bytes are not those that were written.
    #[error("{path}: is damaged: {what}; write it again (greatness intrinsic)")]
    Damaged {
        /// The file.
        path: String,
        /// What is wrong.
        what: String,
    },
}

/// Rows that are held as columns at a time.
const BATCH: usize = 1 << 16;

/// Writes the table, a row a turn.
///
/// Columns: event, year, white, black, game, fingerprint, ply (from 0), left_out (why, or nothing), legal (moves), place (of the move played, from 1; one
/// more than are listed where it is not), played (its value, centipawns), value_1 and on (centipawns, the best first), engine.
///
/// # Errors
///
/// Where the file cannot be written.
pub fn write_turns(turns: &TurnTable, path: &Path) -> Result<(), TurnTableError> {
    let shown = || path.display().to_string();
    let table = |error| TurnTableError::Table { path: shown(), error };
    let open = |error| TurnTableError::Open { path: shown(), error };
    let values = turns
        .games
        .iter()
        .flat_map(|game| &game.turns)
        .filter_map(|turn| turn.values.as_ref())
        .map(|values| values.values.len())
        .max()
        .unwrap_or(0);
    let file = File::create(path).map_err(open)?;
    let mut games = batches(&turns.games).peekable();
    let first = frame(turns, games.next().unwrap_or_default(), values).map_err(table)?;
    let mut writer = ParquetWriter::new(file)
        .with_compression(ParquetCompression::Zstd(None))
        .with_key_value_metadata(unsealed())
        .batched(first.schema())
        .map_err(table)?;
    writer.write_batch(&first).map_err(table)?;
    for batch in games {
        let frame = frame(turns, batch, values).map_err(table)?;
        writer.write_batch(&frame).map_err(table)?;
    }
    writer.finish().map_err(table)?;
    seal(path).map_err(open)
}

fn frame(
    turns: &TurnTable,
    games: &[AnsweredGame],
    values: usize,
) -> Result<DataFrame, PolarsError> {
    let rows =
        || games.iter().flat_map(|game| (0i32..).zip(&game.turns).map(move |turn| (game, turn)));
    let known = || rows().map(|(_, (_, turn))| turn.values.as_ref());
    let texts = |name: &str, text: &dyn Fn(&AnsweredGame) -> Arc<str>| {
        let texts: Vec<Arc<str>> = rows().map(|(game, _)| text(game)).collect();
        let texts: Vec<&str> = texts.iter().map(|text| &**text).collect();
        Series::new(name.into(), texts).into_column()
    };
    let numbers =
        |name: &str, numbers: Vec<Option<i32>>| Series::new(name.into(), numbers).into_column();
    let fingerprints: Vec<u64> = rows().map(|(game, _)| game.fingerprint).collect();
    let reasons: Vec<Option<&str>> =
        rows().map(|(_, (_, turn))| turn.left_out.map(LeftOut::word)).collect();
    let mut columns: Vec<Column> = vec![
        texts("event", &|game| Arc::clone(&game.event)),
        numbers("year", rows().map(|(game, _)| game.year.map(i32::from)).collect()),
        texts("white", &|game| Arc::clone(&game.white)),
        texts("black", &|game| Arc::clone(&game.black)),
        numbers("game", rows().map(|(game, _)| Some(game.number.into())).collect()),
        Series::new("fingerprint".into(), fingerprints).into_column(),
        numbers("ply", rows().map(|(_, (ply, _))| Some(ply)).collect()),
        Series::new("left_out".into(), reasons).into_column(),
        numbers("legal", known().map(|of| of.map(|of| of.legal.into())).collect()),
        numbers(
            "place",
            known().map(|of| of.map(|of| of.place.unwrap_or(of.values.len()) as i32 + 1)).collect(),
        ),
        numbers("played", known().map(|of| of.map(|of| of.played.into())).collect()),
    ];
    for place in 0..values {
        let of_place = known().map(|of| of?.values.get(place).copied().map(i32::from));
        columns.push(numbers(&format!("value_{}", place + 1), of_place.collect()));
    }
    let engine = vec![turns.engine.as_str(); rows().count()];
    columns.push(Series::new("engine".into(), engine).into_column());
    DataFrame::new(rows().count(), columns)
}

/// Reads a table that [`write_turns`] wrote, or several that were put together: one for each engine.
///
/// # Errors
///
/// Where it cannot be read, or a value makes no sense.
pub fn read_turns(path: &Path) -> Result<Vec<TurnTable>, TurnTableError> {
    guarded(|| read_batches(path)).unwrap_or_else(|what| {
        Err(TurnTableError::Damaged { path: path.display().to_string(), what })
    })
}

fn read_batches(path: &Path) -> Result<Vec<TurnTable>, TurnTableError> {
    let shown = || path.display().to_string();
    let table = |error| TurnTableError::Table { path: shown(), error };
    let damaged = |what: String| TurnTableError::Damaged { path: shown(), what };
    let file = || File::open(path).map_err(|error| TurnTableError::Open { path: shown(), error });
    check(path).map_err(|unsound| match unsound {
        Unsound::Read(error) => TurnTableError::Open { path: shown(), error },
        Unsound::Metadata(error) => table(error),
        Unsound::Damaged(what) => damaged(what),
    })?;
    let rows = ParquetReader::new(file()?).num_rows().map_err(table)?;
    let mut reading = Reading::default();
    for start in (0..rows).step_by(BATCH) {
        let length = BATCH.min(rows - start);
        let reader = ParquetReader::new(file()?).with_slice(Some((start, length)));
        let frame = reader.finish().map_err(table)?;
        if frame.height() != length || frame.columns().iter().any(|of| of.len() != length) {
            return Err(damaged(format!("rows from {} on are missing", start + 1)));
        }
        reading.frame(&frame).map_err(table)?.map_err(|(row, what)| TurnTableError::Value {
            path: shown(),
            row: start + row + 1,
            what,
        })?;
    }
    Ok(reading.tables)
}

/// Reads a calibration, and the values of its reference turns from the table next to it.
///
/// # Errors
///
/// When either cannot be read, or holds impossible values.
pub fn read_calibration(path: &Path) -> Result<Calibration, CalibrationError> {
    let found = Calibration::read(path)?;
    let reference = reference_path(path);
    let wrong = |what: String| CalibrationError::Value { path: path.display().to_string(), what };
    let tables = read_turns(&reference).map_err(|error| wrong(error.to_string()))?;
    let Some(table) = tables.iter().find(|table| table.engine == found.engine) else {
        return Err(wrong(format!("{} is of another engine", reference.display())));
    };
    let turns = table.games.iter().flat_map(|game| &game.turns);
    Ok(found.with_reference(turns.filter_map(|turn| turn.values.as_ref())))
}

/// Whole games, until they have turns enough.
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

/// Tables that are being read.
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

    /// Takes rows; what is wrong with the values of one, with its place.
    fn frame(&mut self, frame: &DataFrame) -> Result<Result<(), (usize, String)>, PolarsError> {
        let text = |name: &str| -> Result<Vec<Option<&str>>, PolarsError> {
            Ok(frame.column(name)?.str()?.iter().collect())
        };
        let number = |name: &str| -> Result<Vec<Option<i32>>, PolarsError> {
            Ok(frame.column(name)?.i32()?.iter().collect())
        };
        let [event, white, black, engine, left_out] =
            [text("event")?, text("white")?, text("black")?, text("engine")?, text("left_out")?];
        let [year, game, ply] = [number("year")?, number("game")?, number("ply")?];
        let [legal, place, played] = [number("legal")?, number("place")?, number("played")?];
        let fingerprint: Vec<Option<u64>> = frame.column("fingerprint")?.u64()?.iter().collect();
        let mut values = Vec::new();
        for place in 1..=MOST_VALUES {
            match number(&format!("value_{place}")) {
                Ok(column) => values.push(column),
                Err(_) => break,
            }
        }
        for row in 0..frame.height() {
            let wrong = |what: &str| Ok(Err((row, what.to_owned())));
            let left_out = match left_out[row].map(|word| (word, LeftOut::of_word(word))) {
                None => None,
                Some((_, Some(reason))) => Some(reason),
                Some((word, None)) => {
                    let word: String = word.chars().take(40).collect();
                    return wrong(&format!("left_out \"{word}\" is no reason"));
                }
            };
            let small = |value: Option<i32>| value.and_then(|value| i16::try_from(value).ok());
            let of_turn: Vec<i16> = values.iter().map_while(|of| small(of[row])).collect();
            let values = match (legal[row], place[row], small(played[row])) {
                (Some(legal), Some(place), Some(played)) => {
                    let legal = u8::try_from(legal).ok();
                    let place = usize::try_from(place).ok().filter(|place| *place >= 1);
                    let (Some(legal), Some(place)) = (legal, place) else {
                        return wrong("legal or place is none");
                    };
                    let is_sorted = of_turn.is_sorted_by(|a, b| a >= b);
                    let is_possible = !of_turn.is_empty()
                        && is_sorted
                        && of_turn.len() <= usize::from(legal)
                        && place <= of_turn.len() + 1
                        && (place <= of_turn.len() || usize::from(legal) > of_turn.len())
                        && of_turn.last().is_some_and(|last| {
                            of_turn.get(place - 1).map_or(played <= *last, |of| *of == played)
                        });
                    if !is_possible {
                        return wrong("its values contradict each other");
                    }
                    let place = (place <= of_turn.len()).then_some(place - 1);
                    Some(TurnValues { legal, values: of_turn, place, played })
                }
                _ => None,
            };
            if left_out.is_none() && values.is_none() {
                return wrong("it counts and has no values");
            }
            let (event, white, black) = (
                self.text(event[row].unwrap_or_default()),
                self.text(white[row].unwrap_or_default()),
                self.text(black[row].unwrap_or_default()),
            );
            let engine = engine[row].unwrap_or_default();
            let table = match self.tables.iter().position(|table| table.engine == engine) {
                Some(table) => &mut self.tables[table],
                None => {
                    self.tables.push(TurnTable { engine: engine.to_owned(), games: Vec::new() });
                    let last = self.tables.len() - 1;
                    &mut self.tables[last]
                }
            };
            let number = game[row].and_then(|game| u16::try_from(game).ok()).unwrap_or(0);
            let answer = AnsweredTurn { left_out, values };
            if ply[row] == Some(0) {
                table.games.push(AnsweredGame {
                    event,
                    year: small(year[row]),
                    white,
                    black,
                    number,
                    fingerprint: fingerprint[row].unwrap_or(0),
                    turns: vec![answer],
                });
                continue;
            }
            let goes_on = table.games.last_mut().filter(|last| {
                last.number == number
                    && last.event == event
                    && last.white == white
                    && last.black == black
                    && ply[row] == i32::try_from(last.turns.len()).ok()
            });
            match goes_on {
                Some(game) => game.turns.push(answer),
                None => return wrong("it is not the turn behind the one before"),
            }
        }
        Ok(Ok(()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::with_a_wrong_bit;

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
    fn what_is_written_is_read_back() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("turns.parquet");
        write_turns(&table(), &path).unwrap();
        assert_eq!(read_turns(&path).unwrap(), [table()]);
        write_turns(&TurnTable::default(), &path).unwrap();
        assert_eq!(read_turns(&path).unwrap(), []);
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1);
    }

    #[test]
    fn what_makes_no_sense_is_refused_with_its_row() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("turns.parquet");
        let refused = |table: TurnTable| {
            write_turns(&table, &path).unwrap();
            read_turns(&path).unwrap_err().to_string()
        };
        let mut odd = table();
        odd.games[1].turns[0].values = None;
        let told = refused(odd);
        assert!(told.contains("row 4: it counts and has no values"), "{told}");
        let mut odd = table();
        odd.games[0].turns[1].values.as_mut().unwrap().played = 31;
        let told = refused(odd);
        assert!(told.contains("row 2: its values contradict"), "{told}");
        std::fs::write(&path, "no table").unwrap();
        let told = read_turns(&path).unwrap_err().to_string();
        assert!(told.contains("is no table of turns"), "{told}");
        let told = read_turns(&folder.path().join("none")).unwrap_err().to_string();
        assert!(told.contains("cannot be opened"), "{told}");
    }

    #[test]
    fn one_bit_that_is_otherwise_never_gives_other_turns() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("turns.parquet");
        write_turns(&table(), &path).unwrap();
        let whole = std::fs::read(&path).unwrap();
        let mut refused = 0;
        for (place, damaged) in with_a_wrong_bit(&whole) {
            std::fs::write(&path, damaged).unwrap();
            match read_turns(&path) {
                Ok(tables) => assert_eq!(tables, [table()], "byte {place}"),
                Err(_) => refused += 1,
            }
        }
        assert!(refused * 4 > whole.len(), "{refused} of {}", whole.len());
    }
}
