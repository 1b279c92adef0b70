//! Builds an archive as `greatness build` does, with executors as its helpers.

use std::borrow::Cow;
use std::path::PathBuf;
use std::sync::{Arc, OnceLock};
use std::time::Instant;

use anyhow::{Context, bail};
use ballista::prelude::SessionContextExt;
use clap::Args;
use datafusion::arrow::array::{Array, ArrayRef, AsArray, BinaryArray, StringArray, UInt64Array};
use datafusion::arrow::compute::cast;
use datafusion::arrow::datatypes::{DataType, UInt32Type, UInt64Type};
use datafusion::arrow::record_batch::RecordBatch;
use datafusion::logical_expr::{Partitioning, col};
use datafusion::parquet::arrow::ArrowWriter;
use datafusion::prelude::{DataFrame, ParquetReadOptions, SessionContext};
use futures::StreamExt;
use greatness::archive::{
    AppTask, Archive, BuildError, DoneWork, Helpers, Progress, RatingTask, WorkFolder, build_with,
    without_other_members, write_exports,
};
use greatness::cli::{ConfigArguments, KnowledgeArguments, NameArguments, Terminal, bundled_data};
use greatness::evaluation::comparison::{Computed, Predictions};
use greatness::games::{GameColumns, GameTable, Members};
use greatness::source::{Diagnostic, Severity, Wanted, find};
use greatness::systems::Results;
use greatness::tournament::Analysis;
use tokio::runtime::Runtime;

use crate::games_table::{GamesTable, Part, Reading};
use crate::session::{GAMES, TASKS, config, function, state};
use crate::store::{Place, address};

/// The flags that locate the cluster.
#[derive(Clone, Debug, Args)]
pub struct Cluster {
    /// Address of the scheduler
    #[arg(
        long,
        value_name = "HOST:PORT",
        env = "GREATNESS_SCHEDULER",
        default_value = "localhost:50050"
    )]
    scheduler: String,
    /// Place for the data exchanged with executors, which all machines can reach: a folder, or
    /// s3://BUCKET/PREFIX
    #[arg(long, value_name = "PLACE", env = "GREATNESS_STORE")]
    store: String,
    /// Number of partitions into which work is shuffled; give several for each core, so that no
    /// core is idle while the last partition is processed
    #[arg(long, value_name = "NUMBER", env = "GREATNESS_PARTITIONS", default_value_t = 64, value_parser = clap::value_parser!(u16).range(1..))]
    partitions: u16,
}

impl Cluster {
    /// Opens the store and a session with the cluster.
    ///
    /// # Errors
    ///
    /// Fails if no scheduler answers, or if the store cannot be used.
    pub fn open(&self) -> anyhow::Result<Session> {
        let runtime = Runtime::new()?;
        let store = Place::at(&self.store)?;
        let url = format!("df://{}", self.scheduler);
        let partitions = usize::from(self.partitions);
        let open = |batch| {
            runtime.block_on(async {
                SessionContext::remote_with_state(&url, state(config(partitions, batch))?).await
            })
        };
        let both = open(TASKS).and_then(|context| Ok((context, open(GAMES)?)));
        let (context, games_context) = both.with_context(|| {
            format!(
                "no scheduler answers at {}; start one with `greatness-cluster scheduler`",
                self.scheduler
            )
        })?;
        Ok(Session { runtime, context, games_context, store, partitions })
    }
}

/// A session with a cluster.
pub struct Session {
    runtime: Runtime,
    context: SessionContext,
    /// A second context for games. Games are small, so its batches have more rows.
    games_context: SessionContext,
    /// The place that all machines can reach.
    pub store: Place,
    partitions: usize,
}

impl std::fmt::Debug for Session {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(formatter, "a session with the store {:?}", self.store)
    }
}

impl Session {
    /// Runs a future to its end and returns its result.
    ///
    /// # Errors
    ///
    /// Fails if the future does.
    pub fn wait<T>(&self, work: impl Future<Output = anyhow::Result<T>>) -> anyhow::Result<T> {
        self.runtime.block_on(work)
    }

