//! Encodes positions to be analysed by executors, and their results as Parquet.

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use anyhow::{Context, bail};
use datafusion::arrow::array::{ArrayRef, AsArray, BinaryArray, StringArray};
use datafusion::arrow::compute::cast;
use datafusion::arrow::datatypes::DataType;
use datafusion::arrow::record_batch::RecordBatch;
use datafusion::parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;
use greatness::intrinsic::{
    Cache, CacheRow, EngineAnalysis, EngineSettings, Job, PositionKey, introduce,
};
use serde::{Deserialize, Serialize};

use crate::parquet::to_parquet;
use crate::receipt::Output;

/// A shard: some positions, and the settings of the engine that analyses them.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Shard {
    program: PathBuf,
    nodes: u32,
    multipv: usize,
    /// The engine's key: its name and settings. An executor with another engine rejects the shard.
    key: String,
    /// Positions as bytes, each with the moves that were played in it.
    jobs: Vec<(Vec<u8>, Vec<String>)>,
}

impl Shard {
    /// Makes a shard of some jobs.
    pub fn new(settings: &EngineSettings, key: &str, jobs: &[Job]) -> Shard {
        let mut encoded = Vec::with_capacity(jobs.len());
        for job in jobs {
            let moves: Vec<String> = job.played.iter().map(ToString::to_string).collect();
            encoded.push((job.position.bytes().to_vec(), moves));
        }
        Shard {
            program: settings.program.clone(),
            nodes: settings.nodes,
            multipv: settings.multipv,
            key: key.to_owned(),
            jobs: encoded,
        }
    }

    /// Encodes the shard.
    ///
    /// # Errors
    ///
    /// Fails if the path of the engine is not Unicode.
    pub fn to_bytes(&self) -> anyhow::Result<Vec<u8>> {
        Ok(serde_json::to_vec(self)?)
    }

    fn jobs(&self) -> anyhow::Result<Vec<Job>> {
        let jobs: Option<Vec<Job>> = self
            .jobs
            .iter()
            .map(|(position, moves)| {
                let played: Result<_, _> = moves.iter().map(|played| played.parse()).collect();
                Some(Job { position: PositionKey::of_bytes(position)?, played: played.ok()? })
            })
            .collect();
        jobs.context("these bytes hold no positions of this version of the program")
    }
}

/// Analyses a shard with the engine of this machine. The output has the rows of a cache.
///
/// # Errors
///
/// Fails if the engine cannot be started, or if it is not the engine of the analysis.
pub fn search(shard: &[u8]) -> anyhow::Result<Output> {
    let shard: Shard =
        serde_json::from_slice(shard).context("these bytes hold no shard of positions")?;
    let settings = EngineSettings {
        nodes: shard.nodes,
        multipv: shard.multipv,
        ..EngineSettings::new(&shard.program)
    };
    let folder = tempfile::tempdir()?;
    let cache = Cache::open(&folder.path().join("answers.redb"))?;
    let engine = introduce(&settings, &cache)?;
    if engine.key != shard.key {
        bail!(
            "the engine of this executor is {}, but the analysis uses {}; install the same engine",
            engine.key,
            shard.key
        );
    }
    // One engine is enough, because an executor processes one shard for each of its cores.
    let stop = AtomicBool::new(false);
    let analysis = EngineAnalysis { cache: &cache, engines: 1, stop: &stop };
    let jobs = shard.jobs()?;
    let analysed = analysis.run(&jobs, engine, &mut |_| ())?;
    let (rows_in, rows_out) = (jobs.len() as u64, analysed.done as u64);
    let set_aside = match rows_in.saturating_sub(rows_out) {
        0 => Default::default(),
        left => [("without an answer".to_owned(), left)].into(),
    };
    let bytes = rows_to_parquet(&cache.rows()?)?;
    Ok(Output { bytes, rows_in, rows_out, set_aside, ..Output::default() })
}

fn rows_to_parquet(rows: &[CacheRow]) -> anyhow::Result<Vec<u8>> {
    let sorts: ArrayRef = Arc::new(StringArray::from_iter_values(rows.iter().map(|row| &row.sort)));
    let keys: ArrayRef = Arc::new(BinaryArray::from_iter_values(rows.iter().map(|row| &row.key)));
    let values: ArrayRef =
        Arc::new(BinaryArray::from_iter_values(rows.iter().map(|row| &row.value)));
    to_parquet(&RecordBatch::try_from_iter([("sort", sorts), ("key", keys), ("value", values)])?)
}

/// Reads the cache rows from a file of results.
///
/// # Errors
///
/// Fails if the bytes are not such a file.
pub fn from_parquet(bytes: Vec<u8>) -> anyhow::Result<Vec<CacheRow>> {
    let mut rows = Vec::new();
    let file = bytes::Bytes::from(bytes);
    for batch in ParquetRecordBatchReaderBuilder::try_new(file)?.build()? {
        let batch = batch?;
        let (sorts, keys, values) = (
            column(&batch, "sort", &DataType::Utf8)?,
            column(&batch, "key", &DataType::Binary)?,
            column(&batch, "value", &DataType::Binary)?,
        );
        let (sorts, keys) = (sorts.as_string::<i32>(), keys.as_binary::<i32>());
        let values = values.as_binary::<i32>();
        rows.extend((0..batch.num_rows()).map(|row| CacheRow {
            sort: sorts.value(row).to_owned(),
            key: keys.value(row).to_vec(),
            value: values.value(row).to_vec(),
        }));
    }
    Ok(rows)
}

/// A column of a file of results, cast to a type.
fn column(batch: &RecordBatch, name: &str, kind: &DataType) -> anyhow::Result<ArrayRef> {
    let column = batch
        .column_by_name(name)
        .with_context(|| format!("the file of results has no column {name}"))?;
    Ok(cast(column, kind)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_written_as_parquet_are_read_back() {
        let rows = ["positions", "moves"].map(|sort| CacheRow {
            sort: sort.into(),
            key: vec![1, 2],
            value: vec![0, 255],
        });
        assert_eq!(from_parquet(rows_to_parquet(&rows).unwrap()).unwrap(), rows);
        assert!(from_parquet(b"something else".to_vec()).is_err());
    }
}
