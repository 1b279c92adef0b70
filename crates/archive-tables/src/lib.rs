//! Tables on their way to files and back: the game table, the turns that an engine analysed, and the
//! exports of an archive.
//!
//! The only crate that uses polars.

mod game_table;
mod parquet_check;
mod table;
mod task_table;
mod turn_table;

pub use game_table::{
    MAGIC as PARQUET_MAGIC, ParquetError, harmless, read_parquet, write_csv, write_parquet,
};
pub use table::{ExportError, ExportTable, create, some};
pub use task_table::{TaskTableError, read_tasks, write_tasks};
pub use turn_table::{TurnTableError, read_calibration, read_turns, write_turns};

/// The bytes of a file with one bit of each byte changed in turn, each with its place.
#[cfg(test)]
fn with_a_wrong_bit(whole: &[u8]) -> impl Iterator<Item = (usize, Vec<u8>)> {
    (0..whole.len()).map(|place| {
        let mut damaged = whole.to_vec();
        damaged[place] ^= 1 << (place % 8);
        (place, damaged)
    })
}

/// Copies of a file with one byte each set to zero: counts become nothing, lists empty.
#[cfg(test)]
fn with_a_zero(whole: &[u8]) -> impl Iterator<Item = (usize, Vec<u8>)> {
    (0..whole.len()).map(|place| {
        let mut damaged = whole.to_vec();
        damaged[place] = 0;
        (place, damaged)
    })
}
