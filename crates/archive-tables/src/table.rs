//! Writes the exports of an archive as CSV, JSON and Parquet.

use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::Path;

use polars::prelude::{
    Column as PolarsColumn, CsvWriter, DataFrame, DataType, IntoColumn, KeyValueMetadata,
    NamedFrom, ParquetWriter, PolarsError, SerWriter, Series,
};
use thiserror::Error;

use super::codebook::{CodebookError, ColumnType, TableDeclaration};
use super::game_table::harmless;

/// The number of rows beyond which a table has no JSON file.
pub const MOST_JSON_ROWS: usize = 50_000;

/// The key of a table's declaration in the metadata of a Parquet file.
pub const CODEBOOK_KEY: &str = "codebook";

/// Why an export could not be written.
#[derive(Debug, Error)]
pub enum ExportError {
    /// A file cannot be written.
    #[error("{path}: cannot be written: {error}")]
    Write {
        /// The file.
        path: String,
        /// The reason.
        error: std::io::Error,
    },
    /// The declarations of the tables are damaged.
    #[error(transparent)]
    Codebook(#[from] CodebookError),
    /// Polars cannot build or write the table.
    #[error("a table cannot be written: {0}")]
    Table(#[from] PolarsError),
}

/// The values of one column. `None` is unknown.
#[derive(Clone, Debug)]
pub enum Values {
    Text(Vec<Option<String>>),
    Whole(Vec<Option<i64>>),
    Number(Vec<Option<f64>>),
    Flag(Vec<Option<bool>>),
}

/// Returns a text for a cell, or `None` if it is empty.
pub fn some(text: impl Into<String>) -> Option<String> {
    Some(text.into()).filter(|text: &String| !text.is_empty())
}

/// A table of named columns, all of the same length.
#[derive(Clone, Debug, Default)]
pub struct ExportTable {
    columns: Vec<(&'static str, Values)>,
}

/// A table that is declared column by column, with a row for each item.
#[derive(Clone, Debug)]
pub struct RowTable<'r, R> {
    rows: &'r [R],
    table: ExportTable,
}

impl<R> RowTable<'_, R> {
    /// Adds a column of texts.
    pub fn text(self, name: &'static str, value: impl Fn(&R) -> Option<String>) -> Self {
        RowTable { table: self.table.text(name, self.rows.iter().map(value)), ..self }
    }

    /// Adds a column of whole numbers.
    pub fn whole(self, name: &'static str, value: impl Fn(&R) -> Option<usize>) -> Self {
        RowTable { table: self.table.whole(name, self.rows.iter().map(value)), ..self }
    }

    /// Adds a column of numbers. Infinities and NaN become unknown.
    pub fn number(self, name: &'static str, value: impl Fn(&R) -> Option<f64>) -> Self {
        RowTable { table: self.table.number(name, self.rows.iter().map(value)), ..self }
    }

    /// Adds a column of flags.
    pub fn flag(self, name: &'static str, value: impl Fn(&R) -> Option<bool>) -> Self {
        RowTable { table: self.table.flag(name, self.rows.iter().map(value)), ..self }
    }

    /// Returns the table with all declared columns.
    pub fn finish(self) -> ExportTable {
        self.table
    }
}

impl ExportTable {
    /// Begins a table that has a row for each item. Its columns are functions of the item.
    pub fn from_rows<R>(rows: &[R]) -> RowTable<'_, R> {
        RowTable { rows, table: ExportTable::default() }
    }

    /// Adds a column of texts.
    pub fn text(
        mut self,
        name: &'static str,
        values: impl Iterator<Item = Option<String>>,
    ) -> ExportTable {
        self.columns.push((name, Values::Text(values.collect())));
        self
    }

    /// Adds a column of whole numbers.
    pub fn whole(
        mut self,
        name: &'static str,
        values: impl Iterator<Item = Option<usize>>,
    ) -> ExportTable {
        let values = values.map(|value| value.map(|value| value as i64)).collect();
        self.columns.push((name, Values::Whole(values)));
        self
    }

    /// Adds a column of numbers. Infinities and NaN become unknown.
    pub fn number(
        mut self,
        name: &'static str,
        values: impl Iterator<Item = Option<f64>>,
    ) -> ExportTable {
        let values = values.map(|value| value.filter(|value| value.is_finite()));
        self.columns.push((name, Values::Number(values.collect())));
        self
    }

