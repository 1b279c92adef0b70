//! Writes the exports of an archive as Parquet.

use std::io::{self, Write};

use jiff::civil::Date;
use polars::prelude::{
    Column, DataFrame, DataType, IntoColumn, KeyValueMetadata, NamedFrom, ParquetWriter,
    PolarsError, Series,
};

use tables::{CODEBOOK_KEY, ExportTable, TableDeclaration, Values};

use crate::columns::FormatError;

/// Writes tables with the same columns as one compressed Parquet file.
///
/// Each table is a row group, so only one table must be in memory. The metadata of the file contain
/// the declaration of the table as JSON, under the key [`CODEBOOK_KEY`].
///
/// # Errors
///
/// Returns an error if a table cannot be encoded or written.
pub fn write_export(
    tables: impl Iterator<Item = ExportTable>,
    declaration: Option<&TableDeclaration>,
    file: impl Write,
) -> io::Result<()> {
    Ok(write(tables, declaration, file).map_err(FormatError::from)?)
}

fn write(
    tables: impl Iterator<Item = ExportTable>,
    declaration: Option<&TableDeclaration>,
    file: impl Write,
) -> Result<(), PolarsError> {
    let mut tables = tables.peekable();
    let Some(first) = tables.peek() else { return Ok(()) };
    // A date in Parquet is a number of days with this mark. Frames of dates would need a feature of
    // polars that compiles a library of time.
    let mut schema = frame(first)?.schema().as_ref().clone();
    for (name, values) in first.columns() {
        if let Values::Date(_) = values {
            schema.set_dtype(name, DataType::Date);
        }
    }
    let json = declaration.and_then(|table| serde_json::to_string(table).ok());
    let metadata =
        json.map(|json| KeyValueMetadata::from_static(vec![(CODEBOOK_KEY.to_owned(), json)]));
    let writer = ParquetWriter::new(file).with_key_value_metadata(metadata);
    let mut writer = writer.batched(&schema)?;
    for table in tables {
        writer.write_batch(&frame(&table)?)?;
    }
    writer.finish()?;
    Ok(())
}

/// Converts a table to a frame in which dates count days.
fn frame(table: &ExportTable) -> Result<DataFrame, PolarsError> {
    let mut columns: Vec<Column> = Vec::new();
    for (name, values) in table.columns() {
        let series = match values {
            Values::Date(texts) => {
                let days = texts.iter().map(|text| days_since_1970(text.as_deref()?));
                Series::new((*name).into(), days.collect::<Vec<Option<i32>>>())
            }
            Values::Text(values) => Series::new((*name).into(), values),
            Values::Whole(values) => Series::new((*name).into(), values),
            Values::Number(values) => Series::new((*name).into(), values),
            Values::Flag(values) => Series::new((*name).into(), values),
        };
        columns.push(series.into_column());
    }
    DataFrame::new(table.height(), columns)
}

/// The day of `1972-07-11`, counted from 1 January 1970. `None` if the text is not a day.
fn days_since_1970(text: &str) -> Option<i32> {
    let day: Date = text.parse().ok()?;
    Some(day.duration_since(jiff::civil::date(1970, 1, 1)).as_hours() as i32 / 24)
}

#[cfg(test)]
mod tests {
    use polars_parquet::parquet::read::read_metadata;
    use polars_parquet::parquet::schema::types::PrimitiveLogicalType;

    use super::*;

    #[test]
    fn dates_are_dates_in_parquet() {
        let first_days = [Some("1898-06-01"), None].into_iter().map(|day| day.map(str::to_owned));
        let table = ExportTable::default().date("date_from", first_days);
        let mut file = Vec::new();
        write_export(std::iter::once(table), None, &mut file).unwrap();
        let metadata = read_metadata(&mut std::io::Cursor::new(&file)).unwrap();
        let column = &metadata.schema().columns()[0].descriptor.primitive_type;
        assert_eq!(column.logical_type, Some(PrimitiveLogicalType::Date));
        assert_eq!(days_since_1970("1969-12-31"), Some(-1));
        assert_eq!(days_since_1970("1898"), None);
    }

    #[test]
    fn flags_are_booleans_in_parquet() {
        let flags = [Some(true), Some(false), None].into_iter();
        let table = ExportTable::default().whole("rank", (1..4).map(Some)).flag("played", flags);
        let frame = frame(&table).unwrap();
        assert_eq!(frame.column("played").unwrap().dtype(), &DataType::Boolean);
        let mut file = Vec::new();
        write_export(std::iter::once(table), None, &mut file).unwrap();
        assert!(file.starts_with(b"PAR1"));
    }
}
