//! The page of ages: how players change, their peaks, and their age at rating levels.

use serde::Serialize;

use super::births::{BirthsView, births, months};
use super::improvement::{dominance, improvement, moved_text};
use super::page::Page;
use super::{Frame, Site};
use crate::charts::{ChartLine, LineAbout, LineChart, Mark, line_chart, marked_chart};
use crate::figures::{fixed, thousands};
use archive::{Ages, FirstAt, Peaks, PlayerRow};
use rating_systems::population::ages::{AgeCurve, AgeQuartiles, GENERATION};
use rating_systems::systems::elo::CareerPoint;
use rating_systems::systems::elo::ageing::ageing;

#[derive(Debug, Serialize)]
pub struct AgesPage {
    frame: Frame,
    system: &'static str,
    chart: Option<LineChart>,
    rows: Vec<[String; 5]>,
    peaks: Vec<AgesRow>,
    peaks_beside_others: Vec<AgesRow>,
    first_at: Vec<AgesRow>,
    first_at_fide: Vec<AgesRow>,
    improvement: Option<LineChart>,
    improvement_rows: Vec<[String; 6]>,
    moved_text: String,
    dominance: Option<LineChart>,
    dominance_text: String,
    births: Option<BirthsView>,
    months: Vec<[String; 3]>,
    months_text: String,
}

#[derive(Debug, Serialize)]
struct AgesRow {
    generation: String,
    level: String,
    players: String,
    median: String,
    quartiles: String,
}

/// With fewer players, a median is not shown. Judged: the quartiles of fewer are single players.
const FEWEST: usize = 5;

/// A generation in words: all, or born within these years.
fn born(generation: Option<i16>) -> String {
    match generation {
        None => "all".into(),
        Some(first) => format!("born {first}–{}", first + GENERATION - 1),
    }
}

/// Whether there is any figure for the page.
pub fn has_ages(site: &Site) -> bool {
    let ages = &site.archive.studies.ages;
    let has_peaks =
        !peaks_rows(&ages.peaks).is_empty() || !peaks_rows(&ages.peaks_beside_others).is_empty();
    let has_first =
        !first_at_rows(&ages.first_at).is_empty() || !first_at_rows(&ages.first_at_fide).is_empty();
    has_peaks
        || has_first
        || chart(ages).is_some()
        || improvement(site).0.is_some()
        || dominance(site).0.is_some()
        || births(site).is_some()
        || !months(site).0.is_empty()
}

/// The curves of all players and of each generation, with that of Elo's book.
fn chart(ages: &Ages) -> Option<LineChart> {
    if ages.curves.is_empty() {
        return None;
    }
    let range = ages.curves.iter().flat_map(|curve| curve.points.iter().map(|point| point.age));
    let (youngest, oldest) = (range.clone().min().unwrap_or(21), range.max().unwrap_or(21));
    let mut lines = vec![ChartLine {
        name: "Elo’s book".into(),
        stroke: 1,
        points: (youngest..=oldest).map(|age| (f64::from(age), ageing(f64::from(age)))).collect(),
    }];
    for (stroke, curve) in ages.curves.iter().enumerate() {
        // Strokes 1 and 6 belong to the book and the band.
        let stroke = if stroke == 0 { 0 } else { 2 + (stroke - 1) % 4 };
        lines.push(ChartLine {
            name: born(curve.generation),
            stroke,
            points: curve_points(curve, 0.0),
        });
        // The band of the curve of all players: one standard error on either side.
        if curve.generation.is_none() {
            for by in [-1.0, 1.0] {
                let points = curve_points(curve, by);
                lines.push(ChartLine { name: String::new(), stroke: 6, points });
            }
        }
    }
    let about = LineAbout {
        id: "ages".into(),
        title: "Change since age 21, in points".into(),
        x_name: "age",
        y_name: "points",
        is_logarithmic: false,
        bands: Vec::new(),
    };
    line_chart(about, &lines)
}

pub fn ages(site: &Site, page: &Page) -> AgesPage {
    let ages = &site.archive.studies.ages;
    let (months, months_text) = months(site);
    let (improvement, improvement_rows) = improvement(site);
    let (dominance, dominance_text) = dominance(site);
    AgesPage {
        frame: page.frame(site, "How players change with age, when they reach their peak and each rating level, and when strong players were born, by the \
             games of this archive.",
        ),
        system: ages.system,
        chart: chart(ages),
        rows: ages.curves.iter().flat_map(age_rows).collect(),
        peaks: peaks_rows(&ages.peaks),
        peaks_beside_others: peaks_rows(&ages.peaks_beside_others),
        first_at: first_at_rows(&ages.first_at),
        first_at_fide: first_at_rows(&ages.first_at_fide),
        improvement,
        improvement_rows,
        moved_text: moved_text(site),
        dominance,
        dominance_text,
        births: births(site),
        months,
        months_text,
    }
}

