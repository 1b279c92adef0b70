//! Reads parts of collections: tasks of executors.
//!
//! Each file is a part, and so is each range of a large plain file. They are read by the reader
//! that `greatness build` uses. A part becomes a table of games and findings in a Parquet file.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use datafusion::arrow::array::{ArrayRef, BinaryArray, StringArray, UInt32Array, UInt64Array};
use datafusion::arrow::datatypes::{DataType, Field, Schema, SchemaRef};
use datafusion::arrow::record_batch::RecordBatch;
use datafusion::parquet::arrow::ArrowWriter;
use datafusion::parquet::basic::{Compression, ZstdLevel};
use datafusion::parquet::file::properties::WriterProperties;
use greatness::games::{Game, GameColumn, GameColumns, GameTable};
use greatness::parquet::{MAGIC as PARQUET_MAGIC, read_parquet};
use greatness::pgn::{ReadOptions, read_files, read_text};
use greatness::source::{Diagnostic, DiagnosticKind, Limits, Severity, first_cut};
use serde::{Deserialize, Serialize};

use crate::receipt::Output;
use crate::store::{Place, wait};

/// A part of a collection: a file, or a range of a large plain file.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Part {
    /// Address of the file.
    pub url: String,
    /// Name of the file in findings and members.
    pub name: String,
    /// The first byte of a range and the byte after its last; `None` is the whole file. The part
    /// contains the games that begin in the range.
    pub range: Option<(u64, u64)>,
    /// Size of the file (bytes).
    pub size: u64,
    /// What the store says of the file's version. Another version is another part.
    pub version: String,
}

/// The options of reading collections.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Reading {
    /// Limits beyond which a file is not unpacked.
    pub limits: Limits,
    /// Whether to replay the moves and report illegal ones.
    pub validate: bool,
}

/// Largest number of games in a row group.
const GAMES: usize = 8192;

/// Bytes after a boundary that are searched for a place to split. No game is as long.
const WINDOW: u64 = 16 << 20;

/// Bytes before a boundary that are read to recognise the kind of its line. Judged: a line of PGN
/// has 80 characters, and a comment on one line a few thousand.
const BEFORE: u64 = 64 << 10;

/// The schema: the columns of the game table, and the finding.
///
/// The finding is null in the row of a game. A part ends with a row whose finding is empty. The
/// line of this row is the number of lines of the part.
pub fn schema() -> SchemaRef {
    let empty = GameTable::default();
    let columns = GameColumns::new(&empty, &[]).all().into_iter().map(|(name, column)| {
        let kind = match column {
            GameColumn::Texts(_) => DataType::Utf8,
            GameColumn::Numbers(_) => DataType::UInt32,
            GameColumn::Long(_) => DataType::UInt64,
        };
        Field::new(name, kind, false)
    });
    let mut fields: Vec<Field> = columns.collect();
    fields.push(Field::new("finding", DataType::Binary, true));
    Arc::new(Schema::new(fields))
}

/// The bytes of a task: a part, and how to read it.
///
/// # Errors
///
/// Fails if they cannot be encoded.
pub fn task(part: &Part, reading: Reading) -> anyhow::Result<Vec<u8>> {
    Ok(serde_json::to_vec(&(part, reading))?)
}

/// Reads the part of a task.
///
/// # Errors
///
/// Fails if the file cannot be read. What is wrong within it is a finding of the output.
pub fn read(task: &[u8]) -> anyhow::Result<Output> {
    let (part, reading): (Part, Reading) = serde_json::from_slice(task)?;
    let read = PartRead::read(&part, reading)?;
    let games = read.table.len() as u64;
    let errors = read.found.iter().filter(|one| one.severity == Severity::Error).count() as u64;
    let set_aside = match errors {
        0 => Default::default(),
        _ => [("with an error instead of a game".to_owned(), errors)].into(),
    };
    Ok(Output {
        bytes: read.to_parquet()?,
        bytes_in: read.bytes,
        rows_in: games + errors,
        rows_out: games,
        set_aside,
    })
}

/// The games and findings of a part.
struct PartRead {
    table: GameTable,
    found: Vec<Diagnostic>,
    /// Number of line feeds in a range; 0 for a whole file.
    lines: u32,
    /// Number of bytes of the file that belong to the part.
    bytes: u64,
}

