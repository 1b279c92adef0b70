//! The exports of an archive as CSV and JSON.

use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::Path;

use thiserror::Error;

use crate::codebook_error::CodebookError;
use crate::column_type::ColumnType;
use crate::csv_rows::{Cell, write_csv};

/// The number of rows beyond which a table has no JSON file, and a CSV file only if it keeps one.
///
/// Judged: programs read JSON whole, and spreadsheets open at most a million rows. A
/// Parquet file of the same rows has a quarter of the bytes of a CSV file, or fewer.
pub const MOST_TEXT_ROWS: usize = 50_000;

/// The size (bytes) above which a file of a table is cut into several: what free hosts take
/// (`site::ArchiveSize`).
pub const LARGEST_FILE: u64 = 25_000_000;

/// The size (bytes) of the parts. They have equal numbers of rows, which have different lengths.
const PART_OF_FILE: u64 = 20_000_000;

/// The number of files for a table of these bytes.
pub fn number_of_files(bytes: u64) -> u64 {
    if bytes > LARGEST_FILE { bytes.div_ceil(PART_OF_FILE) } else { 1 }
}

/// The key of a table's declaration in the metadata of a Parquet file.
pub const CODEBOOK_KEY: &str = "codebook";

/// Why an export could not be written.
#[derive(Debug, Error)]
pub enum ExportError {
    /// A file cannot be written.
    #[error("{path}: cannot be written: {error}")]
    Write {
        /// Path of the file.
        path: String,
        /// Why it cannot be written.
        error: std::io::Error,
    },
    /// The declarations of the tables are damaged.
    #[error(transparent)]
    Codebook(#[from] CodebookError),
    /// The table cannot be encoded or written.
    #[error("a table cannot be written: {0}")]
    Table(#[from] std::io::Error),
}

impl ExportError {
    /// The error of a file that cannot be written.
    pub fn write(path: &Path, error: std::io::Error) -> ExportError {
        ExportError::Write { path: path.display().to_string(), error }
    }
}

/// The values of one column. `None` is unknown.
#[derive(Clone, Debug)]
pub enum Values {
    /// Texts.
    Text(Vec<Option<String>>),
    /// Whole numbers.
    Whole(Vec<Option<i64>>),
    /// Finite numbers.
    Number(Vec<Option<f64>>),
    /// `true` or `false`.
    Flag(Vec<Option<bool>>),
    /// Days in the form `1972-07-11`.
    Date(Vec<Option<String>>),
}

impl Values {
    /// Returns the type of the values.
    pub fn kind(&self) -> ColumnType {
        match self {
            Values::Text(_) => ColumnType::String,
            Values::Whole(_) => ColumnType::Integer,
            Values::Number(_) => ColumnType::Number,
            Values::Flag(_) => ColumnType::Boolean,
            Values::Date(_) => ColumnType::Date,
        }
    }

    fn cell(&self, row: usize) -> Cell<'_> {
        match self {
            Values::Text(texts) | Values::Date(texts) => Cell::text(texts[row].as_deref()),
            Values::Whole(numbers) => Cell::Whole(numbers[row]),
            Values::Number(numbers) => Cell::Number(numbers[row]),
            Values::Flag(flags) => Cell::Flag(flags[row]),
        }
    }
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

    /// Adds a column of days in the form `1972-07-11`.
    pub fn date(self, name: &'static str, value: impl Fn(&R) -> Option<String>) -> Self {
        RowTable { table: self.table.date(name, self.rows.iter().map(value)), ..self }
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

    /// Adds a column of days in the form `1972-07-11`.
    pub fn date(
        mut self,
        name: &'static str,
        values: impl Iterator<Item = Option<String>>,
    ) -> ExportTable {
        self.columns.push((name, Values::Date(values.collect())));
        self
    }

    /// Adds a column. It has a value for each row.
    pub fn push(&mut self, name: &'static str, values: Values) {
        self.columns.push((name, values));
    }

    /// Returns the names and values of all columns, in their order.
    pub fn columns(&self) -> &[(&'static str, Values)] {
        &self.columns
    }

    /// Returns the number of rows.
    pub fn height(&self) -> usize {
        self.columns.first().map_or(0, |(_, values)| match values {
            Values::Text(values) | Values::Date(values) => values.len(),
            Values::Whole(values) => values.len(),
            Values::Number(values) => values.len(),
            Values::Flag(values) => values.len(),
        })
    }

    /// Writes the table as CSV: UTF-8, comma-separated, with empty cells for unknown values.
    ///
    /// `header` is `false` if the file has rows already.
    ///
    /// # Errors
    ///
    /// Returns an error if the table cannot be written.
    pub fn write_csv_to(&self, file: &mut impl Write, header: bool) -> Result<(), ExportError> {
        let names: Vec<&str> = self.columns.iter().map(|(name, _)| *name).collect();
        let rows = (0..self.height())
            .map(|row| self.columns.iter().map(|(_, values)| values.cell(row)).collect());
        Ok(write_csv(file, header.then_some(&names), rows)?)
    }

    /// Writes the table as a JSON array of objects. Unknown values are null.
    ///
    /// # Errors
    ///
    /// Returns an error if the table cannot be written.
    pub fn write_json_to(&self, file: &mut impl Write) -> std::io::Result<()> {
        self.write_rows(file, 0)?;
        file.write_all(if self.height() == 0 { b"[]\n" } else { b"]\n" })
    }

    /// Writes tables with the same columns as one CSV file and one JSON array of objects, unless
    /// they have more rows than [`MOST_TEXT_ROWS`]: then as CSV only if `keeps_csv`. Returns the
    /// endings of the files that were written.
    ///
    /// # Errors
    ///
    /// Returns an error if a file cannot be written.
    pub fn write_csv_and_json(
        tables: impl Iterator<Item = ExportTable>,
        csv: &Path,
        json: &Path,
        keeps_csv: bool,
    ) -> Result<Vec<&'static str>, ExportError> {
        let (mut lines, mut array) = (BufWriter::new(create(csv)?), BufWriter::new(create(json)?));
        let mut written = 0;
        for (place, table) in tables.enumerate() {
            let is_long = written + table.height() > MOST_TEXT_ROWS;
            if is_long && !keeps_csv {
                remove(csv)?;
                remove(json)?;
                return Ok(Vec::new());
            }
            table.write_csv_to(&mut lines, place == 0)?;
            if !is_long {
                table
                    .write_rows(&mut array, written)
                    .map_err(|error| ExportError::write(json, error))?;
            }
            written += table.height();
        }
        lines.flush()?;
        if written > MOST_TEXT_ROWS {
            remove(json)?;
            return Ok(vec!["csv"]);
        }
        let end = if written == 0 { "[]\n" } else { "]\n" };
        array
            .write_all(end.as_bytes())
            .and_then(|()| array.flush())
            .map_err(|error| ExportError::write(json, error))?;
        Ok(vec!["csv", "json"])
    }

    /// Writes the rows as objects of a JSON array that has `written` objects already. Fields are in
    /// alphabetical order.
    fn write_rows(&self, array: &mut impl Write, written: usize) -> std::io::Result<()> {
        let mut columns: Vec<&(&str, Values)> = self.columns.iter().collect();
        columns.sort_unstable_by_key(|(name, _)| *name);
        for row in 0..self.height() {
            array.write_all(if written + row == 0 { b"[{" } else { b",{" })?;
            for (place, (name, values)) in columns.iter().enumerate() {
                let comma = if place == 0 { "" } else { "," };
                write!(array, "{comma}\"{name}\":")?;
                match values {
                    Values::Text(values) | Values::Date(values) => {
                        serde_json::to_writer(&mut *array, &values[row])?
                    }
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

/// Removes a file of an export.
///
/// # Errors
///
/// Returns an error that names the file if it cannot be removed.
pub fn remove(path: &Path) -> Result<(), ExportError> {
    std::fs::remove_file(path).map_err(|error| ExportError::write(path, error))
}

/// Creates a file for an export.
///
/// # Errors
///
/// Returns an error that names the file if it cannot be created.
pub fn create(path: &Path) -> Result<File, ExportError> {
    File::create(path).map_err(|error| ExportError::write(path, error))
}

#[cfg(test)]
mod tests {
    use serde_json::Value;

    use super::*;

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
        ExportTable::write_csv_and_json(parts.into_iter(), &csv, &json, false).unwrap();
        let text = |path| std::fs::read_to_string(path).unwrap();
        (text(csv), text(json))
    }

    #[test]
    fn numbers_that_are_not_finite_are_unknown() {
        let folder = tempfile::tempdir().unwrap();
        let odd = [Some(1.5), Some(f64::NAN), Some(f64::INFINITY)].into_iter();
        let (csv, json) =
            csv_and_json(folder.path(), [ExportTable::default().number("g_score", odd)]);
        assert_eq!(csv, "g_score\n1.5\n\"\"\n\"\"\n");
        assert_eq!(json, "[{\"g_score\":1.5},{\"g_score\":null},{\"g_score\":null}]\n");
    }

    #[test]
    fn flags_are_booleans_in_csv_and_json() {
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
    fn long_tables_have_no_json_and_csv_only_if_they_keep_it() {
        let folder = tempfile::tempdir().unwrap();
        let [csv, json] = ["table.csv", "table.json"].map(|name| folder.path().join(name));
        let part = |rows| ExportTable::default().whole("rank", (0..rows).map(Some));
        for (rows, keeps_csv, formats) in [
            (MOST_TEXT_ROWS, false, &["csv", "json"][..]),
            (MOST_TEXT_ROWS + 1, true, &["csv"]),
            (MOST_TEXT_ROWS + 1, false, &[]),
        ] {
            let parts = [part(rows - 1), part(1)].into_iter();
            let written = ExportTable::write_csv_and_json(parts, &csv, &json, keeps_csv).unwrap();
            assert_eq!(written, formats);
            assert_eq!(csv.exists(), formats.contains(&"csv"));
            assert_eq!(json.exists(), formats.contains(&"json"));
            if csv.exists() {
                assert_eq!(std::fs::read_to_string(&csv).unwrap().lines().count(), rows + 1);
            }
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
}
