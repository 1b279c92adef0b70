//! A run of engines over positions: each is analysed once, whatever ends the program.

use std::collections::VecDeque;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::{RecvTimeoutError, sync_channel};
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use shakmaty::uci::UciMove;
use thiserror::Error;

use super::cache::{Cache, CacheError, Entry, engine_number};
use super::engine::{Engine, EngineError, EngineSettings, Found};
use super::turns::{Asked, PositionKey};

/// Positions written at a time, and how long the first of them waits at most.
const BATCH: usize = 500;
const WAITS: Duration = Duration::from_secs(2);

/// Failures in a row at which a run ends.
const ROW: usize = 3;

/// A position to be analysed, with the moves that were played in it: those that the engine does not list are valued by a search of their own.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Job {
    /// The position.
    pub position: PositionKey,
    /// The moves, each once.
    pub played: Vec<UciMove>,
}

/// A position on which the engine failed twice.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failure {
    /// The position, as text.
    pub epd: String,
    /// What the engine did the second time.
    pub error: EngineError,
}

/// How a run ended.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Analysed {
    /// Jobs that are done.
    pub done: usize,
    /// Positions on which the engine failed.
    pub failures: Vec<Failure>,
    /// Whether it was asked to stop before the end.
    pub is_stopped: bool,
}

/// Why a run failed.
#[derive(Debug, Error)]
pub enum AnalysisError {
    /// No engine can be started, or it fails again and again.
    #[error("{0}")]
    Engine(#[from] EngineError),
    /// The engine failed again and again.
    #[error("the engine failed on {} positions in a row, and the run ends{}", ROW, listed(.0))]
    Failing(Vec<Failure>),
    /// The cache cannot be used.
    #[error("{0}")]
    Cache(#[from] CacheError),
    /// An engine calls itself like one that gave other values.
    #[error(
        "{key}: of the position {epd} the cache has other values by an engine of this name; it is another engine, or another build of it: give --cache another file"
    )]
    OtherEngine {
        /// Its key.
        key: String,
        /// The position.
        epd: String,
    },
}

/// Positions with what the engine did.
fn listed(failures: &[Failure]) -> String {
    failures.iter().map(|failure| format!("\n{}: {}", failure.epd, failure.error)).collect()
}

/// Positions by which an engine is known again: an opening, a middle game, an ending.
const KNOWN: [&str; 3] = [
    "r1bqkbnr/pppp1ppp/2n5/1B2p3/4P3/5N2/PPPP1PPP/RNBQK2R b KQkq -",
    "r2q1rk1/pb1nbppp/1p2pn2/2pp4/3P1B2/2PBPN2/PP1NQPPP/R4RK1 w - -",
    "8/5pk1/3R2p1/7p/5P1P/6P1/1r4K1/8 w - -",
];

/// An engine that was started and is known.
#[derive(Debug)]
pub struct Introduced {
    engine: Engine,
    /// What its values depend on, as text.
    pub key: String,
    settings: EngineSettings,
}

/// Starts an engine; its key is noted in the cache, and it must give what the cache has of it.
///
/// # Errors
///
/// Where it cannot be started, or gives other values than an engine of its name gave.
pub fn introduce(settings: &EngineSettings, cache: &Cache) -> Result<Introduced, AnalysisError> {
    let mut engine = Engine::start(settings)?;
    let key = engine.key();
    let number = engine_number(&key);
    for asked in KNOWN.into_iter().filter_map(Asked::of_epd) {
        let position = asked.key();
        let found = engine.search(&asked, None)?;
        let before = cache.found(number, std::iter::once(position.bytes()))?.pop().flatten();
        match before {
            Some(before) if before != found => {
                return Err(AnalysisError::OtherEngine { key, epd: asked.epd() });
            }
            Some(_) => {}
            None => {
                cache.write(number, &[Entry::Position(position.bytes().to_vec(), found)])?;
            }
        }
    }
    cache.name_engine(&key)?;
    Ok(Introduced { engine, key, settings: settings.clone() })
}

/// What a worker has to tell.
enum Told {
    Found(Entry),
    Done,
    Failed(Failure),
    Lost(AnalysisError),
}

