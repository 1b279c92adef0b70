//! Simulates the figures of the laboratory's page. The program contains them, so building an
//! archive simulates nothing.

use greatness::laboratory::bundled::{COMPARED, COMPARED_AT, CURVE_EVERY, WATCHED};
use greatness::laboratory::experiments::{Experiment, ExperimentSetup};
use greatness::laboratory::published::{BLOCKS_OF_40, UNDAMPED};
use greatness::laboratory::report::{
    self, MEASURES_IN_FILES, curve, mean_and_deviation, measures, probes, quantile,
};
use greatness::laboratory::{
    Contestant, Plan, PlanError, Population, Probe, ResultModel, ResultTable, SimulatedSystem,
    Simulation, Start, TableCell, simulate,
};

/// Number of runs of the tables of games to spec. Source: the specification of the laboratory.
const TABLE_RUNS: u32 = 160;

/// Numbers of runs of other curves and of comparisons. Judged: enough for a smooth curve, while the
/// simulation takes minutes; its time is proportional to them.
const CURVE_RUNS: u32 = 10;
const COMPARISON_RUNS: u32 = 3;

/// Number of games of the tables.
const TABLE_GAMES: u32 = 600;

/// Simulates all tables from which the site draws its laboratory page, and reports each step to
/// `step`.
///
/// # Errors
///
/// Returns an error if a plan cannot be simulated, which is an error of the program.
pub fn tables(seed: u64, step: &dyn Fn(&str)) -> Result<Vec<ResultTable>, PlanError> {
    let (figures, games_to_spec) = published_tables(seed, step)?;
    let (compared, curves, paths) = comparison_tables(seed, step)?;
    let mut tables = vec![figures, games_to_spec, compared, curves, paths];
    for experiment in Experiment::all() {
        step(experiment.name);
        tables.push(experiment.perform(&ExperimentSetup { seed, ..ExperimentSetup::default() })?);
    }
    Ok(tables)
}

/// The figures that are compared with published ones, and the games to spec of both populations.
fn published_tables(
    seed: u64,
    step: &dyn Fn(&str),
) -> Result<(ResultTable, ResultTable), PlanError> {
    let mut figures = ResultTable::new(
        "figures",
        &[
            "population",
            "start",
            "system",
            "measure",
            "game",
            "runs",
            "mean",
            "deviation",
            "lower",
            "upper",
        ],
    );
    let mut games_to_spec = Vec::new();
    for population in [Population::Standard, Population::Elite] {
        step(&format!("the paper's tables, {}", population.name()));
        let plan = Plan {
            games: TABLE_GAMES,
            runs: TABLE_RUNS,
            seed,
            keeps_all_paths: true,
            ..plan_of(population.clone(), Start::Chaos, &["pra"])?
        };
        let found = simulate(&plan, &|_| ())?;
        let games = [0, 20, 40, 60, 80, 100, 120, 140, 160, 200, 240, 280, 320, 340, 600];
        figures.rows.extend(out_of_spec("chaos", &found, &games));
        figures.rows.extend(watched_players(&found));
        games_to_spec.push(report::games_to_spec(&found));
        step(&format!("its variants, {}", population.name()));
        let variants: &[&str] = match population {
            Population::Elite => &["pra-basic"],
            _ => &["pra-basic", BLOCKS_OF_40, UNDAMPED],
        };
        let plan = Plan { runs: CURVE_RUNS, seed, ..plan_of(population, Start::Chaos, variants)? };
        let found = simulate(&plan, &|_| ())?;
        figures.rows.extend(out_of_spec("chaos", &found, &[100, 160, 200, 340]));
    }
    step("other starts");
    for (start, word, systems) in [
        (Start::Noise(100.0), "noise:100", &["elo-tiers", "elo:16", "elo:20", "pra"][..]),
        (Start::True, "true", &["pra", "elo-tiers"][..]),
    ] {
        let plan = Plan {
            games: 160,
            runs: CURVE_RUNS,
            seed,
            ..plan_of(Population::Standard, start, systems)?
        };
        figures.rows.extend(out_of_spec(word, &simulate(&plan, &|_| ())?, &[160]));
    }
    figures.rows.extend(more_wins(&plan_of(Population::Standard, Start::True, &["pra"])?));
    Ok((figures, joined(games_to_spec)))
}