impl PartRead {
    fn read(part: &Part, reading: Reading) -> anyhow::Result<PartRead> {
        let options = ReadOptions {
            limits: reading.limits,
            validate: reading.validate,
            // One thread is enough, because an executor reads one part for each of its cores.
            threads: 1,
            ..ReadOptions::default()
        };
        let mut read =
            PartRead { table: GameTable::default(), found: Vec::new(), lines: 0, bytes: part.size };
        let PartRead { table, found, lines, bytes } = &mut read;
        if let Some(range) = part.range {
            let text = wait(text_of_range(&Place::at(&part.url)?, range))?;
            *bytes = text.len() as u64;
            *lines = memchr::memchr_iter(b'\n', &text).count() as u32;
            read_text(&part.name, &text, options, table, found);
            // A range without games does not mean that the file has none.
            found.retain(|one| one.kind != DiagnosticKind::NoGames);
            return Ok(read);
        }
        // Reading a packed file seeks in it, so the file must be on a disk.
        let local = Local::open(&part.url)?;
        let shown = local.path.display().to_string();
        if is_parquet(&local.path) {
            if let Err(error) = read_parquet(&local.path, reading.limits, table) {
                let (name, message) = (part.name.as_str(), error.to_string());
                found.push(Diagnostic::error(name, 0, DiagnosticKind::Unreadable, message));
            }
        } else {
            read_files(std::slice::from_ref(&local.path), options, table, found, &|_| ());
        }
        // Findings and members name the file as the user did.
        for member in &mut table.members {
            if let Some(rest) = member.strip_prefix(&shown) {
                *member = format!("{}{rest}", part.name).into();
            }
        }
        for one in found {
            if let Some(rest) = one.file.strip_prefix(&shown) {
                one.file = format!("{}{rest}", part.name).into();
            }
        }
        Ok(read)
    }

    fn batches(&self) -> impl Iterator<Item = anyhow::Result<RecordBatch>> {
        let games = self.table.games().chunks(GAMES);
        let games = games.map(|games| batch(&self.table, games, None));
        let found = self.found.chunks(GAMES).map(|found| {
            let rows = vec![Game::default(); found.len()];
            let found = found.iter().map(|one| Some(one.to_bytes())).collect();
            batch(&blank(), &rows, Some(found))
        });
        let last = std::iter::once_with(|| {
            let row = Game { line: self.lines, ..Game::default() };
            batch(&blank(), &[row], Some(vec![Some(Vec::new())]))
        });
        games.chain(found).chain(last)
    }

    fn to_parquet(&self) -> anyhow::Result<Vec<u8>> {
        let packed = Compression::ZSTD(ZstdLevel::try_new(1)?);
        let properties = WriterProperties::builder().set_compression(packed).build();
        let mut writer = ArrowWriter::try_new(Vec::new(), schema(), Some(properties))?;
        for batch in self.batches() {
            writer.write(&batch?)?;
        }
        Ok(writer.into_inner()?)
    }
}

/// Makes a table with the empty name and the empty member, which a default [`Game`] refers to.
fn blank() -> GameTable {
    let mut table = GameTable::default();
    table.members.push("".into());
    table.names.intern("");
    table
}

fn batch(
    table: &GameTable,
    games: &[Game],
    found: Option<Vec<Option<Vec<u8>>>>,
) -> anyhow::Result<RecordBatch> {
    let columns = GameColumns::new(table, games).all();
    let mut columns: Vec<ArrayRef> = columns
        .into_iter()
        .map(|(_, column)| -> ArrayRef {
            match column {
                GameColumn::Texts(texts) => Arc::new(StringArray::from_iter_values(texts)),
                GameColumn::Numbers(numbers) => Arc::new(UInt32Array::from(numbers)),
                GameColumn::Long(numbers) => Arc::new(UInt64Array::from(numbers)),
            }
        })
        .collect();
    let found = found.unwrap_or_else(|| vec![None; games.len()]);
    columns.push(Arc::new(BinaryArray::from_iter(found)));
    Ok(RecordBatch::try_new(schema(), columns)?)
}

