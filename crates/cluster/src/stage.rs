//! Runs stages: tasks that executors do, with a receipt for each and a manifest for all.
//!
//! No result depends on how the cluster recovers from a lost executor. An executor writes the
//! output of a task to the store, and then its receipt: what went in, what came out, and a
//! checksum. The program that requests a stage believes the receipts alone. What a query returns is
//! ignored, and so is what it loses or repeats. If an executor is lost, the query is cancelled, and
//! tasks without a sound receipt run again in a new attempt, whose files have their own folder. A
//! stage is finished when each task has one receipt and the sums agree. Then its manifest is
//! written, from which a build that was killed goes on.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::time::Instant;

use anyhow::{Context, bail, ensure};
use datafusion::arrow::array::{ArrayRef, BinaryArray, StringArray, UInt64Array};
use datafusion::arrow::record_batch::RecordBatch;
use serde::{Deserialize, Serialize};
use xxhash_rust::xxh3::xxh3_64;

use crate::parquet::to_parquet;
use crate::receipt::{RECEIPT, Receipt};
use crate::requests::{Attempt, Ended, Session, report};
use crate::work::Work;

/// Folder of all stages in a store.
pub const STAGES: &str = "stages";

/// Number of successive attempts without a finished task after which a stage fails. Judged: a lost
/// executor costs one; with more, a fault of the program itself would be repeated for hours.
const FRUITLESS: u32 = 3;

/// A task: bytes that an executor turns into an output.
#[derive(Clone, Debug)]
pub struct Task {
    /// Hash of the work, the version of the program and the bytes. Equal tasks have equal outputs.
    pub digest: u64,
    /// What the executor needs.
    pub bytes: Vec<u8>,
    /// Estimated effort in any unit. Tasks are dealt to partitions by it.
    pub effort: u64,
}

impl Task {
    /// Makes a task of some work.
    pub fn new(work: Work, bytes: Vec<u8>, effort: u64) -> Task {
        let version = env!("CARGO_PKG_VERSION");
        let name = [work.word(), "\n", version, "\n"].concat();
        let digest = xxh3_64(&[name.as_bytes(), &bytes[..]].concat());
        Task { digest, bytes, effort }
    }
}

/// A stage that is to be run.
#[derive(Debug)]
pub struct Stage<'a> {
    /// Name of the stage, in the store and in messages.
    pub name: &'a str,
    /// What its tasks are.
    pub work: Work,
    /// The tasks, in the order of the manifest's receipts.
    pub tasks: &'a [Task],
    /// Number of rows that must go in, if the program that requests the stage knows it.
    pub rows_in: Option<u64>,
    /// Number of bytes that must be read from sources, if it is known.
    pub bytes_in: Option<u64>,
}

/// The record of a finished stage.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Manifest {
    /// Name of the stage.
    pub stage: String,
    /// Version of the program.
    pub version: String,
    /// XXH3 of the digests of all tasks in their order. The inputs of a task are part of its
    /// digest.
    pub input: u64,
    /// Number of tasks.
    pub tasks: usize,
    /// Number of bytes read from sources.
    pub bytes_in: u64,
    /// Number of rows that went in.
    pub rows_in: u64,
    /// Number of rows that came out.
    pub rows_out: u64,
    /// Numbers of rows that were set aside, by reason.
    pub set_aside: BTreeMap<String, u64>,
    /// Size of all outputs (bytes).
    pub bytes_out: u64,
    /// Wrapping sum of the checksums of all outputs, which does not depend on their order.
    pub checksum: u64,
    /// Number of attempts; each but the first began because tasks were lacking.
    pub attempts: u32,
    /// Number of executors that were lost while the stage ran.
    pub lost: usize,
    /// Number of bytes of tasks that were sent to executors, in all attempts.
    pub bytes_sent: u64,
    /// Seconds that the stage took.
    pub seconds: f64,
    /// The receipts, in the order of the tasks.
    pub files: Vec<Receipt>,
}

