//! The page headers of a Parquet file, compared with the file's metadata.
//!
//! Source: Apache Parquet, *File format*, "Data Pages" and `parquet.thrift`, `PageHeader`.

use std::fs::File;
use std::io::{Cursor, Read, Seek, SeekFrom};

use polars::prelude::{ParquetReader, SerReader};
use polars_buffer::Buffer;
use polars_parquet::parquet::metadata::ColumnChunkMetadata;
use polars_parquet::parquet::page::{CompressedPage, DataPageHeader};
use polars_parquet::parquet::read::{PageMetaData, PageReader};

use super::Unsound;

/// Checks that every page states a number of values and a size that its column chunk can hold, and
/// that the pages of each chunk add up to the chunk's number of values.
pub(super) fn check(file: &mut File) -> Result<(), Unsound> {
    let size = file.metadata()?.len();
    let metadata = ParquetReader::new(file.try_clone()?).get_metadata()?.clone();
    for group in &metadata.row_groups {
        for chunk in group.parquet_columns() {
            check_chunk(file, size, chunk)?;
        }
    }
    Ok(())
}

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
