//! Tables as Parquet files: written, sealed with a digest, checked and read back.
//!
//! The tables are the game table, the turns that an engine analysed, finished tasks, and the
//! exports of an archive. This is the only crate that uses polars; no public item names a type of
//! it.

mod columns;
mod export;
mod export_reader;
mod game_table;
mod parquet_check;
mod task_table;
mod turn_table;

pub use columns::FormatError;
pub use export::write_export;
pub use export_reader::read_export;
pub use game_table::{MAGIC, ParquetError, read_parquet, write_parquet};
pub use task_table::{read_tasks, write_tasks};
pub use turn_table::{TurnFault, TurnTableError, read_calibration, read_turns, write_turns};

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