/// The means of a curve, moved by a multiple of their standard errors.
fn curve_points(curve: &AgeCurve, by: f64) -> Vec<(f64, f64)> {
    let points = curve.points.iter();
    points.map(|point| (f64::from(point.age), point.mean + by * point.error)).collect()
}

fn age_rows(curve: &AgeCurve) -> Vec<[String; 5]> {
    let points = curve.points.iter();
    points
        .map(|point| {
            [
                born(curve.generation),
                point.age.to_string(),
                thousands(point.players),
                format!("{} ± {}", fixed(point.mean, 0), fixed(point.error, 0)),
                fixed(ageing(f64::from(point.age)), 0),
            ]
        })
        .collect()
}

fn peaks_rows(peaks: &[Peaks]) -> Vec<AgesRow> {
    peaks
        .iter()
        .filter(|peaks| peaks.ages.players >= FEWEST)
        .map(|peaks| ages_row(peaks.generation, String::new(), peaks.ages))
        .collect()
}

fn first_at_rows(first_at: &[FirstAt]) -> Vec<AgesRow> {
    first_at
        .iter()
        .filter(|first| first.ages.players >= FEWEST)
        .map(|first| ages_row(first.generation, fixed(first.level, 0), first.ages))
        .collect()
}

fn ages_row(generation: Option<i16>, level: String, ages: AgeQuartiles) -> AgesRow {
    let [low, median, high] = ages.quartiles;
    AgesRow {
        generation: born(generation),
        level,
        players: thousands(ages.players),
        median: fixed(median, 1),
        quartiles: format!("{}–{}", fixed(low, 1), fixed(high, 1)),
    }
}

/// The side of the curve of ages on which a half decade is: 1 above it, -1 below it, and 0 within
/// its standard error.
fn side_of_curve(point: &CareerPoint) -> i8 {
    match point.deviation() {
        deviation if deviation > point.error => 1,
        deviation if deviation < -point.error => -1,
        _ => 0,
    }
}

/// Consecutive half decades on one side of the curve that are mentioned. Judged: chance alone puts
/// three in a row above, or below, by more than the standard error in less than 1% of the cases.
const IN_A_ROW: usize = 3;

/// The career of a player with the curve of ages: the chart, and a sentence if three consecutive
/// half decades differ from the curve in one direction by more than their errors.
pub(super) fn career(row: &PlayerRow) -> (Option<LineChart>, String) {
    let points = &row.career;
    if points.len() < IN_A_ROW {
        return (None, String::new());
    }
    let rings = ChartLine {
        name: "half decades".into(),
        stroke: 0,
        points: points.iter().map(|point| (point.age, point.rating)).collect(),
    };
    let curve = ChartLine {
        name: "curve of ages".into(),
        stroke: 1,
        points: points.iter().map(|point| (point.age, point.curve)).collect(),
    };
    let dots = ChartLine {
        name: "performances by year".into(),
        stroke: 2,
        points: row.career_years.iter().map(|year| (year.age, year.performance)).collect(),
    };
    let about = LineAbout {
        id: "career".into(),
        title: "Ratings by age, in half decades".into(),
        x_name: "age",
        y_name: "rating",
        is_logarithmic: false,
        bands: Vec::new(),
    };
    let mut sentence = String::new();
    let longest = points
        .chunk_by(|a, b| side_of_curve(a) == side_of_curve(b))
        .filter(|run| run.len() >= IN_A_ROW && side_of_curve(&run[0]) != 0)
        .max_by_key(|run| run.len());
    if let Some(run) = longest {
        let mean = run.iter().map(CareerPoint::deviation).sum::<f64>() / run.len() as f64;
        sentence = format!(
            "From age {} to {} the results were {} points {} the player's curve of ages.",
            fixed(run[0].age, 0),
            fixed(run[run.len() - 1].age, 0),
            fixed(mean.abs(), 0),
            if mean > 0.0 { "above" } else { "below" }
        );
    }
    let marked = [(Mark::Dots, &dots), (Mark::Line, &curve), (Mark::Rings, &rings)];
    (marked_chart(about, &marked), sentence)
}
