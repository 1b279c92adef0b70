//! The laboratory: rating systems tested on simulated players with known true ratings.

use serde::Serialize;

use super::Site;
use super::page::Page;
use crate::charts::{ChartLine, LineAbout, LineChart, line_chart};
use crate::figures::{fixed, fixed_or_empty, percent, thousands};
use rating_systems::laboratory::Contestant;
use rating_systems::laboratory::SPEC;
use rating_systems::laboratory::bundled::{
    BundledFigures, COMPARED, COMPARED_AT, Compared, CurvePoint, WATCHED, bundled, experiment,
};
use rating_systems::laboratory::experiments::Experiment;
use rating_systems::laboratory::published::{
    FigureKey, PUBLISHED_ELITE, PUBLISHED_FIGURES, PUBLISHED_RUNS, PUBLISHED_STANDARD, is_chance,
    published_z,
};

/// Systems whose lines are drawn, in the order of their strokes.
const DRAWN: [&str; 7] = [
    "pra",
    "pra-basic",
    "elo:16",
    "paired",
    "chessmetrics",
    "simultaneous",
    "simultaneous:logistic",
];

/// True ratings (points) of the players who are followed.
const FOLLOWED: [f64; 6] = [600.0, 1000.0, 1500.0, 2000.0, 2500.0, 2800.0];

/// A published mean is marked from this deviation on (standard errors). Judged: chance
/// alone marks one mean in eighty.
const DIFFERS: f64 = 2.5;

pub fn laboratory(site: &Site, page: &Page) -> impl Serialize {
    let known = bundled();
    let figures: Vec<_> = PUBLISHED_FIGURES
        .iter()
        .filter_map(|published| {
            let figure = known.figure(&published.key)?;
            let is_single = figure.runs == 1;
            Some(view!(
                what = published.what,
                published = published.published,
                ours = match figure.deviation.filter(|deviation| *deviation > 0.0) {
                    Some(deviation) => format!("{} ± {}", rounded(figure.mean), rounded(deviation)),
                    None => rounded(figure.mean),
                },
                range = if is_single || figure.upper - figure.lower < 0.5 {
                    String::new()
                } else {
                    format!("{}–{}", rounded(figure.lower), rounded(figure.upper))
                },
                agrees = published.claim.agrees(figure.mean, figure.deviation.unwrap_or(0.0))
            ))
        })
        .collect();
    view!(
        frame = page.frame(
            site,
            "Rating systems tested on simulated players whose true ratings are known.",
        ),
        grounds = [
            (
                "table",
                "the paper’s table, the PRA’s expectation in steps",
                ["raw-table", "aligned-table", "errors-table"],
            ),
            (
                "logistic",
                "Elo’s logistic curve",
                ["raw-logistic", "aligned-logistic", "errors-logistic"],
            ),
        ]
        .into_iter()
        .map(|(word, name, ids)| ground(known, word, name, ids))
        .collect::<Vec<_>>(),
        paths = paths(known),
        path_games = PATH_GAMES,
        path_rows = path_rows(known),
        agreeing = figures.iter().filter(|row| row.agrees).count(),
        claims = figures.len(),
        figures,
        tables = vec![
            games_table(known, "standard", &PUBLISHED_STANDARD, PUBLISHED_RUNS.0),
            games_table(known, "elite", &PUBLISHED_ELITE, PUBLISHED_RUNS.1),
        ],
        experiments = Experiment::all().iter().filter_map(experiment_table).collect::<Vec<_>>(),
        fields = fields(known),
        spreads = spreads(known).iter().map(|spread| fixed(*spread, 0)).collect::<Vec<_>>(),
        key = key_figures(known)
    )
}

/// A count or a rating, rounded to a whole number.
fn rounded(value: f64) -> String {
    if value.abs() >= 10_000.0 { thousands(value.round() as usize) } else { fixed(value, 0) }
}

