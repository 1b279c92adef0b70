//! Tests that the codebook describes every exported table: its columns, values, keys and
//! references.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

use greatness::tables::{Codebook, ColumnDeclaration, ColumnType, TableDeclaration};
use jiff::civil::Date;
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

fn declared(name: &str) -> TableDeclaration {
    let codebook = Codebook::read().unwrap();
    codebook.table(name).unwrap_or_else(|| panic!("the codebook lacks {name}")).clone()
}

#[test]
fn every_column_of_every_table_is_declared_in_its_order() {
    for name in names() {
        let declared: Vec<String> =
            declared(&name).columns.into_iter().map(|column| column.name).collect();
        assert_eq!(Csv::read(&name).columns, declared, "{name}");
    }
}

#[test]
fn every_value_has_the_declared_type_and_range() {
    for name in names() {
        let (declared, table) = (declared(&name), Csv::read(&name));
        for (row, number) in table.rows.iter().zip(2..) {
            for (value, column) in row.iter().zip(&declared.columns) {
                if let Err(fault) = check(value, column) {
                    panic!("{name}.csv:{number}: {} = \"{value}\" {fault}", column.name);
                }
            }
        }
    }
}

/// Checks a value against the declaration of its column.
fn check(value: &str, column: &ColumnDeclaration) -> Result<(), String> {
    if value.is_empty() {
        return column.empty.is_some().then_some(()).ok_or("should not be empty".into());
    }
    let number = match column.kind {
        ColumnType::String => None,
        ColumnType::Integer => {
            Some(value.parse::<i64>().map_err(|error| error.to_string())? as f64)
        }
        ColumnType::Number => Some(value.parse::<f64>().map_err(|error| error.to_string())?),
        ColumnType::Boolean => {
            value.parse::<bool>().map_err(|error| error.to_string())?;
            None
        }
        ColumnType::Date => {
            value.parse::<Date>().map_err(|error| error.to_string())?;
            None
        }
    };
    if !column.values.is_empty() && !column.values.iter().any(|one| one == value) {
        return Err(format!("is none of {}", column.values.join(", ")));
    }
    let is_too_small = number.zip(column.minimum).is_some_and(|(number, least)| number < least);
    let is_too_large = number.zip(column.maximum).is_some_and(|(number, most)| number > most);
    if is_too_small || is_too_large {
        return Err(format!("is not within {:?} to {:?}", column.minimum, column.maximum));
    }
    Ok(())
}

#[test]
fn a_wrong_value_would_be_found() {
    let declared = declared("greatness");
    for (value, column, is_right) in [
        ("", "rank", false),
        ("0", "rank", false),
        ("first", "rank", false),
        ("1", "rank", true),
        ("sometimes", "kind", false),
    ] {
        let column = declared.column(column).unwrap();
        assert_eq!(check(value, column).is_ok(), is_right, "{value}");
    }
}

#[test]
fn keys_identify_rows() {
    for name in names() {
        let (declared, table) = (declared(&name), Csv::read(&name));
        if declared.key.is_empty() {
            continue;
        }
        let mut seen = BTreeSet::new();
        for key in table.values(&declared.key) {
            assert!(seen.insert(key.clone()), "{name}: {:?} = {key:?} twice", declared.key);
        }
    }
}

#[test]
fn references_lead_to_rows_of_other_tables() {
    let mut keys: BTreeMap<(String, Vec<String>), BTreeSet<Vec<String>>> = BTreeMap::new();
    let mut references = 0;
    for name in names() {
        let table = Csv::read(&name);
        for foreign in declared(&name).foreign {
            let of_other =
                keys.entry((foreign.table.clone(), foreign.to.clone())).or_insert_with(|| {
                    Csv::read(&foreign.table).values(&foreign.to).into_iter().collect()
                });
            for value in table.values(&foreign.columns) {
                if value.iter().all(|part| !part.is_empty()) {
                    references += 1;
                    let at = format!("{name}: {:?}", foreign.columns);
                    assert!(
                        of_other.contains(&value),
                        "{at} = {value:?} is not in {}",
                        foreign.table
                    );
                }
            }
        }
    }
    assert!(references > 10_000, "{references}");
}

#[test]
fn the_data_package_lists_every_file_and_column() {
    let text = std::fs::read_to_string(data().join("datapackage.json")).unwrap();
    let package: Value = serde_json::from_str(&text).unwrap();
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
    assert_eq!(fields.len(), declared("greatness").columns.len());
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
    for file in ["games", "events", "systems/elo"] {
        let bytes = std::fs::read(data().join(format!("{file}.parquet"))).unwrap();
        let row = serde_json::to_string(&declared(file).row).unwrap();
        assert!(memchr::memmem::find(&bytes, row.as_bytes()).is_some(), "{file}");
    }
}

#[test]
fn the_codebook_has_an_anchor_for_every_column() {
    let page = std::fs::read_to_string(data().join("codebook.html")).unwrap();
    for name in names() {
        let table = declared(&name);
        for column in &table.columns {
            let anchor = format!("id=\"{}.{}\"", table.name, column.name);
            assert!(page.contains(&anchor), "{anchor}");
        }
    }
}
