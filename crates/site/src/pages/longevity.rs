//! How long players stayed near their best.

use serde::Serialize;

use super::page::{Inputs, Page};
use super::{Link, Site};
use crate::charts::{ChartLine, LineAbout, LineChart, line_chart};
use crate::errors::PublishError;
use crate::figures::{fixed, fixed_or_empty, spoken};
use crate::long_table::LongTable;
use archive::LongCareer;
use rating_systems::population::polynomial::Polynomial;
use rating_systems::systems::elo::ageing::ageing;

/// The number of careers in the table and its files. Judged: the export has all.
const LISTED: usize = 500;

/// The number of careers on a chart. Judged: a line style each; more lines cross too often.
const DRAWN: usize = 8;

/// The degree of a career's curve. Source: Elo, 5.52.
const DEGREE: usize = 4;

pub fn has_longevity(site: &Site) -> bool {
    !site.archive.studies.longevity.careers.is_empty()
}

pub fn longevity(to: &Inputs, page: &Page) -> Result<(), PublishError> {
    let site = to.site;
    let careers = &site.archive.studies.longevity.careers;
    let rows = careers.iter().zip(1..).take(LISTED).map(|(career, rank)| line(site, rank, career));
    let table = LongTable::new("longevity", rows.collect());
    let finding = careers.first().map_or_else(String::new, |first| {
        format!(
            "The longest career near its best is {}’s: {} years between {} and {} within 50 points of it.",
            spoken(&site.archive.players.get(first.player).name),
            first.years,
            first.near.0,
            first.near.1
        )
    });
    let drawn = drawn(careers);
    let view = view!(
        frame = page.cited_frame(site, finding),
        by_year = chart(site, &drawn, ["year", "rating"], |_, middle| Some(middle)),
        by_age = chart(site, &drawn, ["age", "rating"], |career, middle| {
            Some(middle - f64::from(born(site, career)?))
        }),
        composite = composite_chart(site),
        composite_rows = composite_rows(site),
        all = careers.len(),
        table = &table
    );
    to.writer.page(page.path, "longevity.html", &view)?;
    to.writer.rest(&table, "longevity_rows.html", "")
}

fn born(site: &Site, career: &LongCareer) -> Option<i16> {
    site.archive.players.get(career.player).life.as_ref()?.born
}

fn line(site: &Site, rank: usize, career: &LongCareer) -> impl Serialize {
    let born = born(site, career);
    let (first, last) = career.near;
    view!(
        rank,
        player = Link::to_player(site.archive, career.player),
        years = career.years,
        near = super::span(Some((first, last))),
        // The ages in the first and the last of these years.
        ages = born.map(|born| format!("{}–{}", first - born, last - born)).unwrap_or_default(),
        best = fixed(career.best.rating, 0),
        rise = fixed_or_empty(career.rise, 0)
    )
}

/// The fewest windows of a career on a chart. Judged: a curve of the fourth degree swings widely
/// through fewer.
const LONG: usize = 20;

/// The best long careers, one of each of several equal parts of the time.
fn drawn(careers: &[LongCareer]) -> Vec<&LongCareer> {
    let careers: Vec<&LongCareer> =
        careers.iter().filter(|career| career.windows.len() >= LONG).collect();
    let firsts = careers.iter().map(|career| career.best.from);
    let (Some(low), Some(high)) = (firsts.clone().min(), firsts.max()) else { return Vec::new() };
    let width = (f64::from(high - low) + 1.0) / DRAWN as f64;
    let mut best: Vec<Option<&LongCareer>> = vec![None; DRAWN];
    for career in careers {
        let part = (f64::from(career.best.from - low) / width) as usize;
        let known = &mut best[part.min(DRAWN - 1)];
        if known.is_none_or(|known| career.best.rating > known.best.rating) {
            *known = Some(career);
        }
    }
    best.into_iter().flatten().collect()
}

/// The smoothed curves of careers. `across` returns the place of the middle of a window.
fn chart(
    site: &Site,
    careers: &[&LongCareer],
    [x_name, y_name]: [&'static str; 2],
    across: impl Fn(&LongCareer, f64) -> Option<f64>,
) -> Option<LineChart> {
    let mut lines = Vec::new();
    for (stroke, career) in careers.iter().enumerate() {
        let points: Vec<(f64, f64, f64)> = career
            .windows
            .iter()
            .filter_map(|window| {
                Some((across(career, window.middle())?, window.rating, window.games))
            })
            .collect();
        let (Some(curve), Some(first), Some(last)) =
            (Polynomial::fit(&points, DEGREE), points.first(), points.last())
        else {
            continue;
        };
        let years = (last.0 - first.0) as usize;
        let drawn = (0..=years).map(|year| first.0 + year as f64).map(|x| (x, curve.at(x)));
        let name = spoken(&site.archive.players.get(career.player).name);
        lines.push(ChartLine::new(name, stroke, drawn));
    }
    let title = format!("Ratings of {} careers by {x_name}", lines.len());
    line_chart(LineAbout::new(format!("longevity-{x_name}"), title, [x_name, y_name]), &lines)
}

/// The mean change since the age of 21, next to the curve of the book.
fn composite_chart(site: &Site) -> Option<LineChart> {
    let composite = &site.archive.studies.longevity.composite;
    if composite.is_empty() {
        return None;
    }
    let ours = composite.iter().map(|age| (f64::from(age.age), age.change));
    let book = composite.iter().map(|age| (f64::from(age.age), ageing(f64::from(age.age))));
    let lines = [ChartLine::new("this archive", 0, ours), ChartLine::new("Elo’s book", 1, book)];
    let about =
        LineAbout::new("composite", "Change since the age of 21, in points", ["age", "points"]);
    line_chart(about, &lines)
}

/// The same as a table, every fifth year of age.
fn composite_rows(site: &Site) -> Vec<[String; 4]> {
    let composite = site.archive.studies.longevity.composite.iter();
    composite
        .filter(|age| age.age % 5 == 1)
        .map(|age| {
            [
                age.age.to_string(),
                age.players.to_string(),
                format!("{:+.0}", age.change),
                format!("{:+.0}", ageing(f64::from(age.age))),
            ]
        })
        .collect()
}
