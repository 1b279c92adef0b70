//! What a simulation found, for people and for programs.

use std::fmt::Write as _;

use super::pairing::Pairing;
use super::population::{Population, Start};
use super::simulation::{EVERY, Point, Simulated, Simulation};
use super::table::{Cell, Table};

/// Mean and sample standard deviation; the second is nothing of a single value.
pub fn mean_and_deviation(values: &[f64]) -> (f64, Option<f64>) {
    let count = values.len() as f64;
    let mean = values.iter().sum::<f64>() / count;
    let squares: f64 = values.iter().map(|value| (value - mean).powi(2)).sum();
    (mean, (values.len() > 1).then(|| (squares / (count - 1.0)).sqrt()))
}

/// The value below which a part of the values lie, those between two in proportion.
pub fn quantile(sorted: &[f64], part: f64) -> f64 {
    let place = part * (sorted.len() as f64 - 1.0);
    let (low, rest) = (place.floor() as usize, place.fract());
    match sorted.get(low + 1) {
        Some(next) => sorted[low] + rest * (next - sorted[low]),
        None => sorted.last().copied().unwrap_or_default(),
    }
}

/// What was measured, row by row: every so many games.
pub fn curve(simulation: &Simulation, every: u32, runs: usize) -> Table {
    let mut table = Table::new(
        "curve",
        &[
            "population",
            "outcome",
            "system",
            "run",
            "game",
            "out_100",
            "out_200",
            "median_error",
            "rms_error",
            "aligned_100",
            "scale",
            "rank_correlation",
            "excess",
        ],
    );
    let plan = &simulation.plan;
    for system in &simulation.systems {
        for (run, number) in system.runs.iter().take(runs).zip(1u32..) {
            for point in run.curve.iter().filter(|point| point.game.is_multiple_of(every)) {
                let measures = &point.measures;
                table.rows.push(vec![
                    plan.population.name().into(),
                    plan.outcome.word().into(),
                    system.system.as_str().into(),
                    number.into(),
                    point.game.into(),
                    measures.out_100.into(),
                    measures.out_200.into(),
                    Cell::Number(measures.median_error, 2),
                    Cell::Number(measures.rms_error, 2),
                    measures.aligned_100.into(),
                    Cell::Number(measures.scale, 4),
                    Cell::of(measures.rank_correlation, 5),
                    Cell::of(measures.excess, 3),
                ]);
            }
        }
    }
    table
}

/// How many games those who are watched needed. Who never came counts as one game more than all in means and quantiles.
pub fn games_to_spec(simulation: &Simulation) -> Table {
    let mut table = Table::new(
        "games_to_spec",
        &[
            "population",
            "system",
            "rating",
            "runs",
            "mean",
            "median",
            "lower",
            "upper",
            "never",
            "settled_median",
            "deviation",
        ],
    );
    let plan = &simulation.plan;
    let never = plan.games + 1;
    for system in &simulation.systems {
        let probes = system.runs.first().map_or(0, |run| run.probes.len());
        for place in 0..probes {
            let of_runs = || system.runs.iter().filter_map(|run| run.probes.get(place));
            let sorted = |of: &dyn Fn(&super::simulation::Probe) -> Option<u32>| {
                let games = of_runs().map(|probe| f64::from(of(probe).unwrap_or(never)));
                let mut games: Vec<f64> = games.collect();
                games.sort_by(f64::total_cmp);
                games
            };
            let games = sorted(&|probe| probe.in_spec);
            let settled = sorted(&|probe| probe.settled);
            let (mean, deviation) = mean_and_deviation(&games);
            let late = of_runs().filter(|probe| probe.in_spec.is_none()).count();
            let rating = system.runs[0].probes[place].rating;
            table.rows.push(vec![
                plan.population.name().into(),
                system.system.as_str().into(),
                Cell::Number(rating, 0),
                plan.runs.into(),
                Cell::Number(mean, 2),
                Cell::Number(quantile(&games, 0.5), 1),
                Cell::Number(quantile(&games, 0.25), 1),
                Cell::Number(quantile(&games, 0.75), 1),
                Cell::Number(late as f64 / f64::from(plan.runs), 3),
                Cell::Number(quantile(&settled, 0.5), 1),
                Cell::of(deviation, 2),
            ]);
        }
    }
    table
}

