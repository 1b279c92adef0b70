//! Compares the page headers of a Parquet file with the file's metadata.
//!
//! Source: Apache Parquet, *File format*, "Data Pages" and `parquet.thrift`, `PageHeader`.

use std::fs::File;
use std::io::{Cursor, Read, Seek, SeekFrom};

use polars::prelude::{ParquetReader, SerReader};
use polars_buffer::Buffer;
use polars_parquet::parquet::metadata::{ColumnChunkMetadata, RowGroupMetadata};
use polars_parquet::parquet::page::{CompressedPage, DataPageHeader};
use polars_parquet::parquet::read::{PageMetaData, PageReader};

use super::Unsound;

/// Checks the counts and sizes that a file states.
///
/// - The file, its row groups and their column chunks must agree on the number of rows.
/// - Every data page must state a number of values and an uncompressed size (bytes) that do not
///   exceed those of its column chunk.
/// - The values of all data pages of a chunk must add up to the chunk's number of values.
///
/// # Errors
///
/// Returns an error if the file or its metadata cannot be read, or if a count or size is wrong.
pub(super) fn check(file: &mut File) -> Result<(), Unsound> {
    let size = file.metadata()?.len();
    let metadata = ParquetReader::new(file.try_clone()?).get_metadata()?.clone();
    let rows: usize = metadata.row_groups.iter().map(RowGroupMetadata::num_rows).sum();
    if rows != metadata.num_rows {
        return Err(Unsound::Damaged(format!(
            "the file states {} rows, its row groups {rows}",
            metadata.num_rows
        )));
    }
    for group in &metadata.row_groups {
        for chunk in group.parquet_columns() {
            check_rows(group.num_rows(), chunk)?;
            check_chunk(file, size, chunk)?;
        }
    }
    Ok(())
}

/// Checks that a column chunk has one value, or null, for each row of its group. Columns of lists
/// may have more and are not checked.
fn check_rows(rows: usize, chunk: &ColumnChunkMetadata) -> Result<(), Unsound> {
    let values = chunk.num_values();
    let is_list = chunk.descriptor().descriptor.max_rep_level > 0;
    if is_list || u64::try_from(values).is_ok_and(|values| values == rows as u64) {
        return Ok(());
    }
    let name = chunk.descriptor().path_in_schema.join(".");
    Err(Unsound::Damaged(format!("column {name}: {values} values for {rows} rows")))
}

/// Checks the data pages of one column chunk. `size` is that of the file (bytes).
fn check_chunk(file: &mut File, size: u64, chunk: &ColumnChunkMetadata) -> Result<(), Unsound> {
    let name = chunk.descriptor().path_in_schema.join(".");
    let damaged = |what: &str| Unsound::Damaged(format!("column {name}: {what}"));
    let range = chunk.byte_range();
    if range.start > range.end || range.end > size {
        return Err(damaged("its pages are outside the file"));
    }
    let length = range.end - range.start;
    let mut bytes = Vec::new();
    file.seek(SeekFrom::Start(range.start))?;
    Read::by_ref(file).take(length).read_to_end(&mut bytes)?;
    let most = usize::try_from(chunk.uncompressed_size()).unwrap_or_default();
    let (values, mut left) = (chunk.num_values(), chunk.num_values());
    let reader = Cursor::new(Buffer::from(bytes));
    let pages = PageReader::new_with_page_meta(
        reader,
        PageMetaData::from(chunk),
        Vec::new(),
        most.max(length as usize),
    );
    for page in pages {
        let (count, unpacked) = match page.map_err(|error| damaged(&error.to_string()))? {
            CompressedPage::Data(page) => (
                match page.header() {
                    DataPageHeader::V1(header) => header.num_values,
                    DataPageHeader::V2(header) => header.num_values,
                },
                page.uncompressed_size(),
            ),
            CompressedPage::Dict(_) => continue,
        };
        if count < 0 || i64::from(count) > left {
            return Err(damaged(&format!("a page states {count} values of {values}")));
        }
        if unpacked > most {
            return Err(damaged(&format!("a page states {unpacked} bytes, its column {most}")));
        }
        left -= i64::from(count);
    }
    if left == 0 { Ok(()) } else { Err(damaged(&format!("{left} of {values} values are missing"))) }
}
