//! The page that explains the tables of the archive, column by column.

use serde::Serialize;

use super::Site;
use super::page::Page;
use crate::figures::counted;
use archive::WrittenTable;
use tables::{ColumnDeclaration, ColumnDefinition, TableDeclaration};

/// The view of the codebook: the tables that this archive has.
pub fn codebook(site: &Site, page: &Page, written: &[WrittenTable]) -> impl Serialize {
    // Tables with the same columns are explained once.
    let mut tables: Vec<(&TableDeclaration, Vec<String>)> = Vec::new();
    for one in written {
        let files = one.files.iter().map(|file| file.path.clone());
        match tables.iter_mut().find(|(known, _)| known.name == one.declaration.name) {
            Some((_, known)) => known.extend(files),
            None => tables.push((&one.declaration, files.collect())),
        }
    }
    let columns: usize = tables.iter().map(|(table, _)| table.columns.len()).sum();
    let description = format!(
        "The {} of the archive with their {}: what a row is, what each value means, its unit and its \
         limits.",
        counted(tables.len(), "table", "tables"),
        counted(columns, "column", "columns"),
    );
    view!(
        frame = page.frame(site, description),
        tables = tables.into_iter().map(|(of, files)| table(of, files)).collect::<Vec<_>>()
    )
}

fn table(declaration: &TableDeclaration, files: Vec<String>) -> impl Serialize {
    let foreign = declaration.foreign.iter().map(|foreign| {
        (foreign.columns.join(", "), format!("#{}", foreign.table), foreign.table.clone())
    });
    view!(
        name = declaration.name.clone(),
        title = declaration.title.clone(),
        row = declaration.row.clone(),
        files,
        // The columns that identify a row.
        key = declaration.key.clone(),
        // Columns, and the address and the name of the table to which they refer.
        foreign = foreign.collect::<Vec<_>>(),
        columns = declaration.columns.iter().map(column).collect::<Vec<_>>()
    )
}

fn column(declaration: &ColumnDeclaration) -> impl Serialize {
    view!(
        name = declaration.name,
        kind = declaration.kind.word(),
        // Unit, limits and possible values.
        range = range(&declaration.definition),
        meaning = declaration.definition.meaning.clone(),
        empty = declaration.definition.empty.clone().unwrap_or_default()
    )
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