    /// Writes tasks to the store, where executors read them. Each batch becomes one Parquet file of
    /// the table.
    ///
    /// # Errors
    ///
    /// Fails if a file cannot be written.
    pub fn put_tasks(&self, name: &str, parts: &[RecordBatch]) -> anyhow::Result<()> {
        for (number, batch) in parts.iter().enumerate() {
            let mut writer = ArrowWriter::try_new(Vec::new(), batch.schema(), None)?;
            writer.write(batch)?;
            let bytes = writer.into_inner()?;
            self.wait(self.store.put(&format!("{name}/{number:05}.parquet"), bytes))?;
        }
        Ok(())
    }

    /// Reads the tasks of [`Session::put_tasks`], shuffled by a column. Each executor then has
    /// tasks of all sizes.
    ///
    /// # Errors
    ///
    /// Fails if the store has no such tasks.
    pub fn tasks(&self, name: &str, by: &str, partitions: usize) -> anyhow::Result<DataFrame> {
        self.wait(async {
            let url = format!("{}/", self.store.url_of(name));
            let tasks = self.context.read_parquet(url, ParquetReadOptions::default()).await?;
            Ok(tasks.repartition(Partitioning::Hash(vec![col(by)], partitions))?)
        })
    }

    /// Calls one of this program's functions with columns as arguments.
    ///
    /// # Errors
    ///
    /// Fails if no function has this name.
    pub fn call(
        &self,
        name: &str,
        columns: &[&str],
    ) -> anyhow::Result<datafusion::logical_expr::Expr> {
        Ok(function(name)?.call(columns.iter().map(|column| col(*column)).collect()))
    }

    /// The number of partitions of a shuffle.
    pub fn partitions(&self) -> usize {
        self.partitions
    }

    /// Runs a query on the cluster and passes each batch of its rows to a function.
    ///
    /// # Errors
    ///
    /// Fails if the query or the function does.
    pub fn each(
        &self,
        query: DataFrame,
        mut receive: impl FnMut(RecordBatch) -> anyhow::Result<()>,
    ) -> anyhow::Result<()> {
        self.wait(async {
            let mut rows = query.execute_stream().await?;
            while let Some(batch) = rows.next().await {
                receive(batch?)?;
            }
            Ok(())
        })
    }
}

/// Build an archive: executors read the games, compute ratings and analyse events
///
/// The inputs must have the same addresses on all machines.
#[derive(Clone, Debug, Args)]
pub struct Build {
    #[command(flatten)]
    cluster: Cluster,
    /// Game collection, or folder of them: a path, or an address like s3://BUCKET/PREFIX; may be
    /// given several times
    #[arg(long, value_name = "PLACE", required = true)]
    pgn: Vec<String>,
    #[command(flatten)]
    config: ConfigArguments,
    #[command(flatten)]
    names: NameArguments,
    #[command(flatten)]
    knowledge: KnowledgeArguments,
    /// Folder for the results: its `exports` are those of a site, and `greatness build --from DIR`
    /// makes the site
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
    /// Size (MiB) above which a plain collection is read in ranges of this size
    #[arg(long, value_name = "MIB", default_value_t = 64, value_parser = clap::value_parser!(u64).range(1..))]
    range: u64,
}

