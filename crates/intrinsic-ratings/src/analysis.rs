//! Analyses positions with one or more engines. Each result is cached, so an interrupted analysis
//! resumes without repeating a position.

use std::collections::VecDeque;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use shakmaty::uci::UciMove;
use thiserror::Error;

use super::cache::{Cache, CacheEntry, CacheError, engine_number};
use super::engine::{Engine, EngineError, EngineFault, EngineSettings, SearchResult};
use super::turns::{EnginePosition, PositionKey};

/// Number of results written at once, and the longest time that a result waits for its batch.
/// Judged: an interruption loses at most two seconds of work of each worker.
const BATCH: usize = 500;
const LONGEST_WAIT: Duration = Duration::from_secs(2);

/// Number of positions in a row on which the engine fails before the analysis ends. Judged: an
/// engine may crash on one odd position, but three in a row mean that it does not work.
const FAILURES_IN_A_ROW: usize = 3;

/// A position to be analysed, with the moves that were played in it. A played move that the engine
/// does not list is valued by a separate search.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Job {
    /// The position, without move counters.
    pub position: PositionKey,
    /// The moves played, each once.
    pub played: Vec<UciMove>,
}

/// A position on which the engine failed twice.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failure {
    /// The position in EPD.
    pub epd: String,
    /// The error of the second attempt.
    pub error: EngineError,
}

/// The outcome of an analysis.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct AnalysisSummary {
    /// Number of completed jobs.
    pub done: usize,
    /// The positions on which the engine failed.
    pub failures: Vec<Failure>,
    /// Whether the user stopped the analysis before all jobs were done.
    pub is_stopped: bool,
}

/// Errors of an analysis.
#[derive(Debug, Error)]
pub enum AnalysisError {
    /// The engine cannot be started.
    #[error(transparent)]
    Engine(#[from] EngineError),
    /// The engine failed on several positions in a row.
    #[error("the engine failed on {} positions in a row; the analysis stopped{}", FAILURES_IN_A_ROW, listed(.0))]
    Failing(Vec<Failure>),
    /// The cache cannot be read or written.
    #[error(transparent)]
    Cache(#[from] CacheError),
    /// The cache holds other values by an engine with the same key.
    #[error(
        "{key}: the cache holds other values for the position {epd} by an engine of this name. It is another engine, or another build of it; use another file with --cache"
    )]
    OtherEngine {
        /// Key of the engine: its name, network and settings.
        key: String,
        /// The position in EPD.
        epd: String,
    },
}

/// Formats each failure on a separate line.
fn listed(failures: &[Failure]) -> String {
    failures.iter().map(|failure| format!("\n{}: {}", failure.epd, failure.error)).collect()
}

/// Positions that identify an engine: an opening, a middlegame and an endgame. An engine must give
/// the same values for them as the engine of that key in the cache.
const KNOWN: [&str; 3] = [
    "r1bqkbnr/pppp1ppp/2n5/1B2p3/4P3/5N2/PPPP1PPP/RNBQK2R b KQkq -",
    "r2q1rk1/pb1nbppp/1p2pn2/2pp4/3P1B2/2PBPN2/PP1NQPPP/R4RK1 w - -",
    "8/5pk1/3R2p1/7p/5P1P/6P1/1r4K1/8 w - -",
];

/// An engine that was started and identified.
#[derive(Debug)]
pub struct Introduced {
    engine: Engine,
    /// The engine's key: the name, the options and the limits on which its values depend.
    pub key: String,
    settings: EngineSettings,
}

