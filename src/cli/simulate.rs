//! Implements `greatness simulate`: tests rating systems on players whose true ratings are known.

use std::fs;
use std::io::Write;
use std::path::PathBuf;
use std::time::Instant;

use anyhow::{Context, bail};
use clap::{Args, ValueEnum};

use super::CommandOutcome;
use super::output::counted;
use super::progress::Terminal;
use crate::archive::{Progress, WorkAmount};
use crate::laboratory::experiments::{Experiment, ExperimentSetup};
use crate::laboratory::report::{csv_files, markdown};
use crate::laboratory::{
    Contestant, PairingRule, Plan, Population, ResultModel, Start, read_population, simulate,
};

/// Test rating systems on simulated players with known true ratings
///
/// Results are drawn from the true ratings, and each system sees only the results. The output shows
/// how many players a system rates 100 points or more from their true ratings, and how soon the
/// observed players come within that distance. The same seed gives a system the same output, byte
/// for byte, with any number of threads, alone or together with other systems.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  greatness simulate --players 1000 --games 40 --system pra --system elo:16
  greatness simulate --population elite --system chessmetrics")]
pub(super) struct SimulateArguments {
    /// True ratings: standard (a normal distribution around 1500), elite (the best of a million),
    /// or a file with one rating per line
    #[arg(long, value_name = "standard|elite|FILE", default_value = "standard")]
    population: String,
    /// Rating system; may be given several times. One of pra, pra-basic[:K], elo:K[:normal],
    /// elo-tiers, simultaneous[:logistic], chessmetrics, elo-historical, paired, pra-whole.
    /// Parameters follow a colon, as in pra:short_block=40 [default: pra, pra-basic, elo:16,
    /// elo-tiers, simultaneous]
    #[arg(long = "system", value_name = "NAME")]
    systems: Vec<String>,
    /// Number of players [default: 15000, or those of the file]
    #[arg(long, value_name = "NUMBER")]
    players: Option<usize>,
    /// Number of games that each player plays [default: 340]
    #[arg(long, value_name = "NUMBER")]
    games: Option<u32>,
    /// Number of simulations, each with different results [default: 1]
    #[arg(long, value_name = "NUMBER")]
    runs: Option<u32>,
    /// Seed for all random numbers
    #[arg(long, value_name = "NUMBER", default_value_t = 1)]
    seed: u64,
    /// Initial ratings: chaos (all equal), true, noise:POINTS, shift:POINTS, squeeze:FACTOR
    #[arg(long, value_name = "START", default_value = "chaos")]
    start: String,
    /// Curve by which results are drawn: table (the paper's), curve (the PRA's), logistic or normal
    /// (Elo's)
    #[arg(long, value_name = "CURVE", default_value = "table")]
    outcome: String,
    /// Frequency of draws, as a proportion of the largest possible one, from 0 to 1
    #[arg(long, value_name = "PART", default_value_t = 0.0)]
    draws: f64,
    /// Pairing: random, near:POINTS (players of similar rating, with a random error of that size),
    /// events:PLAYERS[:POINTS] (round robins)
    #[arg(long, value_name = "PAIRING", default_value = "random")]
    pairing: String,
    /// Spread of the population, in points
    #[arg(long, value_name = "POINTS")]
    spread: Option<f64>,
    /// Draw true ratings at random instead of taking quantiles
    #[arg(long)]
    drawn: bool,
    /// Perform a special experiment instead: misjudged, near, turnover, improvers, pools, events,
    /// whole, violations, common or blocks. An experiment takes only --players, --runs, --seed,
    /// --format and --out
    #[arg(long, value_name = "NAME", conflicts_with_all = ["population", "systems", "games", "start", "outcome", "draws", "pairing", "spread", "drawn"])]
    experiment: Option<String>,
    /// Format of the output
    #[arg(long, value_name = "FORMAT", default_value = "markdown")]
    format: SimulationFormat,
    /// File to write; for CSV, the folder for three files [default: standard output, which for CSV
    /// shows only the curve]
    #[arg(long, value_name = "FILE|DIR")]
    out: Option<PathBuf>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum SimulationFormat {
    Markdown,
    Csv,
    Json,
}

impl SimulateArguments {
    pub fn run(self) -> anyhow::Result<CommandOutcome> {
        if let Some(name) = &self.experiment {
            return self.perform(name);
        }
        let plan = self.plan()?;
        let terminal = Terminal::new();
        let name = "simulating";
        let rounds = plan.systems.len() as u64 * u64::from(plan.games) * u64::from(plan.runs);
        let began = Instant::now();
        terminal.begin(name, WorkAmount::Steps(rounds));
        let found = simulate(&plan, &|rounds| terminal.advance(rounds))?;
        let summary = format!(
            "{}, {} of each player, {}",
            counted(plan.systems.len(), "system"),
            counted(plan.games as usize, "game"),
            counted(plan.runs as usize, "simulation")
        );
        terminal.end(name, began.elapsed(), &summary);
        match self.format {
            SimulationFormat::Markdown => self.write(&markdown(&found))?,
            SimulationFormat::Json => {
                self.write(&(serde_json::to_string_pretty(&found)? + "\n"))?
            }
            SimulationFormat::Csv => {
                let tables = csv_files(&found);
                match &self.out {
                    None => self.write(&tables[0].csv(false))?,
                    Some(folder) => {
                        fs::create_dir_all(folder)
                            .with_context(|| format!("cannot create {}", folder.display()))?;
                        for table in &tables {
                            let path = folder.join(format!("{}.csv", table.name));
                            fs::write(&path, table.csv(false))
                                .with_context(|| format!("cannot write {}", path.display()))?;
                        }
                    }
                }
            }
        }
        Ok(CommandOutcome::Done)
    }