impl Build {
    /// Runs the build. Returns whether all inputs could be read.
    ///
    /// # Errors
    ///
    /// Fails if no scheduler answers, or if a step of the build fails.
    pub fn run(self) -> anyhow::Result<bool> {
        let start = Instant::now();
        let session = self.cluster.open()?;
        let mut settings = self.config.settings(&[])?;
        self.names.overrule(&mut settings);
        self.knowledge.overrule(&mut settings);
        let done = WorkFolder::at(&self.out);
        let reading = Reading { limits: settings.input.limits, validate: settings.input.validate };
        let mut found = Vec::new();
        let parts = self.parts(&session, &mut found)?;
        let files: Vec<PathBuf> = parts.iter().map(|part| PathBuf::from(&part.name)).collect();
        say(&format!("{} parts of collections to read", parts.len()));
        let (table, of_reading) = read(&session, GamesTable { parts, reading })?;
        found.extend(without_other_members(&files, of_reading));
        if table.is_empty() {
            let first = found.first().map(ToString::to_string);
            return Err(BuildError::NoGames { files: files.len(), first }.into());
        }
        report(start, &format!("{} games read", table.len()));
        done.write_games(&table, &found)?;
        drop(table);
        settings.input.pgn = vec![done.games()];
        settings.input.from = Some(self.out.clone());
        let settings = settings.with_bundled_data(&bundled_data()?)?;
        let helpers = Executors { session, done, results: OnceLock::new(), start };
        let work = DoneWork { helpers: Some(&helpers), cache: None };
        let archive = build_with(settings, work, &Terminal::default())?;
        report(start, &format!("{} events in the archive", archive.records.len()));
        let exports = self.out.join("exports");
        std::fs::create_dir_all(&exports).with_context(|| exports.display().to_string())?;
        write_exports(&archive, &exports)?;
        report(start, &format!("exports in {}", exports.display()));
        summary(&archive);
        println!("greatness build --from {}", self.out.display());
        Ok(!archive.has_unread_input())
    }

    /// Divides the collections into parts, in their order.
    fn parts(&self, session: &Session, found: &mut Vec<Diagnostic>) -> anyhow::Result<Vec<Part>> {
        let mut files: Vec<(String, String, u64)> = Vec::new();
        for given in &self.pgn {
            let url = address(given)?;
            let Ok(path) = url.to_file_path() else {
                let place = Place::at(given)?;
                let all = session.wait(place.list(""))?;
                if all.is_empty() {
                    bail!("{given}: no file was found; check the address");
                }
                for (name, size) in all {
                    let url =
                        if name.is_empty() { place.url().to_owned() } else { place.url_of(&name) };
                    files.push((url.clone(), url, size));
                }
                continue;
            };
            // Findings name a local file as the user did.
            let path = if given.contains("://") { path } else { PathBuf::from(given) };
            for file in find(&[path], Wanted::Games, found) {
                let size = file.metadata().map_or(0, |metadata| metadata.len());
                let name = file.display().to_string();
                files.push((address(&name)?.to_string(), name, size));
            }
        }
        let step = self.range << 20;
        let mut parts: Vec<Part> = Vec::new();
        for (url, name, size) in files {
            let ranges: Vec<Option<(u64, u64)>> = match size > step && is_plain(session, &url)? {
                true => (0..size)
                    .step_by(step as usize)
                    .map(|first| Some((first, (first + step).min(size))))
                    .collect(),
                false => vec![None],
            };
            for range in ranges {
                let number = parts.len() as u32;
                parts.push(Part { number, url: url.clone(), name: name.clone(), range });
            }
        }
        Ok(parts)
    }
}

/// Whether a file begins like plain text in which each byte has the same meaning wherever the text
/// is cut.
fn is_plain(session: &Session, url: &str) -> anyhow::Result<bool> {
    let place = Place::at(url)?;
    let head = session.wait(place.range(0..1 << 10))?;
    let is_text = |byte: &u8| matches!(byte, b'\t' | b'\n' | b'\r' | b' '..=b'~' | 0x80..);
    Ok(head.iter().all(is_text) && head.trim_ascii_start().starts_with(b"["))
}

fn say(text: &str) {
    eprintln!("{text}");
}

/// Prints a line with the time since the start of the build.
fn report(start: Instant, text: &str) {
    say(&format!("{:>8.1} s  {text}", start.elapsed().as_secs_f64()));
}

fn summary(archive: &Archive) {
    let counts = &archive.counts;
    say(&format!(
        "{} games read: {} in events, {} set aside",
        counts.seen,
        counts.used,
        counts.set_aside_total()
    ));
    let errors =
        archive.findings.diagnostics.iter().filter(|found| found.severity == Severity::Error);
    for error in errors {
        say(&format!("error: {error}"));
    }
}