/// A job, with what is known of it: the position's lines, and the moves that are still to be valued where they are known.
struct Todo {
    job: Job,
    found: Option<Found>,
}

/// Analyses what the cache does not have, in the order of the jobs, by so many engines at once. `advance` hears of each job that is done.
///
/// # Errors
///
/// Where an engine cannot be started, fails three times in a row, or nothing can be written; what was found is in the cache.
pub fn analyse(
    jobs: &[Job],
    Introduced { engine, key, settings }: Introduced,
    engines: usize,
    cache: &Cache,
    stop: &AtomicBool,
    advance: &mut dyn FnMut(u64),
) -> Result<Analysed, AnalysisError> {
    let (key, settings) = (key.as_str(), &settings);
    let number = engine_number(key);
    let todo = Mutex::new(to_do(jobs, number, cache)?);
    let mut report = Analysed::default();
    let in_a_row = AtomicUsize::new(0);
    let ends = AtomicBool::new(false);
    let mut outcome = Ok(());
    thread::scope(|scope| {
        let (to_writer, told) = sync_channel::<Told>(4 * engines.max(1));
        let mut first = Some(engine);
        for _ in 0..engines.max(1) {
            let (to_writer, engine) = (to_writer.clone(), first.take());
            let (todo, in_a_row, ends) = (&todo, &in_a_row, &ends);
            scope.spawn(move || {
                let mut worker = Worker { settings, key, engine };
                loop {
                    if stop.load(Ordering::Relaxed) || ends.load(Ordering::Relaxed) {
                        return;
                    }
                    let next = todo.lock().unwrap_or_else(PoisonError::into_inner).pop_front();
                    let Some(next) = next else { return };
                    let tell = &|told| {
                        // Nobody hears any more only where all is over.
                        let _ = to_writer.send(told);
                    };
                    match worker.work(&next, tell) {
                        Ok(()) => {
                            in_a_row.store(0, Ordering::Relaxed);
                            tell(Told::Done);
                        }
                        Err(error) => {
                            let row = in_a_row.fetch_add(1, Ordering::Relaxed) + 1;
                            let cannot_start = worker.engine.is_none()
                                && matches!(&error, AnalysisError::Engine(error) if matches!(error.fault, super::engine::Fault::Start(_)));
                            match error {
                                AnalysisError::Engine(error) if !cannot_start => {
                                    let epd = Asked::unpacked(&next.job.position)
                                        .map(|asked| asked.epd())
                                        .unwrap_or_default();
                                    tell(Told::Failed(Failure { epd, error }));
                                    if row >= ROW {
                                        ends.store(true, Ordering::Relaxed);
                                        tell(Told::Lost(AnalysisError::Failing(Vec::new())));
                                        return;
                                    }
                                }
                                error => {
                                    ends.store(true, Ordering::Relaxed);
                                    tell(Told::Lost(error));
                                    return;
                                }
                            }
                        }
                    }
                }
            });
        }
        drop(to_writer);
        let mut batch: Vec<Entry> = Vec::with_capacity(BATCH);
        let mut since = Instant::now();
        loop {
            let left = WAITS.saturating_sub(since.elapsed());
            let heard = told.recv_timeout(left);
            let is_over = matches!(heard, Err(RecvTimeoutError::Disconnected));
            match heard {
                Ok(Told::Found(entry)) => batch.push(entry),
                Ok(Told::Done) => {
                    report.done += 1;
                    advance(1);
                }
                Ok(Told::Failed(failure)) => {
                    report.failures.push(failure);
                    advance(1);
                }
                Ok(Told::Lost(error)) => outcome = Err(error),
                Err(_) => {}
            }
            if batch.len() >= BATCH || since.elapsed() >= WAITS || is_over {
                if !batch.is_empty()
                    && let Err(error) = cache.write(number, &batch)
                {
                    ends.store(true, Ordering::Relaxed);
                    outcome = Err(error.into());
                }
                batch.clear();
                since = Instant::now();
            }
            if is_over {
                break;
            }
        }
    });
    if matches!(outcome, Err(AnalysisError::Failing(_))) {
        return Err(AnalysisError::Failing(report.failures));
    }
    outcome?;
    report.is_stopped = stop.load(Ordering::Relaxed)
        && !todo.lock().unwrap_or_else(PoisonError::into_inner).is_empty();
    Ok(report)
}

