//! Provides game collections as a table of DataFusion.
//!
//! Each file is a partition, and so is each range of a large plain file. They are read by the
//! reader that `greatness build` uses.

use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use datafusion::arrow::array::{
    ArrayRef, AsArray, BinaryArray, StringArray, UInt32Array, UInt64Array,
};
use datafusion::arrow::compute::cast;
use datafusion::arrow::datatypes::{DataType, Field, Schema, SchemaRef};
use datafusion::arrow::record_batch::RecordBatch;
use datafusion::catalog::{Session, TableProvider};
use datafusion::common::tree_node::TreeNodeRecursion;
use datafusion::common::{DataFusionError, Result, internal_err};
use datafusion::datasource::memory::MemorySourceConfig;
use datafusion::execution::{SendableRecordBatchStream, TaskContext};
use datafusion::logical_expr::{Expr, TableType};
use datafusion::physical_expr::{EquivalenceProperties, PhysicalExpr};
use datafusion::physical_plan::execution_plan::{Boundedness, EmissionType};
use datafusion::physical_plan::stream::RecordBatchReceiverStream;
use datafusion::physical_plan::{
    DisplayAs, DisplayFormatType, ExecutionPlan, Partitioning, PlanProperties,
};
use futures::StreamExt;
use greatness::games::{Game, GameColumn, GameColumns, GameTable};
use greatness::pgn::{ReadOptions, read_files, read_text};
use greatness::source::{Diagnostic, DiagnosticKind, Limits, first_cut};
use greatness::tables::{PARQUET_MAGIC, read_parquet};
use serde::{Deserialize, Serialize};

use crate::session::GAMES;
use crate::store::{Place, wait};

/// A part of a collection: a file, or a range of a large plain file.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Part {
    /// Number of the part, in the order of the collection.
    pub number: u32,
    /// Address of the file.
    pub url: String,
    /// Name of the file in findings and members.
    pub name: String,
    /// The first byte of a range and the byte after its last; `None` is the whole file. The part
    /// contains the games that begin in the range.
    pub range: Option<(u64, u64)>,
}

/// The options of reading collections.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Reading {
    /// Limits of unpacking.
    pub limits: Limits,
    /// Whether to replay the moves and report illegal ones.
    pub validate: bool,
}

/// Bytes after a boundary that are searched for a place to split. No game is as long.
const WINDOW: u64 = 16 << 20;

/// Bytes before a boundary that are read to recognise the kind of its line.
const BEFORE: u64 = 64 << 10;

/// The schema: the number of the part, the columns of the game table, and the finding.
///
/// The finding is null in the row of a game. A part ends with a row whose finding is empty. The
/// line of this row is the number of lines of the part.
pub fn schema() -> SchemaRef {
    let empty = GameTable::default();
    let mut fields = vec![Field::new("part", DataType::UInt32, false)];
    fields.extend(GameColumns::of(&empty, &[]).all().into_iter().map(|(name, column)| {
        let kind = match column {
            GameColumn::Texts(_) => DataType::Utf8,
            GameColumn::Numbers(_) => DataType::UInt32,
            GameColumn::Long(_) => DataType::UInt64,
        };
        Field::new(name, kind, false)
    }));
    fields.push(Field::new("finding", DataType::Binary, true));
    Arc::new(Schema::new(fields))
}

/// Game collections as a table.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct GamesTable {
    /// The parts; each is a partition.
    pub parts: Vec<Part>,
    /// The options of reading them.
    pub reading: Reading,
}

#[async_trait::async_trait]
impl TableProvider for GamesTable {
    fn schema(&self) -> SchemaRef {
        schema()
    }

    fn table_type(&self) -> TableType {
        TableType::Base
    }