    /// Adds a column of flags: `true`, `false` or unknown.
    pub fn flag(
        mut self,
        name: &'static str,
        values: impl Iterator<Item = Option<bool>>,
    ) -> ExportTable {
        self.columns.push((name, Values::Flag(values.collect())));
        self
    }

    fn len(&self) -> usize {
        self.columns.first().map_or(0, |(_, values)| match values {
            Values::Text(values) => values.len(),
            Values::Whole(values) => values.len(),
            Values::Number(values) => values.len(),
            Values::Flag(values) => values.len(),
        })
    }

    /// Makes a frame for Parquet, where columns that are declared as dates count days.
    fn physical_frame(&self, dates: &[&str]) -> Result<DataFrame, ExportError> {
        let mut frame = self.frame(str::to_owned)?;
        for (name, values) in self.columns.iter().filter(|(name, _)| dates.contains(name)) {
            let Values::Text(texts) = values else { continue };
            let days = texts.iter().map(|text| days_since_1970(text.as_deref()?));
            let days = Series::new((*name).into(), days.collect::<Vec<Option<i32>>>());
            frame.with_column(days.into_column())?;
        }
        Ok(frame)
    }

    fn frame(&self, text: impl Fn(&str) -> String) -> Result<DataFrame, ExportError> {
        let columns: Vec<PolarsColumn> = self
            .columns
            .iter()
            .map(|(name, values)| {
                let name = (*name).into();
                match values {
                    Values::Text(values) => {
                        let values: Vec<Option<String>> =
                            values.iter().map(|value| value.as_deref().map(&text)).collect();
                        Series::new(name, values)
                    }
                    Values::Whole(values) => Series::new(name, values),
                    Values::Number(values) => Series::new(name, values),
                    Values::Flag(values) => Series::new(name, values),
                }
                .into_column()
            })
            .collect();
        Ok(DataFrame::new(self.len(), columns)?)
    }

    /// Writes the table as CSV: UTF-8, comma-separated, with empty cells for unknown values.
    ///
    /// `header` is `false` if the file has rows already.
    ///
    /// # Errors
    ///
    /// When the table cannot be written.
    pub fn write_csv_to(&self, file: &mut impl Write, header: bool) -> Result<(), ExportError> {
        let mut frame = self.frame(harmless)?;
        CsvWriter::new(file).include_header(header).finish(&mut frame)?;
        Ok(())
    }

    /// Writes the table as a JSON array of objects. Unknown values are null.
    ///
    /// # Errors
    ///
    /// When the table cannot be written.
    pub fn write_json_to(&self, file: &mut impl Write) -> std::io::Result<()> {
        self.write_rows(file, 0)?;
        file.write_all(if self.len() == 0 { b"[]\n" } else { b"]\n" })
    }

    /// Writes tables with the same columns as compressed Parquet. Each table is a row group, so
    /// only one table must be in memory. The metadata of the file contain the declaration of the
    /// table as JSON, under the key [`CODEBOOK_KEY`]. Columns that it declares as dates are dates.
    ///
    /// # Errors
    ///
    /// When a table cannot be written.
    pub fn write_parquet_to(
        tables: impl Iterator<Item = ExportTable>,
        declaration: Option<&TableDeclaration>,
        file: impl Write,
    ) -> Result<(), ExportError> {
        let mut tables = tables.peekable();
        let Some(first) = tables.peek() else { return Ok(()) };
        let columns = declaration.map_or(&[][..], |table| &table.columns);
        let dates = columns.iter().filter(|column| column.kind == ColumnType::Date);
        let dates: Vec<&str> = dates.map(|column| column.name.as_str()).collect();
        // A date in Parquet is a number of days with this mark. Frames of dates would need a
        // feature of polars that compiles a library of time.
        let mut schema = first.physical_frame(&dates)?.schema().as_ref().clone();
        for name in &dates {
            schema.set_dtype(name, DataType::Date);
        }
        let metadata = declaration.and_then(|table| serde_json::to_string(table).ok());
        let metadata = metadata
            .map(|json| KeyValueMetadata::from_static(vec![(CODEBOOK_KEY.to_owned(), json)]));
        let writer = ParquetWriter::new(file).with_key_value_metadata(metadata);
        let mut writer = writer.batched(&schema)?;
        for table in tables {
            writer.write_batch(&table.physical_frame(&dates)?)?;
        }
        writer.finish()?;
        Ok(())
    }

