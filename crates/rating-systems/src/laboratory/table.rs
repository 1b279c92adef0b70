//! Tables that can be written as CSV, Markdown or JSON.

use comfy_table::presets::ASCII_MARKDOWN;
use comfy_table::{CellAlignment, ContentArrangement};
use serde::{Serialize, Serializer};

/// A cell of a table.
#[derive(Clone, Debug, PartialEq)]
pub enum TableCell {
    /// A text. Readers see a space for each control character.
    Text(String),
    /// A number, and its number of decimals for readers.
    Number(f64, usize),
    /// No value: an empty text for readers, null in JSON.
    Empty,
}

impl TableCell {
    /// The cell of a number, or an empty one for `None` and for infinite or undefined numbers.
    pub fn new(number: Option<f64>, decimals: usize) -> TableCell {
        number
            .filter(|number| number.is_finite())
            .map_or(TableCell::Empty, |number| TableCell::Number(number, decimals))
    }

    /// The text for readers.
    pub fn shown(&self) -> String {
        match self {
            // A line break would end the row.
            TableCell::Text(text) => text.replace(char::is_control, " "),
            TableCell::Number(number, decimals) => {
                let shown = format!("{number:.decimals$}");
                // Avoid a negative zero.
                if shown.trim_start_matches('-').chars().all(|c| c == '0' || c == '.') {
                    return shown.trim_start_matches('-').to_owned();
                }
                shown
            }
            TableCell::Empty => String::new(),
        }
    }
}

/// Serialises a text, a number or null. The number of decimals is left out.
impl Serialize for TableCell {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            TableCell::Text(text) => serializer.serialize_str(text),
            TableCell::Number(number, _) => serializer.serialize_f64(*number),
            TableCell::Empty => serializer.serialize_none(),
        }
    }
}

impl From<&str> for TableCell {
    fn from(text: &str) -> TableCell {
        TableCell::Text(text.to_owned())
    }
}

impl From<u32> for TableCell {
    fn from(number: u32) -> TableCell {
        TableCell::Number(f64::from(number), 0)
    }
}

/// The figures of a simulation or of an experiment.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ResultTable {
    /// Name of the table, and of its file.
    pub name: String,
    /// Names of the columns.
    pub columns: Vec<&'static str>,
    /// The rows. Each has as many cells as there are columns.
    pub rows: Vec<Vec<TableCell>>,
}

impl ResultTable {
    /// Creates a table without rows.
    pub fn new(name: impl Into<String>, columns: &[&'static str]) -> ResultTable {
        ResultTable { name: name.into(), columns: columns.to_vec(), rows: Vec::new() }
    }

    /// The table as CSV. Numbers are rounded to their decimals if `is_rounded`.
    pub fn csv(&self, is_rounded: bool) -> String {
        let mut lines = csv::WriterBuilder::new().from_writer(Vec::new());
        // Writing to memory cannot fail.
        let _ = lines.write_record(&self.columns);
        for row in &self.rows {
            let cells = row.iter().map(|cell| match cell {
                TableCell::Number(number, _) if !is_rounded => format!("{number}"),
                // Prevent a spreadsheet from reading a name from a file as a formula.
                TableCell::Text(text) if text.starts_with(['=', '+', '-', '@', '\t', '\r']) => {
                    format!("'{text}")
                }
                cell => cell.shown(),
            });
            let _ = lines.write_record(cells);
        }
        lines.into_inner().ok().and_then(|bytes| String::from_utf8(bytes).ok()).unwrap_or_default()
    }

    /// The table as Markdown with aligned columns.
    pub fn markdown(&self) -> String {
        let mut table = comfy_table::Table::new();
        table.load_preset(ASCII_MARKDOWN).set_content_arrangement(ContentArrangement::Disabled);
        table.set_header(&self.columns);
        for row in &self.rows {
            table.add_row(row.iter().map(|cell| match cell {
                TableCell::Number(..) => {
                    comfy_table::Cell::new(cell.shown()).set_alignment(CellAlignment::Right)
                }
                // A bar would end the cell.
                cell => comfy_table::Cell::new(cell.shown().replace('|', "/")),
            }));
        }
        format!("{table}\n")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_rounded_on_request_and_names_are_no_formulas() {
        let mut table = ResultTable::new("t", &["name", "value"]);
        table.rows.push(vec!["=1+1".into(), TableCell::Number(1.0 / 3.0, 2)]);
        table.rows.push(vec!["a|b".into(), TableCell::new(Some(f64::NAN), 2)]);
        table.rows.push(vec!["c".into(), TableCell::Number(-0.001, 1)]);
        assert_eq!(table.csv(true), "name,value\n'=1+1,0.33\na|b,\nc,0.0\n");
        assert!(table.csv(false).contains("0.3333333333333333"));
        assert!(table.markdown().contains("a/b"));
        let json = serde_json::to_value(&table).unwrap();
        assert_eq!(json["rows"][1], serde_json::json!(["a|b", null]));
        assert_eq!(json["rows"][2][1], -0.001);
    }
}
