//! Rating pools: number and level of rated players, drift, and exchange rates between systems.

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;

use super::balance::{BalanceRow, TakerRow, balance_rows, taker_rows};
use super::predictions::signed;
use super::{Frame, Site};
use crate::archive::{PoolKind, RatingPool};
use crate::population::pool::{PoolSize, PoolYear};
use crate::site::charts::{ChartLine, LineAbout, LineChart, line_chart};
use crate::site::figures::{fixed, fixed_or_empty, thousands};
use crate::systems::System;

/// The page.
#[derive(Debug, Serialize)]
pub(in crate::site) struct PoolPage {
    frame: Frame,
    chapters: Vec<Chapter>,
    past: Option<LineChart>,
    past_rows: Vec<PastRow>,
    past_systems: Vec<&'static str>,
    has_published: bool,
    sensitivity: Vec<SensitivityRow>,
    anchored: String,
    systems: Vec<&'static str>,
    exchange: Vec<ExchangeLine>,
    inflation: Option<LineChart>,
}

/// One system.
#[derive(Debug, Serialize)]
struct Chapter {
    system: String,
    chart: Option<LineChart>,
    text: String,
    rows: Vec<YearLine>,
    balance: Vec<BalanceRow>,
    takers: Vec<TakerRow>,
}

/// Standard deviations of the systems of the past, in Elo's points, on the first list of a decade.
#[derive(Debug, Serialize)]
struct PastRow {
    year: i16,
    cells: Vec<String>,
}

/// The sensitivity of the level of some years to the assumptions.
#[derive(Debug, Serialize)]
struct SensitivityRow {
    years: String,
    by_curve: String,
    by_anchor: String,
}

#[derive(Debug, Serialize)]
struct YearLine {
    year: i16,
    listed: String,
    established: String,
    came: String,
    left: String,
    mean: String,
    deviation: String,
    best_ten: String,
    rank_100: String,
    age: String,
    watched: String,
    change: String,
    /// Whether that exceeds chance: one star at the 5% level, two at the 1% level.
    mark: &'static str,
    from_normal: String,
    from_maxwell: String,
}

/// One half decade: the mean ratings of the other systems minus historical Elo.
#[derive(Debug, Serialize)]
struct ExchangeLine {
    years: String,
    cells: Vec<String>,
}

/// A system whose ratings differ by more points has another scale.
const FAR: f64 = 600.0;

/// A larger change, in standard errors, exceeds chance (at the 5% and the 1% level).
const RARE: f64 = 1.96;
const VERY_RARE: f64 = 2.58;

/// Whether there is such a page.
pub(in crate::site) fn has_pool(site: &Site) -> bool {
    site.archive.studies.pools.iter().any(|pool| !pool.years.is_empty())
}

/// The view; `None` if nothing was computed.
pub(in crate::site) fn pool(site: &Site) -> Option<PoolPage> {
    let archive = site.archive;
    if !has_pool(site) {
        return None;
    }
    let anchored = System::all()
        .iter()
        .find(|system| system.about.rates_periods)
        .map_or("", |system| system.about.name);
    let (systems, exchange, inflation) = exchange(site, anchored);
    let past_pools: Vec<&RatingPool> =
        archive.studies.pools.iter().filter(|pool| pool.kind == PoolKind::Past).collect();
    let (past, past_rows) = past(&past_pools);
    Some(PoolPage {
        frame: site.frame(
            "pool.html",
            "ratings",
            "Rating pools".into(),
            "How many players are rated and how highly, whether ratings drift, and how the scales of the rating systems compare."
                .into(),
        ),
        chapters: archive
            .studies.pools
            .iter()
            .filter(|pool| !pool.years.is_empty() && pool.kind != PoolKind::Past)
            .map(chapter)
            .collect(),
        past,
        past_rows,
        past_systems: past_pools.iter().map(|pool| pool.system).collect(),
        has_published: archive.studies.pools.iter().any(|pool| pool.kind == PoolKind::Published),
        sensitivity: archive
            .studies.level_sensitivities
            .iter()
            .map(|one| SensitivityRow {
                years: format!("{}–{}", one.from, one.to),
                by_curve: signed(one.by_curve, 1),
                by_anchor: one.by_anchor.map(|points| signed(points, 0)).unwrap_or_default(),
            })
            .collect(),
        anchored: anchored.to_owned(),
        systems,
        exchange,
        inflation,
    })
}

/// The spread of the ratings of the systems of the past, which shrinks (Elo, 8.57).
fn past(pools: &[&RatingPool]) -> (Option<LineChart>, Vec<PastRow>) {
    let lines: Vec<ChartLine> = pools
        .iter()
        .enumerate()
        .map(|(stroke, pool)| ChartLine {
            name: pool.system.to_owned(),
            stroke,
            points: pool
                .years
                .iter()
                .filter_map(|year| Some((f64::from(year.year), year.deviation?)))
                .collect(),
        })
        .collect();
    let about = LineAbout {
        id: "past".into(),
        title: "Standard deviations of the systems of the past, in Elo’s points (CCLA in its own)"
            .into(),
        x_name: "year",
        y_name: "points",
        is_logarithmic: false,
        bands: Vec::new(),
    };
    let years: BTreeSet<i16> = pools
        .iter()
        .flat_map(|pool| pool.years.iter().map(|year| year.year))
        .filter(|year| year % 10 == 0)
        .collect();
    let cell = |pool: &&RatingPool, of: i16| {
        let year = pool.years.iter().find(|year| year.year == of)?;
        Some(format!("{} ± {}", fixed(year.mean?, 0), fixed(year.deviation?, 0)))
    };
    let rows = years.into_iter().map(|year| PastRow {
        year,
        cells: pools.iter().map(|pool| cell(pool, year).unwrap_or_default()).collect(),
    });
    (line_chart(about, &lines), rows.collect())
}

