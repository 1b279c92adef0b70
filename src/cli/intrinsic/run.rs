//! Implements the analysis of events with an engine, and the merging of caches.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};

use anyhow::bail;
use clap::Args;
use thiserror::Error;

use super::super::STOPPED;
use super::super::build::report;
use super::super::inputs::{ConfigArguments, NameArguments};
use super::super::logging;
use super::super::output::{abandon, counted, put, refuse_input, refuse_same, tell};
use super::super::progress::Terminal;
use super::super::{CommandOutcome, bundled_data};
use super::pace::Pace;
use crate::archive::{Grouped, Selected};
use crate::events::Event;
use crate::intrinsic::{
    AnsweredGame, AnsweredTurn, Cache, Calibration, EngineAnalysis, EngineSettings, FIRST_MOVE,
    GameTurns, IntrinsicPerformance, Job, Method, Terms, TurnTable, TurnValues, answers, collect,
    games_of, hash, introduce, jobs, missing, rate,
};
use crate::pgn::ReadOptions;
use crate::source::{Diagnostic, Severity, Wanted, find, is_read_once};
use crate::tables::{read_calibration, write_turns};

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
            ..EngineSettings::of(&self.engine)
        }
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
        let cores = || std::thread::available_parallelism().map_or(1, |cores| cores.get());
        self.jobs.map_or_else(cores, usize::from)
    }
}

/// The flags of an analysis.
#[derive(Debug, Args)]
pub(super) struct RunArguments {
    /// Game collections with moves, or folders of them
    #[arg(long, value_name = "PATH", required = true, num_args = 1..)]
    pgn: Vec<PathBuf>,
    #[command(flatten)]
    config: ConfigArguments,
    #[command(flatten)]
    names: NameArguments,
    #[command(flatten)]
    engine: EngineFlags,
    /// Analyse only these events, in this order: identifiers separated by commas [default: all]
    #[arg(long, value_name = "ID,...", value_delimiter = ',')]
    events: Vec<String>,
    /// Table of turns to write, which a build reads through `[input] intrinsic`
    #[arg(long, value_name = "FILE", default_value = "turns.parquet")]
    out: PathBuf,
    /// Calibration of the engine, which converts errors to Elo points [default: the bundled
    /// calibration, if it is for this engine and these settings]
    #[arg(long, value_name = "FILE")]
    calibration: Option<PathBuf>,
    /// Method by which skills are estimated: matched, likelihood or percentiles [default: the
    /// calibration's]
    #[arg(long, value_name = "METHOD", value_parser = method)]
    method: Option<Method>,
    /// Analyse only the I-th of N parts of the positions, to share the work among N machines. The
    /// subcommand `merge` joins their caches
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

/// The flag that is set when the user asks to stop.
static STOP: OnceLock<Arc<AtomicBool>> = OnceLock::new();

/// Handles the keys and signals that ask to stop. The second one ends the program at once.
pub(super) fn stop() -> Arc<AtomicBool> {
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

impl RunArguments {
    pub fn run(self) -> anyhow::Result<CommandOutcome> {
        let mut settings = self.config.settings(&self.pgn)?;
        self.names.overrule(&mut settings);
        let mut settings = settings.with_bundled_data(&bundled_data()?)?;
        if let Some(path) = &self.calibration {
            settings.input.calibration = vec![path.clone()];
        }
        // Read before the work, so that a misspelt name is reported at once.
        let calibrations: Vec<Calibration> = settings
            .input
            .calibration
            .iter()
            .map(|path| read_calibration(path))
            .collect::<Result<_, _>>()?;
        if let Some(path) = settings.input.pgn.iter().find(|path| is_read_once(path)) {
            bail!(
                "{} can be read only once, but the moves are read after the games; give a file",
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
            "{} of {}, {}{}",
            counted(games_turns.len(), "game"),
            counted(events.len(), "event"),
            counted(turns, "turn"),
            match without {
                0 => String::new(),
                1 => "; 1 more game has no moves".into(),
                without => format!("; {without} more games have no moves"),
            }
        ));
        let mut jobs = jobs(&games_turns);
        if let Some((part, parts)) = self.shard {
            jobs.retain(|job| hash(job.position.bytes()) % parts == part - 1);
        }
        if self.shard.is_some() {
            // The other machines have the rest, so nothing can be rated yet.
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
            logging::say("no calibration for this engine with these settings, so errors give no ratings; make one with `greatness intrinsic calibrate`");
            Calibration::none(&key)
        });
        if let Some(method) = self.method.filter(|method| *method != calibration.method()) {
            logging::say(&format!(
                "the calibration uses the method {}; skills are estimated by {}, and give no ratings",
                calibration.method,
                method.word()
            ));
            calibration.method = method.word().to_owned();
            calibration.line = None;
        }
        print(&table, &calibration);
        tell!("{}", self.out.display());
        Ok(outcome(&diagnostics, is_whole))
    }
}

fn outcome(diagnostics: &[Diagnostic], is_whole: bool) -> CommandOutcome {
    let unread = diagnostics.iter().any(|diagnostic| diagnostic.severity == Severity::Error);
    if unread || !is_whole { CommandOutcome::DoneWithUnreadInput } else { CommandOutcome::Done }
}

/// Prints the results, event by event: the event, then its players.
fn print(table: &TurnTable, calibration: &Calibration) {
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

fn in_words(found: &IntrinsicPerformance) -> String {
    let rating = match &found.rating {
        Some(rating) => format!(
            "{:.0}, between {:.0} and {:.0}",
            rating.rating, rating.actual.0, rating.actual.1
        ),
        None => "no rating".into(),
    };
    format!(
        "{rating}; {}, best move in {:.1}%",
        counted(found.turns, "turn"),
        100.0 * found.matches
    )
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

/// The events with these identifiers, in the order of the identifiers. Without identifiers, all
/// events.
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
                lacking.push(format!("--events: no event {id}{hint}"));
            }
        }
    }
    if lacking.is_empty() { Ok(chosen) } else { bail!(lacking.join("\n")) }
}

/// Has engines analyse the positions that the cache lacks. Returns the engine's key, and whether
/// every position was answered.
fn ask(flags: &EngineFlags, asked: &[Job]) -> anyhow::Result<(String, bool)> {
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

/// Join the caches of several machines
#[derive(Debug, Args)]
pub(super) struct MergeArguments {
    /// Caches to join
    #[arg(value_name = "CACHE", required = true)]
    caches: Vec<PathBuf>,
    /// Cache that receives all answers; created if it does not exist
    #[arg(long, value_name = "FILE", required = true)]
    out: PathBuf,
}

impl MergeArguments {
    pub fn run(self) -> anyhow::Result<CommandOutcome> {
        for path in &self.caches {
            if !path.is_file() {
                bail!("{}: no such cache", path.display());
            }
        }
        let out = Cache::open(&self.out)?;
        for path in &self.caches {
            let new = out.merge(&Cache::open(path)?)?;
            tell!("{}: {}", path.display(), counted(new as usize, "new position"));
        }
        tell!("{} in {}", counted(out.positions()? as usize, "position"), self.out.display());
        Ok(CommandOutcome::Done)
    }
}
