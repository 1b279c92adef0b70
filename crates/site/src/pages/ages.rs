//! The page of ages: how players change, their peaks, and their age at rating levels.

use serde::Serialize;

use super::Site;
use super::births::{births, months};
use super::improvement::{dominance, improvement, moved_text};
use super::page::Page;
use crate::charts::{ChartLine, LineAbout, LineChart, Mark, line_chart, marked_chart};
use crate::figures::{fixed, thousands};
use archive::{Ages, FirstAt, Peaks, PlayerRow};
use rating_systems::population::ages::{AgeCurve, AgeQuartiles, GENERATION};
use rating_systems::systems::elo::CareerPoint;
use rating_systems::systems::elo::ageing::ageing;

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
    let mut lines = vec![ChartLine::new(
        "Elo’s book",
        1,
        (youngest..=oldest).map(|age| (f64::from(age), ageing(f64::from(age)))),
    )];
    for (stroke, curve) in ages.curves.iter().enumerate() {
        // Strokes 1 and 6 belong to the book and the band.
        let stroke = if stroke == 0 { 0 } else { 2 + (stroke - 1) % 4 };
        lines.push(ChartLine::new(born(curve.generation), stroke, curve_points(curve, 0.0)));
        // The band of the curve of all players: one standard error on either side.
        if curve.generation.is_none() {
            for by in [-1.0, 1.0] {
                let points = curve_points(curve, by);
                lines.push(ChartLine::new("", 6, points));
            }
        }
    }
    let about = LineAbout::new("ages", "Change since age 21, in points", ["age", "points"]);
    line_chart(about, &lines)
}

pub fn ages(site: &Site, page: &Page) -> impl Serialize {
    let ages = &site.archive.studies.ages;
    let (months, months_text) = months(site);
    let (improvement, improvement_rows) = improvement(site);
    let (dominance, dominance_text) = dominance(site);
    let description = "How players change with age, when they reach their peak and each rating \
         level, and when strong players were born, by the games of this archive.";
    view!(
        frame = page.frame(site, description),
        system = ages.system,
        chart = chart(ages),
        rows = ages.curves.iter().flat_map(age_rows).collect::<Vec<_>>(),
        peaks = peaks_rows(&ages.peaks),
        peaks_beside_others = peaks_rows(&ages.peaks_beside_others),
        first_at = first_at_rows(&ages.first_at),
        first_at_fide = first_at_rows(&ages.first_at_fide),
        improvement,
        improvement_rows,
        moved_text = moved_text(site),
        dominance,
        dominance_text,
        births = births(site),
        months,
        months_text
    )
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

fn peaks_rows(peaks: &[Peaks]) -> Vec<impl Serialize> {
    peaks
        .iter()
        .filter(|peaks| peaks.ages.players >= FEWEST)
        .map(|peaks| ages_row(peaks.generation, String::new(), peaks.ages))
        .collect()
}

fn first_at_rows(first_at: &[FirstAt]) -> Vec<impl Serialize> {
    first_at
        .iter()
        .filter(|first| first.ages.players >= FEWEST)
        .map(|first| ages_row(first.generation, fixed(first.level, 0), first.ages))
        .collect()
}

fn ages_row(generation: Option<i16>, level: String, ages: AgeQuartiles) -> impl Serialize {
    let [low, median, high] = ages.quartiles;
    view!(
        generation = born(generation),
        level,
        players = thousands(ages.players),
        median = fixed(median, 1),
        quartiles = format!("{}–{}", fixed(low, 1), fixed(high, 1))
    )
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
    let rings =
        ChartLine::new("half decades", 0, points.iter().map(|point| (point.age, point.rating)));
    let curve =
        ChartLine::new("curve of ages", 1, points.iter().map(|point| (point.age, point.curve)));
    let dots = ChartLine::new(
        "performances by year",
        2,
        row.career_years.iter().map(|year| (year.age, year.performance)),
    );
    let about = LineAbout::new("career", "Ratings by age, in half decades", ["age", "rating"]);
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
