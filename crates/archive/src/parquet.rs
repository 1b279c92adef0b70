//! The functions of the crate `parquet-files`, or what stands in for them.

#[cfg(not(feature = "parquet"))]
pub use crate::no_parquet::{
    MAGIC, read_calibration, read_parquet, read_tasks, read_turns, write_export, write_parquet,
    write_tasks,
};
#[cfg(feature = "parquet")]
pub use parquet_files::{
    MAGIC, read_calibration, read_parquet, read_tasks, read_turns, write_export, write_parquet,
    write_tasks,
};