/// Ratings of those who are watched, in the first run.
pub fn probes(simulation: &Simulation, every: u32) -> Table {
    let mut table = Table::new("probes", &["system", "rating", "game", "value"]);
    for system in &simulation.systems {
        for probe in system.runs.first().map(|run| run.probes.as_slice()).unwrap_or_default() {
            for (game, value) in probe.path.iter().filter(|(game, _)| game.is_multiple_of(every)) {
                table.rows.push(vec![
                    system.system.as_str().into(),
                    Cell::Number(probe.rating, 0),
                    (*game).into(),
                    Cell::Number(f64::from(*value), 1),
                ]);
            }
        }
    }
    table
}

/// The three tables of the CSV.
pub fn csv_files(simulation: &Simulation) -> [Table; 3] {
    let runs = simulation.plan.runs as usize;
    [curve(simulation, 1, runs), games_to_spec(simulation), probes(simulation, 1)]
}

impl Simulated {
    /// What was measured after so many games, run by run.
    pub fn at(&self, game: u32) -> impl Iterator<Item = &Point> {
        self.runs.iter().filter_map(move |run| {
            let place = run.curve.binary_search_by_key(&game, |point| point.game).ok()?;
            run.curve.get(place)
        })
    }

    /// The mean over runs of a measure after so many games, with its standard deviation.
    pub(super) fn mean_at(
        &self,
        game: u32,
        of: impl Fn(&Point) -> Option<f64>,
    ) -> Option<(f64, Option<f64>)> {
        let values: Vec<f64> = self.at(game).filter_map(of).collect();
        (!values.is_empty()).then(|| mean_and_deviation(&values))
    }
}

/// What a row of measures has, for people and for comparisons.
pub(super) const MEASURES: [&str; 9] = [
    "out",
    "far out",
    "median error",
    "rms error",
    "aligned: out",
    "aligned: rms",
    "scale",
    "rank corr.",
    "excess",
];

/// The same as columns of files.
pub const MEASURES_IN_FILES: [&str; 9] = [
    "out_100",
    "out_200",
    "median_error",
    "rms_error",
    "aligned_100",
    "aligned_rms",
    "scale",
    "rank_correlation",
    "excess",
];

/// The measures of a system after so many games, means over runs.
pub fn measures(system: &Simulated, game: u32) -> Vec<Cell> {
    let of = |of: &dyn Fn(&Point) -> Option<f64>, decimals| {
        Cell::of(system.mean_at(game, of).map(|(mean, _)| mean), decimals)
    };
    vec![
        of(&|point| Some(f64::from(point.measures.out_100)), 0),
        of(&|point| Some(f64::from(point.measures.out_200)), 0),
        of(&|point| Some(point.measures.median_error), 1),
        of(&|point| Some(point.measures.rms_error), 1),
        of(&|point| Some(f64::from(point.measures.aligned_100)), 0),
        of(&|point| Some(point.measures.aligned_rms), 1),
        of(&|point| Some(point.measures.scale), 3),
        of(&|point| point.measures.rank_correlation, 4),
        of(&|point| point.measures.excess, 2),
    ]
}

/// Games after which a curve is told in a report: about so many.
const TOLD: u32 = 17;

fn curve_in_short(simulation: &Simulation) -> String {
    let plan = &simulation.plan;
    let step = EVERY * plan.games.div_ceil(EVERY * TOLD).max(1);
    let mut games: Vec<u32> = (0..=plan.games).step_by(step as usize).collect();
    if games.last() != Some(&plan.games) {
        games.push(plan.games);
    }
    let mut table = comfy_table::Table::new();
    table.load_preset(comfy_table::presets::ASCII_MARKDOWN);
    let names = simulation.systems.iter().map(|system| system.system.as_str());
    table.set_header(["games"].into_iter().chain(names));
    for game in games {
        let cells = simulation.systems.iter().map(|system| {
            let out = system.mean_at(game, |point| Some(f64::from(point.measures.out_100)));
            let aligned = system.mean_at(game, |point| Some(f64::from(point.measures.aligned_100)));
            match out.zip(aligned) {
                Some(((out, _), (aligned, _))) => format!("{out:.0} ({aligned:.0})"),
                None => String::new(),
            }
        });
        table.add_row([game.to_string()].into_iter().chain(cells));
    }
    format!("{table}\n")
}

