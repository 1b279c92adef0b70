//! The figures of the laboratory's page: what the archive brings along, so that building it simulates nothing.

use greatness::laboratory::bundled::{COMPARED, COMPARED_AT, CURVE_EVERY, WATCHED};
use greatness::laboratory::experiments::{Experiment, Setup};
use greatness::laboratory::published::{BLOCKS_OF_40, UNDAMPED};
use greatness::laboratory::report::{
    MEASURES_IN_FILES, curve, games_to_spec, mean_and_deviation, measures, probes, quantile,
};
use greatness::laboratory::{
    Cell, Contestant, Outcome, Plan, Population, Probe, Run, Simulation, Start, Table, simulate,
};

/// Runs of the tables of games to spec, of other curves, and of comparisons.
const TABLE_RUNS: u32 = 160;
const CURVE_RUNS: u32 = 10;
const COMPARISON_RUNS: u32 = 3;

/// Games of the tables.
const TABLE_GAMES: u32 = 600;

/// Everything that the page is drawn from; `step` is told what is being done.
///
/// # Errors
///
/// Where a simulation cannot be made: a fault of the program.
pub fn tables(seed: u64, step: &dyn Fn(&str)) -> Result<Vec<Table>, String> {
    let mut figures = Table::new(
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
    let mut to_spec: Option<Table> = None;
    for population in [Population::Standard, Population::Elite] {
        step(&format!("the paper's tables, {}", population.name()));
        let plan = Plan {
            games: TABLE_GAMES,
            runs: TABLE_RUNS,
            seed,
            keeps_all_paths: true,
            ..plan(population.clone(), Start::Chaos, &["pra"])?
        };
        let found = simulate(&plan, &|_| ())?;
        tell(
            &mut figures,
            "chaos",
            &found,
            &[0, 20, 40, 60, 80, 100, 120, 140, 160, 200, 240, 280, 320, 340, 600],
        );
        tell_watched(&mut figures, &found);
        let table = games_to_spec(&found);
        match &mut to_spec {
            Some(first) => first.rows.extend(table.rows),
            None => to_spec = Some(table),
        }
        step(&format!("its variants, {}", population.name()));
        let variants: &[&str] = match population {
            Population::Elite => &["pra-basic"],
            _ => &["pra-basic", BLOCKS_OF_40, UNDAMPED],
        };
        let plan = Plan { runs: CURVE_RUNS, seed, ..plan_of(population, variants)? };
        tell(&mut figures, "chaos", &simulate(&plan, &|_| ())?, &[100, 160, 200, 340]);
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
            ..plan(Population::Standard, start, systems)?
        };
        tell(&mut figures, word, &simulate(&plan, &|_| ())?, &[160]);
    }
    tell_wins(&mut figures, &plan(Population::Standard, Start::True, &["pra"])?);

    let mut compared = Table::new(
        "comparison",
        &[&["outcome", "system", "game", "runs"], &MEASURES_IN_FILES[..]].concat(),
    );
    let mut curves: Option<Table> = None;
    let mut paths = None;
    for outcome in [Outcome::Table, Outcome::Logistic] {
        step(&format!("all systems, results by {}", outcome.word()));
        let plan = Plan {
            runs: COMPARISON_RUNS,
            seed,
            outcome,
            ..plan(Population::Standard, Start::Chaos, &COMPARED)?
        };
        let found = simulate(&plan, &|_| ())?;
        for system in &found.systems {
            for game in COMPARED_AT {
                let mut row: Vec<Cell> = vec![
                    outcome.word().into(),
                    system.system.as_str().into(),
                    game.into(),
                    plan.runs.into(),
                ];
                row.extend(measures(system, game));
                compared.rows.push(row);
            }
        }
        let of_first = curve(&found, CURVE_EVERY, 1);
        match &mut curves {
            Some(first) => first.rows.extend(of_first.rows),
            None => curves = Some(of_first),
        }
        if outcome == Outcome::Table {
            let mut watched = found.clone();
            watched.systems.retain(|system| WATCHED.contains(&system.system.as_str()));
            paths = Some(probes(&watched, CURVE_EVERY));
        }
    }
    let mut tables: Vec<Table> =
        [Some(figures), to_spec, Some(compared), curves, paths].into_iter().flatten().collect();
    for experiment in Experiment::all() {
        step(experiment.name);
        tables.push(experiment.perform(&Setup { seed, ..Setup::default() })?);
    }
    Ok(tables)
}

fn plan(population: Population, start: Start, systems: &[&str]) -> Result<Plan, String> {
    let systems: Result<Vec<Contestant>, String> =
        systems.iter().map(|word| Contestant::named(word)).collect();
    Ok(Plan { start, ..Plan::of(population, systems?) })
}

fn plan_of(population: Population, systems: &[&str]) -> Result<Plan, String> {
    plan(population, Start::Chaos, systems)
}

