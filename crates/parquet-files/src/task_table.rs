//! Stores finished tasks in a file: the key of each, and its outcome as bytes.

use std::fs::File;
use std::io;
use std::path::Path;

use pgn_collections::guarded::guarded;
use polars::prelude::{
    DataFrame, IntoColumn, NamedFrom, ParquetReader, ParquetWriter, SerReader, Series,
};

use crate::columns::FormatError;
use crate::parquet_check::{check, seal, unsealed};

/// Writes the keys of tasks with their outcomes.
///
/// # Errors
///
/// Returns an error if the file cannot be written.
pub fn write_tasks(path: &Path, done: &[(u64, Vec<u8>)]) -> io::Result<()> {
    let tasks: Vec<u64> = done.iter().map(|(task, _)| *task).collect();
    let outcomes: Vec<&[u8]> = done.iter().map(|(_, outcome)| &outcome[..]).collect();
    let columns = vec![
        Series::new("task".into(), tasks).into_column(),
        Series::new("analysis".into(), outcomes).into_column(),
    ];
    let mut frame = DataFrame::new(done.len(), columns).map_err(FormatError::from)?;
    let writer = ParquetWriter::new(File::create(path)?).with_key_value_metadata(unsealed());
    writer.finish(&mut frame).map_err(FormatError::from)?;
    seal(path)
}

/// Reads the tasks of a file with their outcomes. Returns none if the file cannot be read or is
/// damaged.
pub fn read_tasks(path: &Path) -> Vec<(u64, Vec<u8>)> {
    // The metadata of a damaged file may make polars panic.
    guarded(|| read(path)).ok().flatten().unwrap_or_default()
}

fn read(path: &Path) -> Option<Vec<(u64, Vec<u8>)>> {
    check(path).ok()?;
    let frame = ParquetReader::new(File::open(path).ok()?).finish().ok()?;
    let tasks = frame.column("task").ok()?.u64().ok()?;
    let outcomes = frame.column("analysis").ok()?.binary().ok()?;
    let both = tasks.iter().zip(outcomes.iter());
    Some(both.filter_map(|(task, outcome)| Some((task?, outcome?.to_vec()))).collect())
}
