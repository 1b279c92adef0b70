//! Tables as CSV and JSON, and the codebook that explains their columns.
//!
//! An [`ExportTable`] is a table of an archive's exports, with the names and types of its columns;
//! the [`Codebook`] states what its rows and columns mean. [`game_columns`] and [`write_games_csv`]
//! give other programs the game table. This crate does not depend on polars, so code without
//! Parquet compiles without it.

mod codebook;
mod codebook_error;
mod column_type;
mod csv_rows;
mod export_table;
mod game_columns;

pub use codebook::{
    Codebook, ColumnDeclaration, ColumnDefinition, ForeignKey, TableDeclaration, TableDefinition,
};
pub use codebook_error::CodebookError;
pub use column_type::ColumnType;
pub use export_table::{
    CODEBOOK_KEY, ExportError, ExportTable, LARGEST_FILE, MOST_TEXT_ROWS, RowTable, Values, create,
    number_of_files, remove, some,
};
pub use game_columns::{ColumnValues, game_columns, set_details, write_games_csv};
