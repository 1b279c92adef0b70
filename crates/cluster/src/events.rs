//! Runs events through the Tournament App: tasks of executors.

use std::sync::Arc;

use anyhow::Context;
use datafusion::arrow::array::{ArrayRef, AsArray, BinaryArray, UInt64Array};
use datafusion::arrow::compute::cast;
use datafusion::arrow::datatypes::{DataType, UInt64Type};
use datafusion::arrow::record_batch::RecordBatch;
use datafusion::parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;
use greatness::archive::AppTask;

use crate::parquet::to_parquet;
use crate::receipt::Output;

/// Encodes events or analyses, each with the digest of its event.
///
/// # Errors
///
/// Fails if they cannot be encoded.
pub fn table<'a>(rows: impl Iterator<Item = (u64, &'a [u8])>) -> anyhow::Result<Vec<u8>> {
    let (digests, bytes): (Vec<u64>, Vec<&[u8]>) = rows.unzip();
    let digests: ArrayRef = Arc::new(UInt64Array::from(digests));
    let bytes: ArrayRef = Arc::new(BinaryArray::from_iter_values(bytes));
    to_parquet(&RecordBatch::try_from_iter([("event", digests), ("bytes", bytes)])?)
}

/// Decodes the rows of [`table`].
///
/// # Errors
///
/// Fails if the bytes are not such a table.
pub fn rows(bytes: Vec<u8>) -> anyhow::Result<Vec<(u64, Vec<u8>)>> {
    let mut rows = Vec::new();
    for batch in ParquetRecordBatchReaderBuilder::try_new(bytes::Bytes::from(bytes))?.build()? {
        let batch = batch?;
        let digests = column(&batch, "event", &DataType::UInt64)?;
        let bytes = column(&batch, "bytes", &DataType::Binary)?;
        let (digests, bytes) = (digests.as_primitive::<UInt64Type>(), bytes.as_binary::<i32>());
        rows.extend(
            (0..batch.num_rows()).map(|row| (digests.value(row), bytes.value(row).to_vec())),
        );
    }
    Ok(rows)
}

/// A column of the table, cast to a type.
fn column(batch: &RecordBatch, name: &str, kind: &DataType) -> anyhow::Result<ArrayRef> {
    let column = batch.column_by_name(name);
    let column = column.with_context(|| format!("the table has no column {name}"))?;
    Ok(cast(column, kind)?)
}

/// Runs the events of a task through the app. An event that the app refuses is set aside.
///
/// # Errors
///
/// Fails if the bytes are not a table of events.
pub fn analyse(task: &[u8]) -> anyhow::Result<Output> {
    let events = rows(task.to_vec())?;
    let mut analyses = Vec::with_capacity(events.len());
    let mut refused = 0;
    for (digest, event) in &events {
        match AppTask::run_bytes(event) {
            Ok(analysis) => analyses.push((*digest, analysis)),
            // The build runs it itself, and says why.
            Err(_) => refused += 1,
        }
    }
    let set_aside = match refused {
        0 => Default::default(),
        _ => [("refused by the app".to_owned(), refused)].into(),
    };
    Ok(Output {
        bytes: table(analyses.iter().map(|(digest, analysis)| (*digest, &analysis[..])))?,
        rows_in: events.len() as u64,
        rows_out: analyses.len() as u64,
        set_aside,
        ..Output::default()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_event_that_the_app_refuses_is_counted() {
        let task = table([(1, &b"no event"[..]), (2, &b""[..])].into_iter()).unwrap();
        let output = analyse(&task).unwrap();
        assert_eq!((output.rows_in, output.rows_out), (2, 0));
        assert_eq!(output.set_aside["refused by the app"], 2);
        assert_eq!(rows(output.bytes).unwrap(), []);
        assert!(analyse(b"no table").is_err());
    }

    #[test]
    fn a_table_gives_back_its_rows() {
        let task = table([(7, &b"seven"[..]), (u64::MAX, &[0, 255][..])].into_iter()).unwrap();
        assert_eq!(rows(task).unwrap(), [(7, b"seven".to_vec()), (u64::MAX, vec![0, 255])]);
    }
}
