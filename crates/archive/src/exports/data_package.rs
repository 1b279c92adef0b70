//! Describes the exports as a Data Package, for programs that read tables.
//!
//! Source of the format: the Data Package standard, version 2 (datapackage.org).

use serde_json::{Map, Value, json};

use crate::exports::written_table::WrittenTable;
use crate::settings::data_licence::DataLicence;
use tables::{ColumnDeclaration, ColumnDefinition, ColumnType, TableDeclaration};

/// The facts about an archive that its descriptions repeat.
#[derive(Clone, Debug, Default)]
pub(super) struct DatasetFacts {
    pub title: String,
    /// A sentence about the contents.
    pub description: String,
    /// The address of the site, with a slash at its end; empty if unknown.
    pub url: String,
    /// The last day of a game (`2021-04-27`); empty if unknown.
    pub last_day: String,
    pub licence: DataLicence,
    /// How to cite the archive, in BibTeX.
    pub cite_as: String,
}

/// The name of the package and of the Croissant dataset.
pub(super) const NAME: &str = "greatness-archive";

/// Describes the tables as a Data Package, in the order of their names.
///
/// Each CSV file is a table with a schema. A Parquet file without a CSV file is listed as a file,
/// with its schema for people, because few programs read tables in Parquet.
pub(super) fn data_package(facts: &DatasetFacts, tables: &[WrittenTable]) -> Value {
    let mut package = json!({
        "$schema": "https://datapackage.org/profiles/2.0/datapackage.json",
        "name": NAME,
        "title": facts.title,
        "description": facts.description,
        "version": env!("CARGO_PKG_VERSION"),
        "licenses": [licence(&facts.licence)],
    });
    if !facts.url.is_empty() {
        package["homepage"] = json!(facts.url);
    }
    package["resources"] = tables.iter().map(|table| resource(table, tables)).collect();
    package
}

/// Describes the licence. Only licences in SPDX's list have a name.
fn licence(licence: &DataLicence) -> Value {
    let mut described = json!({ "path": licence.address, "title": licence.title });
    if !licence.spdx.is_empty() {
        described["name"] = json!(licence.spdx);
    }
    described
}

fn resource(table: &WrittenTable, tables: &[WrittenTable]) -> Value {
    // Names of resources have no slashes.
    let mut resource = json!({
        "name": table.name.replace('/', "-"),
        "title": table.declaration.title,
        "description": table.declaration.row,
    });
    let lines = table.paths("csv");
    if !lines.is_empty() {
        resource["path"] = match &lines[..] {
            [one] => json!(one),
            several => json!(several),
        };
        resource["format"] = json!("csv");
        resource["mediatype"] = json!("text/csv");
        resource["encoding"] = json!("utf-8");
        resource["type"] = json!("table");
    } else {
        let format = table.files.first().map_or("", |file| file.format);
        resource["path"] = match &table.paths(format)[..] {
            [one] => json!(one),
            several => json!(several),
        };
        resource["format"] = json!(format);
        resource["type"] = json!("file");
    }
    resource["schema"] = schema(&table.declaration, tables);
    resource
}

/// Describes the columns and keys of a table.
fn schema(table: &TableDeclaration, tables: &[WrittenTable]) -> Value {
    let fields: Vec<Value> = table.columns.iter().map(field).collect();
    let mut schema = json!({ "fields": fields, "missingValues": [""] });
    if !table.key.is_empty() {
        schema["primaryKey"] = json!(table.key);
    }
    let foreign: Vec<Value> = table
        .foreign
        .iter()
        .filter(|foreign| tables.iter().any(|table| table.name == foreign.table))
        .map(|foreign| {
            let reference = json!({ "resource": foreign.table, "fields": foreign.to });
            json!({ "fields": foreign.columns, "reference": reference })
        })
        .collect();
    if !foreign.is_empty() {
        schema["foreignKeys"] = Value::Array(foreign);
    }
    schema
}

fn field(column: &ColumnDeclaration) -> Value {
    let definition = &column.definition;
    let mut constraints = Map::new();
    if definition.empty.is_none() {
        constraints.insert("required".to_owned(), json!(true));
    }
    for (key, limit) in [("minimum", definition.minimum), ("maximum", definition.maximum)] {
        if let Some(limit) = limit {
            constraints.insert(key.to_owned(), number(column.kind, limit));
        }
    }
    if !definition.values.is_empty() {
        constraints.insert("enum".to_owned(), json!(definition.values));
    }
    let mut field = Map::new();
    field.insert("name".to_owned(), json!(column.name));
    field.insert("type".to_owned(), json!(column.kind.word()));
    field.insert("description".to_owned(), json!(described(definition)));
    if let Some(unit) = &definition.unit {
        field.insert("unit".to_owned(), json!(unit));
    }
    if !constraints.is_empty() {
        field.insert("constraints".to_owned(), Value::Object(constraints));
    }
    Value::Object(field)
}

/// Writes a limit of whole numbers without a decimal point.
fn number(kind: ColumnType, limit: f64) -> Value {
    match kind {
        ColumnType::Integer => json!(limit as i64),
        _ => json!(limit),
    }
}

/// Returns the meaning of a column, and what an empty value means.
pub(super) fn described(column: &ColumnDefinition) -> String {
    match &column.empty {
        Some(empty) => format!("{} Empty: {}", column.meaning, empty),
        None => column.meaning.clone(),
    }
}