/// How many of these jobs the cache has no answer to yet.
///
/// # Errors
///
/// Where it cannot be read.
pub fn missing(jobs: &[Job], key: &str, cache: &Cache) -> Result<usize, CacheError> {
    Ok(to_do(jobs, engine_number(key), cache)?.len())
}

/// The jobs that the cache does not have, or not all of.
fn to_do(jobs: &[Job], engine: u64, cache: &Cache) -> Result<VecDeque<Todo>, CacheError> {
    let found = cache.found(engine, jobs.iter().map(|job| job.position.bytes()))?;
    let unlisted: Vec<(&Job, &UciMove)> = jobs
        .iter()
        .zip(&found)
        .filter_map(|(job, found)| Some((job, found.as_ref()?)))
        .flat_map(|(job, found)| unlisted(job, found).map(move |played| (job, played)))
        .collect();
    let moves = unlisted.iter().map(|(job, played)| (job.position.bytes(), *played));
    let known = cache.found_moves(engine, moves)?;
    let lack: rustc_hash::FxHashSet<(PositionKey, &UciMove)> = unlisted
        .iter()
        .zip(known)
        .filter(|(_, known)| known.is_none())
        .map(|((job, played), _)| (job.position, *played))
        .collect();
    let todo = jobs.iter().zip(found).filter_map(|(job, found)| {
        let played = match &found {
            None => job.played.clone(),
            Some(found) => unlisted_of(job, found, &lack),
        };
        (found.is_none() || !played.is_empty())
            .then_some(Todo { job: Job { position: job.position, played }, found })
    });
    Ok(todo.collect())
}

fn unlisted<'j>(job: &'j Job, found: &Found) -> impl Iterator<Item = &'j UciMove> {
    job.played.iter().filter(|played| !found.lines.iter().any(|line| line.played == **played))
}

fn unlisted_of(
    job: &Job,
    found: &Found,
    lack: &rustc_hash::FxHashSet<(PositionKey, &UciMove)>,
) -> Vec<UciMove> {
    unlisted(job, found).filter(|played| lack.contains(&(job.position, *played))).copied().collect()
}

/// One who has an engine, and starts another where it fails.
struct Worker<'s> {
    settings: &'s EngineSettings,
    key: &'s str,
    engine: Option<Engine>,
}

impl Worker<'_> {
    /// Does a job, and tells what it finds.
    fn work(&mut self, todo: &Todo, tell: &dyn Fn(Told)) -> Result<(), AnalysisError> {
        let Some(asked) = Asked::unpacked(&todo.job.position) else { return Ok(()) };
        let position = todo.job.position.bytes();
        let found = match &todo.found {
            Some(found) => found.clone(),
            None => {
                let found = self.search(&asked, None)?;
                tell(Told::Found(Entry::Position(position.to_vec(), found.clone())));
                found
            }
        };
        for played in unlisted(&todo.job, &found) {
            let of_move = self.search(&asked, Some(played))?;
            tell(Told::Found(Entry::Move(position.to_vec(), *played, of_move)));
        }
        Ok(())
    }

    /// Asks; where the engine fails, once more of a new one.
    fn search(&mut self, asked: &Asked, only: Option<&UciMove>) -> Result<Found, AnalysisError> {
        let first = self.once(asked, only);
        if matches!(first, Err(AnalysisError::Engine(_))) { self.once(asked, only) } else { first }
    }

    fn once(&mut self, asked: &Asked, only: Option<&UciMove>) -> Result<Found, AnalysisError> {
        let mut engine = match self.engine.take() {
            Some(engine) => engine,
            None => {
                let engine = Engine::start(self.settings)?;
                let key = engine.key();
                if key != self.key {
                    return Err(AnalysisError::OtherEngine { key, epd: asked.epd() });
                }
                engine
            }
        };
        // One that failed is gone with this.
        let found = engine.search(asked, only)?;
        self.engine = Some(engine);
        Ok(found)
    }
}
