//! Tests that the declarations describe every exported table: its columns, values, keys and
//! references.
//!
//! They are read from the Data Package, in which names and types from the code meet definitions
//! from the codebook.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

use greatness::tables::Codebook;
use jiff::civil::Date;
use serde::Deserialize;
use serde_json::Value;

use crate::support::Bundled;

/// A written table: the columns of its header, and the rows.
struct Csv {
    columns: Vec<String>,
    rows: Vec<csv::StringRecord>,
}

impl Csv {
    fn read(name: &str) -> Csv {
        let path = data().join(format!("{name}.csv"));
        let mut reader = csv::Reader::from_path(&path).unwrap_or_else(|error| panic!("{error}"));
        let columns = reader.headers().unwrap().iter().map(str::to_owned).collect();
        Csv { columns, rows: reader.records().map(Result::unwrap).collect() }
    }

    /// The values of some columns, row by row.
    fn values(&self, columns: &[String]) -> Vec<Vec<String>> {
        let places: Vec<usize> = columns
            .iter()
            .map(|column| self.columns.iter().position(|one| one == column).unwrap())
            .collect();
        self.rows
            .iter()
            .map(|row| places.iter().map(|place| row[*place].to_owned()).collect())
            .collect()
    }
}

fn data() -> PathBuf {
    Bundled::get().path().join("data")
}

/// The names of the tables with a CSV file.
fn names() -> Vec<String> {
    let files = std::fs::read_dir(data()).unwrap().map(|entry| entry.unwrap().file_name());
    let names = files.filter_map(|file| Some(file.to_str()?.strip_suffix(".csv")?.to_owned()));
    let mut names: Vec<String> = names.collect();
    names.sort();
    names
}

/// The declaration of a table in the Data Package.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Schema {
    fields: Vec<Field>,
    #[serde(default)]
    primary_key: Vec<String>,
    #[serde(default)]
    foreign_keys: Vec<ForeignKey>,
}

