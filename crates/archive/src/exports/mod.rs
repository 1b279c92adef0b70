//! Writes the exports. Their names and columns are a contract with readers.

pub mod career_tables;
mod cell_values;
pub mod chessmetrics_tables;
mod claim_tables;
mod comparison_tables;
mod croissant;
mod data_package;
mod descriptions;
pub mod document;
mod event_tables;
mod finding_tables;
pub mod forecast_tables;
pub mod foresight_tables;
mod game_forecast_table;
mod list_tables;
mod missing_form;
pub mod moves_tables;
mod performance_tables;
pub mod pool_tables;
mod written_table;

pub use descriptions::DATASET_DESCRIPTION;
pub use finding_tables::write_diagnostics;
pub use written_table::{WrittenFile, WrittenTable};

use std::io::{BufWriter, ErrorKind, Write};
use std::ops::Range;
use std::path::Path;

use rayon::prelude::*;

use crate::exports::comparison_tables::comparison;
use crate::exports::descriptions::write_descriptions;
use crate::exports::game_forecast_table::GameForecastTable;
use crate::parquet::write_export;
use crate::rated_players::computed_lists;
use crate::run::Archive;
use chess_history::gazetteer::Places;
use tables::{
    Codebook, ExportError, ExportTable, LARGEST_FILE, TableDeclaration, create, number_of_files,
    remove,
};

/// The number of rows (events, players, findings) of a partial table. A table of millions of rows
/// would take more memory than its source.
const PART: usize = 4096;

/// The tables that have a CSV file at any size: those that readers open in a spreadsheet.
const KEEP_CSV: [&str; 5] = ["greatness", "strength", "events", "players", "diagnostics"];

/// An export: its name, its number of rows, and a function that makes the table of some of them.
struct Export<'a> {
    name: String,
    rows: usize,
    table: Box<dyn Fn(Range<usize>) -> ExportTable + Sync + 'a>,
    /// Whether it is also written as Parquet, because it grows with the collection.
    is_large: bool,
}

impl<'a> Export<'a> {
    /// An export whose table is made in parts.
    fn new(
        name: &str,
        rows: usize,
        table: impl Fn(Range<usize>) -> ExportTable + Sync + 'a,
    ) -> Export<'a> {
        Export { name: name.to_owned(), rows, table: Box::new(table), is_large: false }
    }

    /// An export whose table is made at once.
    fn whole(name: &str, table: impl Fn() -> ExportTable + Sync + 'a) -> Export<'a> {
        Export::new(name, 1, move |_| table())
    }

    fn large(self) -> Export<'a> {
        Export { is_large: true, ..self }
    }

    fn parts(&self) -> impl Iterator<Item = ExportTable> + '_ {
        self.parts_of(0..self.rows)
    }

    /// The parts of some rows. No rows are a part too, so that an empty export has a header.
    fn parts_of(&self, rows: Range<usize>) -> impl Iterator<Item = ExportTable> + '_ {
        let Range { start, end } = rows;
        (start..end.max(start + 1))
            .step_by(PART)
            .map(move |first| (self.table)(first.min(end)..(first + PART).min(end)))
    }

    /// Returns the declaration of the table, and its parts.
    fn declared(
        &self,
        codebook: &Codebook,
    ) -> Result<(TableDeclaration, impl Iterator<Item = ExportTable>), ExportError> {
        let mut parts = self.parts().peekable();
        let first = parts.peek().expect("an empty export has one part");
        Ok((codebook.declare(&self.name, first)?, parts))
    }

    fn write(&self, folder: &Path, codebook: &Codebook) -> Result<WrittenTable, ExportError> {
        let (declaration, parts) = self.declared(codebook)?;
        let csv = folder.join(format!("{}.csv", self.name));
        let json = folder.join(format!("{}.json", self.name));
        let keeps_csv = cfg!(not(feature = "parquet")) || KEEP_CSV.contains(&&*self.name);
        let mut formats = ExportTable::write_csv_and_json(parts, &csv, &json, keeps_csv)?;
        let needs_parquet = self.is_large || !formats.contains(&"json");
        if formats.contains(&"json") && is_too_large(&json)? {
            remove(&json)?;
            formats.retain(|format| *format != "json");
        }
        let mut table = WrittenTable::new(self.name.clone(), formats, declaration);
        let lines = self.ranges_of_files(&csv)?;
        if lines.len() > 1 {
            remove(&csv)?;
            table.files.retain(|file| file.format != "csv");
            table.files.extend(self.write_numbered(folder, "csv", lines, |rows, path| {
                let mut lines = BufWriter::new(create(path)?);
                for (place, part) in self.parts_of(rows).enumerate() {
                    part.write_csv_to(&mut lines, place == 0)?;
                }
                lines.flush().map_err(|error| ExportError::write(path, error))
            })?);
        }
        if needs_parquet {
            table.files.extend(self.write_parquet(folder, codebook)?.files);
        }
        Ok(table)
    }

    /// Returns the rows of each of the files that a file of the table is to be cut into, because it
    /// is too large for free hosts; none if there is no such file. An export that is made at once
    /// has one row and is not cut.
    fn ranges_of_files(&self, path: &Path) -> Result<Vec<Range<usize>>, ExportError> {
        Ok(size_of(path)?.map_or_else(Vec::new, |bytes| cut(self.rows, bytes)))
    }

    /// Writes the table as Parquet: as one file, or as several numbered ones if it would be too
    /// large for free hosts.
    fn write_parquet(
        &self,
        folder: &Path,
        codebook: &Codebook,
    ) -> Result<WrittenTable, ExportError> {
        let (declaration, parts) = self.declared(codebook)?;
        let path = folder.join(format!("{}.parquet", self.name));
        write_export(parts, Some(&declaration), create(&path)?)?;
        let ranges = self.ranges_of_files(&path)?;
        if ranges.len() <= 1 {
            return Ok(WrittenTable::new(self.name.clone(), vec!["parquet"], declaration));
        }
        remove(&path)?;
        let files = self.write_numbered(folder, "parquet", ranges, |rows, path| {
            Ok(write_export(self.parts_of(rows), Some(&declaration), create(path)?)?)
        })?;
        Ok(WrittenTable { name: self.name.clone(), files, declaration })
    }

    /// Writes ranges of rows to numbered files. One that is still too large, because its rows are
    /// longer than others, is cut again.
    fn write_numbered(
        &self,
        folder: &Path,
        format: &'static str,
        ranges: Vec<Range<usize>>,
        write: impl Fn(Range<usize>, &Path) -> Result<(), ExportError>,
    ) -> Result<Vec<WrittenFile>, ExportError> {
        let mut files = Vec::new();
        let mut waiting: Vec<Range<usize>> = ranges.into_iter().rev().collect();
        while let Some(rows) = waiting.pop() {
            let file = WrittenFile::new(format, &format!("{}-{}", self.name, files.len() + 1));
            let path = folder.join(&file.path);
            write(rows.clone(), &path)?;
            if rows.len() > 1 && is_too_large(&path)? {
                let middle = rows.start + rows.len() / 2;
                waiting.extend([middle..rows.end, rows.start..middle]);
            } else {
                files.push(file);
            }
        }
        Ok(files)
    }
}

