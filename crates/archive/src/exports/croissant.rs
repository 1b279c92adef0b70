//! Describes the exports as a Croissant dataset, for search engines and tools of machine learning.
//!
//! Source of the format: MLCommons, Croissant 1.1, over schema.org's `Dataset`.

use serde_json::{Value, json};

use crate::exports::data_package::{DatasetFacts, NAME, described};
use crate::exports::written_table::WrittenTable;
use tables::{ColumnDeclaration, ColumnType};

/// Describes the tables that have a CSV file as record sets, and all files as distributions.
pub(super) fn croissant(facts: &DatasetFacts, tables: &[WrittenTable]) -> Value {
    let files: Vec<Value> = tables.iter().flat_map(file_objects).collect();
    let sets: Vec<Value> = tables
        .iter()
        .filter(|table| !table.paths("csv").is_empty())
        .map(|table| record_set(table, tables))
        .collect();
    let mut dataset = json!({
        "@context": context(),
        "@type": "sc:Dataset",
        "conformsTo": "http://mlcommons.org/croissant/1.1",
        "name": NAME,
        "description": facts.description,
        "alternateName": facts.title,
        "version": env!("CARGO_PKG_VERSION"),
        "license": facts.licence.address,
        "citeAs": facts.cite_as,
        "creator": { "@type": "sc:Organization", "name": "The Greatness developers" },
        "isAccessibleForFree": true,
        "distribution": files,
        "recordSet": sets,
    });
    for (key, value) in [("url", &facts.url), ("datePublished", &facts.last_day)] {
        if !value.is_empty() {
            dataset[key] = json!(value);
        }
    }
    dataset
}

/// The terms of Croissant that the description may use.
const TERMS: [&str; 31] = [
    "arrayShape",
    "citeAs",
    "column",
    "containedIn",
    "dataBiases",
    "equivalentProperty",
    "extract",
    "field",
    "fileObject",
    "fileProperty",
    "fileSet",
    "format",
    "includes",
    "isArray",
    "isLiveDataset",
    "jsonPath",
    "key",
    "md5",
    "parentField",
    "path",
    "personalSensitiveInformation",
    "recordSet",
    "references",
    "regex",
    "repeated",
    "replace",
    "samplingRate",
    "separator",
    "source",
    "subField",
    "transform",
];

/// The meaning of the keys, as the specification of the format prints it.
fn context() -> Value {
    let mut context = json!({
        "@language": "en",
        "@vocab": "https://schema.org/",
        "conformsTo": "dct:conformsTo",
        "cr": "http://mlcommons.org/croissant/",
        "data": { "@id": "cr:data", "@type": "@json" },
        "dataType": { "@id": "cr:dataType", "@type": "@vocab" },
        "dct": "http://purl.org/dc/terms/",
        "examples": { "@id": "cr:examples", "@type": "@json" },
        "rai": "http://mlcommons.org/croissant/RAI/",
        "sc": "https://schema.org/",
    });
    for term in TERMS {
        context[term] = json!(format!("cr:{term}"));
    }
    context
}

/// Describes the files of a table.
fn file_objects(table: &WrittenTable) -> impl Iterator<Item = Value> + '_ {
    table.files.iter().map(|file| {
        json!({
            "@type": "cr:FileObject",
            "@id": file.path,
            "name": file.path,
            "contentUrl": file.path,
            "encodingFormat": media_type(file.format),
            "sha256": file.digest,
        })
    })
}

fn media_type(format: &str) -> &'static str {
    match format {
        "csv" => "text/csv",
        "json" => "application/json",
        _ => "application/vnd.apache.parquet",
    }
}

/// Describes the rows of a table's CSV file.
fn record_set(table: &WrittenTable, tables: &[WrittenTable]) -> Value {
    let declaration = &table.declaration;
    let mut fields = Vec::new();
    for column in &declaration.columns {
        let mut field = field(table, column);
        let mut foreign = declaration.foreign.iter();
        if let Some(foreign) = foreign.find(|foreign| foreign.columns == [column.name])
            && tables.iter().any(|table| table.name == foreign.table)
        {
            let to = format!("{}/{}", foreign.table, foreign.to.join("/"));
            field["references"] = json!({ "field": { "@id": to } });
        }
        fields.push(field);
    }
    let mut set = json!({
        "@type": "cr:RecordSet",
        "@id": table.name,
        "name": table.name,
        "description": declaration.row,
        "field": fields,
    });
    if !declaration.key.is_empty() {
        let keys = declaration.key.iter();
        set["key"] =
            keys.map(|column| json!({ "@id": format!("{}/{column}", table.name) })).collect();
    }
    set
}

fn field(table: &WrittenTable, column: &ColumnDeclaration) -> Value {
    let files = table.paths("csv");
    json!({
        "@type": "cr:Field",
        "@id": format!("{}/{}", table.name, column.name),
        "name": column.name,
        "description": described(&column.definition),
        "dataType": data_type(column.kind),
        "source": { "fileObject": { "@id": files.first() }, "extract": { "column": column.name } },
    })
}

/// The type of schema.org.
fn data_type(kind: ColumnType) -> &'static str {
    match kind {
        ColumnType::String => "sc:Text",
        ColumnType::Integer => "sc:Integer",
        ColumnType::Number => "sc:Float",
        ColumnType::Boolean => "sc:Boolean",
        ColumnType::Date => "sc:Date",
    }
}