/// A file on the disk: the input itself, or a temporary copy of it.
struct Local {
    path: PathBuf,
    _copy: Option<tempfile::TempDir>,
}

impl Local {
    fn open(url: &str) -> anyhow::Result<Local> {
        if let Ok(path) = url::Url::parse(url).map_err(|_| ()).and_then(|url| url.to_file_path()) {
            return Ok(Local { path, _copy: None });
        }
        let folder = tempfile::tempdir()?;
        // The content of a file determines its format, so the copy may have any name.
        let path = folder.path().join("collection");
        std::fs::write(&path, wait(Place::at(url)?.get(""))?)?;
        Ok(Local { path, _copy: Some(folder) })
    }
}

fn is_parquet(path: &Path) -> bool {
    use std::io::Read;
    let mut head = [0; PARQUET_MAGIC.len()];
    std::fs::File::open(path).is_ok_and(|mut file| file.read_exact(&mut head).is_ok())
        && head == *PARQUET_MAGIC
}

/// Reads the text of the games that begin in a range.
///
/// The text extends from the first place at or after the start of the range where a text can be
/// split, to the first such place at or after its end.
async fn text_of_range(place: &Place, (start, end): (u64, u64)) -> anyhow::Result<Vec<u8>> {
    let size = place.size().await?;
    let from = boundary(place, start, size).await?;
    let to = boundary(place, end, size).await?;
    if from < to { place.range(from..to).await } else { Ok(Vec::new()) }
}

/// Returns the first place, not before `at`, where a text can be split between games.
///
/// The ranges on both sides of a boundary find the same place.
async fn boundary(place: &Place, at: u64, size: u64) -> anyhow::Result<u64> {
    if at == 0 || at >= size {
        return Ok(at.min(size));
    }
    let first = at.saturating_sub(BEFORE);
    for window in [1 << 20, WINDOW] {
        let last = (at + window).min(size);
        let text = place.range(first..last).await?;
        if let Some(cut) = first_cut(&text, (at - first) as usize) {
            return Ok(first + cut as u64);
        }
        if last == size {
            return Ok(size);
        }
    }
    // A text this long without a place to split is not games, so it is split anywhere.
    Ok(at)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn collection(games: usize) -> String {
        (0..games)
            .map(|game| {
                let comment = if game % 3 == 0 { "{a comment\n[Event \"within\"]\n}" } else { "" };
                format!(
                    "[Event \"E{game}\"]\n[Site \"S\"]\n[Date \"1990.01.01\"]\n[White \"A{game}\"]\n\
                     [Black \"B\"]\n[Result \"1-0\"]\n\n1.e4 {comment} e5 2.Nf3 Nc6 1-0\n\n"
                )
            })
            .collect()
    }

    fn part(url: &str, range: Option<(u64, u64)>, size: u64) -> Part {
        Part { url: url.to_owned(), name: "g".into(), range, size, version: String::new() }
    }

    fn read(part: &Part) -> PartRead {
        PartRead::read(part, Reading { limits: Limits::default(), validate: false }).unwrap()
    }

    #[test]
    fn ranges_of_a_file_contain_each_game_once() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("games.pgn");
        let text = collection(100);
        std::fs::write(&path, &text).unwrap();
        let url = crate::store::address(path.to_str().unwrap()).unwrap().to_string();
        let size = text.len() as u64;
        let whole = read(&part(&url, None, size));
        for step in [200, 333, 5000, size] {
            let (mut lines, mut bytes) = (0, 0);
            let mut all: Vec<(String, u32)> = Vec::new();
            for start in (0..size).step_by(step as usize) {
                let range = Some((start, (start + step).min(size)));
                let part = read(&part(&url, range, size));
                let table = &part.table;
                all.extend(
                    table
                        .games()
                        .iter()
                        .map(|game| (table.text(game.event).to_owned(), game.line + lines)),
                );
                lines += part.lines;
                bytes += part.bytes;
            }
            let expected: Vec<(String, u32)> = whole
                .table
                .games()
                .iter()
                .map(|game| (whole.table.text(game.event).to_owned(), game.line))
                .collect();
            assert_eq!(all, expected, "in steps of {step}");
            assert_eq!(bytes, size, "each byte belongs to one part");
        }
    }
}