/// Has executors read all parts, and combines the games in their order.
fn read(session: &Session, games: GamesTable) -> anyhow::Result<(GameTable, Vec<Diagnostic>)> {
    let mut gathered = Gathered::default();
    let names: Vec<String> = games.parts.iter().map(|part| part.name.clone()).collect();
    session.games_context.register_table("games", Arc::new(games))?;
    let query =
        session.wait(async { Ok(session.games_context.sql("SELECT * FROM games").await?) })?;
    session.each(query, |batch| gathered.take(batch, &names))?;
    if gathered.next != names.len() {
        bail!("executors returned only {} of {} parts", gathered.next, names.len());
    }
    Ok((gathered.table, gathered.found))
}

/// Combines parts, which arrive in any order, in the order of the collection.
#[derive(Default)]
struct Gathered {
    table: GameTable,
    found: Vec<Diagnostic>,
    members: Members,
    /// Number of the next part to append.
    next: usize,
    /// Number of lines in the earlier parts of the next part's file.
    lines: u32,
    /// The batches of later parts, and whether each part is complete.
    waiting: std::collections::BTreeMap<usize, (Vec<RecordBatch>, bool)>,
}

impl Gathered {
    fn take(&mut self, batch: RecordBatch, names: &[String]) -> anyhow::Result<()> {
        if batch.num_rows() == 0 {
            return Ok(());
        }
        // The cluster may have joined batches of several parts.
        let numbers = batch.column(0).as_primitive::<UInt32Type>().values().to_vec();
        let mut first = 0;
        for of_part in numbers.chunk_by(|a, b| a == b) {
            let slice = batch.slice(first, of_part.len());
            first += of_part.len();
            let is_last = {
                let found = slice.column(slice.num_columns() - 1).as_binary::<i32>();
                let last = found.len() - 1;
                !found.is_null(last) && found.value(last).is_empty()
            };
            let (batches, is_whole) = self.waiting.entry(of_part[0] as usize).or_default();
            batches.push(slice);
            *is_whole |= is_last;
        }
        while self.waiting.get(&self.next).is_some_and(|(_, is_whole)| *is_whole) {
            let (batches, _) = self.waiting.remove(&self.next).unwrap_or_default();
            for batch in batches {
                self.append(&batch)?;
            }
            let name = &names[self.next];
            self.next += 1;
            if names.get(self.next) != Some(name) {
                self.lines = 0;
            }
        }
        Ok(())
    }

    fn append(&mut self, batch: &RecordBatch) -> anyhow::Result<()> {
        let found = batch.column(batch.num_columns() - 1).as_binary::<i32>();
        let games = (0..found.len()).take_while(|row| found.is_null(*row)).count();
        let rows = batch.slice(0, games);
        let (before, lines) = (self.table.len(), self.lines);
        columns(&rows, lines)?.append_to(&mut self.table, &mut self.members, before)?;
        for row in games..found.len() {
            if found.is_null(row) {
                bail!("an executor returned a game after the findings of its part");
            }
            if found.value(row).is_empty() {
                let line = batch
                    .column_by_name("line")
                    .context("an executor returned rows without the column line")?;
                self.lines += line.as_primitive::<UInt32Type>().value(row);
                continue;
            }
            let mut one = Diagnostic::from_bytes(found.value(row)).context(
                "an executor runs another version of the program; use the same version everywhere",
            )?;
            if one.line > 0 {
                one.line += u64::from(lines);
            }
            self.found.push(one);
        }
        Ok(())
    }
}