    /// Writes tables with the same columns as one CSV file and, unless they have too many rows, as
    /// one JSON array of objects. Returns whether there is a JSON file.
    ///
    /// Programs read JSON whole, so it is left out beyond [`MOST_JSON_ROWS`].
    ///
    /// # Errors
    ///
    /// When a file or a table cannot be written.
    pub fn write_csv_and_json(
        tables: impl Iterator<Item = ExportTable>,
        csv: &Path,
        json: &Path,
    ) -> Result<bool, ExportError> {
        let (mut csv, mut array) = (BufWriter::new(create(csv)?), BufWriter::new(create(json)?));
        let failed = |error| ExportError::Write { path: json.display().to_string(), error };
        let mut written = 0;
        for (place, table) in tables.enumerate() {
            table.write_csv_to(&mut csv, place == 0)?;
            if written + table.len() <= MOST_JSON_ROWS {
                table.write_rows(&mut array, written).map_err(failed)?;
            }
            written += table.len();
        }
        csv.flush().map_err(PolarsError::from)?;
        if written > MOST_JSON_ROWS {
            drop(array);
            std::fs::remove_file(json).map_err(failed)?;
            return Ok(false);
        }
        let end = if written == 0 { "[]\n" } else { "]\n" };
        array.write_all(end.as_bytes()).and_then(|()| array.flush()).map_err(failed)?;
        Ok(true)
    }

    /// Writes the rows as objects of a JSON array that has `written` objects already. Fields are in
    /// alphabetical order.
    fn write_rows(&self, array: &mut impl Write, written: usize) -> std::io::Result<()> {
        let mut columns: Vec<&(&str, Values)> = self.columns.iter().collect();
        columns.sort_unstable_by_key(|(name, _)| *name);
        for row in 0..self.len() {
            array.write_all(if written + row == 0 { b"[{" } else { b",{" })?;
            for (place, (name, values)) in columns.iter().enumerate() {
                let comma = if place == 0 { "" } else { "," };
                write!(array, "{comma}\"{name}\":")?;
                match values {
                    Values::Text(values) => serde_json::to_writer(&mut *array, &values[row])?,
                    Values::Whole(values) => serde_json::to_writer(&mut *array, &values[row])?,
                    Values::Number(values) => serde_json::to_writer(&mut *array, &values[row])?,
                    Values::Flag(values) => serde_json::to_writer(&mut *array, &values[row])?,
                }
            }
            array.write_all(b"}")?;
        }
        Ok(())
    }
}

/// The day of `1972-07-11`, counted from 1 January 1970. `None` if the text is no day.
fn days_since_1970(text: &str) -> Option<i32> {
    let day: jiff::civil::Date = text.parse().ok()?;
    Some(day.duration_since(jiff::civil::date(1970, 1, 1)).as_hours() as i32 / 24)
}

/// Creates a file for an export.
///
/// # Errors
///
/// When it cannot be created; the error names the file.
pub fn create(path: &Path) -> Result<File, ExportError> {
    File::create(path)
        .map_err(|error| ExportError::Write { path: path.display().to_string(), error })
}

#[cfg(test)]
mod tests {
    use polars_parquet::parquet::read::read_metadata;
    use polars_parquet::parquet::schema::types::PrimitiveLogicalType;
    use serde_json::Value;

    use super::*;

    #[test]
    fn declared_dates_are_dates_in_parquet() {
        let declarations = super::super::codebook::Codebook::read().unwrap();
        let first_days = [Some("1898-06-01"), None].into_iter().map(|day| day.map(str::to_owned));
        let table = ExportTable::default().text("date_from", first_days);
        let mut file = Vec::new();
        let declared = declarations.table("events");
        ExportTable::write_parquet_to(std::iter::once(table), declared, &mut file).unwrap();
        let metadata = read_metadata(&mut std::io::Cursor::new(&file)).unwrap();
        let column = &metadata.schema().columns()[0].descriptor.primitive_type;
        assert_eq!(column.logical_type, Some(PrimitiveLogicalType::Date));
        assert_eq!(days_since_1970("1969-12-31"), Some(-1));
        assert_eq!(days_since_1970("1898"), None);
    }

    fn table() -> ExportTable {
        ExportTable::from_rows(&[(1, Some("=1+1"), Some(0.1 + 0.2)), (2, None, None)])
            .whole("rank", |(rank, ..)| Some(*rank))
            .text("player", |(_, player, _)| player.map(str::to_owned))
            .number("g_score", |(.., g_score)| *g_score)
            .finish()
    }

