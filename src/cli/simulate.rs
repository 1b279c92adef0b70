//! `greatness simulate`: rating systems where the truth is known.

use std::fs;
use std::io::Write;
use std::path::PathBuf;
use std::time::Instant;

use anyhow::{Context, bail};
use clap::{Args, ValueEnum};

use super::Outcome as Ended;
use super::progress::Terminal;
use crate::archive::{Amount, Progress};
use crate::laboratory::experiments::{Experiment, Setup};
use crate::laboratory::report::{csv_files, markdown};
use crate::laboratory::{
    Contestant, Outcome, Pairing, Plan, Population, Start, read_population, simulate,
};

/// Judge rating systems where the truth is known.
///
/// Players have true ratings, results are drawn by them, and each system sees only the results. Told is how many
/// players it has 100 points or more from the truth, and how soon those who are watched came nearer. The same seed
/// gives the same bytes, however many threads there are and whichever other systems run.
#[derive(Debug, Args)]
pub(super) struct Simulate {
    /// True ratings: standard (a bell around 1500), elite (the best of a million), or a file with one a line
    #[arg(long, value_name = "standard|elite|FILE", default_value = "standard")]
    population: String,
    /// A system, several times for several: pra, pra-basic[:K], elo:K[:normal], elo-tiers, simultaneous[:logistic],
    /// chessmetrics, elo-historical, paired, pra-whole; parameters follow: pra:short_block=40 [default: pra, pra-basic, elo:16,
    /// elo-tiers, simultaneous]
    #[arg(long = "system", value_name = "NAME")]
    systems: Vec<String>,
    /// How many players [default: 15000, or those of the file]
    #[arg(long, value_name = "NUMBER")]
    players: Option<usize>,
    /// Games that each of them plays [default: 340]
    #[arg(long, value_name = "NUMBER")]
    games: Option<u32>,
    /// How often, each time with other results [default: 1]
    #[arg(long, value_name = "NUMBER")]
    runs: Option<u32>,
    /// What all chance comes from
    #[arg(long, value_name = "NUMBER", default_value_t = 1)]
    seed: u64,
    /// What systems start from: chaos (all alike), true, noise:POINTS, shift:POINTS, squeeze:FACTOR
    #[arg(long, value_name = "START", default_value = "chaos")]
    start: String,
    /// How results are drawn: table (the paper's), curve (the PRA's), logistic or normal (Elo's)
    #[arg(long, value_name = "CURVE", default_value = "table")]
    outcome: String,
    /// How many of the games that could be drawn are, from 0 to 1
    #[arg(long, value_name = "PART", default_value_t = 0.0)]
    draws: f64,
    /// Who plays whom: random, near:POINTS (neighbours by rating, with such an error), events:PLAYERS[:POINTS] (round robins)
    #[arg(long, value_name = "PAIRING", default_value = "random")]
    pairing: String,
    /// Spread of the population, in points
    #[arg(long, value_name = "POINTS")]
    spread: Option<f64>,
    /// Draw true ratings, instead of taking quantiles
    #[arg(long)]
    drawn: bool,
    /// One of the experiments instead: misjudged, near, turnover, improvers, pools, events, whole; of the other options it
    /// takes --players, --runs, --seed, --format and --out
    #[arg(long, value_name = "NAME", conflicts_with_all = ["population", "systems", "games", "start", "outcome", "draws", "pairing", "spread", "drawn"])]
    experiment: Option<String>,
    /// How it is told
    #[arg(long, value_name = "FORMAT", default_value = "markdown")]
    format: Format,
    /// File to write, or folder for the three files of CSV [default: standard output; of CSV the curve]
    #[arg(long, value_name = "FILE|DIR")]
    out: Option<PathBuf>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Format {
    Markdown,
    Csv,
    Json,
}

impl Simulate {
    pub fn run(self) -> anyhow::Result<Ended> {
        if let Some(name) = &self.experiment {
            return self.perform(name);
        }
        let plan = self.plan()?;
        let terminal = Terminal::new();
        let name = "simulating";
        let rounds = plan.systems.len() as u64 * u64::from(plan.games) * u64::from(plan.runs);
        let began = Instant::now();
        terminal.begin(name, Amount::Steps(rounds));
        let found =
            simulate(&plan, &|rounds| terminal.advance(rounds)).map_err(anyhow::Error::msg)?;
        let told = format!(
            "{} systems, {} games of each player, {} runs",
            plan.systems.len(),
            plan.games,
            plan.runs
        );
        terminal.end(name, began.elapsed(), &told);
        match self.format {
            Format::Markdown => self.write(&markdown(&found))?,
            Format::Json => self.write(&(serde_json::to_string_pretty(&found)? + "\n"))?,
            Format::Csv => {
                let tables = csv_files(&found);
                match &self.out {
                    None => self.write(&tables[0].csv(false))?,
                    Some(folder) => {
                        fs::create_dir_all(folder)
                            .with_context(|| format!("cannot make {}", folder.display()))?;
                        for table in &tables {
                            let path = folder.join(format!("{}.csv", table.name));
                            fs::write(&path, table.csv(false))
                                .with_context(|| format!("cannot write {}", path.display()))?;
                        }
                    }
                }
            }
        }
        Ok(Ended::Done)
    }