/// Converts rows of games to columns. Adds the number of earlier lines to each game's line.
fn columns(batch: &RecordBatch, lines: u32) -> anyhow::Result<GameColumns<'_>> {
    let column = |name: &str| -> anyhow::Result<&ArrayRef> {
        batch
            .column_by_name(name)
            .with_context(|| format!("an executor returned rows without the column {name}"))
    };
    let text = |name: &str| -> anyhow::Result<Vec<&str>> {
        Ok(column(name)?.as_string::<i32>().iter().map(Option::unwrap_or_default).collect())
    };
    let number = |name: &str| -> anyhow::Result<Vec<u32>> {
        Ok(column(name)?.as_primitive::<UInt32Type>().values().to_vec())
    };
    let long = |name: &str| -> anyhow::Result<Vec<u64>> {
        Ok(column(name)?.as_primitive::<UInt64Type>().values().to_vec())
    };
    Ok(GameColumns {
        event: text("event")?,
        site: text("site")?,
        white: text("white")?,
        black: text("black")?,
        date: borrowed(&text("date")?),
        event_date: borrowed(&text("event_date")?),
        round: borrowed(&text("round")?),
        result: text("result")?,
        white_elo: number("white_elo")?,
        black_elo: number("black_elo")?,
        white_fide_id: number("white_fide_id")?,
        black_fide_id: number("black_fide_id")?,
        plies: number("plies")?,
        fingerprint: long("fingerprint")?,
        trace: long("trace")?,
        event_rounds: number("event_rounds")?,
        signs: number("signs")?,
        member: text("member")?,
        line: number("line")?.into_iter().map(|line| line + lines).collect(),
    })
}

fn borrowed<'a>(texts: &[&'a str]) -> Vec<Cow<'a, str>> {
    texts.iter().copied().map(Cow::Borrowed).collect()
}

/// Executors as helpers of a build. Their results are kept in the work folder, so an interrupted
/// build continues from there.
#[derive(Debug)]
struct Executors {
    session: Session,
    done: WorkFolder,
    results: OnceLock<Vec<u8>>,
    start: Instant,
}

/// Largest number of tasks in a file.
const TASKS_PER_FILE: usize = 1024;

impl Executors {
    /// Converts a failure of the cluster to an error of the build.
    fn build_result<T>(outcome: anyhow::Result<T>) -> Result<T, BuildError> {
        outcome
            .map_err(|error| BuildError::Helpers(format!("cannot build on the cluster: {error:#}")))
    }

    fn analyse_all(
        &self,
        tasks: &[&AppTask],
        progress: &dyn Progress,
    ) -> anyhow::Result<Vec<Option<Analysis>>> {
        let mut known = self.done.analyses();
        let mut todo: Vec<(u64, Vec<u8>)> = Vec::new();
        let mut digests = Vec::with_capacity(tasks.len());
        for task in tasks {
            let (digest, bytes) = task.to_bytes();
            digests.push(digest);
            if !known.contains_key(&digest) {
                todo.push((digest, bytes));
            }
        }
        if !todo.is_empty() {
            let name = "tasks/events";
            self.session.wait(self.session.store.remove(name))?;
            let parts: Vec<RecordBatch> = todo
                .chunks(TASKS_PER_FILE)
                .map(|part| {
                    let numbers: ArrayRef =
                        Arc::new(UInt64Array::from_iter_values(part.iter().map(|task| task.0)));
                    let tasks: ArrayRef =
                        Arc::new(BinaryArray::from_iter_values(part.iter().map(|task| &task.1)));
                    RecordBatch::try_from_iter([("task", numbers), ("event", tasks)])
                })
                .collect::<Result<_, _>>()?;
            let all = todo.len();
            drop(todo);
            self.session.put_tasks(name, &parts)?;
            drop(parts);
            report(self.start, &format!("{all} events sent to executors"));
            let tasks = self.session.tasks(name, "task", self.session.partitions())?;
            let analysis = self.session.call("tournament_app", &["event"])?.alias("analysis");
            let query = tasks.select(vec![col("task"), analysis])?;
            self.session.each(query, |batch| {
                let numbers = batch.column(0).as_primitive::<UInt64Type>();
                let analyses = cast(batch.column(1), &DataType::LargeBinary)?;
                let analyses = analyses.as_binary::<i64>();
                for row in 0..batch.num_rows() {
                    known.insert(numbers.value(row), analyses.value(row).to_vec());
                }
                progress.advance(batch.num_rows() as u64);
                Ok(())
            })?;
            self.session.wait(self.session.store.remove(name))?;
            report(self.start, "events analysed");
        }
        let kept: Vec<(u64, Vec<u8>)> = digests
            .iter()
            .filter_map(|digest| Some((*digest, known.get(digest)?.clone())))
            .collect();
        self.done.write_analyses(&kept)?;
        drop(known);
        Ok(kept_in_order(&digests, kept))
    }

