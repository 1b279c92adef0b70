//! Encodes rows as Parquet.

use datafusion::arrow::record_batch::RecordBatch;
use datafusion::parquet::arrow::ArrowWriter;

/// Encodes rows as a Parquet file.
///
/// # Errors
///
/// Fails if the rows cannot be encoded.
pub fn to_parquet(batch: &RecordBatch) -> anyhow::Result<Vec<u8>> {
    let mut writer = ArrowWriter::try_new(Vec::new(), batch.schema(), None)?;
    writer.write(batch)?;
    Ok(writer.into_inner()?)
}
