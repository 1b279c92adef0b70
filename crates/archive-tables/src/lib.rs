//! Writes tables to files and reads them back.
//!
//! The tables are the game table, the turns that an engine analysed, finished tasks, and the
//! exports of an archive, which a codebook describes. This is the only crate that uses polars.

mod codebook;
mod detail_columns;
mod game_table;
mod parquet_check;
mod table;
mod task_table;
mod turn_table;

pub use codebook::{
    Codebook, CodebookError, ColumnDeclaration, ColumnType, ForeignKey, TableDeclaration,
};
pub use game_table::{
    MAGIC as PARQUET_MAGIC, ParquetError, harmless, read_parquet, write_csv, write_parquet,
};
pub use table::{CODEBOOK_KEY, ExportError, ExportTable, MOST_JSON_ROWS, RowTable, create, some};
pub use task_table::{TaskTableError, read_tasks, write_tasks};
pub use turn_table::{TurnTableError, read_calibration, read_turns, write_turns};

/// Returns copies of a file, each with one bit of one byte changed, and the place of the byte.
#[cfg(test)]
fn with_a_changed_bit(whole: &[u8]) -> impl Iterator<Item = (usize, Vec<u8>)> {
    (0..whole.len()).map(|place| {
        let mut damaged = whole.to_vec();
        damaged[place] ^= 1 << (place % 8);
        (place, damaged)
    })
}

/// Returns copies of a file, each with one byte set to zero, so that counts become 0 and lists
/// empty.
#[cfg(test)]
fn with_a_zero_byte(whole: &[u8]) -> impl Iterator<Item = (usize, Vec<u8>)> {
    (0..whole.len()).map(|place| {
        let mut damaged = whole.to_vec();
        damaged[place] = 0;
        (place, damaged)
    })
}
