//! Rating pools: number and level of rated players, drift, and exchange rates between systems.

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;

use super::Site;
use super::balance::{balance_rows, taker_rows};
use super::page::Page;
use super::predictions::signed;
use crate::charts::{ChartLine, LineAbout, LineChart, line_chart};
use crate::figures::{fixed, fixed_or_empty, thousands};
use archive::{PoolKind, RatingPool};
use rating_systems::population::pool::PoolYear;
use rating_systems::systems::System;

/// A system whose ratings differ by more points has another scale. Judged: twice as much would
/// compress the lines of the others.
const FAR: f64 = 600.0;

/// A larger change, in standard errors, exceeds chance: the two-sided 5% and 1% points of the
/// normal distribution.
const RARE: f64 = 1.96;
const VERY_RARE: f64 = 2.58;

pub fn has_pool(site: &Site) -> bool {
    site.archive.studies.pools.iter().any(|pool| !pool.years.is_empty())
}

pub fn pool(site: &Site, page: &Page) -> impl Serialize {
    let archive = site.archive;
    let anchored = System::all()
        .iter()
        .find(|system| system.about.rates_periods)
        .map_or("", |system| system.about.name);
    let (systems, exchange, inflation) = exchange(site, anchored);
    let past_pools: Vec<&RatingPool> =
        archive.studies.pools.iter().filter(|pool| pool.kind == PoolKind::Past).collect();
    let (past, past_rows) = past(&past_pools);
    let description = "How many players are rated and how highly, whether ratings drift, and \
         how the scales of the rating systems compare.";
    view!(
        frame = page.frame(site, description),
        chapters = archive
            .studies
            .pools
            .iter()
            .filter(|pool| !pool.years.is_empty() && pool.kind != PoolKind::Past)
            .map(chapter)
            .collect::<Vec<_>>(),
        past,
        past_rows,
        past_systems = past_pools.iter().map(|pool| pool.system).collect::<Vec<_>>(),
        has_published = archive.studies.pools.iter().any(|pool| pool.kind == PoolKind::Published),
        sensitivity = archive
            .studies
            .level_sensitivities
            .iter()
            .map(|one| [
                format!("{}–{}", one.from, one.to),
                signed(one.by_curve, 1),
                one.by_anchor.map(|points| signed(points, 0)).unwrap_or_default()
            ])
            .collect::<Vec<_>>(),
        anchored = anchored.to_owned(),
        systems,
        exchange,
        inflation
    )
}

/// The spread of the ratings of the systems of the past, which shrinks (Elo, 8.57).
fn past(pools: &[&RatingPool]) -> (Option<LineChart>, Vec<impl Serialize + use<>>) {
    let lines: Vec<ChartLine> = pools
        .iter()
        .enumerate()
        .map(|(stroke, pool)| {
            ChartLine::new(
                pool.system,
                stroke,
                pool.years.iter().filter_map(|year| Some((f64::from(year.year), year.deviation?))),
            )
        })
        .collect();
    let about = LineAbout::new(
        "past",
        "Standard deviations of the systems of the past, in Elo’s points (CCLA in its own)",
        ["year", "points"],
    );
    let years: BTreeSet<i16> = pools
        .iter()
        .flat_map(|pool| pool.years.iter().map(|year| year.year))
        .filter(|year| year % 10 == 0)
        .collect();
    let rows = years.into_iter().map(|year| {
        view!(
            year,
            cells = pools
                .iter()
                .map(|pool| past_cell(pool, year).unwrap_or_default())
                .collect::<Vec<_>>()
        )
    });
    (line_chart(about, &lines), rows.collect())
}

/// Mean and standard deviation of a system in a year.
fn past_cell(pool: &RatingPool, year: i16) -> Option<String> {
    let year = pool.years.iter().find(|one| one.year == year)?;
    Some(format!("{} ± {}", fixed(year.mean?, 0), fixed(year.deviation?, 0)))
}

fn chapter(pool: &RatingPool) -> impl Serialize {
    let name = match pool.kind {
        PoolKind::Published => format!("{}’s lists", pool.system),
        PoolKind::Computed | PoolKind::Past => pool.system.to_owned(),
    };
    let lines = [
        level_line(pool, "ten best", 0, |year| year.best_ten),
        level_line(pool, "mean + deviation", 2, |year| Some(year.mean? + year.deviation?)),
        level_line(pool, "mean", 1, |year| year.mean),
        level_line(pool, "mean − deviation", 2, |year| Some(year.mean? - year.deviation?)),
    ];
    let about = LineAbout::new(
        // The page has one chart for each chapter.
        format!("pool-{}", pool.system.to_lowercase()),
        format!("The pool of {name}: ratings over the years"),
        ["year", "rating"],
    );
    let watched: Vec<f64> = pool
        .years
        .iter()
        .filter_map(|year| year.watched)
        .filter_map(|watched| watched.t())
        .collect();
    let [rare, very_rare] =
        [RARE, VERY_RARE].map(|limit| watched.iter().filter(|t| t.abs() > limit).count());
    let drift: f64 =
        pool.years.iter().filter_map(|year| year.watched).map(|watched| watched.change).sum();
    view!(
        system = name,
        chart = line_chart(about, &lines),
        text = match watched.len() {
            0 => {
                "Too few players of 25 to 40 with a known birth date are on two consecutive lists."
                    .into()
            }
            years => format!(
                "After allowing for age, the ratings of established players of 25 to 40 drifted by {} points in {years} years. The change \
                 exceeds chance at the 5% level in {rare} years, and at the 1% level in {very_rare}.",
                signed(drift, 0)
            ),
        },
        rows = pool.years.iter().map(year_line).collect::<Vec<_>>(),
        balance = balance_rows(pool),
        takers = taker_rows(pool)
    )
}

