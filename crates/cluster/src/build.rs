//! The run of `greatness build` with executors as its helpers.

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
    AppTask, Archive, BuildError, Helpers, Progress, RatingTask, WorkFolder, build_with,
    without_other_members, write_exports,
};
use greatness::cli::{ConfigArguments, KnowledgeArguments, NameArguments, Terminal, bundled_data};
use greatness::games::{GameColumns, GameTable, Members};
use greatness::source::{Diagnostic, Severity, Wanted, find};
use greatness::systems::Results;
use greatness::evaluation::comparison::{Computed, Predictions};
use greatness::tournament::Analysis;
use tokio::runtime::Runtime;

use crate::games_table::{GamesTable, Part, Reading};
use crate::session::{GAMES, TASKS, config, function, state};
use crate::store::{Place, address};

/// Where the cluster is.
#[derive(Clone, Debug, Args)]
pub struct Cluster {
    /// The scheduler
    #[arg(
        long,
        value_name = "HOST:PORT",
        env = "GREATNESS_SCHEDULER",
        default_value = "localhost:50050"
    )]
    scheduler: String,
    /// Place that all machines see, for what goes to executors and comes back: a folder, or s3://BUCKET/PREFIX
    #[arg(long, value_name = "PLACE", env = "GREATNESS_STORE")]
    store: String,
    /// Parts into which work is shuffled; several for each core, so that none waits for the last
    #[arg(long, value_name = "NUMBER", env = "GREATNESS_PARTITIONS", default_value_t = 64, value_parser = clap::value_parser!(u16).range(1..))]
    partitions: u16,
}

impl Cluster {
    /// A session with the cluster, and the place.
    ///
    /// # Errors
    ///
    /// Where there is neither.
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
        let (context, of_games) = both.with_context(|| {
            format!(
                "there is no scheduler at {}; `greatness-cluster scheduler` is one",
                self.scheduler
            )
        })?;
        Ok(Session { runtime, context, of_games, store, partitions })
    }
}

/// A session with a cluster.
pub struct Session {
    runtime: Runtime,
    context: SessionContext,
    /// The same for games, which are small.
    of_games: SessionContext,
    /// The place that all machines see.
    pub store: Place,
    partitions: usize,
}

impl std::fmt::Debug for Session {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(formatter, "a session by way of {:?}", self.store)
    }
}

impl Session {
    /// Waits for something.
    ///
    /// # Errors
    ///
    /// Where it fails.
    pub fn wait<T>(&self, work: impl Future<Output = anyhow::Result<T>>) -> anyhow::Result<T> {
        self.runtime.block_on(work)
    }

    /// Puts tasks where executors find them: a table of some columns, in files of so many rows.
    ///
    /// # Errors
    ///
    /// Where they cannot be written.
    pub fn put_tasks(&self, name: &str, parts: &[RecordBatch]) -> anyhow::Result<()> {
        for (number, batch) in parts.iter().enumerate() {
            let mut writer = ArrowWriter::try_new(Vec::new(), batch.schema(), None)?;
            writer.write(batch)?;
            let bytes = writer.into_inner()?;
            self.wait(self.store.put(&format!("{name}/{number:05}.parquet"), bytes))?;
        }
        Ok(())
    }

    /// Tasks that were put somewhere, shuffled by a column, so that each executor has some of all sizes.
    ///
    /// # Errors
    ///
    /// Where they are not there.
    pub fn tasks(&self, name: &str, by: &str, partitions: usize) -> anyhow::Result<DataFrame> {
        self.wait(async {
            let url = format!("{}/", self.store.url_of(name));
            let tasks = self.context.read_parquet(url, ParquetReadOptions::default()).await?;
            Ok(tasks.repartition(Partitioning::Hash(vec![col(by)], partitions))?)
        })
    }

    /// A function of ours, of columns.
    ///
    /// # Errors
    ///
    /// Where there is none of this name.
    pub fn call(
        &self,
        name: &str,
        columns: &[&str],
    ) -> anyhow::Result<datafusion::logical_expr::Expr> {
        Ok(function(name)?.call(columns.iter().map(|column| col(*column)).collect()))
    }

