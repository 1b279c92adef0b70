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
pub use table::{ExportError, Table, create, some};
pub use task_table::{TaskTableError, read_tasks, write_tasks};
pub use turn_table::{TurnTableError, read_calibration, read_turns, write_turns};
