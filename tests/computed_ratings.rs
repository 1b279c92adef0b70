//! Compares computed Chessmetrics ratings with the published yearly lists, from the shared
//! collection alone.
//!
//! Needs `../shared/data`.

use std::collections::BTreeMap;
use std::fs;

use greatness::archive::{Selected, Settings, Silent};
use greatness::players::PersonName;
use greatness::rated::{ListedPlayers, rating_list, results_of};
use greatness::systems::System;
use jiff::civil::date;

/// Number of players of each published list that are compared. Judged: players of lower ranks have
/// few games on early lists, so they would compare the collections and not the systems.
const TOP: usize = 30;

/// Smallest accepted mean rank correlation of the years 1860 to 2004. Judged: near 1, a few games
/// that only one collection has would fail the test; much lower, a wrong formula would pass.
const SPEARMAN: f64 = 0.88;

/// Largest accepted median difference (points), after removal of each year's mean difference.
/// Judged: a tenth of a class interval of 200 points. The collections differ, so a much smaller
/// limit would test them and not the system.
const DIFFERENCE: f64 = 20.0;

/// The agreement of a year: rank correlation, differences (points), number of the thirty on both
/// lists, mean difference (points) of our list from the published one, player with the largest
/// difference.
struct Year {
    spearman: f64,
    differences: Vec<f64>,
    both: usize,
    level: f64,
    worst: (String, f64),
}

#[test]
#[ignore = "needs ../shared/data"]
fn chessmetrics_from_games_alone_is_close_to_the_published_lists() {
    let data = crate::support::shared_data();
    let mut settings = Settings::default();
    settings.input.pgn.push(data.join("games.pgn.zst"));
    let games = Selected::read(&settings.input, &Silent, &mut Vec::new()).expect("games");
    let results = results_of(&games.table, &games.rows, &games.players, settings.events.gap_days);
    let system = System::named("chessmetrics").expect("it");
    let chessmetrics = settings.systems.system(system);
    let computed = rating_list(
        system.about,
        &results,
        &ListedPlayers::new(&results),
        &chessmetrics.rate(&results).lists,
    );

    let published = fs::read_to_string(data.join("ratings/chessmetrics-yearly-1843-2004.tsv"));
    let mut lists: BTreeMap<i16, Vec<(String, f64)>> = BTreeMap::new();
    for line in published.expect("the published lists").lines().skip(1) {
        let cells: Vec<&str> = line.split('\t').collect();
        let [_, name, rating, year] = cells[..] else { panic!("{line}") };
        let list = lists.entry(year.parse().expect("a year")).or_default();
        list.push((name.to_owned(), rating.parse().expect("a rating")));
    }
    let mut years: BTreeMap<i16, Year> = BTreeMap::new();
    for (year, list) in lists.range(1860..=2004) {
        let Some(edition) = computed.in_force(date(*year, 1, 1)) else {
            println!("{year}: no computed list in force");
            continue;
        };
        let mut list = list.clone();
        list.sort_by(|a, b| b.1.total_cmp(&a.1));
        let both: Vec<(&str, f64, f64)> = list
            .iter()
            .take(TOP)
            .filter_map(|(name, rating)| {
                let found = edition.find(&PersonName::readings(name))?;
                Some((name.as_str(), *rating, found.rating))
            })
            .collect();
        if both.len() > 2 {
            years.insert(*year, agreement(&both));
        }
    }

    println!(
        "| years | lists | of the thirty on both | rank correlation | median difference | ours higher by | largest difference |"
    );
    let mut decades: BTreeMap<i16, Vec<&Year>> = BTreeMap::new();
    for (year, agreement) in &years {
        decades.entry(year - year % 10).or_default().push(agreement);
    }
    for (decade, years) in &decades {
        let differences = years.iter().flat_map(|year| year.differences.clone()).collect();
        let worst = years
            .iter()
            .max_by(|a, b| a.worst.1.abs().total_cmp(&b.worst.1.abs()))
            .map(|year| format!("{} {:+.0}", year.worst.0, year.worst.1));
        println!(
            "| {decade}s | {} | {:.1} | {:.3} | {:.1} | {:.0} | {} |",
            years.len(),
            mean_of(years, |year| year.both as f64),
            mean_of(years, |year| year.spearman),
            median(differences),
            mean_of(years, |year| year.level),
            worst.unwrap_or_default()
        );
    }
    let spearman = years.values().map(|year| year.spearman).sum::<f64>() / years.len() as f64;
    let difference = median(years.values().flat_map(|year| year.differences.clone()).collect());
    println!("| all | {} | | {spearman:.4} | {difference:.2} |", years.len());
    assert!(years.len() >= 140, "{} years", years.len());
    assert!(spearman >= SPEARMAN, "{spearman}");
    assert!(difference <= DIFFERENCE, "{difference}");
}

fn mean_of(years: &[&Year], figure: impl Fn(&Year) -> f64) -> f64 {
    years.iter().map(|year| figure(year)).sum::<f64>() / years.len() as f64
}

fn agreement(both: &[(&str, f64, f64)]) -> Year {
    let count = both.len() as f64;
    let level = both.iter().map(|(_, published, ours)| ours - published).sum::<f64>() / count;
    let off: Vec<(&str, f64)> =
        both.iter().map(|(name, published, ours)| (*name, ours - published - level)).collect();
    let worst = off.iter().max_by(|a, b| a.1.abs().total_cmp(&b.1.abs()));
    Year {
        spearman: correlation(
            &ranks(both.iter().map(|(_, published, _)| *published)),
            &ranks(both.iter().map(|(_, _, ours)| *ours)),
        ),
        differences: off.iter().map(|(_, off)| off.abs()).collect(),
        both: both.len(),
        level,
        worst: worst.map(|(name, off)| ((*name).to_owned(), *off)).unwrap_or_default(),
    }
}

/// Ranks; equal values share the mean of their ranks.
fn ranks(values: impl Iterator<Item = f64>) -> Vec<f64> {
    let values: Vec<f64> = values.collect();
    values
        .iter()
        .map(|value| {
            let higher = values.iter().filter(|other| *other > value).count() as f64;
            let same = values.iter().filter(|other| *other == value).count() as f64;
            higher + (same + 1.0) / 2.0
        })
        .collect()
}

fn correlation(a: &[f64], b: &[f64]) -> f64 {
    let [mean_a, mean_b] = [a, b].map(|values| values.iter().sum::<f64>() / values.len() as f64);
    let (mut ab, mut aa, mut bb) = (0.0, 0.0, 0.0);
    for (x, y) in a.iter().zip(b) {
        ab += (x - mean_a) * (y - mean_b);
        aa += (x - mean_a).powi(2);
        bb += (y - mean_b).powi(2);
    }
    ab / (aa * bb).sqrt()
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values.get(values.len() / 2).copied().unwrap_or(f64::NAN)
}