impl Manifest {
    /// Sums the receipts of a stage, in the order of its tasks.
    ///
    /// # Errors
    ///
    /// Fails if a receipt is missing, or if a sum is not what it must be.
    fn new(stage: &Stage<'_>, receipts: &BTreeMap<u64, Receipt>) -> anyhow::Result<Manifest> {
        let name = stage.name;
        let mut sum = Manifest {
            stage: name.to_owned(),
            version: env!("CARGO_PKG_VERSION").to_owned(),
            input: input_of(stage.tasks),
            tasks: stage.tasks.len(),
            bytes_in: 0,
            rows_in: 0,
            rows_out: 0,
            set_aside: BTreeMap::new(),
            bytes_out: 0,
            checksum: 0,
            attempts: 0,
            lost: 0,
            bytes_sent: 0,
            seconds: 0.0,
            files: Vec::with_capacity(stage.tasks.len()),
        };
        for task in stage.tasks {
            let receipt = receipts
                .get(&task.digest)
                .with_context(|| format!("{name}: a task has no receipt"))?;
            ensure!(receipt.adds_up(), "{name}: the rows of a task do not add up: {receipt:?}");
            sum.bytes_in += receipt.bytes_in;
            sum.rows_in += receipt.rows_in;
            sum.rows_out += receipt.rows_out;
            for (reason, rows) in &receipt.set_aside {
                *sum.set_aside.entry(reason.clone()).or_default() += rows;
            }
            sum.bytes_out += receipt.bytes;
            sum.checksum = sum.checksum.wrapping_add(receipt.checksum);
            sum.files.push(receipt.clone());
        }
        for (what, is, must) in
            [("rows", sum.rows_in, stage.rows_in), ("bytes", sum.bytes_in, stage.bytes_in)]
        {
            let must = must.unwrap_or(is);
            ensure!(is == must, "{name}: {is} {what} were read, but there are {must}");
        }
        Ok(sum)
    }

    /// What must be equal in two runs of a stage, with and without a loss.
    #[cfg(test)]
    fn counts(&self) -> (u64, u64, u64, u64) {
        (self.bytes_in, self.rows_in, self.rows_out, self.checksum)
    }
}

/// A hash of the tasks in their order.
fn input_of(tasks: &[Task]) -> u64 {
    let digests: Vec<u8> = tasks.iter().flat_map(|task| task.digest.to_le_bytes()).collect();
    xxh3_64(&digests)
}

struct Run<'a> {
    session: &'a Session,
    stage: &'a Stage<'a>,
    /// Sound receipts by task.
    receipts: BTreeMap<u64, Receipt>,
    /// Names of the receipts that were looked at.
    seen: BTreeSet<String>,
    /// Why a task of the last attempt failed.
    failure: Option<String>,
    attempts: u32,
    lost: usize,
    bytes_sent: u64,
}

/// Runs a stage to its end, or takes over what an earlier build finished.
///
/// # Errors
///
/// Fails if several attempts in a row finish no task, or if the sums do not agree.
pub fn run(session: &Session, stage: &Stage<'_>) -> anyhow::Result<Manifest> {
    let start = Instant::now();
    if let Some(manifest) = finished(session, stage)? {
        report(session.start, &format!("{}: finished by an earlier build", stage.name));
        return Ok(manifest);
    }
    let mut run = Run {
        session,
        stage,
        receipts: BTreeMap::new(),
        seen: BTreeSet::new(),
        failure: None,
        attempts: 0,
        lost: 0,
        bytes_sent: 0,
    };
    run.collect()?;
    if !run.receipts.is_empty() {
        let (done, all) = (run.receipts.len(), stage.tasks.len());
        report(session.start, &format!("{}: {done} of {all} tasks were done before", stage.name));
    }
    run.attempt_all()?;
    let manifest = Manifest {
        attempts: run.attempts,
        lost: run.lost,
        bytes_sent: run.bytes_sent,
        seconds: start.elapsed().as_secs_f64(),
        ..Manifest::new(stage, &run.receipts)?
    };
    let text = serde_json::to_vec_pretty(&manifest)?;
    session.wait(session.store.put(&manifest_name(stage.name), text))?;
    report(
        session.start,
        &format!(
            "{}: {} rows in, {} out, {} set aside; {} MB",
            stage.name,
            manifest.rows_in,
            manifest.rows_out,
            manifest.set_aside.values().sum::<u64>(),
            manifest.bytes_out / 1_000_000
        ),
    );
    Ok(manifest)
}