/// Starts an engine and identifies it.
///
/// The engine's key is stored in the cache. If the cache already holds values by an engine with
/// this key, the engine must reproduce them.
///
/// # Errors
///
/// Fails if the engine cannot be started or differs from the cached values, or if the cache fails.
pub fn introduce(settings: &EngineSettings, cache: &Cache) -> Result<Introduced, AnalysisError> {
    let mut engine = Engine::start(settings)?;
    let key = engine.key();
    let number = engine_number(&key);
    for engine_position in KNOWN.into_iter().filter_map(EnginePosition::of_epd) {
        let position = engine_position.key();
        let found = engine.search(&engine_position, None)?;
        let before = cache.found(number, std::iter::once(position.bytes()))?.pop().flatten();
        match before {
            Some(before) if before != found => {
                return Err(AnalysisError::OtherEngine { key, epd: engine_position.epd() });
            }
            Some(_) => {}
            None => {
                cache.write(number, &[CacheEntry::Position(position.bytes().to_vec(), found)])?;
            }
        }
    }
    cache.name_engine(&key)?;
    Ok(Introduced { engine, key, settings: settings.clone() })
}

/// A message from a worker thread to the thread that writes the cache.
enum WorkerMessage {
    /// A search result to be written.
    Found(CacheEntry),
    Done,
    /// The engine failed twice on a position; the analysis continues.
    Failed(Failure),
    /// An error that ends the analysis.
    Fatal(AnalysisError),
}

/// A job with the cached search result of its position, if there is one. With a cached result, the
/// job lists only the moves that still need a separate search.
struct PendingJob {
    job: Job,
    found: Option<SearchResult>,
}

/// The resources that an engine analysis uses.
#[derive(Clone, Copy, Debug)]
pub struct EngineAnalysis<'a> {
    /// Stores the search results.
    pub cache: &'a Cache,
    /// Number of engines that work at once; 0 counts as 1.
    pub engines: usize,
    /// Once it is `true`, each engine finishes its job and the analysis ends.
    pub stop: &'a AtomicBool,
}

impl EngineAnalysis<'_> {
    /// Analyses the jobs that the cache cannot answer, in their order.
    ///
    /// `advance` is called with 1 after each completed or failed job.
    ///
    /// # Errors
    ///
    /// Fails if an engine cannot be started, if the engine fails on three positions in a row, or if
    /// the cache cannot be read or written. All results found before the error are in the cache.
    pub fn run(
        &self,
        jobs: &[Job],
        introduced: Introduced,
        advance: &mut dyn FnMut(u64),
    ) -> Result<AnalysisSummary, AnalysisError> {
        let Introduced { engine, key, settings } = introduced;
        let number = engine_number(&key);
        let queue = JobQueue {
            pending: Mutex::new(pending(jobs, number, self.cache)?),
            failures_in_a_row: AtomicUsize::new(0),
            ends: AtomicBool::new(false),
            stop: self.stop,
        };
        let engines = self.engines.max(1);
        let mut writer = ResultWriter {
            cache: self.cache,
            engine: number,
            batch: Vec::with_capacity(BATCH),
            since: Instant::now(),
            summary: AnalysisSummary::default(),
            outcome: Ok(()),
        };
        thread::scope(|scope| {
            let (sender, messages) = sync_channel::<WorkerMessage>(4 * engines);
            let mut first = Some(engine);
            for _ in 0..engines {
                let (sender, engine) = (sender.clone(), first.take());
                let worker = EngineWorker { settings: &settings, key: &key, engine };
                let queue = &queue;
                scope.spawn(move || queue.process(worker, &sender));
            }
            drop(sender);
            writer.receive(&messages, &queue.ends, advance);
        });
        let ResultWriter { mut summary, outcome, .. } = writer;
        if matches!(outcome, Err(AnalysisError::Failing(_))) {
            return Err(AnalysisError::Failing(summary.failures));
        }
        outcome?;
        summary.is_stopped = self.stop.load(Ordering::Relaxed) && !queue.is_empty();
        Ok(summary)
    }
}

/// The jobs that wait for an engine, and the state that all workers share.
struct JobQueue<'a> {
    pending: Mutex<VecDeque<PendingJob>>,
    /// Positions in a row, over all workers, on which the engine failed.
    failures_in_a_row: AtomicUsize,
    /// Whether an error ended the analysis.
    ends: AtomicBool,
    /// Whether the user engine_position to stop.
    stop: &'a AtomicBool,
}

