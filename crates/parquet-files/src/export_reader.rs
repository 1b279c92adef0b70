//! Reads the exports of an archive that are Parquet.

use std::fs::File;
use std::io::{self, Cursor, Read, Seek, SeekFrom};
use std::path::Path;

use jiff::{Span, civil::date};
use polars::prelude::{ArrowDataType, ArrowField, PolarsError, Series};
use polars_buffer::Buffer;
use polars_parquet::read::{
    BasicDecompressor, ColumnChunkMetadata, PageReader, column_iter_to_arrays, infer_schema,
    read_metadata,
};

use pgn_collections::guarded::guarded;
use tables::{ExportTable, Values};

use crate::columns::FormatError;
use crate::parquet_check::check;

/// Reads a table that [`write_export`](crate::write_export) wrote, and passes on its parts in
/// order. Only one part is in memory.
///
/// # Errors
///
/// Returns an error if the file cannot be read or is damaged, or the first error of `part`.
pub fn read_export(
    path: &Path,
    part: impl FnMut(&ExportTable) -> io::Result<()>,
) -> io::Result<()> {
    check(path).map_err(io::Error::other)?;
    guarded(|| read_parts(path, part)).unwrap_or_else(|panic| Err(io::Error::other(panic.0)))
}

fn read_parts(path: &Path, mut part: impl FnMut(&ExportTable) -> io::Result<()>) -> io::Result<()> {
    let mut file = File::open(path)?;
    let metadata = read_metadata(&mut file).map_err(FormatError::from)?;
    let schema = infer_schema(&metadata).map_err(FormatError::from)?;
    // The names of a table live as long as the program, which reads one table.
    let names: Vec<&'static str> =
        schema.iter_names().map(|name| &*name.to_string().leak()).collect();
    for group in &metadata.row_groups {
        let mut table = ExportTable::default();
        for (name, field) in names.iter().zip(schema.iter_values()) {
            let chunk = group
                .columns_under_root_iter(&field.name)
                .and_then(|mut columns| columns.next())
                .ok_or_else(|| io::Error::other(format!("the column {name} is missing")))?;
            table.push(name, values(&mut file, chunk, field)?);
        }
        part(&table)?;
    }
    Ok(())
}

/// Reads a column of a row group.
fn values(file: &mut File, chunk: &ColumnChunkMetadata, field: &ArrowField) -> io::Result<Values> {
    let range = chunk.byte_range();
    let mut bytes = vec![0; (range.end - range.start) as usize];
    file.seek(SeekFrom::Start(range.start))?;
    file.read_exact(&mut bytes)?;
    let series = series(bytes, chunk, field).map_err(FormatError::from)?;
    of_series(&series, field).map_err(|error| FormatError::from(error).into())
}

/// Decodes a column. Days are numbers, since series of dates need a feature of polars.
fn series(
    bytes: Vec<u8>,
    chunk: &ColumnChunkMetadata,
    field: &ArrowField,
) -> Result<Series, PolarsError> {
    let mut decoded = field.clone();
    if decoded.dtype == ArrowDataType::Date32 {
        decoded.dtype = ArrowDataType::Int32;
    }
    let pages = PageReader::new(Cursor::new(Buffer::from(bytes)), chunk, Vec::new(), usize::MAX);
    let columns = vec![BasicDecompressor::new(pages, Vec::new())];
    let types = vec![&chunk.descriptor().descriptor.primitive_type];
    let (arrays, _) = column_iter_to_arrays(columns, types, decoded, None)?;
    Series::try_from((field.name.clone(), arrays))
}

fn of_series(series: &Series, field: &ArrowField) -> Result<Values, PolarsError> {
    Ok(match field.dtype {
        ArrowDataType::Date32 => {
            let first = date(1970, 1, 1);
            let days = series.i32()?.iter();
            Values::Date(
                days.map(|days| Some((first + Span::new().days(days?)).to_string())).collect(),
            )
        }
        ArrowDataType::Int64 => Values::Whole(series.i64()?.iter().collect()),
        ArrowDataType::Float64 => Values::Number(series.f64()?.iter().collect()),
        ArrowDataType::Boolean => Values::Flag(series.bool()?.iter().collect()),
        _ => Values::Text(series.str()?.iter().map(|text| text.map(str::to_owned)).collect()),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::write_export;

    fn csv(tables: &[ExportTable]) -> String {
        let mut text = Vec::new();
        for (place, table) in tables.iter().enumerate() {
            table.write_csv_to(&mut text, place == 0).unwrap();
        }
        String::from_utf8(text).unwrap()
    }

    #[test]
    fn a_table_is_the_same_after_it_was_written_and_read() {
        let part = |rank: usize, day: Option<&str>| {
            ExportTable::default()
                .whole("rank", [Some(rank), None].into_iter())
                .text("player", [Some("Lasker, Em.".to_owned()), None].into_iter())
                .number("g_score", [Some(0.1 + 0.2), None].into_iter())
                .flag("listed", [Some(true), Some(false)].into_iter())
                .date("date", [day.map(str::to_owned), Some("1898-06-01".to_owned())].into_iter())
        };
        let tables = [part(1, Some("1972-07-11")), part(2, None)];
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("table.parquet");
        write_export(tables.iter().cloned(), None, File::create(&path).unwrap()).unwrap();
        let mut read = Vec::new();
        read_export(&path, |part| {
            read.push(part.clone());
            Ok(())
        })
        .unwrap();
        assert_eq!(csv(&read), csv(&tables));
    }

    #[test]
    fn a_file_that_is_no_table_is_an_error() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("table.parquet");
        std::fs::write(&path, "PAR1 and nothing else").unwrap();
        assert!(read_export(&path, |_| Ok(())).is_err());
    }
}