/// All systems by both result models: their measures, the curves of the first run, and the probe
/// players' ratings by the paper's table.
fn comparison_tables(
    seed: u64,
    step: &dyn Fn(&str),
) -> Result<(ResultTable, ResultTable, ResultTable), PlanError> {
    let columns = [&["outcome", "system", "game", "runs"], &MEASURES_IN_FILES[..]].concat();
    let mut compared = ResultTable::new("comparison", &columns);
    let (mut curves, mut paths) = (Vec::new(), Vec::new());
    for outcome in [ResultModel::Table, ResultModel::Logistic] {
        step(&format!("all systems, results by {}", outcome.word()));
        let plan = Plan {
            runs: COMPARISON_RUNS,
            seed,
            outcome,
            ..plan_of(Population::Standard, Start::Chaos, &COMPARED)?
        };
        let mut found = simulate(&plan, &|_| ())?;
        for system in &found.systems {
            for game in COMPARED_AT {
                let mut row: Vec<TableCell> = vec![
                    outcome.word().into(),
                    system.system.as_str().into(),
                    game.into(),
                    plan.runs.into(),
                ];
                row.extend(measures(system, game));
                compared.rows.push(row);
            }
        }
        curves.push(curve(&found, CURVE_EVERY, 1));
        if outcome == ResultModel::Table {
            found.systems.retain(|system| WATCHED.contains(&system.system.as_str()));
            paths.push(probes(&found, CURVE_EVERY));
        }
    }
    Ok((compared, joined(curves), joined(paths)))
}

/// The rows of several tables of the same columns in one table.
fn joined(tables: Vec<ResultTable>) -> ResultTable {
    let mut tables = tables.into_iter();
    let mut first = tables.next().expect("at least one simulation");
    first.rows.extend(tables.flat_map(|table| table.rows));
    first
}

fn plan_of(population: Population, start: Start, systems: &[&str]) -> Result<Plan, PlanError> {
    let systems: Result<Vec<Contestant>, PlanError> =
        systems.iter().map(|word| Contestant::named(word)).collect();
    Ok(Plan { start, ..Plan::new(population, systems?) })
}

/// The rows of figures of one population, start and system.
struct FigureRows<'a> {
    population: &'a str,
    start: &'a str,
    system: &'a str,
    rows: Vec<Vec<TableCell>>,
}

