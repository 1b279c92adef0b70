//! Formats the results of a simulation as tables and as a report.

use std::fmt::Write as _;

use super::outcome::ResultModel;
use super::pairing::PairingRule;
use super::plan::Plan;
use super::population::{Population, Start};
use super::simulation::{EVERY, Measurement, SimulatedSystem, Simulation};
use super::table::{ResultTable, TableCell};

/// Mean and sample standard deviation. The deviation of a single value is `None`.
pub fn mean_and_deviation(values: &[f64]) -> (f64, Option<f64>) {
    let count = values.len() as f64;
    let mean = values.iter().sum::<f64>() / count;
    let squares: f64 = values.iter().map(|value| (value - mean).powi(2)).sum();
    (mean, (values.len() > 1).then(|| (squares / (count - 1.0)).sqrt()))
}

/// The quantile at `part`, in `[0, 1]`, with linear interpolation.
pub fn quantile(sorted: &[f64], part: f64) -> f64 {
    let place = part * (sorted.len() as f64 - 1.0);
    let (low, rest) = (place.floor() as usize, place.fract());
    match sorted.get(low + 1) {
        Some(next) => sorted[low] + rest * (next - sorted[low]),
        None => sorted.last().copied().unwrap_or_default(),
    }
}

/// The measures of the first `runs` runs, every `every` games.
pub fn curve(simulation: &Simulation, every: u32, runs: usize) -> ResultTable {
    let mut table = ResultTable::new(
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
                    TableCell::Number(measures.median_error, 2),
                    TableCell::Number(measures.rms_error, 2),
                    measures.aligned_100.into(),
                    TableCell::Number(measures.scale, 4),
                    TableCell::new(measures.rank_correlation, 5),
                    TableCell::new(measures.excess, 3),
                ]);
            }
        }
    }
    table
}

/// The games until the probe players were in spec. A player who never was counts as one game more
/// than all.
pub fn games_to_spec(simulation: &Simulation) -> ResultTable {
    let mut table = ResultTable::new(
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
            let (mut games, mut settled, mut late) = (Vec::new(), Vec::new(), 0);
            for probe in system.runs.iter().filter_map(|run| run.probes.get(place)) {
                games.push(f64::from(probe.in_spec.unwrap_or(never)));
                settled.push(f64::from(probe.settled.unwrap_or(never)));
                late += u32::from(probe.in_spec.is_none());
            }
            games.sort_by(f64::total_cmp);
            settled.sort_by(f64::total_cmp);
            let (mean, deviation) = mean_and_deviation(&games);
            let rating = system.runs[0].probes[place].rating;
            table.rows.push(vec![
                plan.population.name().into(),
                system.system.as_str().into(),
                TableCell::Number(rating, 0),
                plan.runs.into(),
                TableCell::Number(mean, 2),
                TableCell::Number(quantile(&games, 0.5), 1),
                TableCell::Number(quantile(&games, 0.25), 1),
                TableCell::Number(quantile(&games, 0.75), 1),
                TableCell::Number(f64::from(late) / f64::from(plan.runs), 3),
                TableCell::Number(quantile(&settled, 0.5), 1),
                TableCell::new(deviation, 2),
            ]);
        }
    }
    table
}

/// The probe players' ratings in the first run, every `every` games.
pub fn probes(simulation: &Simulation, every: u32) -> ResultTable {
    let mut table = ResultTable::new("probes", &["system", "rating", "game", "value"]);
    for system in &simulation.systems {
        for probe in system.runs.first().map(|run| run.probes.as_slice()).unwrap_or_default() {
            for (game, value) in probe.path.iter().filter(|(game, _)| game.is_multiple_of(every)) {
                table.rows.push(vec![
                    system.system.as_str().into(),
                    TableCell::Number(probe.rating, 0),
                    (*game).into(),
                    TableCell::Number(f64::from(*value), 1),
                ]);
            }
        }
    }
    table
}

/// The three tables of the CSV format.
pub fn csv_files(simulation: &Simulation) -> [ResultTable; 3] {
    let runs = simulation.plan.runs as usize;
    [curve(simulation, 1, runs), games_to_spec(simulation), probes(simulation, 1)]
}

impl SimulatedSystem {
    /// The measures after `game` games, run by run.
    pub fn at(&self, game: u32) -> impl Iterator<Item = &Measurement> {
        self.runs.iter().filter_map(move |run| {
            let place = run.curve.binary_search_by_key(&game, |point| point.game).ok()?;
            run.curve.get(place)
        })
    }

    /// Mean over runs of a measure after `game` games, with its standard deviation.
    pub(super) fn mean_at(
        &self,
        game: u32,
        of: impl Fn(&Measurement) -> Option<f64>,
    ) -> Option<(f64, Option<f64>)> {
        let values: Vec<f64> = self.at(game).filter_map(of).collect();
        (!values.is_empty()).then(|| mean_and_deviation(&values))
    }
}

/// Headings of the measures in reports.
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

/// Names of the measures as columns of files.
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