    fn perform(&self, name: &str) -> anyhow::Result<Ended> {
        let experiment = Experiment::named(name).map_err(anyhow::Error::msg)?;
        let usual = Setup::default();
        let setup = Setup {
            players: self.players.unwrap_or(usual.players),
            runs: self.runs,
            seed: self.seed,
        };
        let terminal = Terminal::new();
        let began = Instant::now();
        terminal.begin(experiment.name, Amount::Unknown);
        let table = experiment.perform(&setup).map_err(anyhow::Error::msg)?;
        terminal.end(experiment.name, began.elapsed(), &format!("{} rows", table.rows.len()));
        self.write(&match self.format {
            Format::Markdown => {
                format!("# {}\n\n{}\n\n{}", experiment.name, experiment.about, table.markdown())
            }
            Format::Json => serde_json::to_string_pretty(&table)? + "\n",
            Format::Csv => table.csv(false),
        })?;
        Ok(Ended::Done)
    }

    fn write(&self, text: &str) -> anyhow::Result<()> {
        match &self.out {
            Some(path) => {
                fs::write(path, text).with_context(|| format!("cannot write {}", path.display()))
            }
            None => Ok(std::io::stdout().lock().write_all(text.as_bytes())?),
        }
    }

    fn plan(&self) -> anyhow::Result<Plan> {
        let population = match self.population.as_str() {
            "standard" => Population::Standard,
            "elite" => Population::Elite,
            other => {
                let path = PathBuf::from(other);
                if !path.exists() && !other.contains(['/', '.']) {
                    let hint = crate::hint::nearest(other, ["standard", "elite"]);
                    let hint =
                        hint.map(|hint| format!("; did you mean {hint}?")).unwrap_or_default();
                    bail!(
                        "no population {other}: it is standard, elite, or a file with one true rating a line{hint}"
                    );
                }
                read_population(&path).map_err(anyhow::Error::msg)?
            }
        };
        let words: Vec<&str> = match self.systems.is_empty() {
            true => Contestant::USUAL.to_vec(),
            false => self.systems.iter().map(String::as_str).collect(),
        };
        let systems: Vec<Contestant> = words
            .into_iter()
            .map(|word| Contestant::named(word).map_err(anyhow::Error::msg))
            .collect::<Result<_, _>>()?;
        let mut plan = Plan::of(population, systems);
        plan.players = self.players.unwrap_or(plan.players);
        plan.games = self.games.unwrap_or(plan.games);
        plan.runs = self.runs.unwrap_or(plan.runs);
        plan.seed = self.seed;
        plan.start = Start::named(&self.start).map_err(anyhow::Error::msg)?;
        plan.outcome = Outcome::named(&self.outcome).map_err(anyhow::Error::msg)?;
        plan.draws = self.draws;
        plan.pairing = Pairing::named(&self.pairing).map_err(anyhow::Error::msg)?;
        plan.spread = self.spread;
        plan.is_drawn = self.drawn;
        plan.check().map_err(anyhow::Error::msg)?;
        Ok(plan)
    }
}
