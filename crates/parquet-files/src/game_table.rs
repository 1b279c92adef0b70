//! Writes the game table as Parquet, and reads it back.

use std::borrow::Cow;
use std::fs::File;
use std::ops::Range;
use std::path::Path;

use polars::prelude::{
    Column, DataFrame, IntoColumn, NamedFrom, ParquetReader, ParquetWriter, PolarsError, SerReader,
    Series,
};
use thiserror::Error;

use pgn_collections::games::{ColumnError, Game, GameColumns, GameTable, Members};
use pgn_collections::guarded::guarded;
use pgn_collections::source::Limits;
use tables::{ColumnValues, game_columns, set_details};

use crate::columns::{FormatError, hashes, texts};
use crate::parquet_check::{Unsound, check, seal, unsealed};

/// Number of games that are held as columns at a time: some 100 MB.
const BATCH: usize = 1 << 18;

/// First bytes of a Parquet file (Apache Parquet, "File format").
pub const MAGIC: &[u8; 4] = b"PAR1";

/// Why a Parquet file cannot be written or read as a game table.
#[derive(Debug, Error)]
pub enum ParquetError {
    /// The file cannot be opened or created.
    #[error("cannot be opened: {0}")]
    Open(#[from] std::io::Error),
    /// The file is not Parquet, lacks a column, or has a column of another type.
    #[error("is not a game table: {0}")]
    Table(#[from] FormatError),
    /// A value is not valid.
    #[error(transparent)]
    Value(#[from] ColumnError),
    /// Reading the file fails, or its bytes are not those that were written.
    #[error("is damaged: {0}; write it again from its sources (greatness ingest)")]
    Damaged(String),
    /// The file unpacks to more than the limits allow for its size.
    #[error(
        "unpacks from {size} to {unpacked} bytes, more than input.limits.ratio ({ratio}) or member_mib allow; if you trust the file, raise them"
    )]
    TooLarge {
        /// Unpacked size that the file states (bytes).
        unpacked: u64,
        /// Size of the file (bytes).
        size: u64,
        /// Value of `input.limits.ratio`.
        ratio: u64,
    },
    /// The file has more games than the limits allow for its size.
    #[error(
        "has {games} games in {size} bytes, more than input.limits.ratio ({ratio}) allows; if you trust the file, raise it"
    )]
    TooManyGames {
        /// Number of games that the file states.
        games: usize,
        /// Size of the file (bytes).
        size: u64,
        /// Value of `input.limits.ratio`.
        ratio: u64,
    },
}

impl From<PolarsError> for ParquetError {
    fn from(error: PolarsError) -> Self {
        ParquetError::Table(error.into())
    }
}

impl From<Unsound> for ParquetError {
    fn from(unsound: Unsound) -> Self {
        match unsound {
            Unsound::Read(error) => ParquetError::Open(error),
            Unsound::Metadata(error) => error.into(),
            Unsound::Damaged(what) => ParquetError::Damaged(what),
        }
    }
}

/// Writes all games to a Parquet file, in their order, with the columns of [`game_columns`].
///
/// # Errors
///
/// Returns an error if the file cannot be written.
pub fn write_parquet(table: &GameTable, path: &Path) -> Result<(), ParquetError> {
    let mut batches = batches(table);
    let mut first = frame(table, batches.next().unwrap_or_default())?;
    let writer = ParquetWriter::new(File::create(path)?).with_key_value_metadata(unsealed());
    let mut writer = writer.batched(first.schema())?;
    first.align_chunks_par();
    writer.write_batch(&first)?;
    drop(first);
    for rows in batches {
        writer.write_batch(&frame(table, rows)?)?;
    }
    writer.finish()?;
    seal(path)?;
    Ok(())
}

/// The rows of a table in batches.
fn batches(table: &GameTable) -> impl Iterator<Item = Range<usize>> {
    let rows = table.len();
    (0..rows).step_by(BATCH).map(move |first| first..rows.min(first + BATCH))
}

fn frame(table: &GameTable, rows: Range<usize>) -> Result<DataFrame, PolarsError> {
    let mut columns: Vec<Column> = Vec::new();
    for (name, values) in game_columns(table, rows.clone()) {
        let name = name.into();
        let series = match values {
            ColumnValues::Texts(texts) => Series::new(name, texts),
            ColumnValues::OptionalTexts(texts) => Series::new(name, texts),
            ColumnValues::Numbers(numbers) => Series::new(name, numbers),
            ColumnValues::OptionalNumbers(numbers) => Series::new(name, numbers),
            ColumnValues::Hashes(hashes) => Series::new(name, hashes),
            ColumnValues::Flags(flags) => Series::new(name, flags),
        };
        columns.push(series.into_column());
    }
    DataFrame::new(rows.len(), columns)
}