    fn rate_all(&self, results: &Results, tasks: &[RatingTask]) -> anyhow::Result<()> {
        let results = self.results.get_or_init(|| results.to_bytes());
        let store = &self.session.store;
        let mut lacking: Vec<(&RatingTask, u64)> = Vec::new();
        for task in tasks {
            if self.done.read_rated(task, results).is_none() {
                lacking.push((task, task.digest(results)));
            }
        }
        if lacking.is_empty() {
            return Ok(());
        }
        let (name, results_name) = ("tasks/systems", RatingTask::name_of(results));
        self.session.wait(async {
            store.remove(name).await?;
            store.put(&results_name, zstd::encode_all(&results[..], 1)?).await
        })?;
        let texts = |text: &str| -> ArrayRef {
            Arc::new(StringArray::from_iter_values(lacking.iter().map(|_| text)))
        };
        let words: ArrayRef =
            Arc::new(StringArray::from_iter_values(lacking.iter().map(|(task, _)| &task.word)));
        let systems: ArrayRef = Arc::new(BinaryArray::from_iter_values(
            lacking.iter().map(|(task, _)| task.to_bytes()),
        ));
        let digests: ArrayRef =
            Arc::new(UInt64Array::from_iter_values(lacking.iter().map(|(_, digest)| *digest)));
        let batch = RecordBatch::try_from_iter([
            ("word", words),
            ("system", systems),
            ("digest", digests),
            ("place", texts(store.url())),
            ("results", texts(&results_name)),
        ])?;
        self.session.put_tasks(name, &[batch])?;
        report(self.start, &format!("{} rating systems sent to executors", lacking.len()));
        // With this number of partitions, two systems rarely share one.
        let partitions = (8 * lacking.len()).min(256);
        let size = self.session.call("rate_all", &["system", "digest", "place", "results"])?;
        let query = self
            .session
            .tasks(name, "word", partitions)?
            .select(vec![col("word"), size.alias("bytes")])?;
        let mut bytes = 0;
        self.session.each(query, |batch| {
            bytes += batch.column(1).as_primitive::<UInt64Type>().values().iter().sum::<u64>();
            Ok(())
        })?;
        for (task, _) in &lacking {
            let name = format!("systems/{}", task.word);
            let packed = self.session.wait(store.get(&name))?;
            self.done.write_rated(&task.word, &packed)?;
        }
        self.session.wait(async {
            store.remove(name).await?;
            store.remove("systems").await?;
            store.remove(&results_name).await
        })?;
        report(self.start, &format!("ratings computed, {} MB of lists", bytes / 1_000_000));
        Ok(())
    }
}

/// Decodes the analyses, in the order of their tasks. Several tasks may be equal.
fn kept_in_order(digests: &[u64], kept: Vec<(u64, Vec<u8>)>) -> Vec<Option<Analysis>> {
    let mut kept = kept.into_iter().peekable();
    digests
        .iter()
        .map(|digest| {
            let (_, bytes) = kept.next_if(|(own, _)| own == digest)?;
            AppTask::analysis(&bytes)
        })
        .collect()
}

impl Helpers for Executors {
    fn analyse(
        &self,
        tasks: &[&AppTask],
        progress: &dyn Progress,
    ) -> Result<Vec<Option<Analysis>>, BuildError> {
        Executors::build_result(self.analyse_all(tasks, progress))
    }

    fn rate(&self, results: &Results, tasks: &[RatingTask]) -> Result<(), BuildError> {
        Executors::build_result(self.rate_all(results, tasks))
    }

    fn rated(&self, task: &RatingTask) -> Option<(Computed, Option<Predictions>)> {
        task.computed(&self.done.read_rated(task, self.results.get()?)?)
    }
}