fn manifest_name(stage: &str) -> String {
    format!("{STAGES}/{stage}.json")
}

/// The manifest of a stage, if an earlier build finished it and its outputs are there.
fn finished(session: &Session, stage: &Stage<'_>) -> anyhow::Result<Option<Manifest>> {
    let manifest = session.wait(async {
        let listed = session.store.list(STAGES).await?;
        let name = manifest_name(stage.name);
        if !listed.iter().any(|(own, _)| *own == name) {
            return Ok(None);
        }
        let sizes: BTreeMap<String, u64> = listed.into_iter().collect();
        let manifest: Option<Manifest> =
            serde_json::from_slice(&session.store.get(&name).await?).ok();
        Ok(manifest.filter(|manifest| {
            manifest.files.iter().all(|file| sizes.get(&file.file) == Some(&file.bytes))
        }))
    })?;
    Ok(manifest.filter(|manifest| {
        manifest.input == input_of(stage.tasks) && manifest.tasks == stage.tasks.len()
    }))
}

/// Reads an output of a finished stage.
///
/// # Errors
///
/// Fails if the output is not what its receipt says. The next build makes it again.
pub fn output(
    session: &Session,
    manifest: &Manifest,
    receipt: &Receipt,
) -> anyhow::Result<Vec<u8>> {
    let (file, store) = (&receipt.file, &session.store);
    let bytes = session.wait(store.get(file))?;
    if xxh3_64(&bytes) != receipt.checksum {
        session.wait(async {
            store.remove(&manifest_name(&manifest.stage)).await?;
            store.remove(file).await
        })?;
        bail!("{file} was damaged, and is removed; the same command makes it again");
    }
    Ok(bytes)
}

impl<'a> Run<'a> {
    fn folder(&self) -> String {
        format!("{STAGES}/{}", self.stage.name)
    }

    /// Runs attempts until no task lacks a receipt.
    fn attempt_all(&mut self) -> anyhow::Result<()> {
        let name = self.stage.name;
        let mut fruitless = 0;
        loop {
            let lacking = self.lacking();
            if lacking.is_empty() {
                return Ok(());
            }
            let before = self.receipts.len();
            // A failure of an earlier attempt, or an earlier build, says nothing about this one.
            self.failure = None;
            let ended = self.attempt(&lacking)?;
            self.collect()?;
            let (done, all) = (self.receipts.len(), self.stage.tasks.len());
            if done == all {
                return Ok(());
            }
            fruitless = if done > before { 0 } else { fruitless + 1 };
            let why = match ended {
                _ if self.failure.is_some() => self.failure.clone().unwrap_or_default(),
                Ended::Lost(executors) => format!("lost executor {}", executors.join(", ")),
                Ended::Failed(error) => format!("{error:#}"),
                Ended::Complete => "the cluster left tasks undone".to_owned(),
            };
            if fruitless == FRUITLESS {
                bail!("{name}: {FRUITLESS} attempts in a row finished no task; the last: {why}");
            }
            report(
                self.session.start,
                &format!("{name}: {why}; {done} of {all} tasks are done, the others run again"),
            );
        }
    }

