//! The engine's run over events.

use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};

use anyhow::bail;
use clap::Args;

use super::super::build::report;
use super::super::inputs::{Config, Names};
use super::super::progress::Terminal;
use super::super::{Outcome, bundled_data};
use super::pace::Pace;
use crate::archive::{Grouped, Selected};
use crate::events::Event;
use crate::intrinsic::{
    Cache, EngineSettings, GameTurns, Job, analyse, collect, games_of, hash, introduce, jobs,
    missing,
};
use crate::pgn::ReadOptions;
use crate::source::{Severity, Wanted, find};

/// An engine, and how it is asked.
#[derive(Clone, Debug, Args)]
pub(super) struct EngineFlags {
    /// UCI engine: a path, or a name on PATH
    #[arg(long, value_name = "PROGRAM", default_value = "stockfish")]
    engine: PathBuf,
    /// Nodes of a search
    #[arg(long, value_name = "N", default_value_t = EngineSettings::NODES, value_parser = clap::value_parser!(u32).range(100..))]
    nodes: u32,
    /// Moves that are valued in each position
    #[arg(long, value_name = "K", default_value_t = EngineSettings::MULTIPV as u8, value_parser = clap::value_parser!(u8).range(2..=50))]
    multipv: u8,
    /// Engines at a time [default: one a core]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u8).range(1..))]
    jobs: Option<u8>,
    /// What engines said; made where it is not there
    #[arg(long, value_name = "FILE", default_value = "intrinsic-cache.redb")]
    cache: PathBuf,
}

impl EngineFlags {
    pub fn settings(&self) -> EngineSettings {
        EngineSettings {
            nodes: self.nodes,
            multipv: self.multipv.into(),
            ..EngineSettings::of(&self.engine)
        }
    }

    pub fn engines(&self) -> usize {
        let cores = || std::thread::available_parallelism().map_or(1, |cores| cores.get());
        self.jobs.map_or_else(cores, usize::from)
    }
}

/// The flags of a run.
#[derive(Debug, Args)]
pub(super) struct Run {
    /// Game collections with moves, or folders of them
    #[arg(long, value_name = "PATH", required = true, num_args = 1..)]
    pgn: Vec<PathBuf>,
    #[command(flatten)]
    config: Config,
    #[command(flatten)]
    names: Names,
    #[command(flatten)]
    engine: EngineFlags,
    /// Only these events, in this order: identifiers, parted by commas [default: all]
    #[arg(long, value_name = "ID,...", value_delimiter = ',')]
    events: Vec<String>,
    /// Only the I-th of N parts of the positions, for as many machines; `merge` joins their caches
    #[arg(long, value_name = "I/N", value_parser = shard)]
    shard: Option<(u64, u64)>,
}

/// `2/5` as numbers.
fn shard(text: &str) -> Result<(u64, u64), String> {
    let wrong = || format!("{text} is no part; they look like 2/5, from 1/5 to 5/5");
    let (part, parts) = text.split_once('/').ok_or_else(wrong)?;
    let (part, parts) = (part.parse().map_err(|_| wrong())?, parts.parse().map_err(|_| wrong())?);
    if (1..=parts).contains(&part) { Ok((part, parts)) } else { Err(wrong()) }
}

/// What is set when somebody asks to stop.
static STOP: OnceLock<Arc<AtomicBool>> = OnceLock::new();

/// Hears of the keys and signals that ask to stop; the second time they end the program as ever.
pub(super) fn stop() -> Arc<AtomicBool> {
    let stop = STOP.get_or_init(|| {
        let stop = Arc::new(AtomicBool::new(false));
        let heard = Arc::clone(&stop);
        // Without it the program ends at once, which costs two seconds of work.
        let _ = ctrlc::set_handler(move || {
            if heard.swap(true, Ordering::Relaxed) {
                std::process::exit(130);
            }
            eprintln!("stopping when the engines have answered; run again to go on");
        });
        stop
    });
    Arc::clone(stop)
}