/// Where figures are told: the table, and what they are of.
struct Telling<'a> {
    table: &'a mut Table,
    population: &'a str,
    start: &'a str,
    system: &'a str,
}

impl Telling<'_> {
    /// A figure from its values run by run.
    fn tell(&mut self, measure: &str, game: u32, mut values: Vec<f64>) {
        if values.is_empty() {
            return;
        }
        values.sort_by(f64::total_cmp);
        let (mean, deviation) = mean_and_deviation(&values);
        let ends = (quantile(&values, 0.05), quantile(&values, 0.95));
        self.row(measure, game, values.len(), (mean, deviation), ends);
    }

    /// A figure that is one of all runs together.
    fn tell_one(&mut self, measure: &str, game: u32, value: f64, runs: usize) {
        self.row(measure, game, runs, (value, None), (value, value));
    }

    fn row(
        &mut self,
        measure: &str,
        game: u32,
        runs: usize,
        mean: (f64, Option<f64>),
        ends: (f64, f64),
    ) {
        self.table.rows.push(vec![
            self.population.into(),
            self.start.into(),
            self.system.into(),
            measure.into(),
            game.into(),
            (runs as u32).into(),
            Cell::Number(mean.0, 2),
            Cell::of(mean.1, 2),
            Cell::Number(ends.0, 1),
            Cell::Number(ends.1, 1),
        ]);
    }
}

/// Players out of spec, and far out.
fn tell(table: &mut Table, start: &str, simulation: &Simulation, games: &[u32]) {
    let games = games.iter().filter(|game| **game <= simulation.plan.games);
    let games: Vec<u32> =
        games.copied().chain([159, 400]).filter(|game| *game <= simulation.plan.games).collect();
    for system in &simulation.systems {
        let mut telling = Telling {
            table,
            population: simulation.plan.population.name(),
            start,
            system: &system.system,
        };
        for &game in &games {
            for measure in ["out_100", "out_200"] {
                let values: Vec<f64> = system
                    .at(game)
                    .map(|point| match measure {
                        "out_100" => f64::from(point.measures.out_100),
                        _ => f64::from(point.measures.out_200),
                    })
                    .collect();
                telling.tell(measure, game, values);
            }
        }
    }
}

/// What is told of single players: ratings after so many games, the lowest, the farthest, the latest.
fn tell_watched(table: &mut Table, simulation: &Simulation) {
    let Some(system) = simulation.systems.first() else { return };
    let mut telling = Telling {
        table,
        population: simulation.plan.population.name(),
        start: "chaos",
        system: &system.system,
    };
    let watched = |rating: f64| {
        let of = move |run: &Run| run.probes.iter().find(|probe| probe.rating == rating).cloned();
        system.runs.iter().filter_map(of).collect::<Vec<_>>()
    };
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
        let at = |probe: Probe| {
            probe.path.iter().find(|(at, _)| *at == game).map(|(_, rating)| f64::from(*rating))
        };
        let values = watched(rating).into_iter().filter_map(at).collect();
        telling.tell(&format!("rating_{rating}"), game, values);
    }
    // The paper watches them for 340 games.
    let until = 340;
    let watch = |probe: Probe| -> Vec<f64> {
        let seen = probe.path.into_iter().filter(|(game, _)| *game <= until);
        seen.map(|(_, rating)| f64::from(rating)).collect()
    };
    let lowest = watched(800.0)
        .into_iter()
        .map(|probe| watch(probe).into_iter().fold(f64::INFINITY, f64::min));
    telling.tell("lowest_800", until, lowest.collect());
    let farthest = watched(2200.0).into_iter().map(|probe| {
        watch(probe).into_iter().map(|rating| (rating - 2200.0).abs()).fold(0.0, f64::max)
    });
    telling.tell("farthest_2200", until, farthest.collect());
    let last = |probe: Probe| probe.in_spec.filter(|game| *game <= until);
    if let Some(latest) = watched(2700.0).into_iter().filter_map(last).max() {
        telling.tell_one("latest_2700", until, f64::from(latest), system.runs.len());
    }
}

/// How many more wins 100 points bring in 340 games against everybody: in the middle of the population, and on top.
fn tell_wins(table: &mut Table, plan: &Plan) {
    const GAMES: f64 = 340.0;
    let truth = plan.true_ratings(1);
    let wins = |rating: f64| {
        let expected = truth.iter().map(|other| plan.outcome.expected(rating - other)).sum::<f64>();
        GAMES * expected / truth.len() as f64
    };
    let mut telling =
        Telling { table, population: plan.population.name(), start: "true", system: "truth" };
    for (measure, low) in [("wins_in_the_middle", 1450.0), ("wins_at_the_top", 2700.0)] {
        telling.tell(measure, GAMES as u32, vec![wins(low + 100.0) - wins(low)]);
    }
}