    async fn scan(
        &self,
        _state: &dyn Session,
        projection: Option<&Vec<usize>>,
        _filters: &[Expr],
        _limit: Option<usize>,
    ) -> Result<Arc<dyn ExecutionPlan>> {
        let parts = self.parts.iter().map(|part| Ok(vec![row_of(part)?]));
        let parts: Vec<Vec<RecordBatch>> = parts.collect::<Result<_>>()?;
        let parts = MemorySourceConfig::try_new_exec(&parts, schema_of_parts(), None)?;
        Ok(Arc::new(GamesExec::of(parts, self.reading, projection.cloned())?))
    }
}

/// The schema of a table of parts, which has one column.
fn schema_of_parts() -> SchemaRef {
    Arc::new(Schema::new(vec![Field::new("part", DataType::Utf8, false)]))
}

/// Makes a table of parts with one row.
fn row_of(part: &Part) -> Result<RecordBatch> {
    let text =
        serde_json::to_string(part).map_err(|error| DataFusionError::External(error.into()))?;
    let column: ArrayRef = Arc::new(StringArray::from_iter_values([text]));
    Ok(RecordBatch::try_new(schema_of_parts(), vec![column])?)
}

/// A plan node that reads the parts in the rows of its input.
///
/// The input is a table in memory. The scheduler gives each task some of its partitions, but cannot
/// distribute the partitions of other nodes.
#[derive(Debug)]
pub struct GamesExec {
    parts: Arc<dyn ExecutionPlan>,
    reading: Reading,
    projection: Option<Vec<usize>>,
    properties: Arc<PlanProperties>,
}

/// First bytes of an encoded [`GamesExec`].
const MARK: &[u8] = b"greatness games\n";

impl GamesExec {
    fn of(
        parts: Arc<dyn ExecutionPlan>,
        reading: Reading,
        projection: Option<Vec<usize>>,
    ) -> Result<GamesExec> {
        let schema = match &projection {
            Some(columns) => Arc::new(schema().project(columns)?),
            None => schema(),
        };
        let partitions = parts.properties().output_partitioning().partition_count();
        let properties = PlanProperties::new(
            EquivalenceProperties::new(schema),
            Partitioning::UnknownPartitioning(partitions),
            EmissionType::Incremental,
            Boundedness::Bounded,
        );
        Ok(GamesExec { parts, reading, projection, properties: Arc::new(properties) })
    }

    /// Encodes the node without its input.
    ///
    /// # Errors
    ///
    /// Fails if a value cannot be encoded. No such value is known.
    pub fn write(&self, bytes: &mut Vec<u8>) -> Result<()> {
        bytes.extend_from_slice(MARK);
        serde_json::to_writer(bytes, &(&self.reading, &self.projection))
            .map_err(|error| DataFusionError::External(error.into()))
    }

    /// Decodes a node and gives it its input. Returns `None` if the bytes are of another node.
    ///
    /// # Errors
    ///
    /// Fails if another version of the program encoded the node, or if it has no input.
    pub fn read(bytes: &[u8], below: &[Arc<dyn ExecutionPlan>]) -> Option<Result<GamesExec>> {
        let bytes = bytes.strip_prefix(MARK)?;
        let read = serde_json::from_slice(bytes);
        Some(read.map_err(|error| DataFusionError::External(error.into())).and_then(
            |(reading, projection)| {
                let [parts] = below else {
                    return internal_err!("the node that reads games needs one table of parts");
                };
                GamesExec::of(Arc::clone(parts), reading, projection)
            },
        ))
    }
}

impl DisplayAs for GamesExec {
    fn fmt_as(&self, _: DisplayFormatType, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "GamesExec")
    }
}

