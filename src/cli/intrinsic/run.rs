//! The engine's run over events.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};

use anyhow::bail;
use clap::Args;
use thiserror::Error;

use super::super::STOPPED;
use super::super::build::report;
use super::super::inputs::{Config, Names};
use super::super::logging;
use super::super::output::{abandon, put, refuse_input, refuse_same, tell};
use super::super::progress::Terminal;
use super::super::{Outcome, bundled_data};
use super::pace::Pace;
use crate::archive::{Grouped, Selected};
use crate::events::Event;
use crate::intrinsic::{
    Answer, AnsweredGame, Cache, Calibration, EngineSettings, FIRST_MOVE, GameTurns, Job, Method,
    Performance, Terms, TurnTable, TurnValues, analyse, answers, collect, games_of, hash,
    introduce, jobs, missing, rate,
};
use crate::pgn::ReadOptions;
use crate::source::{Diagnostic, Severity, Wanted, find, is_read_once};
use crate::tables::{read_calibration, write_turns};

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
    /// Ask no engine: take what the cache has, and count as not analysed what it has not
    #[arg(long)]
    no_engine: bool,
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

    /// Refuses the cache as a file to write something else to.
    pub(super) fn refuse_cache(&self, out: &Path) -> anyhow::Result<()> {
        refuse_same(out, &self.cache, "the cache of the engine")
    }

    /// The key of the one engine in the cache that was asked so.
    fn known_key(&self, cache: &Cache) -> anyhow::Result<String> {
        let settings = self.settings();
        let known = cache.engines()?;
        let mut fitting = known.iter().filter(|key| settings.fits(key));
        match (fitting.next(), fitting.next()) {
            (Some(key), None) => Ok(key.clone()),
            (None, _) => bail!(
                "{} has nothing of {} nodes and {} moves{}",
                self.cache.display(),
                self.nodes,
                self.multipv,
                known.iter().map(|key| format!("\n  it has: {key}")).collect::<String>()
            ),
            _ => bail!(
                "{} has several engines that were asked so; without --no-engine the one that is meant is told by itself",
                self.cache.display()
            ),
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
    /// The table of turns to write, which `[input] intrinsic` gives to a build
    #[arg(long, value_name = "FILE", default_value = "turns.parquet")]
    out: PathBuf,
    /// What the engine's errors mean in Elo points [default: the bundled calibration, where it is of this engine and these settings]
    #[arg(long, value_name = "FILE")]
    calibration: Option<PathBuf>,
    /// How skills are found: matched, likelihood or percentiles [default: the calibration's]
    #[arg(long, value_name = "METHOD", value_parser = method)]
    method: Option<Method>,
    /// Only the I-th of N parts of the positions, for as many machines; `merge` joins their caches
    #[arg(long, value_name = "I/N", value_parser = shard)]
    shard: Option<(u64, u64)>,
}

/// A flag whose value cannot be used.
#[derive(Debug, Error)]
enum FlagError {
    /// No method has this word.
    #[error("{0}")]
    Method(String),
    /// The text names no part of the positions.
    #[error("{0} is no part; write it like 2/5, from 1/5 to 5/5")]
    Shard(String),
}

/// Reads a method by its word.
fn method(word: &str) -> Result<Method, FlagError> {
    let words = Method::ALL.map(Method::word);
    Method::of_word(word)
        .ok_or_else(|| FlagError::Method(crate::hint::no_such("method", word, &words)))
}

/// Reads a part such as `2/5`.
fn shard(text: &str) -> Result<(u64, u64), FlagError> {
    let wrong = || FlagError::Shard(text.to_owned());
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
                abandon();
                std::process::exit(STOPPED);
            }
            logging::say("stopping when the engines have answered; run again to go on");
        });
        stop
    });
    Arc::clone(stop)
}