    /// The tasks without a receipt, each once.
    fn lacking(&self) -> Vec<&'a Task> {
        let mut seen = BTreeSet::new();
        let tasks = self.stage.tasks.iter();
        tasks
            .filter(|task| !self.receipts.contains_key(&task.digest) && seen.insert(task.digest))
            .collect()
    }

    /// Has executors do some tasks, until the query ends or an executor is lost.
    fn attempt(&mut self, tasks: &[&Task]) -> anyhow::Result<Ended> {
        let session = self.session;
        let number = self.next_attempt()?;
        let folder = format!("{}/{number}", self.folder());
        let files = dealt(tasks, session.partitions());
        let attempt = Attempt {
            name: format!("{} {number}", self.stage.name),
            folder: &folder,
            files: files.len(),
            tasks: tasks.len(),
        };
        for (file, tasks) in files.iter().enumerate() {
            let bytes = tasks_file(self.stage.work, tasks, session.store.url(), &folder)?;
            self.bytes_sent += bytes.len() as u64;
            let name = format!("{}/{file:05}.parquet", attempt.tasks_folder());
            session.wait(session.store.put(&name, bytes))?;
        }
        self.attempts += 1;
        report(
            session.start,
            &format!("{}: {} tasks sent to executors", self.stage.name, tasks.len()),
        );
        let ended = session.query(&attempt)?;
        if let Ended::Lost(executors) = &ended {
            self.lost += executors.len();
        }
        Ok(ended)
    }

    /// The number of the next attempt; earlier builds may have left some.
    fn next_attempt(&self) -> anyhow::Result<u32> {
        let folder = format!("{}/", self.folder());
        let listed = self.session.wait(self.session.store.list(&self.folder()))?;
        let numbers = listed
            .iter()
            .filter_map(|(name, _)| name.strip_prefix(&folder)?.split('/').next()?.parse().ok());
        Ok(numbers.max().unwrap_or(0_u32).max(self.attempts) + 1)
    }

    /// Takes the sound receipts of all attempts, and notes why tasks failed.
    fn collect(&mut self) -> anyhow::Result<()> {
        let known: BTreeSet<u64> = self.stage.tasks.iter().map(|task| task.digest).collect();
        let store = &self.session.store;
        let listed = self.session.wait(store.list(&self.folder()))?;
        for (name, _) in listed {
            if !name.ends_with(RECEIPT) || !self.seen.insert(name.clone()) {
                continue;
            }
            let receipt = self.session.wait(store.get(&name))?;
            let Ok(receipt) = serde_json::from_slice::<Receipt>(&receipt) else { continue };
            if !known.contains(&receipt.task) || self.receipts.contains_key(&receipt.task) {
                continue;
            }
            if receipt.failure.is_some() {
                // The next attempt, or the next build, may find the reason mended.
                self.session.wait(store.remove(&name))?;
                self.failure = receipt.failure;
                continue;
            }
            let output = self.session.wait(store.get(&receipt.file));
            if output.is_ok_and(|output| xxh3_64(&output) == receipt.checksum) {
                self.receipts.insert(receipt.task, receipt);
            }
        }
        Ok(())
    }
}

/// Deals tasks to at most this number of files, the largest first, each to the file with the least
/// effort. Each file is a partition, which one executor works through.
fn dealt<'a>(tasks: &[&'a Task], files: usize) -> Vec<Vec<&'a Task>> {
    let files = files.clamp(1, tasks.len().max(1));
    let mut order: Vec<&Task> = tasks.to_vec();
    order.sort_by_key(|task| (std::cmp::Reverse(task.effort), task.digest));
    let mut dealt: Vec<(u64, Vec<&Task>)> = vec![(0, Vec::new()); files];
    for task in order {
        if let Some((effort, own)) =
            dealt.iter_mut().min_by_key(|(effort, own)| (*effort, own.len()))
        {
            *effort += task.effort;
            own.push(task);
        }
    }
    dealt.into_iter().map(|(_, own)| own).collect()
}

