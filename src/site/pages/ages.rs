//! Ages: how players change, when they are at their best, when they first reach a level.

use serde::Serialize;

use super::{Frame, Site};
use crate::archive::PlayerRow;
use crate::site::charts::{Line, LineAbout, LineChart, line_chart};
use crate::site::figures::{fixed, thousands};
use crate::systems::ages::{AgeCurve, AgesOf, GENERATION};
use crate::systems::elo::CareerPoint;
use crate::systems::elo::ageing::ageing;

/// The page.
#[derive(Debug, Serialize)]
pub(in crate::site) struct AgesPage {
    frame: Frame,
    system: &'static str,
    chart: Option<LineChart>,
    rows: Vec<AgeRow>,
    peaks: Vec<AgesRow>,
    first_at: Vec<AgesRow>,
    months: Vec<MonthRow>,
    months_text: String,
}

#[derive(Debug, Serialize)]
struct AgeRow {
    generation: String,
    age: i16,
    players: String,
    mean: String,
    book: String,
}

#[derive(Debug, Serialize)]
struct AgesRow {
    generation: String,
    level: String,
    players: String,
    median: String,
    quartiles: String,
}

#[derive(Debug, Serialize)]
struct MonthRow {
    month: &'static str,
    births: String,
    expected: String,
}

/// Months with their days, of four years in the mean.
const MONTHS: [(&str, f64); 12] = [
    ("January", 31.0),
    ("February", 28.25),
    ("March", 31.0),
    ("April", 30.0),
    ("May", 31.0),
    ("June", 30.0),
    ("July", 31.0),
    ("August", 31.0),
    ("September", 30.0),
    ("October", 31.0),
    ("November", 30.0),
    ("December", 31.0),
];

/// Births below which months say nothing; and what chi-squared of eleven degrees exceeds once in twenty times.
const BIRTHS: usize = 200;
const CRITICAL: f64 = 19.7;

/// Players below whom a median says nothing.
const FEWEST: usize = 5;

/// In words: all, or born within these years.
fn born(generation: Option<i16>) -> String {
    match generation {
        None => "all".into(),
        Some(first) => format!("born {first}–{}", first + GENERATION - 1),
    }
}

/// Whether there is such a page.
pub(in crate::site) fn has_ages(site: &Site) -> bool {
    let ages = &site.archive.ages;
    !ages.curves.is_empty() || !ages.peaks.is_empty()
}

/// The view; `None` where no ages are known.
pub(in crate::site) fn ages(site: &Site) -> Option<AgesPage> {
    let ages = &site.archive.ages;
    if !has_ages(site) {
        return None;
    }
    let range = ages.curves.iter().flat_map(|curve| curve.points.iter().map(|point| point.age));
    let (youngest, oldest) = (range.clone().min().unwrap_or(21), range.max().unwrap_or(21));
    let mut lines = vec![Line {
        name: "the book".into(),
        stroke: 1,
        points: (youngest..=oldest).map(|age| (f64::from(age), ageing(f64::from(age)))).collect(),
    }];
    for (stroke, curve) in ages.curves.iter().enumerate() {
        let points = |by: f64| -> Vec<(f64, f64)> {
            let of = curve.points.iter();
            of.map(|point| (f64::from(point.age), point.mean + by * point.error)).collect()
        };
        // Strokes 1 and 6 are the book's and the band's.
        let stroke = if stroke == 0 { 0 } else { 2 + (stroke - 1) % 4 };
        lines.push(Line { name: born(curve.generation), stroke, points: points(0.0) });
        // The band of the curve of all: one standard error to either side.
        if curve.generation.is_none() {
            for by in [-1.0, 1.0] {
                lines.push(Line { name: String::new(), stroke: 6, points: points(by) });
            }
        }
    }
    let about = LineAbout {
        id: "ages",
        title: "Points above oneself at 21".into(),
        x_name: "age",
        y_name: "points",
        is_logarithmic: false,
        bands: Vec::new(),
    };
    let (months, months_text) = months(site);
    Some(AgesPage {
        frame: site.frame(
            "ages.html",
            "years",
            "Ages".into(),
            "How players change with age, when they are at their best, and how old they are when they first reach a level.".into(),
        ),
        system: ages.system,
        chart: line_chart(about, &lines),
        rows: ages.curves.iter().flat_map(age_rows).collect(),
        peaks: ages
            .peaks
            .iter()
            .filter(|peaks| peaks.ages.players >= FEWEST)
            .map(|peaks| ages_row(peaks.generation, String::new(), peaks.ages))
            .collect(),
        first_at: ages
            .first_at
            .iter()
            .filter(|first| first.ages.players >= FEWEST)
            .map(|first| ages_row(first.generation, fixed(first.level, 0), first.ages))
            .collect(),
        months,
        months_text,
    })
}