/// A curve from which results are drawn, with the errors of all systems.
fn ground(
    known: &BundledFigures,
    word: &'static str,
    name: &'static str,
    ids: [&'static str; 3],
) -> impl Serialize {
    let players = "Players, of 15,000";
    let raw = LineAbout {
        is_logarithmic: true,
        ..LineAbout::new(
            ids[0],
            format!("Players 100 points or more from the truth, results from {name}"),
            ["Games of each player", players],
        )
    };
    let aligned = LineAbout {
        id: ids[1].into(),
        title: format!(
            "Players 100 points or more from the truth, after alignment, results from {name}"
        ),
        ..raw.clone()
    };
    let errors = LineAbout {
        id: ids[2].into(),
        title: format!("Median error, results from {name}"),
        y_name: "Points",
        is_logarithmic: false,
        ..raw.clone()
    };
    view!(
        word,
        name,
        raw = line_chart(raw, &system_lines(known, word, |point| point.out_100)),
        aligned = line_chart(aligned, &system_lines(known, word, |point| point.aligned_100)),
        errors = line_chart(errors, &system_lines(known, word, |point| point.median_error)),
        rows = COMPARED
            .iter()
            .filter_map(|system| system_row(known, word, system))
            .collect::<Vec<_>>()
    )
}

/// A measure of the drawn systems by the number of games.
fn system_lines(
    known: &BundledFigures,
    outcome: &str,
    measure: impl Fn(&CurvePoint) -> f64,
) -> Vec<ChartLine> {
    let mut lines = Vec::new();
    for (stroke, system) in DRAWN.iter().enumerate() {
        let own =
            known.curves.iter().filter(|point| point.outcome == outcome && point.system == *system);
        lines.push(ChartLine::new(
            Contestant::chart_name(system),
            stroke,
            own.map(|point| (f64::from(point.game), measure(point))),
        ));
    }
    lines
}

/// The measures of a system after a number of games.
fn compared<'a>(
    known: &'a BundledFigures,
    outcome: &str,
    system: &str,
    game: u32,
) -> Option<&'a Compared> {
    known
        .compared
        .iter()
        .find(|row| row.outcome == outcome && row.system == system && row.game == game)
}

fn system_row(known: &BundledFigures, outcome: &str, system: &str) -> Option<[String; 9]> {
    let [early, late] = COMPARED_AT.map(|game| compared(known, outcome, system, game));
    let (early, late) = (early?, late?);
    Some([
        Contestant::chart_name(system),
        rounded(late.out_100),
        rounded(early.out_100),
        rounded(late.aligned_100),
        rounded(early.aligned_100),
        fixed(late.median_error, 0),
        fixed(late.scale, 2),
        fixed_or_empty(late.rank_correlation, 4),
        fixed_or_empty(late.excess, 1),
    ])
}

/// The paths of some players, with the bands in which they are in spec.
fn paths(known: &BundledFigures) -> Option<LineChart> {
    let mut lines = Vec::new();
    for (stroke, system) in WATCHED.iter().enumerate() {
        for (place, rating) in FOLLOWED.iter().enumerate() {
            lines.push(ChartLine {
                // The highest line has the name of the system.
                name: if place + 1 == FOLLOWED.len() {
                    Contestant::chart_name(system)
                } else {
                    String::new()
                },
                stroke,
                points: known
                    .paths
                    .iter()
                    .filter(|point| point.system == *system && point.rating == *rating)
                    .map(|point| (f64::from(point.game), point.value))
                    .collect(),
            });
        }
    }
    let about = LineAbout {
        bands: FOLLOWED.iter().map(|rating| (rating - SPEC, rating + SPEC)).collect(),
        ..LineAbout::new(
            "paths",
            "Ratings of players whose true ratings are 600, 1000, 1500, 2000, 2500 and 2800",
            ["Games", "Rating"],
        )
    };
    line_chart(about, &lines)
}

/// Games after which the table of paths has ratings.
const PATH_GAMES: [u32; 6] = [20, 40, 100, 160, 240, 340];

/// The paths as a table.
fn path_rows(known: &BundledFigures) -> Vec<impl Serialize> {
    let mut rows = Vec::new();
    for rating in FOLLOWED {
        for system in WATCHED {
            rows.push(view!(
                rating = fixed(rating, 0),
                system = Contestant::chart_name(system),
                cells = PATH_GAMES.map(|game| {
                    let found = known.paths.iter().find(|point| {
                        point.system == system && point.rating == rating && point.game == game
                    });
                    fixed_or_empty(found.map(|point| point.value), 0)
                })
            ));
        }
    }
    rows
}