/// Memory that a game takes at least (bytes). Limits of unpacking are computed with it.
const BYTES_OF_A_GAME: u64 = size_of::<Game>() as u64;

/// Returns the largest number of games of a file with the given size (bytes).
fn most_games(size: u64, limits: Limits) -> u64 {
    limits.budget(size) / BYTES_OF_A_GAME
}

/// Appends the games of a Parquet file to the table, and returns their number.
///
/// The file must have the columns that [`write_parquet`] writes, except those of details, which are
/// read if the table keeps them. Another program may have written it.
///
/// # Errors
///
/// Returns an error if the file cannot be read, is not a game table, is damaged, or has more games
/// than the limits allow. The table is then unchanged.
pub fn read_parquet(
    path: &Path,
    limits: Limits,
    table: &mut GameTable,
) -> Result<usize, ParquetError> {
    let (games, members) = (table.len(), table.members.len());
    let outcome = guarded(|| read_batches(path, limits, table))
        .unwrap_or_else(|panic| Err(ParquetError::Damaged(panic.0)));
    if outcome.is_err() {
        table.truncate(games);
        table.members.truncate(members);
    }
    outcome.map(|()| table.len() - games)
}

fn read_batches(path: &Path, limits: Limits, table: &mut GameTable) -> Result<(), ParquetError> {
    check(path)?;
    let file = File::open(path)?;
    let size = file.metadata()?.len();
    let mut reader = ParquetReader::new(file);
    let rows = reader.num_rows()?;
    if rows as u64 > most_games(size, limits) {
        return Err(ParquetError::TooManyGames { games: rows, size, ratio: limits.ratio });
    }
    let groups = reader.get_metadata()?.row_groups.iter();
    let unpacked: u64 = groups.map(|group| group.total_byte_size() as u64).sum();
    if unpacked > limits.budget(size).min(limits.member_mib << 20) {
        return Err(ParquetError::TooLarge { unpacked, size, ratio: limits.ratio });
    }
    let mut members = Members::default();
    for start in (0..rows).step_by(BATCH) {
        let length = BATCH.min(rows - start);
        let reader = ParquetReader::new(File::open(path)?).with_slice(Some((start, length)));
        let frame = reader.finish()?;
        let is_whole = frame.columns().iter().all(|column| column.len() == length);
        if frame.height() != length || !is_whole {
            let (first, last) = (start + 1, start + length);
            let message = format!("of rows {first} to {last} it contains only {}", frame.height());
            return Err(ParquetError::Damaged(message));
        }
        read_frame(&frame, start, &mut members, table)?;
    }
    Ok(())
}

fn read_frame(
    frame: &DataFrame,
    before: usize,
    members: &mut Members,
    table: &mut GameTable,
) -> Result<(), ParquetError> {
    let columns = GameColumns {
        event: texts_or_empty(frame, "event")?,
        site: texts_or_empty(frame, "site")?,
        white: texts_or_empty(frame, "white")?,
        black: texts_or_empty(frame, "black")?,
        date: borrowed(texts_or_empty(frame, "date")?),
        event_date: borrowed(texts_or_empty(frame, "event_date")?),
        round: borrowed(texts_or_empty(frame, "round")?),
        result: texts_or_empty(frame, "result")?,
        white_elo: numbers_or_zero(frame, "white_elo")?,
        black_elo: numbers_or_zero(frame, "black_elo")?,
        white_fide_id: numbers_or_zero(frame, "white_fide_id")?,
        black_fide_id: numbers_or_zero(frame, "black_fide_id")?,
        plies: numbers_or_zero(frame, "plies")?,
        fingerprint: hashes_or_zero(frame, "fingerprint")?,
        trace: hashes_or_zero(frame, "trace")?,
        event_rounds: numbers_or_zero(frame, "event_rounds")?,
        // Files of earlier versions do not have it.
        event_category: match frame.column("event_category") {
            Ok(_) => numbers_or_zero(frame, "event_category")?,
            Err(_) => vec![0; frame.height()],
        },
        signs: numbers_or_zero(frame, "signs")?,
        member: texts_or_empty(frame, "member")?,
        line: numbers_or_zero(frame, "line")?,
    };
    let first = table.len();
    columns.append_to(table, members, before)?;
    set_details(table, first, frame.height(), |name| match frame.column(name) {
        Ok(_) => texts(frame, name).map(Some),
        Err(_) => Ok(None),
    })?;
    Ok(())
}

fn texts_or_empty<'f>(frame: &'f DataFrame, name: &str) -> Result<Vec<&'f str>, FormatError> {
    Ok(texts(frame, name)?.into_iter().map(Option::unwrap_or_default).collect())
}