impl Run {
    pub fn run(self) -> anyhow::Result<Outcome> {
        let mut settings = self.config.settings(&self.pgn)?;
        self.names.overrule(&mut settings);
        let mut settings = settings.with_bundled_data(&bundled_data()?)?;
        if let Some(path) = &self.calibration {
            settings.input.calibration = vec![path.clone()];
        }
        // Before the work: a name that is misspelt is told now.
        let calibrations: Vec<Calibration> = settings
            .input
            .calibration
            .iter()
            .map(|path| read_calibration(path))
            .collect::<Result<_, _>>()?;
        if let Some(path) = settings.input.pgn.iter().find(|path| is_read_once(path)) {
            bail!(
                "{} can be read only once, and moves are read after the games; name a file",
                path.display()
            );
        }
        refuse_input(&self.out, &settings)?;
        self.engine.refuse_cache(&self.out)?;
        let mut diagnostics = Vec::new();
        let games = Selected::read(&settings, &Terminal::new(), &mut diagnostics)?;
        let Grouped { games, events, .. } = games.group(settings.events, &mut diagnostics);
        report(&diagnostics);
        let events = chosen(&events, &self.events)?;
        let files = find(&settings.input.pgn, Wanted::Games, &mut Vec::new());
        let wanted = games_of(&events, &games.players);
        let options = ReadOptions { limits: settings.input.limits, ..ReadOptions::default() };
        let games_turns = collect(&wanted, &games.table, &files, options, FIRST_MOVE);
        let turns: usize = games_turns.iter().map(|game| game.turns.len() + game.illegal).sum();
        let without = wanted.len() - games_turns.len();
        logging::say(&format!(
            "{} games of {} events, {turns} turns{}",
            games_turns.len(),
            events.len(),
            if without > 0 {
                format!("; {without} games more have no moves")
            } else {
                String::new()
            }
        ));
        let mut jobs = jobs(&games_turns);
        if let Some((part, parts)) = self.shard {
            jobs.retain(|job| hash(job.position.bytes()) % parts == part - 1);
        }
        if self.shard.is_some() {
            // The others have the rest: there is nothing to be rated yet.
            let (_, is_whole) = ask(&self.engine, &jobs)?;
            return Ok(outcome(&diagnostics, is_whole));
        }
        let terms = Terms::default();
        let (key, answers, is_whole) = engine_answers(&self.engine, &games_turns, &terms)?;
        let answered = games_turns.iter().zip(answers);
        let answered = answered.map(|(game, answers)| AnsweredGame::of(game, answers)).collect();
        let table = TurnTable { engine: key.clone(), games: answered };
        put(&self.out, |path| Ok(write_turns(&table, path)?))?;
        let known = calibrations.into_iter().find(|known| known.engine == key);
        let mut calibration = known.unwrap_or_else(|| {
            logging::say("there is no calibration of this engine with these settings, so that errors have no rating: `greatness intrinsic calibrate` makes one");
            Calibration::none(&key)
        });
        if let Some(method) = self.method.filter(|method| *method != calibration.method()) {
            logging::say(&format!(
                "the calibration is by the method {}: skills are found by {}, and have no rating",
                calibration.method,
                method.word()
            ));
            calibration.method = method.word().to_owned();
            calibration.line = None;
        }
        tell(&table, &calibration);
        tell!("{}", self.out.display());
        Ok(outcome(&diagnostics, is_whole))
    }
}

fn outcome(diagnostics: &[Diagnostic], is_whole: bool) -> Outcome {
    let unread = diagnostics.iter().any(|diagnostic| diagnostic.severity == Severity::Error);
    if unread || !is_whole { Outcome::DoneWithUnreadInput } else { Outcome::Done }
}