impl Run {
    pub fn run(self) -> anyhow::Result<Outcome> {
        let mut settings = self.config.settings(&self.pgn)?;
        self.names.overrule(&mut settings);
        let settings = settings.with_bundled_data(&bundled_data())?;
        let mut diagnostics = Vec::new();
        let games = Selected::read(&settings, &Terminal::new(), &mut diagnostics)?;
        let Grouped { games, events, .. } = games.group(settings.events, &mut diagnostics);
        report(&diagnostics);
        let events = chosen(&events, &self.events)?;
        let files = find(&settings.input.pgn, Wanted::Games, &mut Vec::new());
        let wanted = games_of(&events, &games.players);
        let options = ReadOptions { limits: settings.input.limits, ..ReadOptions::default() };
        let games_turns = collect(&wanted, &games.table, &files, options, 9);
        let turns: usize = games_turns.iter().map(|game| game.turns.len() + game.illegal).sum();
        let without = wanted.len() - games_turns.len();
        eprintln!(
            "{} games of {} events, {turns} turns{}",
            games_turns.len(),
            events.len(),
            if without > 0 {
                format!("; {without} games more have no moves")
            } else {
                String::new()
            }
        );
        let mut jobs = jobs(&games_turns);
        if let Some((part, parts)) = self.shard {
            jobs.retain(|job| hash(job.position.bytes()) % parts == part - 1);
        }
        let is_whole = ask(&self.engine, &jobs)?;
        let unread = diagnostics.iter().any(|diagnostic| diagnostic.severity == Severity::Error);
        let _: &[GameTurns] = &games_turns;
        Ok(if unread || !is_whole { Outcome::DoneWithUnreadInput } else { Outcome::Done })
    }
}

/// The events of these identifiers, in their order; all where none are asked for.
fn chosen<'e>(events: &'e [Event], ids: &[String]) -> anyhow::Result<Vec<&'e Event>> {
    if ids.is_empty() {
        return Ok(events.iter().filter(|event| event.part_of.is_none()).collect());
    }
    let mut chosen = Vec::with_capacity(ids.len());
    let mut lacking = Vec::new();
    for id in ids {
        match events.iter().find(|event| event.id == *id) {
            Some(event) => chosen.push(event),
            None => {
                let names = events.iter().map(|event| event.id.as_str());
                let hint = crate::hint::nearest(id, names)
                    .map(|hint| format!("; did you mean {hint}?"))
                    .unwrap_or_default();
                lacking.push(format!("--events: there is no event {id}{hint}"));
            }
        }
    }
    if lacking.is_empty() { Ok(chosen) } else { bail!(lacking.join("\n")) }
}

/// Asks engines what the cache does not have; whether all was answered.
pub(super) fn ask(flags: &EngineFlags, asked: &[Job]) -> anyhow::Result<bool> {
    let settings = flags.settings();
    let cache = Cache::open(&flags.cache)?;
    let engine = introduce(&settings, &cache)?;
    let todo = missing(asked, &engine.key, &cache)?;
    eprintln!("{}", engine.key);
    eprintln!(
        "{} distinct positions, {} in the cache, {todo} to do",
        asked.len(),
        asked.len() - todo
    );
    let stop = stop();
    let mut pace = Pace::new(todo as u64);
    let outcome =
        analyse(asked, engine, flags.engines(), &cache, &stop, &mut |done| pace.advance(done));
    pace.end();
    let analysed = outcome?;
    for failure in &analysed.failures {
        eprintln!("set aside: {}: {}", failure.epd, failure.error);
    }
    if analysed.is_stopped {
        bail!(
            "stopped after {} of {todo} positions; the same command goes on from there",
            analysed.done
        );
    }
    Ok(analysed.failures.is_empty())
}

/// Join the caches of several machines.
#[derive(Debug, Args)]
pub(super) struct Merge {
    /// Caches
    #[arg(value_name = "CACHE", required = true)]
    caches: Vec<PathBuf>,
    /// The cache that gets all; made where it is not there
    #[arg(long, value_name = "FILE", required = true)]
    out: PathBuf,
}

impl Merge {
    pub fn run(self) -> anyhow::Result<Outcome> {
        for path in &self.caches {
            if !path.is_file() {
                bail!("{}: there is no such cache", path.display());
            }
        }
        let out = Cache::open(&self.out)?;
        for path in &self.caches {
            let new = out.merge(&Cache::open(path)?)?;
            println!("{}: {new} new positions", path.display());
        }
        println!("{} positions in {}", out.positions()?, self.out.display());
        Ok(Outcome::Done)
    }
}