fn chapter(pool: &RatingPool) -> Chapter {
    let points = |of: &dyn Fn(&PoolYear) -> Option<f64>| -> Vec<(f64, f64)> {
        pool.years.iter().filter_map(|year| Some((f64::from(year.year), of(year)?))).collect()
    };
    let line = |name: &str, stroke: usize, of: &dyn Fn(&PoolYear) -> Option<f64>| ChartLine {
        name: name.to_owned(),
        stroke,
        points: points(of),
    };
    let name = match pool.kind {
        PoolKind::Published => format!("{}’s lists", pool.system),
        PoolKind::Computed | PoolKind::Past => pool.system.to_owned(),
    };
    let lines = [
        line("ten best", 0, &|year| year.best_ten),
        line("mean + deviation", 2, &|year| Some(year.mean? + year.deviation?)),
        line("mean", 1, &|year| year.mean),
        line("mean − deviation", 2, &|year| Some(year.mean? - year.deviation?)),
    ];
    let about = LineAbout {
        // Each chapter has a chart of its own.
        id: format!("pool-{}", pool.system.to_lowercase()).into(),
        title: format!("The pool of {name}: ratings over the years"),
        x_name: "year",
        y_name: "rating",
        is_logarithmic: false,
        bands: Vec::new(),
    };
    let watched: Vec<f64> = pool
        .years
        .iter()
        .filter_map(|year| year.watched)
        .filter_map(|watched| watched.t())
        .collect();
    let beyond = |limit: f64| watched.iter().filter(|t| t.abs() > limit).count();
    let drift: f64 =
        pool.years.iter().filter_map(|year| year.watched).map(|watched| watched.change).sum();
    Chapter {
        system: name,
        chart: line_chart(about, &lines),
        text: match watched.len() {
            0 => {
                "Too few players of 25 to 40 with a known birth date are on two consecutive lists."
                    .into()
            }
            years => format!(
                "After allowing for age, the ratings of established players of 25 to 40 drifted by {} points in {years} years. The change \
                 exceeds chance at the 5% level in {} years, and at the 1% level in {}.",
                signed(drift, 0),
                beyond(RARE),
                beyond(VERY_RARE)
            ),
        },
        rows: pool.years.iter().map(year_line).collect(),
        balance: balance_rows(pool),
        takers: taker_rows(pool),
    }
}

fn year_line(year: &PoolYear) -> YearLine {
    let distance = |distance: f64, (rare, very_rare): (f64, f64)| {
        let mark = if distance > very_rare {
            "**"
        } else if distance > rare {
            "*"
        } else {
            ""
        };
        format!("{}{mark}", fixed(distance, 3))
    };
    let size = |of: fn(&PoolSize) -> usize| {
        year.size.as_ref().map(|size| thousands(of(size))).unwrap_or_default()
    };
    let t = year.watched.and_then(|watched| watched.t()).unwrap_or(0.0).abs();
    YearLine {
        year: year.year,
        listed: size(|size| size.listed),
        established: size(|size| size.established),
        came: size(|size| size.came),
        left: size(|size| size.left),
        mean: fixed_or_empty(year.mean, 0),
        deviation: fixed_or_empty(year.deviation, 0),
        best_ten: fixed_or_empty(year.best_ten, 0),
        rank_100: fixed_or_empty(year.rank_100, 0),
        age: fixed_or_empty(year.mean_age, 1),
        watched: year.watched.map(|watched| thousands(watched.players)).unwrap_or_default(),
        change: year
            .watched
            .map(|watched| format!("{} ± {}", signed(watched.change, 1), fixed(watched.error, 1)))
            .unwrap_or_default(),
        mark: if t > VERY_RARE {
            "**"
        } else if t > RARE {
            "*"
        } else {
            ""
        },
        from_normal: year
            .shape
            .map(|shape| distance(shape.normal, shape.critical))
            .unwrap_or_default(),
        from_maxwell: year
            .shape
            .map(|shape| distance(shape.maxwell, shape.critical))
            .unwrap_or_default(),
    }
}

/// The other systems compared with the anchored one, by half decade.
fn exchange(
    site: &Site,
    anchored: &str,
) -> (Vec<&'static str>, Vec<ExchangeLine>, Option<LineChart>) {
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
    let lines = by_years.iter().map(|(first, of)| ExchangeLine {
        years: format!("{first}–{}", first + 4),
        cells: systems
            .iter()
            .map(|system| match of.get(system) {
                Some((difference, error, players)) => {
                    format!("{} ± {} ({players})", signed(*difference, 0), fixed(*error, 0))
                }
                None => String::new(),
            })
            .collect(),
    });
    // A system on another scale would compress the lines of the others.
    let is_near = |system: &str| {
        let all = by_years.values().filter_map(|of| of.get(system));
        all.clone().count() > 0
            && all.map(|(difference, ..)| difference.abs()).fold(0.0, f64::max) < FAR
    };
    let chart: Vec<ChartLine> = systems
        .iter()
        .enumerate()
        .filter(|(_, system)| is_near(system))
        .map(|(stroke, system)| ChartLine {
            name: (*system).to_owned(),
            stroke,
            points: by_years
                .iter()
                .filter_map(|(first, of)| Some((f64::from(*first) + 2.5, of.get(system)?.0)))
                .collect(),
        })
        .collect();
    let about = LineAbout {
        id: "inflation".into(),
        title: format!("Points above {anchored}"),
        x_name: "year",
        y_name: "points",
        is_logarithmic: false,
        bands: Vec::new(),
    };
    let lines = lines.collect();
    (systems, lines, line_chart(about, &chart))
}