impl ExecutionPlan for GamesExec {
    fn name(&self) -> &'static str {
        "GamesExec"
    }

    fn properties(&self) -> &Arc<PlanProperties> {
        &self.properties
    }

    fn children(&self) -> Vec<&Arc<dyn ExecutionPlan>> {
        vec![&self.parts]
    }

    fn benefits_from_input_partitioning(&self) -> Vec<bool> {
        // There is one partition for each part, so repartitioning would not help.
        vec![false]
    }

    fn apply_expressions(
        &self,
        _: &mut dyn FnMut(&Arc<dyn PhysicalExpr>) -> Result<TreeNodeRecursion>,
    ) -> Result<TreeNodeRecursion> {
        Ok(TreeNodeRecursion::Continue)
    }

    fn with_new_children(
        self: Arc<Self>,
        below: Vec<Arc<dyn ExecutionPlan>>,
    ) -> Result<Arc<dyn ExecutionPlan>> {
        let [parts] = &below[..] else {
            return internal_err!("the node that reads games needs one table of parts");
        };
        let parts = Arc::clone(parts);
        Ok(Arc::new(GamesExec::of(parts, self.reading, self.projection.clone())?))
    }

    fn execute(
        &self,
        partition: usize,
        context: Arc<TaskContext>,
    ) -> Result<SendableRecordBatchStream> {
        let mut parts = self.parts.execute(partition, context)?;
        let (reading, projection) = (self.reading, self.projection.clone());
        let mut stream = RecordBatchReceiverStream::builder(self.schema(), 2);
        let to_stream = stream.tx();
        let (to_reader, mut named) = tokio::sync::mpsc::channel::<Part>(1);
        stream.spawn(async move {
            while let Some(rows) = parts.next().await {
                let rows = cast(rows?.column(0), &DataType::Utf8)?;
                for row in rows.as_string::<i32>().iter().flatten() {
                    let part = serde_json::from_str(row)
                        .map_err(|error| DataFusionError::External(error.into()))?;
                    // Sending fails only after the query has ended.
                    let _ = to_reader.send(part).await;
                }
            }
            Ok(())
        });
        stream.spawn_blocking(move || {
            while let Some(part) = named.blocking_recv() {
                let read = PartRead::of(&part, reading).map_err(|error| {
                    DataFusionError::Execution(format!("{}: {error:#}", part.url))
                })?;
                for batch in read.batches(part.number) {
                    let batch = batch.and_then(|batch| match &projection {
                        Some(columns) => Ok(batch.project(columns)?),
                        None => Ok(batch),
                    });
                    if to_stream.blocking_send(batch).is_err() {
                        return Ok(());
                    }
                }
            }
            Ok(())
        });
        Ok(stream.build())
    }
}

/// The games and findings of a part.
struct PartRead {
    table: GameTable,
    found: Vec<Diagnostic>,
    /// Number of line feeds in a range; 0 for a whole file.
    lines: u32,
}

impl PartRead {
    fn of(part: &Part, reading: Reading) -> anyhow::Result<PartRead> {
        let options = ReadOptions {
            limits: reading.limits,
            validate: reading.validate,
            // One thread is enough, because an executor reads one part for each of its cores.
            threads: 1,
            ..ReadOptions::default()
        };
        let mut read = PartRead { table: GameTable::default(), found: Vec::new(), lines: 0 };
        let PartRead { table, found, lines } = &mut read;
        if let Some(range) = part.range {
            let text = wait(text_of_range(&Place::at(&part.url)?, range))?;
            *lines = memchr::memchr_iter(b'\n', &text).count() as u32;
            read_text(&part.name, &text, options, table, found);
            // A range without games does not mean that the file has none.
            found.retain(|one| one.kind != DiagnosticKind::NoGames);
            return Ok(read);
        }
        // Reading a packed file seeks in it, so the file must be on a disk.
        let local = Local::of(&part.url)?;
        let shown = local.path.display().to_string();
        if is_parquet(&local.path) {
            if let Err(error) = read_parquet(&local.path, reading.limits, table) {
                let (name, message) = (part.name.as_str(), error.to_string());
                found.push(Diagnostic::error(name, 0, DiagnosticKind::Unreadable, message));
            }
        } else {
            read_files(std::slice::from_ref(&local.path), options, table, found, &|_| ());
        }
        let named =
            |name: &str| name.strip_prefix(&shown).map(|rest| format!("{}{rest}", part.name));
        for member in &mut table.members {
            if let Some(named) = named(member) {
                *member = named.into();
            }
        }
        for one in found {
            if let Some(named) = named(&one.file) {
                one.file = named.into();
            }
        }
        Ok(read)
    }