#[derive(Deserialize)]
struct Field {
    name: String,
    #[serde(rename = "type")]
    kind: String,
    #[serde(default)]
    constraints: Constraints,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct Constraints {
    required: bool,
    minimum: Option<f64>,
    maximum: Option<f64>,
    r#enum: Vec<String>,
}

#[derive(Deserialize)]
struct ForeignKey {
    fields: Vec<String>,
    reference: Reference,
}

#[derive(Deserialize)]
struct Reference {
    resource: String,
    fields: Vec<String>,
}

fn data_package() -> Value {
    let text = std::fs::read_to_string(data().join("datapackage.json")).unwrap();
    serde_json::from_str(&text).unwrap()
}

/// The declarations of all tables, by the names of their files without ending.
fn schemas() -> BTreeMap<String, Schema> {
    let package = data_package();
    let resources = package["resources"].as_array().unwrap().iter();
    let schemas = resources.map(|resource| {
        let (name, _) = resource["path"].as_str().unwrap().rsplit_once('.').unwrap();
        (name.to_owned(), Schema::deserialize(&resource["schema"]).unwrap())
    });
    schemas.collect()
}

/// The declarations of the tables with a CSV file, and the tables.
fn declared_tables() -> Vec<(String, Schema, Csv)> {
    let mut schemas = schemas();
    let declared = names().into_iter().map(|name| {
        let schema = schemas.remove(&name).unwrap_or_else(|| panic!("{name} is not declared"));
        let table = Csv::read(&name);
        (name, schema, table)
    });
    declared.collect()
}

#[test]
fn every_column_of_every_table_is_declared_in_its_order() {
    for (name, schema, table) in declared_tables() {
        let declared: Vec<String> = schema.fields.into_iter().map(|field| field.name).collect();
        assert_eq!(table.columns, declared, "{name}");
    }
}

#[test]
fn every_definition_belongs_to_a_column() {
    let (codebook, schemas) = (Codebook::read().unwrap(), schemas());
    // Games are forecast from published ratings, which the bundled archive lacks.
    for table in codebook.tables.iter().filter(|table| table.name != "forecast-games") {
        let written = schemas.iter().filter(|(name, _)| codebook.table(name) == Some(table));
        let fields = written.flat_map(|(_, schema)| &schema.fields);
        let columns: BTreeSet<&String> = fields.map(|field| &field.name).collect();
        for column in table.columns.keys() {
            assert!(columns.contains(column), "{} has no column {column}", table.name);
        }
    }
}

#[test]
fn every_value_has_the_declared_type_and_range() {
    for (name, schema, table) in declared_tables() {
        for (row, number) in table.rows.iter().zip(2..) {
            for (value, field) in row.iter().zip(&schema.fields) {
                if let Err(fault) = check(value, field) {
                    panic!("{name}.csv:{number}: {} = \"{value}\" {fault}", field.name);
                }
            }
        }
    }
}

/// Checks a value against the declaration of its column.
fn check(value: &str, field: &Field) -> Result<(), String> {
    let Constraints { required, minimum, maximum, r#enum: values } = &field.constraints;
    if value.is_empty() {
        return if *required { Err("should not be empty".into()) } else { Ok(()) };
    }
    let mut number = None;
    match field.kind.as_str() {
        "string" => {}
        "integer" => number = Some(value.parse::<i64>().map_err(|error| error.to_string())? as f64),
        "number" => number = Some(value.parse::<f64>().map_err(|error| error.to_string())?),
        "boolean" => drop(value.parse::<bool>().map_err(|error| error.to_string())?),
        "date" => drop(value.parse::<Date>().map_err(|error| error.to_string())?),
        kind => return Err(format!("is of an unknown type {kind}")),
    }
    if !values.is_empty() && !values.iter().any(|one| one == value) {
        return Err(format!("is none of {}", values.join(", ")));
    }
    let is_too_small = number.zip(*minimum).is_some_and(|(number, least)| number < least);
    let is_too_large = number.zip(*maximum).is_some_and(|(number, most)| number > most);
    if is_too_small || is_too_large {
        return Err(format!("is not within {minimum:?} to {maximum:?}"));
    }
    Ok(())
}

#[test]
fn a_wrong_value_would_be_found() {
    let greatness = &schemas()["greatness"];
    for (value, column, is_right) in [
        ("", "rank", false),
        ("0", "rank", false),
        ("first", "rank", false),
        ("1", "rank", true),
        ("sometimes", "kind", false),
    ] {
        let field = greatness.fields.iter().find(|field| field.name == column).unwrap();
        assert_eq!(check(value, field).is_ok(), is_right, "{value}");
    }
}

#[test]
fn keys_identify_rows() {
    for (name, schema, table) in declared_tables() {
        if schema.primary_key.is_empty() {
            continue;
        }
        let mut seen = BTreeSet::new();
        for key in table.values(&schema.primary_key) {
            assert!(seen.insert(key.clone()), "{name}: {:?} = {key:?} twice", schema.primary_key);
        }
    }
}

#[test]
fn references_lead_to_rows_of_other_tables() {
    let mut keys: BTreeMap<(String, Vec<String>), BTreeSet<Vec<String>>> = BTreeMap::new();
    let mut references = 0;
    for (name, schema, table) in declared_tables() {
        for ForeignKey { fields, reference } in schema.foreign_keys {
            let Reference { resource: other, fields: to } = reference;
            let of_other = keys
                .entry((other.clone(), to.clone()))
                .or_insert_with(|| Csv::read(&other).values(&to).into_iter().collect());
            for value in table.values(&fields) {
                if value.iter().all(|part| !part.is_empty()) {
                    references += 1;
                    let is_known = of_other.contains(&value);
                    assert!(is_known, "{name}: {fields:?} = {value:?} is not in {other}");
                }
            }
        }
    }
    assert!(references > 10_000, "{references}");
}

#[test]
fn the_data_package_lists_every_file_and_column() {
    let package = data_package();
    let resources = package["resources"].as_array().unwrap();
    let paths: BTreeSet<&str> =
        resources.iter().filter_map(|resource| resource["path"].as_str()).collect();
    for name in names() {
        assert!(paths.contains(format!("{name}.csv").as_str()), "{name}");
    }
    assert!(paths.contains("games.parquet") && paths.contains("systems/elo.parquet"));
    for path in paths {
        assert!(data().join(path).is_file(), "{path}");
    }
    let licence = &package["licenses"][0];
    assert_eq!(licence["name"], "CC0-1.0");
    assert_eq!(licence["path"], "https://creativecommons.org/publicdomain/zero/1.0/");
    let greatness = resources.iter().find(|resource| resource["name"] == "greatness").unwrap();
    let fields = greatness["schema"]["fields"].as_array().unwrap();
    assert_eq!(fields.len(), Csv::read("greatness").columns.len());
}

#[test]
fn croissant_and_parquet_files_carry_the_declarations() {
    let text = std::fs::read_to_string(data().join("croissant.json")).unwrap();
    let dataset: Value = serde_json::from_str(&text).unwrap();
    assert_eq!(dataset["license"], "https://creativecommons.org/publicdomain/zero/1.0/");
    let cite_as = dataset["citeAs"].as_str().unwrap();
    let date = dataset["datePublished"].as_str().unwrap();
    assert!(cite_as.starts_with("@misc{greatness-archive,"), "{cite_as}");
    assert!(cite_as.contains(&format!("data to {date}")), "{cite_as}");
    let digest = dataset["distribution"][0]["sha256"].as_str().unwrap();
    assert_eq!(digest.len(), 64);
    let sets = dataset["recordSet"].as_array().unwrap();
    assert_eq!(sets.len(), names().len());
    let codebook = Codebook::read().unwrap();
    for file in ["games", "events", "systems/elo"] {
        let bytes = std::fs::read(data().join(format!("{file}.parquet"))).unwrap();
        let row = serde_json::to_string(&codebook.table(file).unwrap().row).unwrap();
        assert!(memchr::memmem::find(&bytes, row.as_bytes()).is_some(), "{file}");
    }
}

#[test]
fn the_codebook_has_an_anchor_for_every_column() {
    let page = std::fs::read_to_string(data().join("codebook.html")).unwrap();
    let codebook = Codebook::read().unwrap();
    for name in names() {
        let table = codebook.table(&name).unwrap_or_else(|| panic!("the codebook lacks {name}"));
        for column in Csv::read(&name).columns {
            let anchor = format!("id=\"{}.{column}\"", table.name);
            assert!(page.contains(&anchor), "{anchor}");
        }
    }
}
