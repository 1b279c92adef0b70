//! Tables on their way to files: CSV and Parquet through polars, JSON.

use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::Path;

use polars::prelude::{
    Column as PolarsColumn, CsvWriter, DataFrame, IntoColumn, NamedFrom, ParquetWriter,
    PolarsError, SerWriter, Series,
};
use thiserror::Error;

use super::game_table::harmless;

/// Why an export could not be written.
#[derive(Debug, Error)]
pub enum ExportError {
    /// A file cannot be written.
    #[error("{path}: cannot be written: {error}")]
    Write {
        /// The file.
        path: String,
        /// Why.
        error: std::io::Error,
    },
    /// The table cannot be formed.
    #[error("a table cannot be written: {0}")]
    Table(#[from] PolarsError),
}

/// Values of one column; `None` is unknown.
#[derive(Clone, Debug)]
pub enum Values {
    Text(Vec<Option<String>>),
    Whole(Vec<Option<i64>>),
    Number(Vec<Option<f64>>),
}

/// A text for a cell; nothing where it is empty.
pub fn some(text: impl Into<String>) -> Option<String> {
    Some(text.into()).filter(|text: &String| !text.is_empty())
}

/// Columns of one length with their names.
#[derive(Clone, Debug, Default)]
pub struct ExportTable {
    columns: Vec<(&'static str, Values)>,
}

impl ExportTable {
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

    /// Adds a column of numbers; infinite ones and NaN become unknown.
    pub fn number(
        mut self,
        name: &'static str,
        values: impl Iterator<Item = Option<f64>>,
    ) -> ExportTable {
        let values = values.map(|value| value.filter(|value| value.is_finite()));
        self.columns.push((name, Values::Number(values.collect())));
        self
    }

    fn len(&self) -> usize {
        self.columns.first().map_or(0, |(_, values)| match values {
            Values::Text(values) => values.len(),
            Values::Whole(values) => values.len(),
            Values::Number(values) => values.len(),
        })
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
                }
                .into_column()
            })
            .collect();
        Ok(DataFrame::new(self.len(), columns)?)
    }

    /// UTF-8, comma-separated, empty where unknown; with a header line, or without where the file has rows already.
    pub fn write_csv_to(&self, file: &mut impl Write, header: bool) -> Result<(), ExportError> {
        let mut frame = self.frame(harmless)?;
        CsvWriter::new(file).include_header(header).finish(&mut frame)?;
        Ok(())
    }

    /// Parquet, compressed, of tables with the same columns, each a row group, so that only one of them has to be in memory.
    pub fn write_parquet_to(
        tables: impl Iterator<Item = ExportTable>,
        file: impl Write,
    ) -> Result<(), ExportError> {
        let mut tables = tables.peekable();
        let Some(first) = tables.peek() else { return Ok(()) };
        let schema = first.frame(str::to_owned)?.schema().clone();
        let mut writer = ParquetWriter::new(file).batched(&schema)?;
        for table in tables {
            writer.write_batch(&table.frame(str::to_owned)?)?;
        }
        writer.finish()?;
        Ok(())
    }

    /// Tables with the same columns, one below the other, as CSV and as a JSON array of objects.
    pub fn write_csv_and_json(
        tables: impl Iterator<Item = ExportTable>,
        csv: &Path,
        json: &Path,
    ) -> Result<(), ExportError> {
        let (mut csv, mut array) = (BufWriter::new(create(csv)?), BufWriter::new(create(json)?));
        let failed = |error| ExportError::Write { path: json.display().to_string(), error };
        let mut row = 0;
        for (place, table) in tables.enumerate() {
            table.write_csv_to(&mut csv, place == 0)?;
            table.write_rows(&mut array, &mut row).map_err(failed)?;
        }
        let end = if row == 0 { "[]\n" } else { "]\n" };
        array.write_all(end.as_bytes()).and_then(|()| array.flush()).map_err(failed)?;
        Ok(csv.flush().map_err(PolarsError::from)?)
    }

    /// Its rows as objects of a JSON array of which so many are written; their fields in the order of the alphabet.
    fn write_rows(&self, array: &mut impl Write, written: &mut usize) -> std::io::Result<()> {
        let mut columns: Vec<&(&str, Values)> = self.columns.iter().collect();
        columns.sort_unstable_by_key(|(name, _)| *name);
        for row in 0..self.len() {
            array.write_all(if *written == 0 { b"[{" } else { b",{" })?;
            *written += 1;
            for (place, (name, values)) in columns.iter().enumerate() {
                let comma = if place == 0 { "" } else { "," };
                write!(array, "{comma}\"{name}\":")?;
                match values {
                    Values::Text(values) => serde_json::to_writer(&mut *array, &values[row])?,
                    Values::Whole(values) => serde_json::to_writer(&mut *array, &values[row])?,
                    Values::Number(values) => serde_json::to_writer(&mut *array, &values[row])?,
                }
            }
            array.write_all(b"}")?;
        }
        Ok(())
    }
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
    use serde_json::Value;

    use super::*;

    fn table() -> ExportTable {
        ExportTable::default()
            .whole("rank", [Some(1), Some(2)].into_iter())
            .text("player", [Some("=1+1".to_owned()), None].into_iter())
            .number("g_score", [Some(0.1 + 0.2), None].into_iter())
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
    fn no_cell_has_anything_but_a_finite_number() {
        let folder = tempfile::tempdir().unwrap();
        let odd = [Some(1.5), Some(f64::NAN), Some(f64::INFINITY)].into_iter();
        let (csv, json) =
            csv_and_json(folder.path(), [ExportTable::default().number("g_score", odd)]);
        assert_eq!(csv, "g_score\n1.5\n\n\n");
        assert_eq!(json, "[{\"g_score\":1.5},{\"g_score\":null},{\"g_score\":null}]\n");
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
    fn csv_keeps_every_digit_leaves_unknown_empty_and_defuses_formulas() {
        let folder = tempfile::tempdir().unwrap();
        assert_eq!(
            csv_and_json(folder.path(), [table()]).0,
            "rank,player,g_score\n1,'=1+1,0.30000000000000004\n2,,\n"
        );
    }

    #[test]
    fn json_has_a_null_for_what_is_unknown() {
        let folder = tempfile::tempdir().unwrap();
        let (_, text) = csv_and_json(folder.path(), [table()]);
        let value: Value = serde_json::from_str(&text).unwrap();
        assert_eq!(value[0]["player"], "=1+1");
        assert_eq!(value[0]["g_score"], 0.1 + 0.2);
        assert!(value[1]["g_score"].is_null());
    }

    #[test]
    fn parquet_is_written() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("table.parquet");
        ExportTable::write_parquet_to([table()].into_iter(), create(&path).unwrap()).unwrap();
        assert!(std::fs::read(path).unwrap().starts_with(b"PAR1"));
    }
}