    /// How many partitions a shuffle has.
    pub fn partitions(&self) -> usize {
        self.partitions
    }

    /// Has a query done, and hears its rows.
    ///
    /// # Errors
    ///
    /// Where it fails, or what hears does.
    pub fn each(
        &self,
        query: DataFrame,
        mut hear: impl FnMut(RecordBatch) -> anyhow::Result<()>,
    ) -> anyhow::Result<()> {
        self.wait(async {
            let mut rows = query.execute_stream().await?;
            while let Some(batch) = rows.next().await {
                hear(batch?)?;
            }
            Ok(())
        })
    }
}

/// Work out an archive: the games read, ratings computed and events analysed by executors.
///
/// What is read from a place must have the same address on all machines.
#[derive(Clone, Debug, Args)]
pub struct Build {
    #[command(flatten)]
    cluster: Cluster,
    /// Game collection, or folder of them: a path, or an address as s3://BUCKET/PREFIX; may be given several times
    #[arg(long, value_name = "PLACE", required = true)]
    pgn: Vec<String>,
    #[command(flatten)]
    config: ConfigArguments,
    #[command(flatten)]
    names: NameArguments,
    #[command(flatten)]
    knowledge: KnowledgeArguments,
    /// Folder for what comes out: `greatness build --from DIR` makes a site of it, and its `exports` are those of a site
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
    /// Size (MiB) above which a plain collection is read in ranges of that size
    #[arg(long, value_name = "MIB", default_value_t = 64, value_parser = clap::value_parser!(u64).range(1..))]
    range: u64,
}

impl Build {
    /// Runs; whether all inputs could be read.
    ///
    /// # Errors
    ///
    /// Where there is no cluster, or a step fails.
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
        say(&format!("{} parts of collections", parts.len()));
        let (table, of_reading) = read(&session, GamesTable { parts, reading })?;
        found.extend(without_other_members(&files, of_reading));
        if table.is_empty() {
            let first = found.first().map(ToString::to_string);
            return Err(BuildError::NoGames { files: files.len(), first }.into());
        }
        told(start, &format!("{} games read", table.len()));
        done.write_games(&table, &found)?;
        drop(table);
        settings.input.pgn = vec![done.games()];
        settings.input.from = Some(self.out.clone());
        let settings = settings.with_bundled_data(&bundled_data()?)?;
        let helpers = Executors { session, done, results: OnceLock::new(), start };
        let archive = build_with(settings, Some(&helpers), &Terminal::default())?;
        told(start, &format!("{} events", archive.records.len()));
        let exports = self.out.join("exports");
        std::fs::create_dir_all(&exports).with_context(|| exports.display().to_string())?;
        write_exports(&archive, &exports)?;
        told(start, &format!("exports in {}", exports.display()));
        summary(&archive);
        println!("greatness build --from {}", self.out.display());
        Ok(!archive.has_unread_input())
    }

    /// The parts of the collections, in their order.
    fn parts(&self, session: &Session, found: &mut Vec<Diagnostic>) -> anyhow::Result<Vec<Part>> {
        let mut files: Vec<(String, String, u64)> = Vec::new();
        for given in &self.pgn {
            let url = address(given)?;
            let Ok(path) = url.to_file_path() else {
                let place = Place::at(given)?;
                let all = session.wait(place.list(""))?;
                if all.is_empty() {
                    bail!("{given}: there is nothing");
                }
                for (name, size) in all {
                    let url =
                        if name.is_empty() { place.url().to_owned() } else { place.url_of(&name) };
                    files.push((url.clone(), url, size));
                }
                continue;
            };
            // What is on this machine is called as the one who asks calls it.
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

/// Whether a file begins as plain text does whose bytes mean the same wherever it is cut.
fn is_plain(session: &Session, url: &str) -> anyhow::Result<bool> {
    let place = Place::at(url)?;
    let head = session.wait(place.range(0..1 << 10))?;
    let is_text = |byte: &u8| matches!(byte, b'\t' | b'\n' | b'\r' | b' '..=b'~' | 0x80..);
    Ok(head.iter().all(is_text) && head.trim_ascii_start().starts_with(b"["))
}

fn say(text: &str) {
    eprintln!("{text}");
}

fn told(start: Instant, text: &str) {
    say(&format!("{:>8.1} s  {text}", start.elapsed().as_secs_f64()));
}

fn summary(archive: &Archive) {
    let counts = &archive.counts;
    say(&format!(
        "{} games read = {} in events + {} set aside",
        counts.seen,
        counts.used,
        counts.set_aside_total()
    ));
    let errors = archive.findings.diagnostics.iter().filter(|found| found.severity == Severity::Error);
    for error in errors {
        say(&format!("error: {error}"));
    }
}

/// Has all parts read, and puts the games together in their order.
fn read(session: &Session, games: GamesTable) -> anyhow::Result<(GameTable, Vec<Diagnostic>)> {
    let mut gathered = Gathered::default();
    let names: Vec<String> = games.parts.iter().map(|part| part.name.clone()).collect();
    session.of_games.register_table("games", Arc::new(games))?;
    let query = session.wait(async { Ok(session.of_games.sql("SELECT * FROM games").await?) })?;
    session.each(query, |batch| gathered.take(batch, &names))?;
    if gathered.next != names.len() {
        bail!("of {} parts {} came back", names.len(), gathered.next);
    }
    Ok((gathered.table, gathered.found))
}

/// Parts as they come, in the order of the collection.
#[derive(Default)]
struct Gathered {
    table: GameTable,
    found: Vec<Diagnostic>,
    members: Members,
    /// The part that is next.
    next: usize,
    /// Lines of the parts of the same file before it.
    lines: u32,
    /// What has come of parts that are not.
    waiting: std::collections::BTreeMap<usize, (Vec<RecordBatch>, bool)>,
}

impl Gathered {
    fn take(&mut self, batch: RecordBatch, names: &[String]) -> anyhow::Result<()> {
        if batch.num_rows() == 0 {
            return Ok(());
        }
        // Batches may have been put together on the way.
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
                bail!("a game stands behind what was found");
            }
            if found.value(row).is_empty() {
                let line = batch.column_by_name("line").context("a column is not there")?;
                self.lines += line.as_primitive::<UInt32Type>().value(row);
                continue;
            }
            let mut one = Diagnostic::from_bytes(found.value(row))
                .context("an executor is of another version")?;
            if one.line > 0 {
                one.line += u64::from(lines);
            }
            self.found.push(one);
        }
        Ok(())
    }
}

