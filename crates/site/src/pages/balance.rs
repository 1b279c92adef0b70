//! The balance of points of a pool: sections of the page of rating pools.

use super::predictions::signed;
use crate::figures::{fixed_or_empty, thousands};
use archive::RatingPool;
use rating_systems::population::balance::{AGE_GROUPS, Balance, PointsTaken};

fn rounded(points: f64) -> String {
    signed(points, 0)
}

/// Points without a sign.
fn plain(points: f64) -> String {
    thousands(points.round().max(0.0) as usize)
}

/// The balances by decade. The export has all years.
pub(super) fn balance_rows(pool: &RatingPool) -> Vec<[String; 9]> {
    pool.balances
        .chunk_by(|a, b| (a.year - 1).div_euclid(10) == (b.year - 1).div_euclid(10))
        .map(|years| {
            let (first, last) = (years[0], years[years.len() - 1]);
            [
                format!("{}–{}", first.year - 1, last.year - 1),
                plain(first.at_start),
                plain(sum(years, |year| year.came)),
                plain(sum(years, |year| year.came_back)),
                plain(sum(years, |year| year.left)),
                rounded(sum(years, |year| year.beginning)),
                rounded(sum(years, |year| year.exchanged)),
                plain(last.at_end),
                rounded(sum(years, |year| year.carried_off)),
            ]
        })
        .collect()
}

fn sum(years: &[Balance], points: fn(&Balance) -> f64) -> f64 {
    years.iter().map(points).fold(0.0, |sum, one| sum + one)
}

fn taken(of: PointsTaken) -> String {
    match (of.mean(), of.error()) {
        (Some(mean), Some(error)) => format!(
            "{} ± {} ({})",
            signed(mean, 1),
            fixed_or_empty(Some(error), 1),
            thousands(of.player_years)
        ),
        _ => String::new(),
    }
}

/// The gains and losses by age group.
pub(super) fn taker_rows(pool: &RatingPool) -> Vec<[String; 4]> {
    let takers = &pool.takers;
    let mut from = None;
    let mut rows = Vec::new();
    for (group, to) in AGE_GROUPS.iter().enumerate() {
        let (below, above) = (takers.below[group], takers.above[group]);
        if below.with(above).player_years > 0 {
            let ages = match (from, to) {
                (None, Some(to)) => format!("up to {to}"),
                (Some(from), Some(to)) => format!("{from} to {to}"),
                (Some(from), None) => format!("from {from}"),
                (None, None) => "all".into(),
            };
            rows.push([ages, taken(below), taken(above), taken(below.with(above))]);
        }
        from = to.map(|to| to + 1);
    }
    rows
}
