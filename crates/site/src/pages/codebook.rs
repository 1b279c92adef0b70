//! The page that explains the tables of the archive, column by column.

use serde::Serialize;

use super::page::Page;
use super::{Frame, Site};
use crate::figures::counted;
use archive::WrittenTable;
use tables::{ColumnDeclaration, ColumnDefinition, TableDeclaration};

#[derive(Debug, Serialize)]
pub struct CodebookPage {
    frame: Frame,
    tables: Vec<TableView>,
}

#[derive(Debug, Serialize)]
struct TableView {
    name: String,
    title: String,
    row: String,
    files: Vec<String>,
    /// The columns that identify a row.
    key: Vec<String>,
    /// Columns, and the address and the name of the table to which they refer.
    foreign: Vec<(String, String, String)>,
    columns: Vec<ColumnView>,
}

#[derive(Debug, Serialize)]
struct ColumnView {
    name: &'static str,
    kind: &'static str,
    /// Unit, limits and possible values.
    range: String,
    meaning: String,
    empty: String,
}

/// The view of the codebook: the tables that this archive has.
pub fn codebook(site: &Site, page: &Page, written: &[WrittenTable]) -> CodebookPage {
    let mut tables: Vec<TableView> = Vec::new();
    for one in written {
        let declaration = &one.declaration;
        let files = one.formats.iter().map(|format| format!("{}.{format}", one.name));
        // Tables with the same columns are explained once.
        match tables.iter_mut().find(|table| table.name == declaration.name) {
            Some(table) => table.files.extend(files),
            None => tables.push(table(declaration, files.collect())),
        }
    }
    let columns: usize = tables.iter().map(|table| table.columns.len()).sum();
    let description = format!(
        "The {} of the archive with their {}: what a row is, what each value means, its unit and its \
         limits.",
        counted(tables.len(), "table", "tables"),
        counted(columns, "column", "columns"),
    );
    let frame = page.frame(site, description);
    CodebookPage { frame, tables }
}

fn table(declaration: &TableDeclaration, files: Vec<String>) -> TableView {
    let foreign = declaration.foreign.iter().map(|foreign| {
        (foreign.columns.join(", "), format!("#{}", foreign.table), foreign.table.clone())
    });
    TableView {
        name: declaration.name.clone(),
        title: declaration.title.clone(),
        row: declaration.row.clone(),
        files,
        key: declaration.key.clone(),
        foreign: foreign.collect(),
        columns: declaration.columns.iter().map(column).collect(),
    }
}

fn column(declaration: &ColumnDeclaration) -> ColumnView {
    ColumnView {
        name: declaration.name,
        kind: declaration.kind.word(),
        range: range(&declaration.definition),
        meaning: declaration.definition.meaning.clone(),
        empty: declaration.definition.empty.clone().unwrap_or_default(),
    }
}

/// Unit, limits and possible values of a column, in words.
fn range(column: &ColumnDefinition) -> String {
    let limits = match (column.minimum, column.maximum) {
        (Some(least), Some(most)) => format!("{least} to {most}"),
        (Some(least), None) => format!("from {least}"),
        (None, Some(most)) => format!("up to {most}"),
        (None, None) => String::new(),
    };
    let unit = column.unit.clone().unwrap_or_default();
    let parts = [unit, limits, column.values.join(", ")];
    parts.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join("; ")
}
