//! Writes rows of typed cells as CSV: UTF-8, comma-separated, with empty cells for unknown values.

use std::borrow::Cow;
use std::io::{self, Write};

use serde::Serialize;

/// The value of one cell. `None` is unknown.
#[derive(Debug, Serialize)]
#[serde(untagged)]
pub(crate) enum Cell<'a> {
    Text(Option<Cow<'a, str>>),
    Whole(Option<i64>),
    /// A number that may exceed [`i64::MAX`]: a hash.
    Hash(u64),
    Number(Option<f64>),
    Flag(Option<bool>),
}

impl<'a> Cell<'a> {
    /// A text that spreadsheets do not read as a formula.
    pub(crate) fn text(text: Option<&'a str>) -> Cell<'a> {
        Cell::Text(text.map(without_formula))
    }
}

/// Writes a header, if there is one, and then rows of cells.
pub(crate) fn write_csv<'a>(
    file: impl Write,
    header: Option<&[&str]>,
    rows: impl Iterator<Item = Vec<Cell<'a>>>,
) -> io::Result<()> {
    let mut writer = csv::WriterBuilder::new().has_headers(false).from_writer(file);
    if let Some(header) = header {
        writer.write_record(header)?;
    }
    for row in rows {
        writer.serialize(row)?;
    }
    writer.flush()
}

/// Puts an apostrophe before a text that begins with one of the characters of formulas.
fn without_formula(text: &str) -> Cow<'_, str> {
    if text.starts_with(['=', '+', '-', '@', '\t', '\r']) {
        Cow::Owned(format!("'{text}"))
    } else {
        Cow::Borrowed(text)
    }
}