/// What came out, event by event: the event, then its players.
fn tell(table: &TurnTable, calibration: &Calibration) {
    let mut events: Vec<(&str, Vec<&AnsweredGame>)> = Vec::new();
    for game in &table.games {
        match events.iter_mut().find(|(event, _)| *event == &*game.event) {
            Some((_, games)) => games.push(game),
            None => events.push((&game.event, vec![game])),
        }
    }
    for (event, games) in events {
        let turns = |player: Option<&str>| -> Vec<&TurnValues> {
            let of_player = |game: &&&AnsweredGame, ply: usize| {
                player.is_none_or(|player| {
                    player == if ply.is_multiple_of(2) { &*game.white } else { &*game.black }
                })
            };
            games
                .iter()
                .flat_map(|game| {
                    let turns = game.turns.iter().enumerate();
                    turns.filter(move |(ply, _)| of_player(&game, *ply))
                })
                .filter(|(_, answer)| answer.left_out.is_none())
                .filter_map(|(_, answer)| answer.values.as_ref())
                .collect()
        };
        tell!("{event}: {}", in_words(&rate(turns(None), calibration, None)));
        let mut players: Vec<&str> =
            games.iter().flat_map(|game| [&*game.white, &*game.black]).collect();
        players.sort_unstable();
        players.dedup();
        for player in players {
            tell!("  {player}: {}", in_words(&rate(turns(Some(player)), calibration, None)));
        }
    }
}

fn in_words(found: &Performance) -> String {
    let rating = match &found.rating {
        Some(rating) => format!(
            "{:.0}, between {:.0} and {:.0}",
            rating.rating, rating.actual.0, rating.actual.1
        ),
        None => "no rating".into(),
    };
    format!("{rating}; {} turns, best move in {:.1}%", found.turns, 100.0 * found.matches)
}

/// What engines say of the turns of games, in their order; also their key, and whether all was answered.
pub(super) fn engine_answers(
    flags: &EngineFlags,
    games: &[GameTurns],
    terms: &Terms,
) -> anyhow::Result<(String, Vec<Vec<Answer>>, bool)> {
    let (key, is_whole) = ask(flags, &jobs(games))?;
    let cache = Cache::open(&flags.cache)?;
    let answers = answers(games, &key, &cache, terms)?;
    Ok((key, answers, is_whole))
}

/// The events of these identifiers, in their order; all where none are asked for.
pub(super) fn chosen<'e>(events: &'e [Event], ids: &[String]) -> anyhow::Result<Vec<&'e Event>> {
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

/// Asks engines what the cache does not have; their key, and whether all was answered.
fn ask(flags: &EngineFlags, asked: &[Job]) -> anyhow::Result<(String, bool)> {
    let settings = flags.settings();
    let cache = Cache::open(&flags.cache)?;
    if flags.no_engine {
        let key = flags.known_key(&cache)?;
        let todo = missing(asked, &key, &cache)?;
        logging::say(&key);
        logging::say(&format!("{} distinct positions, {todo} not in the cache", asked.len()));
        return Ok((key, true));
    }
    let engine = introduce(&settings, &cache)?;
    let todo = missing(asked, &engine.key, &cache)?;
    logging::say(&engine.key);
    logging::say(&format!(
        "{} distinct positions, {} in the cache, {todo} to do",
        asked.len(),
        asked.len() - todo
    ));
    let (stop, key) = (stop(), engine.key.clone());
    let mut pace = Pace::new(todo as u64);
    let outcome =
        analyse(asked, engine, flags.engines(), &cache, &stop, &mut |done| pace.advance(done));
    pace.end();
    let analysed = outcome?;
    for failure in &analysed.failures {
        logging::say(&format!("set aside: {}: {}", failure.epd, failure.error));
    }
    if analysed.is_stopped {
        bail!(
            "stopped after {} of {todo} positions; the same command goes on from there",
            analysed.done
        );
    }
    Ok((key, analysed.failures.is_empty()))
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
            tell!("{}: {new} new positions", path.display());
        }
        tell!("{} positions in {}", out.positions()?, self.out.display());
        Ok(Outcome::Done)
    }
}