/// A file of tasks, one row for each.
fn tasks_file(work: Work, tasks: &[&Task], store: &str, folder: &str) -> anyhow::Result<Vec<u8>> {
    let [works, stores, folders] = [work.word(), store, folder].map(|text| -> ArrayRef {
        Arc::new(StringArray::from_iter_values(tasks.iter().map(|_| text)))
    });
    let digests: ArrayRef =
        Arc::new(UInt64Array::from_iter_values(tasks.iter().map(|task| task.digest)));
    let bytes: ArrayRef =
        Arc::new(BinaryArray::from_iter_values(tasks.iter().map(|task| &task.bytes)));
    let batch = RecordBatch::try_from_iter([
        ("work", works),
        ("digest", digests),
        ("task", bytes),
        ("store", stores),
        ("folder", folders),
    ])?;
    to_parquet(&batch)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::receipt::Output;

    fn task(effort: u64, byte: u8) -> Task {
        Task::new(Work::AnalyseEvents, vec![byte], effort)
    }

    fn receipt(task: &Task, rows_in: u64, rows_out: u64) -> Receipt {
        let bytes = vec![rows_out as u8];
        let output = Output { bytes, rows_in, rows_out, ..Output::default() };
        Receipt::new(task.digest, "file".into(), &output)
    }

    fn stage(tasks: &[Task]) -> Stage<'_> {
        Stage { name: "events", work: Work::AnalyseEvents, tasks, rows_in: None, bytes_in: None }
    }

    #[test]
    fn large_tasks_are_dealt_first_and_every_file_has_one() {
        let tasks: Vec<Task> = (0..10).map(|number| task(number.into(), number)).collect();
        let all: Vec<&Task> = tasks.iter().collect();
        let files = dealt(&all, 4);
        assert_eq!(files.len(), 4);
        assert_eq!(files.iter().map(Vec::len).sum::<usize>(), 10);
        let efforts: Vec<u64> =
            files.iter().map(|own| own.iter().map(|task| task.effort).sum()).collect();
        assert!(efforts.iter().all(|effort| (9..=14).contains(effort)), "{efforts:?}");
        assert_eq!(dealt(&all[..2], 4).len(), 2);
    }

    #[test]
    fn a_manifest_sums_its_receipts_in_any_order() {
        let tasks = [task(1, 1), task(1, 2)];
        let receipts: BTreeMap<u64, Receipt> =
            tasks.iter().map(|task| (task.digest, receipt(task, 5, 5))).collect();
        let manifest = Manifest::new(&stage(&tasks), &receipts).unwrap();
        assert_eq!((manifest.rows_in, manifest.rows_out, manifest.files.len()), (10, 10, 2));
        let turned = [tasks[1].clone(), tasks[0].clone()];
        let other = Manifest::new(&stage(&turned), &receipts).unwrap();
        assert_eq!(manifest.counts(), other.counts());
        assert_ne!(manifest.input, other.input);
    }

    #[test]
    fn a_lost_row_or_a_missing_receipt_is_refused() {
        let tasks = [task(1, 1), task(1, 2)];
        let whole = receipt(&tasks[0], 5, 5);
        let of = |receipts: Vec<Receipt>, rows_in| {
            let receipts = receipts.into_iter().map(|one| (one.task, one)).collect();
            Manifest::new(&Stage { rows_in, ..stage(&tasks) }, &receipts)
        };
        let error = |manifest: anyhow::Result<Manifest>| manifest.unwrap_err().to_string();
        assert!(error(of(vec![whole.clone()], None)).contains("no receipt"));
        let short = receipt(&tasks[1], 5, 4);
        assert!(error(of(vec![whole.clone(), short.clone()], None)).contains("do not add up"));
        let mut aside = short;
        aside.set_aside.insert("refused by the app".into(), 1);
        assert!(of(vec![whole.clone(), aside.clone()], Some(10)).is_ok());
        assert!(error(of(vec![whole, aside], Some(11))).contains("10 rows were read"));
    }

    #[test]
    fn the_digest_of_a_task_depends_on_its_work() {
        let bytes = vec![1, 2, 3];
        let one = Task::new(Work::AnalyseEvents, bytes.clone(), 1);
        assert_eq!(one.digest, Task::new(Work::AnalyseEvents, bytes.clone(), 2).digest);
        assert_ne!(one.digest, Task::new(Work::RateSystem, bytes, 1).digest);
    }
}
