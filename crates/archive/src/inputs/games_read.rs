//! Reads the games of the inputs.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use crate::errors::{BuildError, WorkError};
use crate::parquet::{MAGIC as PARQUET_MAGIC, read_parquet};
use crate::progress::{Progress, WorkAmount, counted, timed};
use crate::settings::Input;
use crate::work::work_folder::WorkFolder;
use pgn_collections::games::GameTable;
use pgn_collections::pgn::{ReadOptions, read_files};
use pgn_collections::source::{Diagnostic, DiagnosticKind, Limits, Severity, Wanted, find};

#[derive(Debug)]
pub struct GamesRead {
    pub table: GameTable,
}

impl GamesRead {
    /// Reads all games.
    ///
    /// # Errors
    ///
    /// Returns an error if there are no games at all.
    pub fn read(
        input: &Input,
        progress: &dyn Progress,
        diagnostics: &mut Vec<Diagnostic>,
    ) -> Result<GamesRead, BuildError> {
        match &input.from {
            Some(folder) => GamesRead::read_before(folder, progress, diagnostics),
            None => GamesRead::read_into(GameTable::default(), input, progress, diagnostics),
        }
    }

    /// Reads all games with their details (see [`GameDetails`](pgn_collections::games::GameDetails)).
    ///
    /// # Errors
    ///
    /// Returns an error if there are no games at all.
    pub fn read_with_details(
        input: &Input,
        progress: &dyn Progress,
        diagnostics: &mut Vec<Diagnostic>,
    ) -> Result<GamesRead, BuildError> {
        GamesRead::read_into(GameTable::with_details(), input, progress, diagnostics)
    }

    /// Reads the games of the inputs into an empty table.
    fn read_into(
        mut table: GameTable,
        input: &Input,
        progress: &dyn Progress,
        diagnostics: &mut Vec<Diagnostic>,
    ) -> Result<GamesRead, BuildError> {
        let files = timed(progress, "find inputs", WorkAmount::Unknown, || {
            let files = find(&input.pgn, Wanted::Games, diagnostics);
            let summary = format!("{} of games", counted(files.len(), "file"));
            (files, summary)
        });
        let bytes = files.iter().filter_map(|file| file.metadata().ok()).map(|file| file.len());
        let table = timed(progress, "read games", WorkAmount::Bytes(bytes.sum()), || {
            let mut found = Vec::new();
            read_games(&files, input, progress, &mut table, &mut found);
            diagnostics.extend(without_other_members(&files, found));
            let of_archives =
                if table.members.len() > files.len() { ", with those in archives" } else { "" };
            let summary = format!(
                "{} from {}{of_archives}",
                counted(table.len(), "game"),
                counted(table.members.len(), "file")
            );
            (table, summary)
        });
        let first = diagnostics.first().map(ToString::to_string);
        if files.is_empty() {
            return Err(BuildError::NoFiles { first });
        }
        if table.is_empty() {
            return Err(BuildError::NoGames { files: files.len(), first });
        }
        Ok(GamesRead { table })
    }

    /// Takes the games from a work folder, with the findings of reading them.
    fn read_before(
        folder: &Path,
        progress: &dyn Progress,
        diagnostics: &mut Vec<Diagnostic>,
    ) -> Result<GamesRead, BuildError> {
        let done = WorkFolder::at(folder);
        timed(progress, "load games that were read before", WorkAmount::Unknown, || {
            let table = read_work(&done, diagnostics);
            let games = table.as_ref().map_or(0, GameTable::len);
            (table.map(|table| GamesRead { table }), counted(games, "game"))
        })
    }
}

/// Reads the games of a work folder, and the findings of reading them.
fn read_work(
    done: &WorkFolder,
    diagnostics: &mut Vec<Diagnostic>,
) -> Result<GameTable, BuildError> {
    let mut table = GameTable::default();
    let path = done.games();
    read_parquet(&path, Limits::default(), &mut table).map_err(|error| WorkError {
        path: path.display().to_string(),
        reason: error.to_string(),
    })?;
    diagnostics.extend(done.findings()?);
    Ok(table)
}

/// Reads files in their order: Parquet files as game tables, all others as collections.
fn read_games(
    files: &[PathBuf],
    input: &Input,
    progress: &dyn Progress,
    table: &mut GameTable,
    diagnostics: &mut Vec<Diagnostic>,
) {
    let options =
        ReadOptions { limits: input.limits, validate: input.validate, ..ReadOptions::default() };
    for files in files.chunk_by(|a, b| !is_parquet(a) && !is_parquet(b)) {
        match files {
            [file] if is_parquet(file) => {
                if let Err(error) = read_parquet(file, input.limits, table) {
                    diagnostics.push(Diagnostic::error(
                        file.display().to_string(),
                        0,
                        DiagnosticKind::Unreadable,
                        error.to_string(),
                    ));
                }
                progress.advance(file.metadata().map_or(0, |metadata| metadata.len()));
            }
            files => read_files(files, options, table, diagnostics, &|bytes| {
                progress.advance(bytes);
            }),
        }
    }
}

/// The number of members that one message names. Judged: what fits in one line or two.
const NAMED: usize = 5;

/// Replaces the findings about members of an archive that contain no games by one line for the
/// archive. Pictures and texts in an archive are not errors.
pub fn without_other_members(files: &[PathBuf], found: Vec<Diagnostic>) -> Vec<Diagnostic> {
    // (archive, its members without games)
    let mut other_members: Vec<(String, BTreeSet<String>)> = Vec::new();
    for file in files {
        let archive = file.display().to_string();
        let inside = format!("{archive}/");
        let members: BTreeSet<String> = found
            .iter()
            .filter(|one| one.kind == DiagnosticKind::NoGames)
            .filter_map(|one| one.file.strip_prefix(&inside))
            .map(str::to_owned)
            .collect();
        if !members.is_empty() {
            other_members.push((archive, members));
        }
    }
    let mut kept = found;
    kept.retain(|one| {
        one.severity == Severity::Error
            || !other_members.iter().any(|(archive, members)| {
                let member = one.file.strip_prefix(archive.as_str());
                member
                    .and_then(|member| member.strip_prefix('/'))
                    .is_some_and(|member| members.contains(member))
            })
    });
    for (archive, members) in &other_members {
        let named: Vec<&str> = members.iter().take(NAMED).map(String::as_str).collect();
        let more = match members.len().saturating_sub(NAMED) {
            0 => String::new(),
            more => format!(" and {more} more"),
        };
        let count = match members.len() {
            1 => "one member contains no game and was".to_owned(),
            count => format!("{count} members contain no games and were"),
        };
        kept.push(Diagnostic::warning(
            archive.as_str(),
            0,
            DiagnosticKind::NoGames,
            format!("{count} skipped: {}{more}", named.join(", ")),
        ));
    }
    kept
}

/// Whether a file is Parquet, by its first bytes.
fn is_parquet(file: &Path) -> bool {
    use std::io::Read;
    let mut head = [0; PARQUET_MAGIC.len()];
    // A file that is only named so is reported as damaged Parquet, not as a collection without
    // games.
    let is_called_so = file.extension().is_some_and(|ending| ending == "parquet");
    // Bytes that are read from a pipe are lost, so only regular files are examined.
    file.is_file()
        && (is_called_so
            || (std::fs::File::open(file).is_ok_and(|mut file| file.read_exact(&mut head).is_ok())
                && head == *PARQUET_MAGIC))
}