    fn batches(&self, part: u32) -> impl Iterator<Item = Result<RecordBatch>> {
        let games = self.table.games().chunks(GAMES);
        let games = games.map(move |games| batch(part, &self.table, games, None));
        let found = self.found.chunks(GAMES).map(move |found| {
            let rows = vec![Game::default(); found.len()];
            let found = found.iter().map(|one| Some(one.to_bytes())).collect();
            batch(part, &blank(), &rows, Some(found))
        });
        let last = std::iter::once_with(move || {
            let row = Game { line: self.lines, ..Game::default() };
            batch(part, &blank(), &[row], Some(vec![Some(Vec::new())]))
        });
        games.chain(found).chain(last)
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
    part: u32,
    table: &GameTable,
    games: &[Game],
    found: Option<Vec<Option<Vec<u8>>>>,
) -> Result<RecordBatch> {
    let mut columns: Vec<ArrayRef> = vec![Arc::new(UInt32Array::from(vec![part; games.len()]))];
    columns.extend(GameColumns::of(table, games).all().into_iter().map(
        |(_, column)| -> ArrayRef {
            match column {
                GameColumn::Texts(texts) => Arc::new(StringArray::from_iter_values(texts)),
                GameColumn::Numbers(numbers) => Arc::new(UInt32Array::from(numbers)),
                GameColumn::Long(numbers) => Arc::new(UInt64Array::from(numbers)),
            }
        },
    ));
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
    fn of(url: &str) -> anyhow::Result<Local> {
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
    match from < to {
        true => place.range(from..to).await,
        false => Ok(Vec::new()),
    }
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

    fn read(part: &Part) -> PartRead {
        PartRead::of(part, Reading { limits: Limits::default(), validate: false }).unwrap()
    }

    #[test]
    fn ranges_of_a_file_contain_each_game_once() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("games.pgn");
        let text = collection(100);
        std::fs::write(&path, &text).unwrap();
        let url = crate::store::address(path.to_str().unwrap()).unwrap().to_string();
        let whole = read(&Part { number: 0, url: url.clone(), name: "g".into(), range: None });
        let size = text.len() as u64;
        for step in [200, 333, 5000, size] {
            let mut lines = 0;
            let mut all: Vec<(String, u32)> = Vec::new();
            for start in (0..size).step_by(step as usize) {
                let range = Some((start, (start + step).min(size)));
                let part = read(&Part { number: 0, url: url.clone(), name: "g".into(), range });
                let table = &part.table;
                all.extend(
                    table
                        .games()
                        .iter()
                        .map(|game| (table.text(game.event).to_owned(), game.line + lines)),
                );
                lines += part.lines;
            }
            let expected: Vec<(String, u32)> = whole
                .table
                .games()
                .iter()
                .map(|game| (whole.table.text(game.event).to_owned(), game.line))
                .collect();
            assert_eq!(all, expected, "in steps of {step}");
        }
    }

    #[test]
    fn an_encoded_plan_node_is_decoded() {
        let part =
            Part { number: 7, url: "file:///a".into(), name: "a".into(), range: Some((1, 2)) };
        let reading = Reading { limits: Limits::default(), validate: true };
        let parts = vec![vec![row_of(&part).unwrap()]];
        let parts = MemorySourceConfig::try_new_exec(&parts, schema_of_parts(), None).unwrap();
        let node = GamesExec::of(Arc::clone(&parts) as _, reading, Some(vec![0, 2])).unwrap();
        let mut bytes = Vec::new();
        node.write(&mut bytes).unwrap();
        let back = GamesExec::read(&bytes, &[parts]).unwrap().unwrap();
        assert_eq!((back.reading, back.projection), (reading, Some(vec![0, 2])));
        assert!(GamesExec::read(&bytes, &[]).unwrap().is_err());
        assert!(GamesExec::read(b"another node", &[]).is_none());
    }
}
