//! Requests work from a cluster: the flags that locate it, and a session with it.

use std::time::{Duration, Instant};

use anyhow::Context;
use ballista::prelude::SessionContextExt;
use ballista_core::extension::SessionConfigExt;
use clap::Args;
use datafusion::logical_expr::col;
use datafusion::prelude::{ParquetReadOptions, SessionContext};
use futures::StreamExt;
use tokio::runtime::Runtime;

use crate::functions::{COLUMNS, do_task};
use crate::receipt::RECEIPT;
use crate::session::{config, state};
use crate::store::Place;
use crate::watch::Watch;

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
    /// Number of partitions into which the tasks of a stage are dealt; give several for each core,
    /// so that no core is idle while the last partition is processed
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
        let watch = Watch::new(&self.scheduler);
        runtime.block_on(watch.executors()).with_context(|| {
            format!(
                "no scheduler answers at {}; start one with `greatness-cluster scheduler`",
                self.scheduler
            )
        })?;
        let url = format!("df://{}", self.scheduler);
        let partitions = usize::from(self.partitions);
        Ok(Session { runtime, url, watch, store, partitions, start: Instant::now() })
    }
}

/// A session with a cluster.
pub struct Session {
    runtime: Runtime,
    /// Address of the scheduler for queries.
    url: String,
    watch: Watch,
    /// The place that all machines can reach.
    pub store: Place,
    partitions: usize,
    /// When the session began.
    pub start: Instant,
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

    /// The largest number of partitions of a stage.
    pub fn partitions(&self) -> usize {
        self.partitions
    }

    /// Has executors do tasks. If an executor is lost, the query is cancelled.
    ///
    /// # Errors
    ///
    /// Fails if the scheduler does not answer. A query that fails is not an error here.
    pub fn query(&self, attempt: &Attempt<'_>) -> anyhow::Result<Ended> {
        let name = &attempt.name;
        self.wait(async {
            let executors = self.watch.executors().await?;
            if executors.is_empty() {
                report(self.start, &format!("{name}: waiting for an executor"));
            }
            let lost = tokio::select! {
                ended = self.work_through(attempt) => return Ok(match ended {
                    Ok(()) => Ended::Complete,
                    Err(error) => Ended::Failed(error),
                }),
                lost = self.watch.lost(executors) => lost?,
                stopped = self.progress(attempt) => stopped?,
            };
            self.watch.cancel(name).await?;
            Ok(Ended::Lost(lost))
        })
    }

    /// Reports how many tasks are done, until the query ends.
    async fn progress<T>(&self, attempt: &Attempt<'_>) -> anyhow::Result<T> {
        let mut before = 0;
        loop {
            tokio::time::sleep(REPORT).await;
            let listed = self.store.list(attempt.folder).await?;
            let done = listed.iter().filter(|(name, _)| name.ends_with(RECEIPT)).count();
            if done > before {
                before = done;
                let Attempt { name, tasks, .. } = attempt;
                report(self.start, &format!("{name}: {done} of {tasks} tasks done"));
            }
        }
    }

    async fn work_through(&self, attempt: &Attempt<'_>) -> anyhow::Result<()> {
        let config = config(attempt.files).with_ballista_job_name(&attempt.name);
        let context = SessionContext::remote_with_state(&self.url, state(config)?).await?;
        let url = format!("{}/", self.store.url_of(&attempt.tasks_folder()));
        let tasks = context.read_parquet(url, ParquetReadOptions::default()).await?;
        let done = do_task().call(COLUMNS.iter().map(|column| col(*column)).collect());
        let mut rows = tasks.select(vec![done.alias("rows")])?.execute_stream().await?;
        while let Some(batch) = rows.next().await {
            batch?;
        }
        Ok(())
    }
}

/// The time between two lines of progress. Judged: each costs a list of the store's folder, and the
/// log of an hour has at most 360 of them.
const REPORT: Duration = Duration::from_secs(10);

/// An attempt to do tasks.
#[derive(Debug)]
pub struct Attempt<'a> {
    /// Name of the query.
    pub name: String,
    /// Folder of the store for outputs and receipts.
    pub folder: &'a str,
    /// Number of files of tasks. Each is a partition.
    pub files: usize,
    /// Number of tasks in all files.
    pub tasks: usize,
}

impl Attempt<'_> {
    /// Folder of the files of tasks.
    pub fn tasks_folder(&self) -> String {
        format!("{}/tasks", self.folder)
    }
}

/// How an attempt ended.
#[derive(Debug)]
pub enum Ended {
    /// The query came to its end.
    Complete,
    /// The query ended with this error.
    Failed(anyhow::Error),
    /// These executors were lost, and the query was cancelled.
    Lost(Vec<String>),
}

/// Prints a line with the time since the start of the session.
pub fn report(start: Instant, text: &str) {
    eprintln!("{:>8.1} s  {text}", start.elapsed().as_secs_f64());
}