/// Games to spec of one population: the paper's and ours.
fn games_table(
    known: &BundledFigures,
    population: &'static str,
    published: &[(f64, f64)],
    paper_runs: f64,
) -> impl Serialize {
    let mut chi_squared = 0.0;
    let mut cells = 0;
    let mut runs = 0.0;
    let mut rows = Vec::new();
    for ours in known.games_to_spec.iter().filter(|row| row.population == population) {
        runs = ours.runs;
        let paper =
            published.iter().find(|(rating, _)| *rating == ours.rating).map(|(_, games)| *games);
        if paper.is_none() && ours.never >= 1.0 {
            // No player starts so far from spec and gets there.
            continue;
        }
        let deviation = ours.deviation.unwrap_or(0.0);
        let z = paper
            .filter(|_| deviation > 0.0)
            .map(|games| published_z(games, paper_runs, ours.mean, deviation, ours.runs));
        if let Some(z) = z {
            chi_squared += z * z;
            cells += 1;
        }
        rows.push(view!(
            rating = fixed(ours.rating, 0),
            paper = fixed_or_empty(paper, 1),
            ours = fixed(ours.mean, 1),
            deviation = fixed(deviation, 0),
            median = fixed(ours.median, 0),
            settled = fixed(ours.settled_median, 0),
            never = if ours.never > 0.0 {
                format!("{}%", fixed(100.0 * ours.never, 1))
            } else {
                String::new()
            },
            z = fixed_or_empty(z, 1),
            differs = z.is_some_and(|z| z.abs() >= DIFFERS)
        ));
    }
    view!(
        population,
        rows,
        runs = fixed(runs, 0),
        paper_runs = fixed(paper_runs, 0),
        chi_squared = fixed(chi_squared, 1),
        is_chance = is_chance(chi_squared, cells),
        cells
    )
}

/// The heading of a column of an experiment, and whether the column has numbers.
fn column(name: &str) -> (String, bool) {
    let heading = match name {
        "who_leaves" => "Players who leave",
        "system" => "System",
        "pairing" => "Pairing",
        "start" => "Start",
        "field" => "Pairing",
        "rating" => "True rating",
        "players" => "Players",
        "median_games_to_spec" => "Games to spec (median)",
        "never" => "Never in spec",
        "out" => "Out of spec after 340",
        "out_162" => "Out of spec after 162",
        "out_342" => "Out of spec after 342",
        "aligned" => "Out of spec, aligned",
        "rating_of_2800" => "Rating of the 2800 player",
        "mean_rating" => "Mean rating",
        "mean_true_rating" => "Mean true rating",
        "mean_error_of_experienced" => "Error of experienced players",
        "game" => "After games",
        "lag" => "Points behind the others",
        "error_of_others" => "Error of the others",
        "part_between" => "Games between the groups",
        "gap_found" => "Distance found",
        "scale" => "Scale",
        "excess" => "Excess",
        "draws" => "Draws",
        "dominances" => "Pairs with a winner",
        "by_dominance" => "Against the order by points",
        "fewest" => "Fewest possible",
        "mean" => "Mean of the two",
        "difference" => "Difference",
        "claimed_share" => "Claimed",
        "measured_share" => "Simulated",
        "expected_share" => "Expected",
        "format" => "Format",
        "resistance_of_winner" => "Resistance that the winner met",
        "g_of_winner" => "G of the winner",
        "best_wins" => "Won by the best player",
        "strength" => "Strength",
        other => other,
    };
    (
        heading.to_owned(),
        !matches!(name, "who_leaves" | "system" | "pairing" | "start" | "field" | "format"),
    )
}