/// Rows that are games as columns, whose lines come behind others.
fn columns(batch: &RecordBatch, lines: u32) -> anyhow::Result<GameColumns<'_>> {
    let column = |name: &str| -> anyhow::Result<&ArrayRef> {
        batch.column_by_name(name).with_context(|| format!("the column {name} is not there"))
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

/// Executors as helpers of a run. What they did is kept in the folder, so that a run that was cut off goes on from there.
#[derive(Debug)]
struct Executors {
    session: Session,
    done: WorkFolder,
    results: OnceLock<Vec<u8>>,
    start: Instant,
}

/// Tasks of a file.
const OF_A_FILE: usize = 1024;

impl Executors {
    /// What was asked of executors, or a message of the run.
    fn helped<T>(outcome: anyhow::Result<T>) -> Result<T, BuildError> {
        outcome.map_err(|error| BuildError::Helpers(format!("the cluster: {error:#}")))
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
                .chunks(OF_A_FILE)
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
            told(self.start, &format!("{all} events for executors"));
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
            told(self.start, "events analysed");
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
        told(self.start, &format!("{} rating systems for executors", lacking.len()));
        // So many partitions that two systems hardly ever share one.
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
        told(self.start, &format!("ratings computed, {} MB of lists", bytes / 1_000_000));
        Ok(())
    }
}

/// Analyses in the order of their tasks, of which some may be alike.
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
        Executors::helped(self.analyse_all(tasks, progress))
    }

    fn rate(&self, results: &Results, tasks: &[RatingTask]) -> Result<(), BuildError> {
        Executors::helped(self.rate_all(results, tasks))
    }

    fn rated(&self, task: &RatingTask) -> Option<(Computed, Option<Predictions>)> {
        task.computed(&self.done.read_rated(task, self.results.get()?)?)
    }
}
