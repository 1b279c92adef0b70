//! From files to games.

use std::path::{Path, PathBuf};

use super::errors::BuildError;
use super::progress::{Amount, Progress, timed};
use super::settings::Settings;
use crate::games::{GameTable, PARQUET_MAGIC, read_parquet};
use crate::pgn::{ReadOptions, read_files};
use crate::source::{Diagnostic, DiagnosticKind, Wanted, find};

/// All games of the inputs.
#[derive(Debug)]
pub struct GamesRead {
    /// The games.
    pub table: GameTable,
}

impl GamesRead {
    /// Reads all games.
    ///
    /// # Errors
    ///
    /// Where there are no games at all.
    pub fn read(
        settings: &Settings,
        progress: &dyn Progress,
        diagnostics: &mut Vec<Diagnostic>,
    ) -> Result<GamesRead, BuildError> {
        let files = timed(progress, "find inputs", Amount::Unknown, || {
            let files = find(&settings.input.pgn, Wanted::Games, diagnostics);
            let summary = format!("{} files of games", files.len());
            (files, summary)
        });
        let bytes = files.iter().filter_map(|file| file.metadata().ok()).map(|file| file.len());
        let table = timed(progress, "read games", Amount::Bytes(bytes.sum()), || {
            let table = table_of(&files, settings, progress, diagnostics);
            let summary = format!("{} games from {} files", table.len(), table.members.len());
            (table, summary)
        });
        if table.is_empty() {
            let first = diagnostics.first().map(ToString::to_string);
            return Err(BuildError::NoGames { files: files.len(), first });
        }
        Ok(GamesRead { table })
    }
}

/// Reads files in their order; game tables as such, all others as collections.
fn table_of(
    files: &[PathBuf],
    settings: &Settings,
    progress: &dyn Progress,
    diagnostics: &mut Vec<Diagnostic>,
) -> GameTable {
    let mut table = GameTable::default();
    let options = ReadOptions {
        limits: settings.input.limits,
        validate: settings.input.validate,
        ..ReadOptions::default()
    };
    for files in files.chunk_by(|a, b| !is_parquet(a) && !is_parquet(b)) {
        match files {
            [file] if is_parquet(file) => {
                if let Err(error) = read_parquet(file, &mut table) {
                    diagnostics.push(Diagnostic::error(
                        file.display().to_string(),
                        0,
                        DiagnosticKind::Unreadable,
                        error.to_string(),
                    ));
                }
                progress.advance(file.metadata().map_or(0, |metadata| metadata.len()));
            }
            files => read_files(files, options, &mut table, diagnostics, &|bytes| {
                progress.advance(bytes);
            }),
        }
    }
    table
}

/// Whether a file is Parquet, by its first bytes.
fn is_parquet(file: &Path) -> bool {
    use std::io::Read;
    let mut head = [0; PARQUET_MAGIC.len()];
    std::fs::File::open(file).is_ok_and(|mut file| file.read_exact(&mut head).is_ok())
        && head == *PARQUET_MAGIC
}
