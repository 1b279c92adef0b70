//! Analyses the moves of events with the engines of all executors.

use std::path::PathBuf;

use anyhow::bail;
use clap::Args;
use greatness::archive::{Grouped, Selected};
use greatness::cli::{ConfigArguments, NameArguments, Terminal, bundled_data};
use greatness::intrinsic::{
    Cache, EngineSettings, FIRST_MOVE, Job, collect, games_of, introduce, jobs, missing,
};
use greatness::pgn::ReadOptions;
use greatness::source::{Wanted, find};

use crate::positions::{Shard, from_parquet};
use crate::requests::{Cluster, Session};
use crate::stage::{STAGES, Stage, Task, output, run};
use crate::work::Work;

/// Analyse the positions of events with the engines of all executors
///
/// The results are stored in a cache, from which `greatness intrinsic --no-engine` makes the table
/// of turns. The engine must be installed on every machine under the same name.
#[derive(Clone, Debug, Args)]
pub struct Intrinsic {
    #[command(flatten)]
    cluster: Cluster,
    /// Game collections with moves, or folders of them
    #[arg(long, value_name = "PATH", required = true, num_args = 1..)]
    pgn: Vec<PathBuf>,
    #[command(flatten)]
    config: ConfigArguments,
    #[command(flatten)]
    names: NameArguments,
    /// UCI engine: a path, or a name on PATH
    #[arg(long, value_name = "PROGRAM", env = "GREATNESS_ENGINE", default_value = "stockfish")]
    engine: PathBuf,
    /// Nodes of each search
    #[arg(long, value_name = "N", default_value_t = EngineSettings::NODES, value_parser = clap::value_parser!(u32).range(100..))]
    nodes: u32,
    /// Number of moves that the engine evaluates in each position
    #[arg(long, value_name = "K", default_value_t = EngineSettings::MULTIPV as u8, value_parser = clap::value_parser!(u8).range(2..=50))]
    multipv: u8,
    /// Only these events: identifiers separated by commas [default: all]
    #[arg(long, value_name = "ID,...", value_delimiter = ',')]
    events: Vec<String>,
    /// Cache of the engines' answers; created if it does not exist
    #[arg(long, value_name = "FILE", default_value = "intrinsic-cache.redb")]
    cache: PathBuf,
    /// Number of positions that an executor analyses at a time; if it is killed, the results of
    /// these positions are lost
    #[arg(long, value_name = "NUMBER", default_value_t = 200, value_parser = clap::value_parser!(u16).range(1..))]
    shard: u16,
}

impl Intrinsic {
    /// Runs the analysis. Returns whether every position was answered.
    ///
    /// # Errors
    ///
    /// Fails if no scheduler answers, if the engine cannot be started, or if a step fails.
    pub fn run(self) -> anyhow::Result<bool> {
        let session = self.cluster.open()?;
        let jobs = self.jobs()?;
        let cache = Cache::open(&self.cache)?;
        let engine = EngineSettings {
            nodes: self.nodes,
            multipv: self.multipv.into(),
            ..EngineSettings::new(&self.engine)
        };
        let key = introduce(&engine, &cache)?.key;
        let lacking = lacking(&jobs, &key, &cache)?;
        eprintln!("{key}\n{} distinct positions, {} to do", jobs.len(), lacking.len());
        if !lacking.is_empty() {
            let mut shards = Vec::new();
            for jobs in lacking.chunks(self.shard.into()) {
                shards.push((Shard::new(&engine, &key, jobs).to_bytes()?, jobs.len() as u64));
            }
            ask(&session, shards, &cache)?;
        }
        let left = missing(&jobs, &key, &cache)?;
        if left > 0 {
            eprintln!("{left} positions have no answer; the same command analyses them again");
        }
        println!("{}", self.cache.display());
        Ok(left == 0)
    }

    /// Collects the positions of the events.
    fn jobs(&self) -> anyhow::Result<Vec<Job>> {
        let mut settings = self.config.settings(&self.pgn)?;
        self.names.overrule(&mut settings);
        let settings = settings.with_bundled_data(&bundled_data()?)?;
        let mut found = Vec::new();
        let games = Selected::read(&settings.input, &Terminal::default(), &mut found)?;
        let Grouped { games, events, .. } = games.group(settings.events, &mut found);
        if let Some(id) = self.events.iter().find(|id| !events.iter().any(|e| e.id == **id)) {
            bail!("--events: no event {id}");
        }
        let asked: Vec<_> = if self.events.is_empty() {
            events.iter().filter(|event| event.part_of.is_none()).collect()
        } else {
            events.iter().filter(|event| self.events.contains(&event.id)).collect()
        };
        let files = find(&settings.input.pgn, Wanted::Games, &mut Vec::new());
        let options = ReadOptions { limits: settings.input.limits, ..ReadOptions::default() };
        let wanted = games_of(&asked, &games.players);
        Ok(jobs(&collect(&wanted, &games.table, &files, options, FIRST_MOVE)))
    }
}

/// Collects the jobs that the cache cannot answer completely.
fn lacking(jobs: &[Job], key: &str, cache: &Cache) -> anyhow::Result<Vec<Job>> {
    let mut lacking = Vec::new();
    for job in jobs {
        if missing(std::slice::from_ref(job), key, cache)? > 0 {
            lacking.push(job.clone());
        }
    }
    Ok(lacking)
}

/// Has executors analyse the shards, and takes what they answer into the cache.
fn ask(session: &Session, shards: Vec<(Vec<u8>, u64)>, cache: &Cache) -> anyhow::Result<()> {
    let positions = shards.iter().map(|(_, positions)| positions).sum();
    let tasks: Vec<Task> = shards
        .into_iter()
        .map(|(shard, positions)| Task::new(Work::SearchPositions, shard, positions))
        .collect();
    let stage = Stage {
        name: "positions",
        work: Work::SearchPositions,
        tasks: &tasks,
        rows_in: Some(positions),
        bytes_in: None,
    };
    let manifest = run(session, &stage)?;
    for receipt in &manifest.files {
        cache.take(&from_parquet(output(session, &manifest, receipt)?)?)?;
    }
    session.wait(session.store.remove(STAGES))
}
