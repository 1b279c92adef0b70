//! Where and when the strong were born: parts of the page of ages.

use std::collections::BTreeMap;

use serde::Serialize;

use super::Site;
use crate::games::MONTHS;
use crate::population::ages::{GENERATION, generation};
use crate::ratings::FIDE_SYSTEM;
use crate::site::figures::{fixed, thousands};
use crate::systems::months::{chi_squared, expected};

/// Births by quarter century and federation.
#[derive(Debug, Serialize)]
pub(super) struct BirthsView {
    generations: Vec<String>,
    rows: Vec<FederationRow>,
    /// All federations together.
    sum: FederationRow,
    others: usize,
}

#[derive(Debug, Serialize)]
struct FederationRow {
    federation: String,
    /// Those with a title, and those rated from 2400, by generation.
    cells: Vec<(String, String)>,
    titled: String,
    rated: String,
}

/// A month.
#[derive(Debug, Serialize)]
pub(super) struct MonthRow {
    month: &'static str,
    births: String,
    expected: String,
}

/// Births below which months say nothing; and what chi-squared of eleven degrees exceeds once in twenty times.
const BIRTHS: usize = 200;
const CRITICAL: f64 = 19.7;

/// Titles that count, and the rating (points) from which somebody is among the rated.
const TITLES: [&str; 4] = ["GM", "IM", "WGM", "WIM"];
const RATED: f64 = 2400.0;

/// Federations that are shown, and players without whom there is no table.
const SHOWN: usize = 20;
const FEWEST: usize = 100;

/// Titled, and rated from 2400.
type CountsByYear = BTreeMap<i16, (usize, usize)>;

fn sums(counts: &CountsByYear) -> (usize, usize) {
    counts.values().fold((0, 0), |(titled, rated), one| (titled + one.0, rated + one.1))
}

/// The strong by year of birth and first federation; `None` where too few are known. (The file of names has places of birth for few.)
pub(super) fn births(site: &Site) -> Option<BirthsView> {
    let mut by_federation: BTreeMap<&str, CountsByYear> = BTreeMap::new();
    let mut all = CountsByYear::new();
    for row in &site.archive.lists.player_rows {
        let Some(life) = site.archive.players.get(row.player).life.as_ref() else { continue };
        let first = life.federation.split('/').next().filter(|first| !first.is_empty());
        let Some((born, federation)) = life.born.zip(first) else { continue };
        let is_titled = TITLES.iter().any(|title| life.has_title(title));
        let fide = row.histories.iter().find(|history| history.system == FIDE_SYSTEM);
        let is_rated =
            fide.is_some_and(|history| history.ratings.iter().any(|(_, rating)| *rating >= RATED));
        for counts in [&mut all, by_federation.entry(federation).or_default()] {
            let count = counts.entry(generation(born)).or_default();
            *count = (count.0 + usize::from(is_titled), count.1 + usize::from(is_rated));
        }
    }
    all.retain(|_, count| *count != (0, 0));
    let (titled, rated) = sums(&all);
    if titled.max(rated) < FEWEST {
        return None;
    }
    let generations: Vec<i16> = all.keys().copied().collect();
    let shown = |count: usize| if count == 0 { String::new() } else { thousands(count) };
    let row = |federation: &str, counts: &CountsByYear| {
        let (titled, rated) = sums(counts);
        FederationRow {
            federation: federation.to_owned(),
            cells: generations
                .iter()
                .map(|of| counts.get(of).copied().unwrap_or_default())
                .map(|(titled, rated)| (shown(titled), shown(rated)))
                .collect(),
            titled: shown(titled),
            rated: shown(rated),
        }
    };
    let mut order: Vec<(&&str, &CountsByYear)> =
        by_federation.iter().filter(|(_, counts)| sums(counts) != (0, 0)).collect();
    // The most titled first, of equals by name.
    order.sort_by_key(|(_, counts)| std::cmp::Reverse(sums(counts)));
    Some(BirthsView {
        generations: generations
            .iter()
            .map(|first| format!("{first}–{}", first + GENERATION - 1))
            .collect(),
        rows: order
            .iter()
            .take(SHOWN)
            .map(|(federation, counts)| row(federation, counts))
            .collect(),
        sum: row("all", &all),
        others: order.len().saturating_sub(SHOWN),
    })
}

/// Births by month, beside what the days of the months expect; the same of the titled in words.
pub(super) fn months(site: &Site) -> (Vec<MonthRow>, String) {
    let (mut births, mut titled) = ([0usize; 12], [0usize; 12]);
    for row in &site.archive.lists.player_rows {
        let Some(life) = site.archive.players.get(row.player).life.as_ref() else { continue };
        let Some((month, _)) = life.birthday else { continue };
        let Ok(place) = usize::try_from(month - 1) else { continue };
        let Some(count) = births.get_mut(place) else { continue };
        *count += 1;
        titled[place] += usize::from(TITLES.iter().any(|title| life.has_title(title)));
    }
    let all: usize = births.iter().sum();
    let Some(statistic) = chi_squared(&births).filter(|_| all >= BIRTHS) else {
        return (Vec::new(), String::new());
    };
    let rows = births.iter().zip(expected(all)).zip(MONTHS).map(|((count, expected), month)| {
        MonthRow { month, births: thousands(*count), expected: fixed(expected, 0) }
    });
    let of_chance = |statistic: f64| {
        if statistic > CRITICAL { "more than chance" } else { "no more than chance" }
    };
    let of_titled: usize = titled.iter().sum();
    let titled_text = chi_squared(&titled)
        .filter(|_| of_titled >= BIRTHS)
        .map(|statistic| {
            format!(
                " Of the {} with a title it is {}: {}.",
                thousands(of_titled),
                fixed(statistic, 1),
                of_chance(statistic)
            )
        })
        .unwrap_or_default();
    let text = format!(
        "Of {} players the whole date of birth is known. By the days of the months χ² is {} with eleven degrees of freedom, where \
         chance alone exceeds {CRITICAL} once in twenty times: {}.{titled_text}",
        thousands(all),
        fixed(statistic, 1),
        of_chance(statistic)
    );
    (rows.collect(), text)
}