impl<'a> FigureRows<'a> {
    fn new(population: &'a str, start: &'a str, system: &'a str) -> FigureRows<'a> {
        FigureRows { population, start, system, rows: Vec::new() }
    }

    /// Adds a figure from its values run by run, unless there are none.
    fn add(&mut self, measure: &str, game: u32, mut values: Vec<f64>) {
        if values.is_empty() {
            return;
        }
        values.sort_by(f64::total_cmp);
        let ends = (quantile(&values, 0.05), quantile(&values, 0.95));
        self.push(measure, game, values.len(), mean_and_deviation(&values), ends);
    }

    /// Adds a figure of all runs together.
    fn add_single(&mut self, measure: &str, game: u32, value: f64, runs: usize) {
        self.push(measure, game, runs, (value, None), (value, value));
    }

    fn push(
        &mut self,
        measure: &str,
        game: u32,
        runs: usize,
        mean: (f64, Option<f64>),
        ends: (f64, f64),
    ) {
        self.rows.push(vec![
            self.population.into(),
            self.start.into(),
            self.system.into(),
            measure.into(),
            game.into(),
            (runs as u32).into(),
            TableCell::Number(mean.0, 2),
            TableCell::new(mean.1, 2),
            TableCell::Number(ends.0, 1),
            TableCell::Number(ends.1, 1),
        ]);
    }
}

/// Players 100 and 200 points or more from the truth, after each of these numbers of games.
fn out_of_spec(start: &str, simulation: &Simulation, games: &[u32]) -> Vec<Vec<TableCell>> {
    let games = games.iter().filter(|game| **game <= simulation.plan.games);
    let games: Vec<u32> =
        games.copied().chain([159, 400]).filter(|game| *game <= simulation.plan.games).collect();
    let population = simulation.plan.population.name();
    let mut rows = Vec::new();
    for system in &simulation.systems {
        let mut figures = FigureRows::new(population, start, &system.system);
        for &game in &games {
            let out_100 = system.at(game).map(|point| f64::from(point.measures.out_100));
            figures.add("out_100", game, out_100.collect());
            let out_200 = system.at(game).map(|point| f64::from(point.measures.out_200));
            figures.add("out_200", game, out_200.collect());
        }
        rows.extend(figures.rows);
    }
    rows
}

/// Figures of probe players by the first system: ratings after a number of games, the lowest
/// rating, the largest error, the latest game in spec.
fn watched_players(simulation: &Simulation) -> Vec<Vec<TableCell>> {
    let Some(system) = simulation.systems.first() else { return Vec::new() };
    let population = simulation.plan.population.name();
    let mut figures = FigureRows::new(population, "chaos", &system.system);
    let looks = [
        (2200.0, 140),
        (2500.0, 100),
        (2500.0, 340),
        (2800.0, 340),
        (800.0, 275),
        (600.0, 340),
        (2800.0, 40),
        (2800.0, 60),
    ];
    for (rating, game) in looks {
        let values = watched(system, rating).filter_map(|probe| {
            probe.path.iter().find(|(at, _)| *at == game).map(|(_, rating)| f64::from(*rating))
        });
        figures.add(&format!("rating_{rating}"), game, values.collect());
    }
    // The paper follows these players for 340 games.
    let until = 340;
    let lowest = watched(system, 800.0)
        .map(|probe| ratings_until(probe, until).fold(f64::INFINITY, f64::min));
    figures.add("lowest_800", until, lowest.collect());
    let farthest = watched(system, 2200.0).map(|probe| {
        ratings_until(probe, until).map(|rating| (rating - 2200.0).abs()).fold(0.0, f64::max)
    });
    figures.add("farthest_2200", until, farthest.collect());
    let in_spec = watched(system, 2700.0).filter_map(|probe| probe.in_spec);
    if let Some(latest) = in_spec.filter(|game| *game <= until).max() {
        figures.add_single("latest_2700", until, f64::from(latest), system.runs.len());
    }
    figures.rows
}

/// Returns the probe player of a true rating in each run.
fn watched(system: &SimulatedSystem, rating: f64) -> impl Iterator<Item = &Probe> {
    system.runs.iter().filter_map(move |run| run.probes.iter().find(|probe| probe.rating == rating))
}

/// Returns the ratings of a probe player up to a number of games.
fn ratings_until(probe: &Probe, until: u32) -> impl Iterator<Item = f64> {
    let path = probe.path.iter().filter(move |(game, _)| *game <= until);
    path.map(|(_, rating)| f64::from(*rating))
}

/// How many more wins 100 points bring in 340 games against all players in turn: in the middle of
/// the population, and at the top.
fn more_wins(plan: &Plan) -> Vec<Vec<TableCell>> {
    const GAMES: f64 = 340.0;
    let truth = plan.true_ratings(1);
    let mut figures = FigureRows::new(plan.population.name(), "true", "truth");
    for (measure, low) in [("wins_in_the_middle", 1450.0), ("wins_at_the_top", 2700.0)] {
        let [more, fewer] = [low + 100.0, low].map(|rating| {
            let expected =
                truth.iter().map(|other| plan.outcome.expected(rating - other)).sum::<f64>();
            GAMES * expected / truth.len() as f64
        });
        figures.add(measure, GAMES as u32, vec![more - fewer]);
    }
    figures.rows
}
