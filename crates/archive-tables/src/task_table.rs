//! Stores finished tasks in a file: the key of each, and its outcome as bytes.

use std::fs::File;
use std::path::Path;

use pgn_collections::guarded::guarded;
use polars::prelude::{
    DataFrame, IntoColumn, NamedFrom, ParquetReader, ParquetWriter, PolarsError, SerReader, Series,
};
use thiserror::Error;

use super::parquet_check::{check, seal, unsealed};

/// Why a file of tasks cannot be written.
#[derive(Debug, Error)]
#[error(transparent)]
pub struct TaskTableError(#[from] PolarsError);

impl From<std::io::Error> for TaskTableError {
    fn from(error: std::io::Error) -> Self {
        TaskTableError(error.into())
    }
}

/// Writes the keys of tasks with their outcomes.
///
/// # Errors
///
/// When the file cannot be written.
pub fn write_tasks(path: &Path, done: &[(u64, Vec<u8>)]) -> Result<(), TaskTableError> {
    let tasks: Vec<u64> = done.iter().map(|(task, _)| *task).collect();
    let outcomes: Vec<&[u8]> = done.iter().map(|(_, outcome)| &outcome[..]).collect();
    let columns = vec![
        Series::new("task".into(), tasks).into_column(),
        Series::new("analysis".into(), outcomes).into_column(),
    ];
    let mut frame = DataFrame::new(done.len(), columns)?;
    ParquetWriter::new(File::create(path)?)
        .with_key_value_metadata(unsealed())
        .finish(&mut frame)?;
    Ok(seal(path)?)
}

/// Reads the tasks of a file with their outcomes. Returns none if the file cannot be read or is
/// damaged.
pub fn read_tasks(path: &Path) -> Vec<(u64, Vec<u8>)> {
    let read = || -> Result<Vec<(u64, Vec<u8>)>, PolarsError> {
        // Inside the guard: the metadata of a damaged file may make polars panic.
        if check(path).is_err() {
            return Ok(Vec::new());
        }
        let frame = ParquetReader::new(File::open(path)?).finish()?;
        let (tasks, outcomes) = (frame.column("task")?.u64()?, frame.column("analysis")?.binary()?);
        let both = tasks.iter().zip(outcomes.iter());
        Ok(both.filter_map(|(task, outcome)| Some((task?, outcome?.to_vec()))).collect())
    };
    guarded(read).ok().and_then(Result::ok).unwrap_or_default()
}