/// The size of a file (bytes), if it exists.
fn size_of(path: &Path) -> Result<Option<u64>, ExportError> {
    match std::fs::metadata(path) {
        Ok(file) => Ok(Some(file.len())),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
        Err(error) => Err(ExportError::write(path, error)),
    }
}

/// Whether a file is too large for free hosts.
fn is_too_large(path: &Path) -> Result<bool, ExportError> {
    Ok(size_of(path)?.is_some_and(|bytes| bytes > LARGEST_FILE))
}

/// Cuts the rows of a table into as many ranges as files are needed for these bytes.
fn cut(rows: usize, bytes: u64) -> Vec<Range<usize>> {
    let count = number_of_files(bytes).min(rows.max(1) as u64) as usize;
    (0..count).map(|number| rows * number / count..rows * (number + 1) / count).collect()
}

/// Writes all tables into an existing folder, and returns what was written, in the order of the
/// codebook. (The analysis of each event is an [`EventDocument`](document::EventDocument).)
///
/// # Errors
///
/// Returns an error if a file cannot be written.
pub fn write_exports(archive: &Archive, folder: &Path) -> Result<Vec<WrittenTable>, ExportError> {
    let records = &archive.records;
    let places = archive.settings.places();
    let exports = exports(archive, &places);
    let codebook = Codebook::read()?;
    let mut written: Vec<WrittenTable> = exports
        .par_iter()
        .map(|export| export.write(folder, &codebook))
        .collect::<Result<_, ExportError>>()?;
    written.extend(write_system_lists(archive, folder, &codebook)?);
    let games =
        Export::new("games", records.len(), |range| event_tables::games(archive, &records[range]));
    written.push(games.write_parquet(folder, &codebook)?);
    if let Some(found) = GameForecastTable::new(archive) {
        let export = Export::new("forecast-games", found.len(), |range| found.table(range));
        written.push(export.write_parquet(folder, &codebook)?);
    }
    written.sort_by(|a, b| a.name.cmp(&b.name));
    write_descriptions(archive, &mut written, folder)?;
    written.sort_by_key(|table| codebook.place(&table.name));
    Ok(written)
}

