//! Tables as they are written: as CSV, as Markdown, as JSON.

use comfy_table::presets::ASCII_MARKDOWN;
use comfy_table::{CellAlignment, ContentArrangement};
use serde::{Serialize, Serializer};

/// What stands in a place of a table.
#[derive(Clone, Debug, PartialEq)]
pub enum Cell {
    /// Words.
    Text(String),
    /// A number, and to how many decimals people want to read it.
    Number(f64, usize),
    /// Not known.
    Empty,
}

impl Cell {
    /// A number that may not be known.
    pub fn of(number: Option<f64>, decimals: usize) -> Cell {
        number
            .filter(|number| number.is_finite())
            .map_or(Cell::Empty, |number| Cell::Number(number, decimals))
    }

    /// As people read it.
    pub fn shown(&self) -> String {
        match self {
            // A line break would end the row.
            Cell::Text(text) => text.replace(char::is_control, " "),
            Cell::Number(number, decimals) => {
                let shown = format!("{number:.decimals$}");
                // Nothing is less than nothing.
                if shown.trim_start_matches('-').chars().all(|c| c == '0' || c == '.') {
                    return shown.trim_start_matches('-').to_owned();
                }
                shown
            }
            Cell::Empty => String::new(),
        }
    }
}

/// A text, a number or nothing: how people read a number is no part of it.
impl Serialize for Cell {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Cell::Text(text) => serializer.serialize_str(text),
            Cell::Number(number, _) => serializer.serialize_f64(*number),
            Cell::Empty => serializer.serialize_none(),
        }
    }
}

impl From<&str> for Cell {
    fn from(text: &str) -> Cell {
        Cell::Text(text.to_owned())
    }
}

impl From<u32> for Cell {
    fn from(number: u32) -> Cell {
        Cell::Number(f64::from(number), 0)
    }
}

/// Rows under columns.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Table {
    /// What it is called, also as a file.
    pub name: String,
    /// Names of the columns.
    pub columns: Vec<&'static str>,
    /// The rows, each as long as there are columns.
    pub rows: Vec<Vec<Cell>>,
}

impl Table {
    /// Without rows.
    pub fn new(name: impl Into<String>, columns: &[&'static str]) -> Table {
        Table { name: name.into(), columns: columns.to_vec(), rows: Vec::new() }
    }

    /// As CSV: numbers whole, or with the decimals in which people read them.
    pub fn csv(&self, is_rounded: bool) -> String {
        let mut lines = csv::WriterBuilder::new().from_writer(Vec::new());
        // Writing to memory does not fail.
        let _ = lines.write_record(&self.columns);
        for row in &self.rows {
            let cells = row.iter().map(|cell| match cell {
                Cell::Number(number, _) if !is_rounded => format!("{number}"),
                // A name may come from a file, and a table be opened by a spreadsheet.
                Cell::Text(text) if text.starts_with(['=', '+', '-', '@', '\t', '\r']) => {
                    format!("'{text}")
                }
                cell => cell.shown(),
            });
            let _ = lines.write_record(cells);
        }
        lines.into_inner().ok().and_then(|bytes| String::from_utf8(bytes).ok()).unwrap_or_default()
    }

    /// As Markdown whose columns stand below each other.
    pub fn markdown(&self) -> String {
        let mut table = comfy_table::Table::new();
        table.load_preset(ASCII_MARKDOWN).set_content_arrangement(ContentArrangement::Disabled);
        table.set_header(&self.columns);
        for row in &self.rows {
            table.add_row(row.iter().map(|cell| match cell {
                Cell::Number(..) => {
                    comfy_table::Cell::new(cell.shown()).set_alignment(CellAlignment::Right)
                }
                // A bar would be the end of the cell.
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
    fn numbers_are_whole_or_rounded_and_names_are_harmless() {
        let mut table = Table::new("t", &["name", "value"]);
        table.rows.push(vec!["=1+1".into(), Cell::Number(1.0 / 3.0, 2)]);
        table.rows.push(vec!["a|b".into(), Cell::of(Some(f64::NAN), 2)]);
        table.rows.push(vec!["c".into(), Cell::Number(-0.001, 1)]);
        assert_eq!(table.csv(true), "name,value\n'=1+1,0.33\na|b,\nc,0.0\n");
        assert!(table.csv(false).contains("0.3333333333333333"));
        assert!(table.markdown().contains("a/b"));
        let json = serde_json::to_value(&table).unwrap();
        assert_eq!(json["rows"][1], serde_json::json!(["a|b", null]));
        assert_eq!(json["rows"][2][1], -0.001);
    }
}
