//! The level of the best players of each period, and the lead of the number one: sections of the
//! page of ages.

use super::Site;
use super::predictions::signed;
use crate::charts::{ChartLine, LineAbout, LineChart, line_chart};
use crate::figures::{fixed, fixed_or_empty};
use rating_systems::population::improvement::{BOOK, Improvement};

fn middle(one: &Improvement) -> f64 {
    f64::from(one.from + one.to + 1) / 2.0
}

/// The chart, and its table.
pub(super) fn improvement(site: &Site) -> (Option<LineChart>, Vec<[String; 6]>) {
    let all = &site.archive.studies.improvement.periods;
    let lines = [
        mean_line(all, "growing number", 0, |one| one.mean),
        mean_line(all, "", 6, |one| Some(one.mean? - one.error?)),
        mean_line(all, "", 6, |one| Some(one.mean? + one.error?)),
        ChartLine::new("Elo’s book", 1, BOOK.iter().map(|(year, mean)| (f64::from(*year), *mean))),
        mean_line(all, "ten best", 2, |one| one.fixed[0]),
        mean_line(all, "fifty best", 3, |one| one.fixed[1]),
    ];
    let about = LineAbout::new(
        "improvement",
        "Mean ratings of the best players of each period",
        ["year", "rating"],
    );
    let rows = all
        .iter()
        .filter(|one| one.mean.is_some() || one.fixed[0].is_some())
        .map(|one| {
            [
                format!("{}–{}", one.from, one.to),
                one.number.to_string(),
                fixed_or_empty(one.mean, 0),
                one.error.map(|error| fixed(error, 0)).unwrap_or_default(),
                fixed_or_empty(one.fixed[0], 0),
                fixed_or_empty(one.fixed[1], 0),
            ]
        })
        .collect();
    if all.iter().all(|one| one.mean.is_none()) {
        return (None, Vec::new());
    }
    (line_chart(about, &lines), rows)
}

/// A mean rating by the middle of the period.
fn mean_line(
    periods: &[Improvement],
    name: &str,
    stroke: usize,
    mean: impl Fn(&Improvement) -> Option<f64>,
) -> ChartLine {
    ChartLine::new(name, stroke, periods.iter().filter_map(|one| Some((middle(one), mean(one)?))))
}

/// How the mean of the growing number was made comparable with Elo's book, in words.
pub(super) fn moved_text(site: &Site) -> String {
    match site.archive.studies.improvement.moved {
        Some(points) if points.abs() >= 0.5 => {
            format!(
                "Its mean was shifted by {} points to agree with Elo’s book in 1960.",
                signed(points, 0)
            )
        }
        Some(_) => "Its mean agrees with Elo’s book in 1960 without a shift.".into(),
        None => {
            "Its mean is not shifted: this archive has no 1960 in which it could agree with Elo’s book."
                .into()
        }
    }
}

/// The lead of the number one of each year over the ten best and over the number two, by the lists
/// used for the ages.
pub(super) fn dominance(site: &Site) -> (Option<LineChart>, String) {
    let pool = site
        .archive
        .studies
        .pools
        .iter()
        .find(|pool| pool.system == site.archive.studies.ages.system);
    let Some(pool) = pool else { return (None, String::new()) };
    let leads = pool.years.iter().filter_map(|year| {
        let (over_ten, over_second) = year.dominance?;
        Some((year.year, over_ten, over_second))
    });
    let about = LineAbout::new(
        "dominance",
        format!("Lead of the number one by {}, in points", pool.system),
        ["year", "points"],
    );
    let lines = [
        ChartLine::new(
            "above the ten best",
            0,
            leads.clone().map(|(year, lead, _)| (f64::from(year), lead)),
        ),
        ChartLine::new(
            "above the second",
            1,
            leads.clone().map(|(year, _, lead)| (f64::from(year), lead)),
        ),
    ];
    let most_over_ten = leads.clone().max_by(|a, b| a.1.total_cmp(&b.1));
    let most_over_second = leads.max_by(|a, b| a.2.total_cmp(&b.2));
    let sentence =
        most_over_ten.zip(most_over_second).map(|((ten_year, lead, _), (second_year, _, other))| {
            format!(
                "The largest lead over the mean of the ten best is {} points, on the list of {ten_year}. The largest over the \
                 number two is {}, on that of {second_year}. Elo’s book (5.75) has 200 and 100 points at most.",
                fixed(lead, 0),
                fixed(other, 0)
            )
        });
    (line_chart(about, &lines), sentence.unwrap_or_default())
}