/// The exports that are tables of the archive in memory.
fn exports<'a>(archive: &'a Archive, places: &'a Places) -> Vec<Export<'a>> {
    let records = &archive.records;
    let mut exports = vec![
        Export::new("greatness", archive.lists.greatness.len(), |range| {
            list_tables::greatness(archive, &archive.lists.greatness[range])
        })
        .large(),
        Export::whole("strength", || list_tables::strength(archive, &archive.lists.strength)),
        Export::whole("greatest-players", || career_tables::careers(archive)).large(),
        Export::whole("greatest-players-eras", || career_tables::eras(archive)).large(),
        Export::whole("greatest-players-forms", || career_tables::forms(archive)),
        Export::new("events", records.len(), |range| {
            event_tables::events(archive, &records[range], places)
        })
        .large(),
        Export::new("performances", records.len(), |range| {
            performance_tables::performances(archive, &records[range])
        })
        .large(),
        Export::new("crosstables", records.len(), |range| {
            performance_tables::crosstables(archive, &records[range])
        })
        .large(),
        Export::whole("fragments", || event_tables::fragments(archive)),
        Export::whole("missing-games", || finding_tables::missing_games(archive)),
        Export::whole("missing-games-form", || missing_form::missing_games_form(archive)),
        Export::whole("history-check", || finding_tables::history_check(archive)),
        Export::whole("published", || finding_tables::published(archive)),
        Export::whole("published-strengths", || finding_tables::published_strengths(archive)),
        Export::new("players", archive.lists.player_rows.len(), |range| {
            list_tables::players(archive, &archive.lists.player_rows[range])
        })
        .large(),
        Export::whole("review", || finding_tables::review(archive)),
        Export::whole("decisions", || finding_tables::decisions(archive)),
        Export::new("diagnostics", archive.findings.diagnostics.len(), |range| {
            finding_tables::diagnostics(&archive.findings.diagnostics[range])
        })
        .large(),
        Export::new("forecasts", records.len(), |range| {
            forecast_tables::forecasts(archive, &records[range])
        })
        .large(),
        Export::whole("match-forecasts", || forecast_tables::match_forecasts(archive)),
        Export::whole("draws", || forecast_tables::draws(archive)),
        Export::whole("curves", || forecast_tables::curves(archive)),
        Export::whole("worths", || forecast_tables::worths(archive)),
        Export::whole("pool", || pool_tables::pool(archive)),
        Export::whole("exchange", || pool_tables::exchange(archive)),
        Export::whole("consistency", || pool_tables::consistency(archive)),
        Export::whole("balance", || pool_tables::balance(archive)),
        Export::whole("improvement", || pool_tables::improvement(archive)),
        Export::whole("trials", || pool_tables::trials(archive)),
        Export::whole("published-trial", || forecast_tables::published_trial(archive)),
        Export::whole("curve-runs", || pool_tables::curve_runs(archive)),
        Export::whole("ages", || pool_tables::ages(archive)),
        Export::whole("careers", || pool_tables::careers(archive)),
        Export::whole("longevity", || career_tables::longevity(archive)),
        Export::whole("five-year-averages", || career_tables::five_year_averages(archive)),
        Export::whole("norms", || forecast_tables::norms(archive)),
        Export::new("tie-breaks", records.len(), |range| {
            event_tables::tie_breaks(archive, &records[range])
        })
        .large(),
        Export::whole("intrinsic", || moves_tables::intrinsic(archive)),
        Export::whole("intrinsic-years", || moves_tables::intrinsic_years(archive)),
        Export::whole("intrinsic-aggregates", || moves_tables::intrinsic_aggregates(archive)),
        Export::whole("titles", || forecast_tables::titles(archive)),
        Export::whole("title-odds", || forecast_tables::title_odds(archive)),
        Export::whole("chessmetrics-performances", || chessmetrics_tables::performances(archive)),
        Export::whole("chessmetrics-tournaments", || chessmetrics_tables::tournaments(archive)),
        Export::whole("chessmetrics-matches", || chessmetrics_tables::matches(archive)),
        Export::whole("follow-ups", || claim_tables::follow_ups(archive)),
        Export::whole("follow-up-means", || claim_tables::means(archive)),
        Export::whole("shared-points", || claim_tables::shared_points(archive)),
        Export::whole("constants", || claim_tables::constants(archive)),
        Export::whole("foresight", || foresight_tables::groups(archive)),
        Export::whole("foresight-ratings", || foresight_tables::ratings(archive)),
        Export::whole("decided-ratings", || foresight_tables::decided(archive)),
        Export::whole("administrators", || foresight_tables::administrators(archive)),
    ];
    for lists in &archive.lists.faster {
        let tempo = lists.tempo.word();
        exports.push(Export::whole(&format!("greatness-{tempo}"), || {
            list_tables::greatness(archive, &lists.greatness)
        }));
        exports.push(Export::whole(&format!("strength-{tempo}"), || {
            list_tables::strength(archive, &lists.strength)
        }));
    }
    for (name, table) in archive.studies.comparison.iter().flat_map(comparison) {
        exports.push(Export::whole(name, move || table.clone()));
    }
    exports
}