fn numbers_or_zero(frame: &DataFrame, name: &str) -> Result<Vec<u32>, FormatError> {
    Ok(frame.column(name)?.u32()?.iter().map(Option::unwrap_or_default).collect())
}

fn hashes_or_zero(frame: &DataFrame, name: &str) -> Result<Vec<u64>, FormatError> {
    Ok(hashes(frame, name)?.into_iter().map(Option::unwrap_or_default).collect())
}

fn borrowed(texts: Vec<&str>) -> Vec<Cow<'_, str>> {
    texts.into_iter().map(Cow::Borrowed).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{with_a_changed_bit, with_a_zero_byte};
    use pgn_collections::games::GameDetails;
    use pgn_collections::pgn::{ReadOptions, read_files};

    fn table() -> GameTable {
        let folder = tempfile::tempdir().unwrap();
        let mut table = GameTable::default();
        for (name, text) in [
            (
                "a.pgn",
                "[Event \"Vienna\"]\n[Site \"Wien\"]\n[Date \"1898.06.??\"]\n[Round \"4.2\"]\n\
                 [White \"Tarrasch, S\"]\n[Black \"Pillsbury, H\"]\n[Result \"1-0\"]\n\
                 [WhiteElo \"2700\"]\n[BlackFideId \"4100018\"]\n[Termination \"forfeit\"]\n\n\
                 1.e4 e5 2.Nf3 Nc6 3.Bb5 a6 1-0\n",
            ),
            ("b.pgn", "[Event \"?\"]\n[White \"A\"]\n[Black \"B\"]\n[Result \"*\"]\n\n*\n"),
        ] {
            let path = folder.path().join(name);
            std::fs::write(&path, text).unwrap();
            read_files(&[path], ReadOptions::default(), &mut table, &mut Vec::new(), &|_| ());
        }
        table
    }

    #[test]
    fn a_written_table_is_read_back() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("games.parquet");
        let table = table();
        write_parquet(&table, &path).unwrap();
        let mut again = GameTable::default();
        assert_eq!(read_parquet(&path, Limits::default(), &mut again).unwrap(), 2);
        assert_eq!(again.games(), table.games());
        assert_eq!(again.members, table.members);
        let texts = |table: &GameTable| -> Vec<String> {
            table.names.iter().map(|(_, text)| text.to_owned()).collect()
        };
        assert_eq!(texts(&again), texts(&table));
    }

    #[test]
    fn details_are_kept_from_file_to_file() {
        let folder = tempfile::tempdir().unwrap();
        let [pgn, path, again] =
            ["a.pgn", "games.parquet", "again.parquet"].map(|name| folder.path().join(name));
        std::fs::write(
            &pgn,
            "[Event \"Oslo\"]\n[White \"A\"]\n[Black \"B\"]\n[Result \"1-0\"]\n[ECO \"C42\"]\n\
             [WhiteTitle \"GM\"]\n[BlackTeam \"Riga\"]\n[TimeControl \"180+2\"]\n[EventType \"team\"]\n\
             [blacktitle \"-\"]\n\n1-0\n\n[Event \"Oslo\"]\n[White \"B\"]\n[Black \"A\"]\n\n1-0\n",
        )
        .unwrap();
        let mut read = GameTable::with_details();
        read_files(&[pgn], ReadOptions::default(), &mut read, &mut Vec::new(), &|_| ());
        write_parquet(&read, &path).unwrap();
        let mut kept = GameTable::with_details();
        read_parquet(&path, Limits::default(), &mut kept).unwrap();
        write_parquet(&kept, &again).unwrap();
        assert_eq!(std::fs::read(&path).unwrap(), std::fs::read(&again).unwrap());
        let frame = ParquetReader::new(File::open(&again).unwrap()).finish().unwrap();
        let texts = |name: &str| -> Vec<Option<String>> {
            let column = frame.column(name).unwrap().str().unwrap();
            column.iter().map(|text| text.map(str::to_owned)).collect()
        };
        for (name, value) in [
            ("time_control", Some("180+2")),
            ("eco", Some("C42")),
            ("event_type", Some("team")),
            ("white_title", Some("GM")),
            ("black_title", None),
            ("black_team", Some("Riga")),
            ("white_born", None),
            ("tempo", Some("blitz")),
        ] {
            assert_eq!(texts(name), [value.map(str::to_owned), None], "{name}");
        }
        let teams: Vec<_> = frame.column("teams").unwrap().bool().unwrap().iter().collect();
        assert_eq!(teams, [Some(true), Some(false)]);
        assert_eq!(frame.column("white_elo").unwrap().null_count(), 2);
    }

    #[test]
    fn a_table_of_another_program_is_read() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("games.parquet");
        // It has 0 for unknown numbers, no details, and no digest.
        let mut foreign = frame(&table(), 0..2).unwrap();
        for name in ["white_elo", "black_elo", "white_fide_id", "black_fide_id", "event_rounds"] {
            let numbers = foreign.column(name).unwrap().u32().unwrap();
            let zeros: Vec<u32> = numbers.iter().map(Option::unwrap_or_default).collect();
            foreign.with_column(Series::new(name.into(), zeros).into_column()).unwrap();
        }
        ParquetWriter::new(File::create(&path).unwrap()).finish(&mut foreign).unwrap();
        let mut again = GameTable::with_details();
        assert_eq!(read_parquet(&path, Limits::default(), &mut again).unwrap(), 2);
        assert_eq!(again.games(), table().games());
        let details = again.details().unwrap();
        assert_eq!(details.row(0), GameDetails::default());
        // Written again, the unknown numbers are null.
        let own = frame(&again, 0..2).unwrap();
        assert_eq!(own.column("white_elo").unwrap().null_count(), 1);
        assert_eq!(own.column("black_elo").unwrap().null_count(), 2);
        assert_eq!(own.column("white_title").unwrap().null_count(), 2);
    }

    #[test]
    fn another_file_is_refused_and_leaves_the_table_unchanged() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("games.parquet");
        std::fs::write(&path, b"PAR1 but no more").unwrap();
        let mut again = table();
        assert!(read_parquet(&path, Limits::default(), &mut again).is_err());
        assert_eq!(again.games(), table().games());
    }

    #[test]
    fn a_changed_bit_never_yields_other_games() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("games.parquet");
        write_parquet(&table(), &path).unwrap();
        let whole = std::fs::read(&path).unwrap();
        let mut refused = 0;
        for (place, damaged) in with_a_changed_bit(&whole) {
            std::fs::write(&path, damaged).unwrap();
            let mut again = GameTable::default();
            match read_parquet(&path, Limits::default(), &mut again) {
                Ok(_) => assert_eq!(again.games(), table().games(), "byte {place}"),
                Err(_) => {
                    refused += 1;
                    assert!(again.is_empty() && again.members.is_empty(), "byte {place}");
                }
            }
        }
        assert!(refused * 4 > whole.len(), "{refused} of {}", whole.len());
    }

    #[test]
    fn a_damaged_file_of_another_program_is_refused_or_read() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("games.parquet");
        let mut frame = frame(&table(), 0..2).unwrap();
        ParquetWriter::new(File::create(&path).unwrap()).finish(&mut frame).unwrap();
        let whole = std::fs::read(&path).unwrap();
        let games_of = |bytes: &[u8]| {
            std::fs::write(&path, bytes).unwrap();
            let mut again = GameTable::default();
            read_parquet(&path, Limits::default(), &mut again).map(|_| again)
        };
        assert_eq!(games_of(&whole).unwrap().games(), table().games());
        // Without a digest, a changed value cannot be detected. The number of games must be right,
        // and the process must survive.
        let mut refused = 0;
        for (place, damaged) in with_a_changed_bit(&whole).chain(with_a_zero_byte(&whole)) {
            match games_of(&damaged) {
                Ok(again) => assert_eq!(again.len(), 2, "byte {place}"),
                Err(_) => refused += 1,
            }
        }
        assert!(refused * 4 > whole.len(), "{refused} of {}", whole.len());
    }

    #[test]
    fn a_digest_does_not_excuse_wrong_counts() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("games.parquet");
        write_parquet(&table(), &path).unwrap();
        let whole = std::fs::read(&path).unwrap();
        let mut refused = 0;
        for (place, damaged) in with_a_zero_byte(&whole) {
            std::fs::write(&path, &damaged).unwrap();
            if seal(&path).is_err() {
                continue;
            }
            let mut again = GameTable::default();
            match read_parquet(&path, Limits::default(), &mut again) {
                Ok(games) => assert_eq!(games, 2, "byte {place}"),
                Err(_) => refused += 1,
            }
        }
        assert!(refused > 100, "{refused} of {}", whole.len());
    }

    #[test]
    fn the_number_of_games_is_limited_by_the_size_of_the_file() {
        let limits = Limits { ratio: 10, ..Limits::default() };
        let mib = 1 << 20;
        // 64 MiB are always allowed.
        assert_eq!(most_games(mib, limits), 64 * mib / BYTES_OF_A_GAME);
        assert_eq!(most_games(100 * mib, limits), 1000 * mib / BYTES_OF_A_GAME);
    }
}
