//! Declares the tables that an archive exports: what a row is, and what each column means.
//!
//! The declarations are in `codebook/*.toml`. The page *Codebook*, the Data Package and Croissant
//! descriptions and the metadata of the Parquet files are made from them.

use serde::{Deserialize, Serialize};
use strum::IntoStaticStr;
use thiserror::Error;

/// The declarations, by subject.
const FILES: [(&str, &str); 4] = [
    ("codebook/lists.toml", include_str!("../codebook/lists.toml")),
    ("codebook/performances.toml", include_str!("../codebook/performances.toml")),
    ("codebook/ratings.toml", include_str!("../codebook/ratings.toml")),
    ("codebook/studies.toml", include_str!("../codebook/studies.toml")),
];

/// The ending of the name of a declaration that stands for all tables of a folder.
const ANY: &str = "/*";

/// The lists of faster games, which share the declarations of the classical lists.
const FASTER: [&str; 2] = ["-rapid", "-blitz"];

/// A declaration that cannot be read: an error in the program's own files.
#[derive(Debug, Error)]
#[error("{file}: {error}")]
pub struct CodebookError {
    file: &'static str,
    error: Box<toml::de::Error>,
}

/// The declarations of all tables.
#[derive(Clone, Debug)]
pub struct Codebook {
    /// The tables, by subject.
    pub tables: Vec<TableDeclaration>,
}

/// The declaration of a table.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct TableDeclaration {
    /// The name of the file without its ending. `systems/*` stands for all files of a folder.
    pub name: String,
    /// The title for readers.
    pub title: String,
    /// What a row is, as a sentence.
    pub row: String,
    /// The columns whose values together identify a row; empty if there are none.
    #[serde(default)]
    pub key: Vec<String>,
    /// The columns whose values are keys of another table.
    #[serde(default)]
    pub foreign: Vec<ForeignKey>,
    /// The columns, in their order.
    #[serde(rename = "column")]
    pub columns: Vec<ColumnDeclaration>,
}

/// Columns that refer to a row of another table.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct ForeignKey {
    /// The columns of this table.
    pub columns: Vec<String>,
    /// Name of the other table.
    pub table: String,
    /// The columns of the other table, in the same order.
    pub to: Vec<String>,
}

/// The declaration of a column.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct ColumnDeclaration {
    /// The name, as in the header.
    pub name: String,
    /// The type of the values.
    #[serde(rename = "type")]
    pub kind: ColumnType,
    /// The unit of numbers.
    #[serde(default)]
    pub unit: Option<String>,
    /// The smallest value that the definition allows.
    #[serde(default)]
    pub minimum: Option<f64>,
    /// The largest value that the definition allows.
    #[serde(default)]
    pub maximum: Option<f64>,
    /// All possible values, if there are few.
    #[serde(default)]
    pub values: Vec<String>,
    /// What the values mean.
    pub meaning: String,
    /// What an empty value means; `None` if none is empty.
    #[serde(default)]
    pub empty: Option<String>,
}

/// The type of the values of a column, by its name in the Data Package standard.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize, IntoStaticStr)]
#[serde(rename_all = "lowercase")]
#[strum(serialize_all = "snake_case")]
pub enum ColumnType {
    /// Text.
    String,
    /// A whole number.
    Integer,
    /// A finite number, whole or not.
    Number,
    /// `true` or `false`.
    Boolean,
    /// A day in the form `1972-07-11`.
    Date,
}

impl ColumnType {
    /// The name in the Data Package standard.
    pub fn word(self) -> &'static str {
        self.into()
    }
}

impl Codebook {
    /// Reads the declarations.
    ///
    /// # Errors
    ///
    /// Returns an error if a file of the program is damaged.
    pub fn read() -> Result<Codebook, CodebookError> {
        #[derive(Deserialize)]
        #[serde(deny_unknown_fields)]
        struct File {
            table: Vec<TableDeclaration>,
        }
        let mut tables = Vec::new();
        for (file, text) in FILES {
            let read: File = toml::from_str(text)
                .map_err(|error| CodebookError { file, error: Box::new(error) })?;
            tables.extend(read.table);
        }
        Ok(Codebook { tables })
    }

    /// Returns the declaration of a table, given by its file name without ending.
    pub fn table(&self, name: &str) -> Option<&TableDeclaration> {
        self.tables.get(self.place(name))
    }

    /// Returns the place of a table's declaration, by which tables can be sorted. An undeclared
    /// table comes last.
    pub fn place(&self, name: &str) -> usize {
        let shared = FASTER.iter().find_map(|ending| name.strip_suffix(ending)).unwrap_or(name);
        let is_declared = |table: &TableDeclaration| match table.name.strip_suffix(ANY) {
            Some(folder) => shared.strip_prefix(folder).is_some_and(|rest| rest.starts_with('/')),
            None => table.name == shared,
        };
        self.tables.iter().position(is_declared).unwrap_or(self.tables.len())
    }
}

impl TableDeclaration {
    /// Returns the declaration of a column.
    pub fn column(&self, name: &str) -> Option<&ColumnDeclaration> {
        self.columns.iter().find(|column| column.name == name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_key_names_declared_columns() {
        let codebook = Codebook::read().unwrap();
        for table in &codebook.tables {
            let keys = table.foreign.iter().flat_map(|foreign| &foreign.columns);
            for column in table.key.iter().chain(keys) {
                assert!(table.column(column).is_some(), "{}: {column}", table.name);
            }
            for foreign in &table.foreign {
                let other = codebook.table(&foreign.table).expect(&foreign.table);
                let is_key = foreign.to.iter().all(|column| other.key.contains(column));
                assert!(is_key, "{}: {foreign:?}", table.name);
            }
        }
    }

    #[test]
    fn names_are_unique_and_texts_are_sentences() {
        let codebook = Codebook::read().unwrap();
        let mut tables = std::collections::BTreeSet::new();
        for table in &codebook.tables {
            assert!(tables.insert(&table.name), "{} twice", table.name);
            assert!(table.row.ends_with('.'), "{}: {}", table.name, table.row);
            let mut columns = std::collections::BTreeSet::new();
            for column in &table.columns {
                let at = format!("{}: {}", table.name, column.name);
                assert!(columns.insert(&column.name), "{at} twice");
                let texts = [Some(&column.meaning), column.empty.as_ref()];
                assert!(texts.into_iter().flatten().all(|text| text.ends_with('.')), "{at}");
            }
        }
    }

    #[test]
    fn lists_of_faster_games_share_a_declaration() {
        let codebook = Codebook::read().unwrap();
        assert_eq!(codebook.table("greatness-blitz"), codebook.table("greatness"));
        assert_eq!(codebook.table("systems/elo").unwrap().name, "systems/*");
        assert!(codebook.table("unknown").is_none());
    }
}