/// The measures of a system after `game` games, as means over runs.
pub fn measures(system: &SimulatedSystem, game: u32) -> Vec<TableCell> {
    const DECIMALS: [usize; 9] = [0, 0, 1, 1, 0, 1, 3, 4, 2];
    let mut values: [Vec<f64>; 9] = Default::default();
    for point in system.at(game) {
        let measures = &point.measures;
        let found = [
            Some(f64::from(measures.out_100)),
            Some(f64::from(measures.out_200)),
            Some(measures.median_error),
            Some(measures.rms_error),
            Some(f64::from(measures.aligned_100)),
            Some(measures.aligned_rms),
            Some(measures.scale),
            measures.rank_correlation,
            measures.excess,
        ];
        for (values, found) in values.iter_mut().zip(found) {
            values.extend(found);
        }
    }
    values
        .iter()
        .zip(DECIMALS)
        .map(|(values, decimals)| {
            let mean = (!values.is_empty()).then(|| mean_and_deviation(values).0);
            TableCell::new(mean, decimals)
        })
        .collect()
}

/// Approximate number of rows of a curve in a report.
const CURVE_ROWS: u32 = 17;

/// A table of players out of spec, before and after the best straight line, by number of games.
fn curve_in_short(simulation: &Simulation) -> String {
    let plan = &simulation.plan;
    let step = EVERY * plan.games.div_ceil(EVERY * CURVE_ROWS).max(1);
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

/// A report in Markdown: the plan, the curves, the measures at the end, the errors by true rating,
/// and the games until the probe players were in spec.
pub fn markdown(simulation: &Simulation) -> String {
    let games = simulation.plan.games;
    let mut text = headline(&simulation.plan);
    text += "## Players out of spec (100 points or more from the truth), and after the best straight line\n\n";
    text += &curve_in_short(simulation);
    let _ = writeln!(text, "\n## After {games} games\n");
    text += &measures_at_end(simulation).markdown();
    text += "\nErrors are points. Scale: the slope of ratings on true ratings. Excess: log loss beyond that of a forecaster who knows the \
             true ratings, times 1,000.\n";
    text += "\n## Errors by true rating (first run)\n\n";
    text += &errors_by_true_rating(simulation).markdown();
    let watched = games_to_spec(simulation);
    if !watched.rows.is_empty() {
        text += "\n## Games until in spec\n\n";
        text += &watched.markdown();
        let _ = writeln!(
            text,
            "\nA player who was never in spec counts as {} games. Systems that solve all games at once are measured every {EVERY} games.",
            games + 1
        );
    }
    text
}

/// The title of a report, and the plan in a sentence.
fn headline(plan: &Plan) -> String {
    let population = match &plan.population {
        Population::Own { name, .. } => format!("of {name:?}"),
        population => format!("of the {} population", population.name()),
    };
    let outcome = match plan.outcome {
        ResultModel::Table => "the paper's table",
        ResultModel::Curve => "the PRA's curve",
        ResultModel::Logistic => "Elo's logistic curve",
        ResultModel::Normal => "Elo's normal curve",
    };
    let drawn = if plan.draws > 0.0 { format!(", draws {}", plan.draws) } else { String::new() };
    let runs =
        if plan.runs == 1 { "one run".to_owned() } else { format!("means of {} runs", plan.runs) };
    let events = match plan.pairing {
        PairingRule::Events(..) => {
            "Systems that use whole events rate each event when it is over; until then their ratings stay the same.\n\n"
        }
        _ => "",
    };
    format!(
        "# {} players {population}, {} games each\n\nResults by {outcome}{drawn}; {}; {}; {runs}, seed {}.\n\n{events}",
        plan.players,
        plan.games,
        pairing_in_words(plan.pairing),
        start_in_words(plan.start),
        plan.seed,
    )
}

/// The start of a plan, as a part of a sentence.
fn start_in_words(start: Start) -> String {
    match start {
        Start::Chaos => "all players rated alike at the start".to_owned(),
        Start::True => "starting from the true ratings".to_owned(),
        Start::Noise(deviation) => {
            format!("starting from the true ratings with errors of {deviation} points")
        }
        Start::Shift(shift) => format!("starting from the true ratings moved by {shift} points"),
        Start::Squeeze(factor) => {
            format!("starting from the true ratings squeezed to {factor} around their mean")
        }
    }
}

/// The pairing rule of a plan, as a part of a sentence.
fn pairing_in_words(pairing: PairingRule) -> String {
    match pairing {
        PairingRule::Random => "random pairs".to_owned(),
        PairingRule::Near(noise) => {
            format!("neighbours by rating with an error of {noise} points are paired")
        }
        PairingRule::Events(field, None) => format!("round robins of {field}"),
        PairingRule::Events(field, Some(noise)) => {
            format!("round robins of {field} neighbours by rating, with an error of {noise} points")
        }
    }
}

/// The measures of each system after the last game.
fn measures_at_end(simulation: &Simulation) -> ResultTable {
    let mut table = ResultTable::new("measures", &[&["system"], &MEASURES[..]].concat());
    for system in &simulation.systems {
        let mut row = vec![TableCell::from(system.system.as_str())];
        row.extend(measures(system, simulation.plan.games));
        table.rows.push(row);
    }
    table
}

/// The errors of the first run by bands of true ratings, after its last round.
fn errors_by_true_rating(simulation: &Simulation) -> ResultTable {
    let mut table =
        ResultTable::new("bands", &["system", "from", "players", "mean error", "rms error", "out"]);
    for system in &simulation.systems {
        let last = system.runs.first().and_then(|run| run.bands.last());
        for band in last.map(|last| last.bands.as_slice()).unwrap_or_default() {
            table.rows.push(vec![
                system.system.as_str().into(),
                TableCell::Number(band.from, 0),
                band.players.into(),
                TableCell::Number(band.mean_error, 1),
                TableCell::Number(band.rms_error, 1),
                band.out_100.into(),
            ]);
        }
    }
    table
}