    fn csv_and_json<const PARTS: usize>(
        folder: &Path,
        parts: [ExportTable; PARTS],
    ) -> (String, String) {
        let [csv, json] = ["table.csv", "table.json"].map(|name| folder.join(name));
        ExportTable::write_csv_and_json(parts.into_iter(), &csv, &json).unwrap();
        let text = |path| std::fs::read_to_string(path).unwrap();
        (text(csv), text(json))
    }

    #[test]
    fn numbers_that_are_not_finite_are_unknown() {
        let folder = tempfile::tempdir().unwrap();
        let odd = [Some(1.5), Some(f64::NAN), Some(f64::INFINITY)].into_iter();
        let (csv, json) =
            csv_and_json(folder.path(), [ExportTable::default().number("g_score", odd)]);
        assert_eq!(csv, "g_score\n1.5\n\n\n");
        assert_eq!(json, "[{\"g_score\":1.5},{\"g_score\":null},{\"g_score\":null}]\n");
    }

    #[test]
    fn flags_are_booleans_in_every_format() {
        let folder = tempfile::tempdir().unwrap();
        let table = || {
            let flags = [Some(true), Some(false), None].into_iter();
            let rank = (1..4).map(Some);
            ExportTable::default().whole("rank", rank).flag("played", flags)
        };
        let (csv, json) = csv_and_json(folder.path(), [table()]);
        assert_eq!(csv, "rank,played\n1,true\n2,false\n3,\n");
        assert_eq!(
            json,
            "[{\"played\":true,\"rank\":1},{\"played\":false,\"rank\":2},{\"played\":null,\"rank\":3}]\n"
        );
        let frame = table().frame(str::to_owned).unwrap();
        assert_eq!(frame.column("played").unwrap().dtype(), &polars::prelude::DataType::Boolean);
    }

    #[test]
    fn parts_of_a_table_are_one_table() {
        let folder = tempfile::tempdir().unwrap();
        let none = || ExportTable::default().whole("rank", [].into_iter());
        assert_eq!(csv_and_json(folder.path(), [none()]), ("rank\n".into(), "[]\n".into()));
        let one = || ExportTable::default().whole("rank", [Some(1)].into_iter());
        assert_eq!(
            csv_and_json(folder.path(), [one(), none(), one()]),
            ("rank\n1\n1\n".into(), "[{\"rank\":1},{\"rank\":1}]\n".into())
        );
    }

    #[test]
    fn large_tables_have_no_json() {
        let folder = tempfile::tempdir().unwrap();
        let [csv, json] = ["table.csv", "table.json"].map(|name| folder.path().join(name));
        let part = |rows| ExportTable::default().whole("rank", (0..rows).map(Some));
        for (rows, has_json) in [(MOST_JSON_ROWS, true), (MOST_JSON_ROWS + 1, false)] {
            let parts = [part(rows - 1), part(1)].into_iter();
            assert_eq!(ExportTable::write_csv_and_json(parts, &csv, &json).unwrap(), has_json);
            assert_eq!(json.exists(), has_json);
            assert_eq!(std::fs::read_to_string(&csv).unwrap().lines().count(), rows + 1);
        }
    }

    #[test]
    fn csv_keeps_every_digit_and_disarms_formulas() {
        let folder = tempfile::tempdir().unwrap();
        assert_eq!(
            csv_and_json(folder.path(), [table()]).0,
            "rank,player,g_score\n1,'=1+1,0.30000000000000004\n2,,\n"
        );
    }

    #[test]
    fn unknown_values_are_null_in_json() {
        let folder = tempfile::tempdir().unwrap();
        let (_, text) = csv_and_json(folder.path(), [table()]);
        let value: Value = serde_json::from_str(&text).unwrap();
        assert_eq!(value[0]["player"], "=1+1");
        assert_eq!(value[0]["g_score"], 0.1 + 0.2);
        assert!(value[1]["g_score"].is_null());
    }

    #[test]
    fn one_table_is_written_like_the_file_of_all() {
        let folder = tempfile::tempdir().unwrap();
        let none = ExportTable::default().whole("rank", [].into_iter());
        for table in [table(), none] {
            let mut text = Vec::new();
            table.write_json_to(&mut text).unwrap();
            let (_, file) = csv_and_json(folder.path(), [table]);
            assert_eq!(String::from_utf8(text).unwrap(), file);
        }
    }

    #[test]
    fn parquet_is_written() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("table.parquet");
        ExportTable::write_parquet_to([table()].into_iter(), None, create(&path).unwrap()).unwrap();
        assert!(std::fs::read(path).unwrap().starts_with(b"PAR1"));
    }
}