fn age_rows(curve: &AgeCurve) -> Vec<AgeRow> {
    let points = curve.points.iter();
    points
        .map(|point| AgeRow {
            generation: born(curve.generation),
            age: point.age,
            players: thousands(point.players),
            mean: format!("{} ± {}", fixed(point.mean, 0), fixed(point.error, 0)),
            book: fixed(ageing(f64::from(point.age)), 0),
        })
        .collect()
}

fn ages_row(generation: Option<i16>, level: String, ages: AgesOf) -> AgesRow {
    let [low, median, high] = ages.quartiles;
    AgesRow {
        generation: born(generation),
        level,
        players: thousands(ages.players),
        median: fixed(median, 1),
        quartiles: format!("{}–{}", fixed(low, 1), fixed(high, 1)),
    }
}

/// Births by month, beside what the days of the months expect.
fn months(site: &Site) -> (Vec<MonthRow>, String) {
    let mut births = [0usize; 12];
    for row in &site.archive.player_rows {
        let life = site.archive.players.get(row.player).life.as_ref();
        if let Some((month, _)) = life.and_then(|life| life.birthday)
            && let Some(count) = births.get_mut((month - 1).max(0) as usize)
        {
            *count += 1;
        }
    }
    let all: usize = births.iter().sum();
    if all < BIRTHS {
        return (Vec::new(), String::new());
    }
    let days: f64 = MONTHS.iter().map(|(_, days)| days).sum();
    let expected = |days_of: f64| all as f64 * days_of / days;
    let statistic: f64 = births
        .iter()
        .zip(MONTHS)
        .map(|(count, (_, days))| (*count as f64 - expected(days)).powi(2) / expected(days))
        .sum();
    let rows = births.iter().zip(MONTHS).map(|(count, (month, days))| MonthRow {
        month,
        births: thousands(*count),
        expected: fixed(expected(days), 0),
    });
    let text = format!(
        "Of {} players the whole date of birth is known. By the days of the months χ² is {} with eleven degrees of freedom, where \
         chance alone exceeds {CRITICAL} once in twenty times: {}.",
        thousands(all),
        fixed(statistic, 1),
        if statistic > CRITICAL { "more than chance" } else { "no more than chance" }
    );
    (rows.collect(), text)
}

/// Half decades in a row that tell where a career lay.
const IN_A_ROW: usize = 3;

/// Somebody's career beside the curve of his age: the chart, and where three half decades in a row lay on one side of it beyond their
/// errors, a sentence.
pub(super) fn career(row: &PlayerRow) -> (Option<LineChart>, String) {
    let points = &row.career;
    if points.len() < IN_A_ROW {
        return (None, String::new());
    }
    let of = |of: &dyn Fn(&CareerPoint) -> f64| -> Vec<(f64, f64)> {
        points.iter().map(|point| (point.age, of(point))).collect()
    };
    let lines = [
        Line { name: "half decades".into(), stroke: 0, points: of(&|point| point.rating) },
        Line { name: "curve of the age".into(), stroke: 1, points: of(&|point| point.curve) },
    ];
    let about = LineAbout {
        id: "career",
        title: "Ratings of half decades by age".into(),
        x_name: "age",
        y_name: "rating",
        is_logarithmic: false,
        bands: Vec::new(),
    };
    let mut told = String::new();
    let side = |point: &CareerPoint| match point.deviation() {
        deviation if deviation > point.error => 1,
        deviation if deviation < -point.error => -1,
        _ => 0,
    };
    let longest = points
        .chunk_by(|a, b| side(a) == side(b))
        .filter(|run| run.len() >= IN_A_ROW && side(&run[0]) != 0)
        .max_by_key(|run| run.len());
    if let Some(run) = longest {
        let mean = run.iter().map(CareerPoint::deviation).sum::<f64>() / run.len() as f64;
        told = format!(
            "From {} to {} he stayed {} points {} the curve of his age.",
            fixed(run[0].age, 0),
            fixed(run[run.len() - 1].age, 0),
            fixed(mean.abs(), 0),
            if mean > 0.0 { "above" } else { "below" }
        );
    }
    (line_chart(about, &lines), told)
}