/// Creates a folder unless it exists, but not its parents: a build that is stopped removes its
/// folder, and no other thread may create it again.
fn make_folder(folder: &Path) -> std::io::Result<()> {
    match std::fs::create_dir(folder) {
        Err(error) if error.kind() != std::io::ErrorKind::AlreadyExists => Err(error),
        _ => Ok(()),
    }
}

/// Writes the yearly lists of the computed systems.
fn write_system_lists(
    archive: &Archive,
    folder: &Path,
    codebook: &Codebook,
) -> Result<Vec<WrittenTable>, ExportError> {
    if archive.studies.system_lists.is_empty() {
        return Ok(Vec::new());
    }
    let systems = folder.join("systems");
    make_folder(&systems).map_err(|error| ExportError::write(&systems, error))?;
    let mut written = Vec::new();
    for lists in &archive.studies.system_lists {
        let name = format!("systems/{}", lists.system);
        let mut files = Vec::new();
        for (number, bytes) in (1..).zip(&lists.parquet) {
            let is_only = lists.parquet.len() == 1;
            let stem = if is_only { name.clone() } else { format!("{name}-{number}") };
            let file = WrittenFile::new("parquet", &stem);
            let path = folder.join(&file.path);
            std::fs::write(&path, bytes).map_err(|error| ExportError::write(&path, error))?;
            files.push(file);
        }
        let declaration = computed_lists::declaration(codebook)?;
        written.push(WrittenTable { name, files, declaration });
    }
    Ok(written)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_is_made_only_where_the_one_that_holds_it_still_exists() {
        let folder = tempfile::tempdir().unwrap();
        for _ in 0..2 {
            make_folder(&folder.path().join("systems")).unwrap();
        }
        let removed = folder.path().join("removed");
        assert!(make_folder(&removed.join("systems")).is_err());
        assert!(!removed.exists());
    }

    #[test]
    fn a_table_that_is_too_large_is_cut_into_parts_that_are_not() {
        assert_eq!(cut(7, LARGEST_FILE + 1), [0..3, 3..7]);
        for (rows, bytes) in [(7, LARGEST_FILE), (1, 3 * LARGEST_FILE), (0, 100)] {
            let whole = cut(rows, bytes);
            assert!(whole.len() == 1 && whole[0] == (0..rows), "{rows} rows");
        }
    }

    #[test]
    fn a_long_table_has_numbered_files_with_a_header_each() {
        let long = "x".repeat(1 << 20);
        let export = Export::new("diagnostics", 45, |rows| {
            ExportTable::default()
                .text("severity", rows.clone().map(|_| Some("note".to_owned())))
                .text("message", rows.map(|row| Some(format!("{row} {long}"))))
        });
        let folder = tempfile::tempdir().unwrap();
        let table = export.write(folder.path(), &Codebook::read().unwrap());
        let files: Vec<String> = match table {
            Ok(table) => table.paths("csv").into_iter().map(str::to_owned).collect(),
            Err(error) => panic!("{error}"),
        };
        assert_eq!(files, ["diagnostics-1.csv", "diagnostics-2.csv", "diagnostics-3.csv"]);
        for file in files {
            let text = std::fs::read_to_string(folder.path().join(file)).unwrap();
            assert!(text.starts_with("severity,message\n") && text.len() < 25_000_000);
        }
    }

    #[test]
    fn no_file_of_a_table_of_rows_of_different_lengths_is_too_large() {
        // The last of 40 rows have most of the bytes, so parts of equal numbers of rows do not.
        let length = |row: usize| if row < 30 { 1000 } else { 4 << 20 };
        let export = Export::new("diagnostics", 40, |rows| {
            ExportTable::default()
                .text("severity", rows.clone().map(|_| Some("note".to_owned())))
                .text("message", rows.map(|row| Some("x".repeat(length(row)))))
        });
        let folder = tempfile::tempdir().unwrap();
        let table = export.write(folder.path(), &Codebook::read().unwrap()).unwrap();
        let mut rows = 0;
        for path in table.paths("csv") {
            let text = std::fs::read_to_string(folder.path().join(path)).unwrap();
            assert!(text.len() as u64 <= LARGEST_FILE, "{path}");
            rows += text.lines().count() - 1;
        }
        assert_eq!(rows, 40);
        let written = std::fs::read_dir(folder.path()).unwrap().count();
        assert_eq!(written, table.files.len(), "no other file is left");
    }
}
