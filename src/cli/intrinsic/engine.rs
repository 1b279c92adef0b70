//! Runs engines on the positions that the cache lacks.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};

use anyhow::bail;
use clap::Args;

use super::super::STOPPED;
use super::super::logging;
use super::super::output::{abandon, counted, refuse_same};
use super::pace::Pace;
use crate::intrinsic::{
    AnsweredTurn, Cache, EngineAnalysis, EngineSettings, GameTurns, Job, Terms, answers, introduce,
    jobs, missing,
};

/// The flags that choose an engine and its settings.
#[derive(Clone, Debug, Args)]
pub(super) struct EngineFlags {
    /// UCI engine: a path, or a name on PATH
    #[arg(long, value_name = "PROGRAM", default_value = "stockfish")]
    engine: PathBuf,
    /// Nodes of each search
    #[arg(long, value_name = "N", default_value_t = EngineSettings::NODES, value_parser = clap::value_parser!(u32).range(100..))]
    nodes: u32,
    /// Number of moves that the engine evaluates in each position
    #[arg(long, value_name = "K", default_value_t = EngineSettings::MULTIPV as u8, value_parser = clap::value_parser!(u8).range(2..=50))]
    multipv: u8,
    /// Number of engines that run at the same time [default: one for each core]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u8).range(1..))]
    jobs: Option<u8>,
    /// Start no engine: use the answers in the cache, and count all other positions as not analysed
    #[arg(long)]
    no_engine: bool,
    /// Cache of the engines' answers; created if it does not exist
    #[arg(long, value_name = "FILE", default_value = "intrinsic-cache.redb")]
    cache: PathBuf,
}

impl EngineFlags {
    pub fn settings(&self) -> EngineSettings {
        EngineSettings {
            nodes: self.nodes,
            multipv: self.multipv.into(),
            ..EngineSettings::new(&self.engine)
        }
    }

    /// Checks that the engine is installed, unless none is started. A missing engine is reported
    /// before the games are read.
    pub(super) fn check_engine(&self) -> anyhow::Result<()> {
        if !self.no_engine {
            self.settings().check_program()?;
        }
        Ok(())
    }

    /// Refuses the cache as the file for other output.
    pub(super) fn refuse_cache(&self, out: &Path) -> anyhow::Result<()> {
        refuse_same(out, &self.cache, "the cache of the engine")
    }

    /// The key of the only engine in the cache with these settings.
    fn known_key(&self, cache: &Cache) -> anyhow::Result<String> {
        let settings = self.settings();
        let known = cache.engines()?;
        let mut fitting = known.iter().filter(|key| settings.fits(key));
        match (fitting.next(), fitting.next()) {
            (Some(key), None) => Ok(key.clone()),
            (None, _) => bail!(
                "{} has no answers for {} nodes and {} moves{}",
                self.cache.display(),
                self.nodes,
                self.multipv,
                known
                    .iter()
                    .map(|key| format!("\n  it has answers for: {key}"))
                    .collect::<String>()
            ),
            _ => bail!(
                "{} has answers of several engines with these settings; leave --no-engine out, so that the engine identifies itself",
                self.cache.display()
            ),
        }
    }

    pub fn engines(&self) -> usize {
        match self.jobs {
            Some(jobs) => jobs.into(),
            None => std::thread::available_parallelism().map_or(1, |cores| cores.get()),
        }
    }
}

/// The flag that is set when the user asks to stop.
static STOP: OnceLock<Arc<AtomicBool>> = OnceLock::new();

/// Handles the keys and signals that ask to stop. The second one ends the program at once.
fn stop() -> Arc<AtomicBool> {
    let stop = STOP.get_or_init(|| {
        let stop = Arc::new(AtomicBool::new(false));
        let heard = Arc::clone(&stop);
        // Without a handler the program ends at once, which loses two seconds of work.
        let _ = ctrlc::set_handler(move || {
            if heard.swap(true, Ordering::Relaxed) {
                abandon();
                std::process::exit(STOPPED);
            }
            logging::say(
                "stopping when the engines have answered; the same command continues from there",
            );
        });
        stop
    });
    Arc::clone(stop)
}

/// The engine's answers about the turns of games, in the order of the games; its key; and whether
/// every position was answered.
pub(super) fn engine_answers(
    flags: &EngineFlags,
    games: &[GameTurns],
    terms: &Terms,
) -> anyhow::Result<(String, Vec<Vec<AnsweredTurn>>, bool)> {
    let (key, is_whole) = ask(flags, &jobs(games))?;
    let cache = Cache::open(&flags.cache)?;
    let answers = answers(games, &key, &cache, terms)?;
    Ok((key, answers, is_whole))
}

/// Has engines analyse the positions that the cache lacks. Returns the engine's key, and whether
/// every position was answered.
pub(super) fn ask(flags: &EngineFlags, asked: &[Job]) -> anyhow::Result<(String, bool)> {
    let settings = flags.settings();
    let cache = Cache::open(&flags.cache)?;
    if flags.no_engine {
        let key = flags.known_key(&cache)?;
        let todo = missing(asked, &key, &cache)?;
        logging::say(&key);
        logging::say(&format!(
            "{}, {todo} not in the cache",
            counted(asked.len(), "distinct position")
        ));
        return Ok((key, true));
    }
    let engine = introduce(&settings, &cache)?;
    let todo = missing(asked, &engine.key, &cache)?;
    logging::say(&engine.key);
    logging::say(&format!(
        "{}, {} in the cache, {todo} to do",
        counted(asked.len(), "distinct position"),
        asked.len() - todo
    ));
    let (stop, key) = (stop(), engine.key.clone());
    let mut pace = Pace::new(todo as u64);
    let analysis = EngineAnalysis { cache: &cache, engines: flags.engines(), stop: &stop };
    let outcome = analysis.run(asked, engine, &mut |done| pace.advance(done));
    pace.end();
    let analysed = outcome?;
    for failure in &analysed.failures {
        logging::say(&format!("not analysed: {}: {}", failure.epd, failure.error));
    }
    if analysed.is_stopped {
        bail!(
            "stopped after {} of {}; the same command continues from there",
            analysed.done,
            counted(todo, "position")
        );
    }
    Ok((key, analysed.failures.is_empty()))
}
