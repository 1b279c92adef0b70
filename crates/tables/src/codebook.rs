//! Explains the tables that an archive exports: what a row is, and what each column means.
//!
//! The code that makes a table names its columns and gives their types. `codebook/*.toml` explains
//! them by name. Both together are the declaration of a table. The page *Codebook*, the Data
//! Package, the Croissant description and the metadata of the Parquet files are made from it.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::codebook_error::CodebookError;
use crate::column_type::ColumnType;
use crate::export_table::ExportTable;

/// The definitions, by subject.
const FILES: [(&str, &str); 4] = [
    ("codebook/lists.toml", include_str!("../codebook/lists.toml")),
    ("codebook/performances.toml", include_str!("../codebook/performances.toml")),
    ("codebook/ratings.toml", include_str!("../codebook/ratings.toml")),
    ("codebook/studies.toml", include_str!("../codebook/studies.toml")),
];

/// The ending of the name of a definition that stands for all tables of a folder.
const ANY: &str = "/*";

/// The lists of faster games, which share the definitions of the classical lists.
const FASTER: [&str; 2] = ["-rapid", "-blitz"];

/// The definitions of all tables.
#[derive(Clone, Debug)]
pub struct Codebook {
    /// The tables, by subject.
    pub tables: Vec<TableDefinition>,
}

/// What the codebook says of a table.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TableDefinition {
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
    /// A table that defines the columns without a definition here.
    pub like: Option<String>,
    /// The definitions of the columns, by name.
    pub columns: BTreeMap<String, ColumnDefinition>,
}

/// What the codebook says of a column.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct ColumnDefinition {
    /// The unit of numbers.
    pub unit: Option<String>,
    /// The smallest value that the definition allows.
    pub minimum: Option<f64>,
    /// The largest value that the definition allows.
    pub maximum: Option<f64>,
    /// All possible values, if there are few.
    #[serde(default)]
    pub values: Vec<String>,
    /// What the values mean.
    pub meaning: String,
    /// What an empty value means; `None` if none is empty.
    pub empty: Option<String>,
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

/// The declaration of a table: its definition, with the columns that it has.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct TableDeclaration {
    /// The name of the definition, which tables with the same columns share.
    pub name: String,
    /// The title for readers.
    pub title: String,
    /// What a row is, as a sentence.
    pub row: String,
    /// The columns whose values together identify a row; empty if there are none.
    pub key: Vec<String>,
    /// The columns whose values are keys of another table.
    pub foreign: Vec<ForeignKey>,
    /// The columns, in their order.
    #[serde(rename = "column")]
    pub columns: Vec<ColumnDeclaration>,
}

/// The declaration of a column.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ColumnDeclaration {
    /// The name, as in the header.
    pub name: &'static str,
    /// The type of the values.
    #[serde(rename = "type")]
    pub kind: ColumnType,
    /// What the codebook says of it.
    #[serde(flatten)]
    pub definition: ColumnDefinition,
}

impl Codebook {
    /// Reads the definitions.
    ///
    /// # Errors
    ///
    /// Returns an error if a file of the program is damaged.
    pub fn read() -> Result<Codebook, CodebookError> {
        #[derive(Deserialize)]
        #[serde(deny_unknown_fields)]
        struct File {
            table: Vec<TableDefinition>,
        }
        let mut tables = Vec::new();
        for (file, text) in FILES {
            let read: File = toml::from_str(text)
                .map_err(|error| CodebookError::Damaged { file, error: Box::new(error) })?;
            tables.extend(read.table);
        }
        Ok(Codebook { tables })
    }

    /// Returns the definition of a table, given by its file name without ending.
    pub fn table(&self, name: &str) -> Option<&TableDefinition> {
        self.tables.get(self.place(name))
    }

    /// Returns the definition of a column of a table.
    pub fn column(&self, table: &str, name: &str) -> Option<&ColumnDefinition> {
        let table = self.table(table)?;
        let own = table.columns.get(name);
        own.or_else(|| self.table(table.like.as_deref()?)?.columns.get(name))
    }

    /// Declares a table, given by its file name without ending and any of its rows.
    ///
    /// # Errors
    ///
    /// Returns an error if the codebook does not define the table or one of its columns.
    pub fn declare(
        &self,
        name: &str,
        rows: &ExportTable,
    ) -> Result<TableDeclaration, CodebookError> {
        let table = self.table(name).ok_or_else(|| CodebookError::Undefined(name.to_owned()))?;
        let mut columns = Vec::new();
        for (column, values) in rows.columns() {
            let definition = self
                .column(name, column)
                .ok_or_else(|| CodebookError::Undefined(format!("{name}.{column}")))?;
            let (kind, definition) = (values.kind(), definition.clone());
            columns.push(ColumnDeclaration { name: column, kind, definition });
        }
        Ok(TableDeclaration {
            name: table.name.clone(),
            title: table.title.clone(),
            row: table.row.clone(),
            key: table.key.clone(),
            foreign: table.foreign.clone(),
            columns,
        })
    }

    /// Returns the place of a table's definition, by which tables can be sorted. An undefined table
    /// comes last.
    pub fn place(&self, name: &str) -> usize {
        let shared = FASTER.iter().find_map(|ending| name.strip_suffix(ending)).unwrap_or(name);
        let is_defined = |table: &TableDefinition| match table.name.strip_suffix(ANY) {
            Some(folder) => shared.strip_prefix(folder).is_some_and(|rest| rest.starts_with('/')),
            None => table.name == shared,
        };
        self.tables.iter().position(is_defined).unwrap_or(self.tables.len())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_key_names_defined_columns() {
        let codebook = Codebook::read().unwrap();
        for table in &codebook.tables {
            let keys = table.foreign.iter().flat_map(|foreign| &foreign.columns);
            for column in table.key.iter().chain(keys) {
                assert!(codebook.column(&table.name, column).is_some(), "{}: {column}", table.name);
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
            for (name, column) in &table.columns {
                let texts = [Some(&column.meaning), column.empty.as_ref()];
                let are_sentences = texts.into_iter().flatten().all(|text| text.ends_with('.'));
                assert!(are_sentences, "{}: {name}", table.name);
            }
        }
    }

    #[test]
    fn lists_of_faster_games_share_a_definition() {
        let codebook = Codebook::read().unwrap();
        assert_eq!(codebook.table("greatness-blitz"), codebook.table("greatness"));
        assert_eq!(codebook.table("systems/elo").unwrap().name, "systems/*");
        assert!(codebook.table("unknown").is_none());
    }

    #[test]
    fn a_declaration_has_the_columns_of_the_table_in_their_order() {
        let codebook = Codebook::read().unwrap();
        let table = ExportTable::default()
            .whole("to_year", std::iter::empty())
            .number("band_sum", std::iter::empty());
        let columns = codebook.declare("greatest-players-eras", &table).unwrap().columns;
        let found: Vec<_> = columns.iter().map(|column| (column.name, column.kind)).collect();
        assert_eq!(found, [("to_year", ColumnType::Integer), ("band_sum", ColumnType::Number)]);
        let band_sum = codebook.column("greatest-players", "band_sum");
        assert_eq!(Some(&columns[1].definition), band_sum);
    }

    #[test]
    fn a_column_without_a_definition_is_an_error() {
        let codebook = Codebook::read().unwrap();
        let table = ExportTable::default().whole("shoe_size", std::iter::empty());
        let error = codebook.declare("players", &table).unwrap_err();
        assert_eq!(error.to_string(), "the codebook does not define players.shoe_size");
    }
}
