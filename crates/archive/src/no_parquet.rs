//! Stands in for the Parquet files of a build where the feature `parquet` is off.
//!
//! Pages need none of these files, so they and their tests compile without polars. Every function
//! fails like the one of the crate `parquet-files` on a file that cannot be opened.

use std::io::{self, Write};
use std::path::Path;

use intrinsic_ratings::{Calibration, CalibrationError, TurnTable};
use pgn_collections::games::GameTable;
use pgn_collections::source::Limits;
use tables::{ExportTable, TableDeclaration};

pub const MAGIC: &[u8; 4] = b"PAR1";

fn missing() -> io::Error {
    io::Error::new(io::ErrorKind::Unsupported, "this program was compiled without Parquet")
}

pub fn read_parquet(_: &Path, _: Limits, _: &mut GameTable) -> io::Result<usize> {
    Err(missing())
}

pub fn write_parquet(_: &GameTable, _: &Path) -> io::Result<()> {
    Err(missing())
}

pub fn read_turns(_: &Path) -> io::Result<Vec<TurnTable>> {
    Err(missing())
}

pub fn read_calibration(path: &Path) -> Result<Calibration, CalibrationError> {
    let path = path.display().to_string();
    Err(CalibrationError::Value { path, what: missing().to_string() })
}

/// Returns no tasks, as for a file that cannot be read.
pub fn read_tasks(_: &Path) -> Vec<(u64, Vec<u8>)> {
    Vec::new()
}

pub fn write_tasks(_: &Path, _: &[(u64, Vec<u8>)]) -> io::Result<()> {
    Err(missing())
}

pub fn write_export(
    _: impl Iterator<Item = ExportTable>,
    _: Option<&TableDeclaration>,
    _: impl Write,
) -> io::Result<()> {
    Err(missing())
}