/// A report of everything.
pub fn markdown(simulation: &Simulation) -> String {
    let plan = &simulation.plan;
    let mut text = String::new();
    let runs =
        if plan.runs == 1 { "one run".to_owned() } else { format!("means of {} runs", plan.runs) };
    let start = match plan.start {
        Start::Chaos => "all players rated alike at the start".to_owned(),
        Start::True => "starting from the true ratings".to_owned(),
        Start::Noise(deviation) => {
            format!("starting from the true ratings with errors of {deviation} points")
        }
        Start::Shift(shift) => format!("starting from the true ratings moved by {shift} points"),
        Start::Squeeze(factor) => {
            format!("starting from the true ratings squeezed to {factor} around their mean")
        }
    };
    let pairing = match plan.pairing {
        Pairing::Random => "anybody meets anybody".to_owned(),
        Pairing::Near(noise) => {
            format!("neighbours by rating, with an error of {noise} points, meet")
        }
        Pairing::Events(field, None) => format!("round robins of {field}"),
        Pairing::Events(field, Some(noise)) => {
            format!("round robins of {field} neighbours by rating, with an error of {noise} points")
        }
    };
    let population = match &plan.population {
        Population::Own { name, .. } => format!("of {name:?}"),
        population => format!("of the {} population", population.name()),
    };
    let drawn = if plan.draws > 0.0 { format!(", draws {}", plan.draws) } else { String::new() };
    let _ = writeln!(
        text,
        "# {} players {population}, {} games each\n\nResults by {}{drawn}; {pairing}; {start}; {runs}, seed {}.\n",
        plan.players,
        plan.games,
        match plan.outcome {
            super::Outcome::Table => "the paper's table",
            super::Outcome::Curve => "the PRA's curve",
            super::Outcome::Logistic => "Elo's logistic curve",
            super::Outcome::Normal => "Elo's normal curve",
        },
        plan.seed,
    );
    if matches!(plan.pairing, Pairing::Events(..)) {
        text += "Systems that hear events as a whole rate them when they are over; until then their ratings stand.\n\n";
    }
    let _ = writeln!(
        text,
        "## Players out of spec (100 points or more from the truth), and after the best straight line\n"
    );
    text += &curve_in_short(simulation);
    let _ = writeln!(text, "\n## After {} games\n", plan.games);
    let mut table = Table::new("measures", &[&["system"], &MEASURES[..]].concat());
    for system in &simulation.systems {
        let mut row = vec![Cell::from(system.system.as_str())];
        row.extend(measures(system, plan.games));
        table.rows.push(row);
    }
    text += &table.markdown();
    text += "\nErrors are points. Scale: the slope of ratings on true ratings. Excess: log loss beyond that of who knows the \
             truth, times 1,000.\n";
    text += "\n## Errors by true rating (first run)\n\n";
    let mut table =
        Table::new("bands", &["system", "from", "players", "mean error", "rms error", "out"]);
    for system in &simulation.systems {
        for band in system
            .runs
            .first()
            .and_then(|run| run.bands.last())
            .map(|last| last.bands.as_slice())
            .unwrap_or_default()
        {
            table.rows.push(vec![
                system.system.as_str().into(),
                Cell::Number(band.from, 0),
                band.players.into(),
                Cell::Number(band.mean_error, 1),
                Cell::Number(band.rms_error, 1),
                band.out_100.into(),
            ]);
        }
    }
    text += &table.markdown();
    let watched = games_to_spec(simulation);
    if !watched.rows.is_empty() {
        text += "\n## Games until in spec\n\n";
        text += &watched.markdown();
        let _ = writeln!(
            text,
            "\nWho never came there counts as {} games; systems that solve are looked at every {EVERY} games.",
            plan.games + 1
        );
    }
    text
}