impl JobQueue<'_> {
    fn next(&self) -> Option<PendingJob> {
        if self.stop.load(Ordering::Relaxed) || self.ends.load(Ordering::Relaxed) {
            return None;
        }
        self.pending.lock().unwrap_or_else(PoisonError::into_inner).pop_front()
    }

    fn is_empty(&self) -> bool {
        self.pending.lock().unwrap_or_else(PoisonError::into_inner).is_empty()
    }

    /// Lets one worker process jobs until there are none left, or the analysis ends.
    fn process(&self, mut worker: EngineWorker, sender: &SyncSender<WorkerMessage>) {
        // Sending fails only after the writer ended.
        while let Some(next) = self.next() {
            let outcome = worker.work(&next, &|message| {
                let _ = sender.send(message);
            });
            let Err(error) = outcome else {
                self.failures_in_a_row.store(0, Ordering::Relaxed);
                let _ = sender.send(WorkerMessage::Done);
                continue;
            };
            let in_a_row = self.failures_in_a_row.fetch_add(1, Ordering::Relaxed) + 1;
            let fatal = match error {
                // An engine that does not start would fail on every position.
                AnalysisError::Engine(error)
                    if worker.engine.is_some() || !matches!(error.fault, EngineFault::Start(_)) =>
                {
                    let position = EnginePosition::unpacked(&next.job.position);
                    let epd = position.map(|position| position.epd()).unwrap_or_default();
                    let _ = sender.send(WorkerMessage::Failed(Failure { epd, error }));
                    if in_a_row < FAILURES_IN_A_ROW {
                        continue;
                    }
                    AnalysisError::Failing(Vec::new())
                }
                error => error,
            };
            self.ends.store(true, Ordering::Relaxed);
            let _ = sender.send(WorkerMessage::Fatal(fatal));
            return;
        }
    }
}

/// Receives the messages of the workers and writes their results into the cache.
struct ResultWriter<'a> {
    cache: &'a Cache,
    /// Number of the engine's key.
    engine: u64,
    /// Results that are not written yet.
    batch: Vec<CacheEntry>,
    /// When the last batch was written.
    since: Instant,
    summary: AnalysisSummary,
    outcome: Result<(), AnalysisError>,
}

impl ResultWriter<'_> {
    /// Receives messages until all workers are gone. Sets `ends` if the cache cannot be written.
    fn receive(
        &mut self,
        messages: &Receiver<WorkerMessage>,
        ends: &AtomicBool,
        advance: &mut dyn FnMut(u64),
    ) {
        loop {
            let left = LONGEST_WAIT.saturating_sub(self.since.elapsed());
            let message = messages.recv_timeout(left);
            let is_over = matches!(message, Err(RecvTimeoutError::Disconnected));
            match message {
                Ok(WorkerMessage::Found(entry)) => self.batch.push(entry),
                Ok(WorkerMessage::Done) => {
                    self.summary.done += 1;
                    advance(1);
                }
                Ok(WorkerMessage::Failed(failure)) => {
                    self.summary.failures.push(failure);
                    advance(1);
                }
                Ok(WorkerMessage::Fatal(error)) => self.outcome = Err(error),
                Err(_) => {}
            }
            let is_due = self.batch.len() >= BATCH || self.since.elapsed() >= LONGEST_WAIT;
            if is_due || is_over {
                self.write_batch(ends);
            }
            if is_over {
                return;
            }
        }
    }

    fn write_batch(&mut self, ends: &AtomicBool) {
        if !self.batch.is_empty()
            && let Err(error) = self.cache.write(self.engine, &self.batch)
        {
            ends.store(true, Ordering::Relaxed);
            self.outcome = Err(error.into());
        }
        self.batch.clear();
        self.since = Instant::now();
    }
}

