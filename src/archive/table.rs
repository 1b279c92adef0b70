//! Tables on their way to files: CSV and Parquet through polars, JSON.

use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::Path;

use polars::prelude::{
    Column as PolarsColumn, CsvWriter, DataFrame, IntoColumn, NamedFrom, ParquetWriter,
    PolarsError, SerWriter, Series,
};
use serde_json::{Map, Value};
use thiserror::Error;

use crate::games::harmless;

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
pub(super) enum Values {
    Text(Vec<Option<String>>),
    Whole(Vec<Option<i64>>),
    Number(Vec<Option<f64>>),
}

/// A text for a cell; nothing where it is empty.
pub(super) fn some(text: impl Into<String>) -> Option<String> {
    Some(text.into()).filter(|text: &String| !text.is_empty())
}

/// Columns of one length with their names.
#[derive(Clone, Debug, Default)]
pub(super) struct Table {
    columns: Vec<(&'static str, Values)>,
}

impl Table {
    pub fn text(
        mut self,
        name: &'static str,
        values: impl Iterator<Item = Option<String>>,
    ) -> Table {
        self.columns.push((name, Values::Text(values.collect())));
        self
    }

    pub fn whole(
        mut self,
        name: &'static str,
        values: impl Iterator<Item = Option<usize>>,
    ) -> Table {
        let values = values.map(|value| value.map(|value| value as i64)).collect();
        self.columns.push((name, Values::Whole(values)));
        self
    }

    pub fn number(
        mut self,
        name: &'static str,
        values: impl Iterator<Item = Option<f64>>,
    ) -> Table {
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

    /// UTF-8, comma-separated, header line, empty where unknown.
    pub fn write_csv(&self, path: &Path) -> Result<(), ExportError> {
        self.write_csv_to(&mut BufWriter::new(create(path)?), true)
    }

    /// The same into a file that may have rows already: then without header line.
    pub fn write_csv_to(&self, file: &mut impl Write, header: bool) -> Result<(), ExportError> {
        let mut frame = self.frame(harmless)?;
        CsvWriter::new(file).include_header(header).finish(&mut frame)?;
        Ok(())
    }

    /// Parquet, compressed, of tables with the same columns, each a row group, so that only one of them has to be in memory.
    pub fn write_parquet_to(
        tables: impl Iterator<Item = Table>,
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

    /// Parquet, compressed.
    pub fn write_parquet(&self, path: &Path) -> Result<(), ExportError> {
        let mut frame = self.frame(str::to_owned)?;
        ParquetWriter::new(create(path)?).finish(&mut frame)?;
        Ok(())
    }

    /// A JSON array of objects.
    pub fn write_json(&self, path: &Path) -> Result<(), ExportError> {
        let rows: Vec<Value> = (0..self.len())
            .map(|row| {
                let fields: Map<String, Value> = self
                    .columns
                    .iter()
                    .map(|(name, values)| {
                        let value = match values {
                            Values::Text(values) => values[row].clone().into(),
                            Values::Whole(values) => values[row].into(),
                            Values::Number(values) => values[row].into(),
                        };
                        ((*name).to_owned(), value)
                    })
                    .collect();
                Value::Object(fields)
            })
            .collect();
        write_json(path, &rows)
    }
}

/// Writes a value as JSON.
fn write_json(path: &Path, value: &impl serde::Serialize) -> Result<(), ExportError> {
    let mut file = BufWriter::new(create(path)?);
    serde_json::to_writer(&mut file, value).map_err(|error| ExportError::Write {
        path: path.display().to_string(),
        error: error.into(),
    })?;
    file.write_all(b"\n")
        .and_then(|()| file.flush())
        .map_err(|error| ExportError::Write { path: path.display().to_string(), error })
}

pub(super) fn create(path: &Path) -> Result<File, ExportError> {
    File::create(path)
        .map_err(|error| ExportError::Write { path: path.display().to_string(), error })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table() -> Table {
        Table::default()
            .whole("rank", [Some(1), Some(2)].into_iter())
            .text("player", [Some("=1+1".to_owned()), None].into_iter())
            .number("g_score", [Some(0.1 + 0.2), None].into_iter())
    }

    #[test]
    fn csv_keeps_every_digit_leaves_unknown_empty_and_defuses_formulas() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("table.csv");
        table().write_csv(&path).unwrap();
        assert_eq!(
            std::fs::read_to_string(path).unwrap(),
            "rank,player,g_score\n1,'=1+1,0.30000000000000004\n2,,\n"
        );
    }

    #[test]
    fn json_has_a_null_for_what_is_unknown() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("table.json");
        table().write_json(&path).unwrap();
        let text = std::fs::read_to_string(path).unwrap();
        let value: Value = serde_json::from_str(&text).unwrap();
        assert_eq!(value[0]["player"], "=1+1");
        assert_eq!(value[0]["g_score"], 0.1 + 0.2);
        assert!(value[1]["g_score"].is_null());
    }

    #[test]
    fn parquet_is_written() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("table.parquet");
        table().write_parquet(&path).unwrap();
        assert!(std::fs::read(path).unwrap().starts_with(b"PAR1"));
    }
}