fn experiment_table(of: &Experiment) -> Option<impl Serialize> {
    let found = experiment(of.name)?;
    Some(view!(
        name = of.name,
        about = of.about,
        // Cells, and whether they are numbers.
        rows = found
            .rows
            .iter()
            .map(|row| {
                let cells = row.iter().zip(&found.columns);
                let cells = cells.map(|(text, name)| (experiment_cell(name, text), column(name).1));
                cells.collect::<Vec<_>>()
            })
            .collect::<Vec<_>>(),
        columns = found.columns.iter().map(|name| column(name)).collect::<Vec<_>>()
    ))
}

/// A cell of an experiment's table, as its page shows it.
fn experiment_cell(column: &str, text: &str) -> String {
    match column {
        "system" => Contestant::chart_name(text),
        "part_between" | "never" | "draws" | "claimed_share" | "measured_share"
        | "expected_share" | "best_wins" => text.parse().map_or_else(|_| text.to_owned(), percent),
        "pairing" => match text.strip_prefix("near:") {
            Some(noise) => format!("equals, ± {noise}"),
            None => text.to_owned(),
        },
        "start" if text == "chaos" => "all equal".into(),
        "start" => "true ratings, ± 100".into(),
        _ => text.replace('-', "−"),
    }
}

/// The simulated spreads (points).
fn spreads(known: &BundledFigures) -> Vec<f64> {
    let mut spreads: Vec<f64> = known.fit_tested.iter().map(|row| row.spread).collect();
    spreads.sort_by(f64::total_cmp);
    spreads.dedup();
    spreads
}

/// The fields of the experiment on the fit test, with the failing fractions by spread.
fn fields(known: &BundledFigures) -> Vec<impl Serialize> {
    let of_field = known.fit_tested.chunk_by(|a, b| {
        (a.players, a.meetings, &a.outcome) == (b.players, b.meetings, &b.outcome)
    });
    let mut rows: Vec<((usize, usize), _)> = of_field
        .filter_map(|field| {
            let first = field.first()?;
            let often = if first.meetings == 1 { "" } else { ", twice" };
            let row = view!(
                field = format!("{} players{often}", first.players),
                outcome = if first.outcome == "curve" { "PRA" } else { "Elo" },
                cells = field
                    .iter()
                    .map(|row| (percent(row.fails_all_right), percent(row.fails_one_wrong)))
                    .collect::<Vec<_>>()
            );
            Some(((first.players, first.meetings), row))
        })
        .collect();
    rows.sort_by_key(|(field, _)| *field);
    rows.into_iter().map(|(_, row)| row).collect()
}

/// Figures in the text.
fn key_figures(known: &BundledFigures) -> impl Serialize {
    let from_true = FigureKey {
        population: "standard",
        start: "true",
        system: "pra",
        measure: "out_100",
        game: 160,
    };
    view!(
        pra = out_of_spec(known, "table", "pra", 340),
        pra_basic = out_of_spec(known, "table", "pra-basic", 340),
        best_constant = out_of_spec(known, "table", "pra-basic:16", 340),
        pra_early = out_of_spec(known, "table", "pra", 160),
        at_once_early = out_of_spec(known, "table", "simultaneous", 160),
        elo_scale = fixed_or_empty(
            compared(known, "table", "simultaneous:logistic", 340).map(|row| row.scale),
            2,
        ),
        pra_on_elo = out_of_spec(known, "logistic", "pra", 340),
        elo_on_elo = out_of_spec(known, "logistic", "elo-tiers", 340),
        from_true = known.figure(&from_true).map(|figure| rounded(figure.mean)).unwrap_or_default(),
        aligned_elo = aligned_out_of_spec(known, "elo:10"),
        aligned_basic = aligned_out_of_spec(known, "pra-basic")
    )
}

/// Players out of spec after a number of games; empty if the system was not compared.
fn out_of_spec(known: &BundledFigures, outcome: &str, system: &str, game: u32) -> String {
    compared(known, outcome, system, game).map(|row| rounded(row.out_100)).unwrap_or_default()
}

/// Players out of spec after 340 games by the paper's table and the best straight line.
fn aligned_out_of_spec(known: &BundledFigures, system: &str) -> String {
    compared(known, "table", system, 340).map(|row| rounded(row.aligned_100)).unwrap_or_default()
}