/// Counts the jobs that the cache cannot answer yet.
///
/// # Errors
///
/// Fails if the cache cannot be read.
pub fn missing(jobs: &[Job], key: &str, cache: &Cache) -> Result<usize, CacheError> {
    Ok(pending(jobs, engine_number(key), cache)?.len())
}

/// Collects the jobs that the cache cannot answer completely.
fn pending(jobs: &[Job], engine: u64, cache: &Cache) -> Result<VecDeque<PendingJob>, CacheError> {
    let found = cache.found(engine, jobs.iter().map(|job| job.position.bytes()))?;
    let asked: Vec<(&Job, &UciMove)> = jobs
        .iter()
        .zip(&found)
        .filter_map(|(job, found)| Some((job, found.as_ref()?)))
        .flat_map(|(job, found)| unlisted(job, found).map(move |played| (job, played)))
        .collect();
    let moves = asked.iter().map(|(job, played)| (job.position.bytes(), *played));
    let known = cache.found_moves(engine, moves)?;
    let lack: rustc_hash::FxHashSet<(PositionKey, &UciMove)> = asked
        .iter()
        .zip(known)
        .filter(|(_, known)| known.is_none())
        .map(|((job, played), _)| (job.position, *played))
        .collect();
    let pending = jobs.iter().zip(found).filter_map(|(job, found)| {
        let played = match &found {
            None => job.played.clone(),
            Some(found) => unlisted(job, found)
                .filter(|played| lack.contains(&(job.position, *played)))
                .copied()
                .collect(),
        };
        (found.is_none() || !played.is_empty())
            .then_some(PendingJob { job: Job { position: job.position, played }, found })
    });
    Ok(pending.collect())
}

fn unlisted<'j>(job: &'j Job, found: &SearchResult) -> impl Iterator<Item = &'j UciMove> {
    job.played.iter().filter(|played| !found.lines.iter().any(|line| line.played == **played))
}

/// Runs searches on its engine, which no other worker uses. If the engine fails, it starts another.
struct EngineWorker<'s> {
    settings: &'s EngineSettings,
    key: &'s str,
    engine: Option<Engine>,
}

impl EngineWorker<'_> {
    /// Performs the searches of a job and sends each result.
    fn work(
        &mut self,
        pending: &PendingJob,
        send: &dyn Fn(WorkerMessage),
    ) -> Result<(), AnalysisError> {
        let Some(engine_position) = EnginePosition::unpacked(&pending.job.position) else {
            return Ok(());
        };
        let position = pending.job.position.bytes();
        let found = match &pending.found {
            Some(found) => found.clone(),
            None => {
                let found = self.search(&engine_position, None)?;
                send(WorkerMessage::Found(CacheEntry::Position(position.to_vec(), found.clone())));
                found
            }
        };
        for played in unlisted(&pending.job, &found) {
            let of_move = self.search(&engine_position, Some(played))?;
            send(WorkerMessage::Found(CacheEntry::Move(position.to_vec(), *played, of_move)));
        }
        Ok(())
    }

    /// Searches a position. If the engine fails, the search is repeated once with a new engine.
    fn search(
        &mut self,
        engine_position: &EnginePosition,
        only: Option<&UciMove>,
    ) -> Result<SearchResult, AnalysisError> {
        let first = self.once(engine_position, only);
        if matches!(first, Err(AnalysisError::Engine(_))) {
            self.once(engine_position, only)
        } else {
            first
        }
    }

    fn once(
        &mut self,
        engine_position: &EnginePosition,
        only: Option<&UciMove>,
    ) -> Result<SearchResult, AnalysisError> {
        let mut engine = match self.engine.take() {
            Some(engine) => engine,
            None => {
                let engine = Engine::start(self.settings)?;
                let key = engine.key();
                if key != self.key {
                    return Err(AnalysisError::OtherEngine { key, epd: engine_position.epd() });
                }
                engine
            }
        };
        // A failed engine is dropped here.
        let found = engine.search(engine_position, only)?;
        self.engine = Some(engine);
        Ok(found)
    }
}