/// A rating of the level of a pool over the years.
fn level_line(
    pool: &RatingPool,
    name: &str,
    stroke: usize,
    level: impl Fn(&PoolYear) -> Option<f64>,
) -> ChartLine {
    let years = pool.years.iter();
    ChartLine::new(
        name,
        stroke,
        years.filter_map(|year| Some((f64::from(year.year), level(year)?))),
    )
}

/// One star for a figure that exceeds chance at the 5% level, two at the 1% level.
fn stars(figure: f64, (rare, very_rare): (f64, f64)) -> &'static str {
    if figure > very_rare {
        "**"
    } else if figure > rare {
        "*"
    } else {
        ""
    }
}

/// A distance from a distribution, with stars by its critical values.
fn distance_with_stars(distance: f64, critical: (f64, f64)) -> String {
    format!("{}{}", fixed(distance, 3), stars(distance, critical))
}

/// A year of the table: size, levels, the change of the sample, and distances from two curves.
fn year_line(year: &PoolYear) -> [String; 14] {
    let [listed, established, came, left] = match &year.size {
        Some(size) => [size.listed, size.established, size.came, size.left].map(thousands),
        None => Default::default(),
    };
    [
        year.year.to_string(),
        listed,
        established,
        came,
        left,
        fixed_or_empty(year.mean, 0),
        fixed_or_empty(year.deviation, 0),
        fixed_or_empty(year.best_ten, 0),
        fixed_or_empty(year.rank_100, 0),
        fixed_or_empty(year.mean_age, 1),
        year.watched.map(|watched| thousands(watched.players)).unwrap_or_default(),
        year.watched
            .map(|watched| {
                let [change, error] = [signed(watched.change, 1), fixed(watched.error, 1)];
                let t = watched.t().unwrap_or(0.0).abs();
                format!("{change} ± {error}{}", stars(t, (RARE, VERY_RARE)))
            })
            .unwrap_or_default(),
        year.shape
            .map(|shape| distance_with_stars(shape.normal, shape.critical))
            .unwrap_or_default(),
        year.shape
            .map(|shape| distance_with_stars(shape.maxwell, shape.critical))
            .unwrap_or_default(),
    ]
}

/// The other systems compared with the anchored one, by half decade.
fn exchange(
    site: &Site,
    anchored: &str,
) -> (Vec<&'static str>, Vec<impl Serialize>, Option<LineChart>) {
    let mut systems: Vec<&'static str> = Vec::new();
    let mut by_years: BTreeMap<i16, BTreeMap<&'static str, (f64, f64, usize)>> = BTreeMap::new();
    for row in &site.archive.studies.exchanges {
        let (other, sign) = match (row.first == anchored, row.second == anchored) {
            (true, _) => (row.second, 1.0),
            (_, true) => (row.first, -1.0),
            _ => continue,
        };
        if !systems.contains(&other) {
            systems.push(other);
        }
        let rate = (sign * row.rate.difference, row.rate.error, row.rate.players);
        by_years.entry(row.half_decade).or_default().insert(other, rate);
    }
    let lines = by_years.iter().map(|(first, of)| {
        view!(
            years = format!("{first}–{}", first + 4),
            cells = systems
                .iter()
                .map(|system| match of.get(system) {
                    Some((difference, error, players)) => {
                        format!("{} ± {} ({players})", signed(*difference, 0), fixed(*error, 0))
                    }
                    None => String::new(),
                })
                .collect::<Vec<_>>()
        )
    });
    let mut chart: Vec<ChartLine> = Vec::new();
    for (stroke, system) in systems.iter().enumerate() {
        let points: Vec<(f64, f64)> = by_years
            .iter()
            .filter_map(|(first, of)| Some((f64::from(*first) + 2.5, of.get(system)?.0)))
            .collect();
        // A system on another scale would compress the lines of the others.
        let farthest = points.iter().map(|(_, difference)| difference.abs()).fold(0.0, f64::max);
        if !points.is_empty() && farthest < FAR {
            chart.push(ChartLine::new(*system, stroke, points));
        }
    }
    let about = LineAbout::new("inflation", format!("Points above {anchored}"), ["year", "points"]);
    let lines = lines.collect();
    (systems, lines, line_chart(about, &chart))
}