    fn perform(&self, name: &str) -> anyhow::Result<CommandOutcome> {
        let experiment = Experiment::named(name)?;
        let usual = ExperimentSetup::default();
        let setup = ExperimentSetup {
            players: self.players.unwrap_or(usual.players),
            runs: self.runs,
            seed: self.seed,
        };
        let terminal = Terminal::new();
        let began = Instant::now();
        terminal.begin(experiment.name, WorkAmount::Unknown);
        let table = experiment.perform(&setup)?;
        terminal.end(experiment.name, began.elapsed(), &counted(table.rows.len(), "row"));
        self.write(&match self.format {
            SimulationFormat::Markdown => {
                format!("# {}\n\n{}\n\n{}", experiment.name, experiment.about, table.markdown())
            }
            SimulationFormat::Json => serde_json::to_string_pretty(&table)? + "\n",
            SimulationFormat::Csv => table.csv(false),
        })?;
        Ok(CommandOutcome::Done)
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
                        "no population {other}; give standard, elite, or a file with one true rating a line{hint}"
                    );
                }
                read_population(&path)?
            }
        };
        let words: Vec<&str> = if self.systems.is_empty() {
            Contestant::USUAL.to_vec()
        } else {
            self.systems.iter().map(String::as_str).collect()
        };
        let systems: Vec<Contestant> =
            words.into_iter().map(Contestant::named).collect::<Result<_, _>>()?;
        let mut plan = Plan::new(population, systems);
        plan.players = self.players.unwrap_or(plan.players);
        plan.games = self.games.unwrap_or(plan.games);
        plan.runs = self.runs.unwrap_or(plan.runs);
        plan.seed = self.seed;
        plan.start = Start::named(&self.start)?;
        plan.outcome = ResultModel::named(&self.outcome)?;
        plan.draws = self.draws;
        plan.pairing = PairingRule::named(&self.pairing)?;
        plan.spread = self.spread;
        plan.is_drawn = self.drawn;
        plan.check()?;
        Ok(plan)
    }
}
