//! Places and dates of birth of strong players: sections of the page of ages.

use std::collections::BTreeMap;

use serde::Serialize;

use super::Site;
use crate::figures::{fixed, thousands};
use chess_history::ratings::FIDE_SYSTEM;
use pgn_collections::games::MONTHS;
use rating_systems::population::ages::{GENERATION, generation};
use rating_systems::systems::months::{chi_squared, expected};

/// Births that the table of months needs. Judged: about 17 for each month; the chi-squared
/// test needs at least five.
const BIRTHS: usize = 200;

/// The 95% quantile of chi-squared with eleven degrees of freedom.
const CRITICAL: f64 = 19.7;

/// Titles that count, and the lowest rating (points) that counts.
const TITLES: [&str; 4] = ["GM", "IM", "WGM", "WIM"];
const RATED: f64 = 2400.0;

/// Federations shown, and players that the table needs. Judged: with fewer than a hundred, a cell
/// has one or two players.
const SHOWN: usize = 20;
const FEWEST: usize = 100;

/// Players with a title, and rated 2400 or more, by year.
type CountsByYear = BTreeMap<i16, (usize, usize)>;

fn sums(counts: &CountsByYear) -> (usize, usize) {
    counts.values().fold((0, 0), |(titled, rated), one| (titled + one.0, rated + one.1))
}

/// A count; empty if there are none.
fn count_or_empty(count: usize) -> String {
    if count == 0 { String::new() } else { thousands(count) }
}

fn federation_row(
    federation: &str,
    counts: &CountsByYear,
    generations: &[i16],
) -> impl Serialize + use<> {
    let (titled, rated) = sums(counts);
    view!(
        federation = federation.to_owned(),
        // Players with a title, and players rated 2400 or more, by generation.
        cells = generations
            .iter()
            .map(|generation| counts.get(generation).copied().unwrap_or_default())
            .map(|(titled, rated)| (count_or_empty(titled), count_or_empty(rated)))
            .collect::<Vec<_>>(),
        titled = count_or_empty(titled),
        rated = count_or_empty(rated)
    )
}

/// Strong players by year of birth and first federation; `None` if too few are known. (Few places
/// of birth are known.)
pub(super) fn births(site: &Site) -> Option<impl Serialize> {
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
    let mut order: Vec<(&&str, &CountsByYear)> =
        by_federation.iter().filter(|(_, counts)| sums(counts) != (0, 0)).collect();
    // Most titled players first, then by name.
    order.sort_by_key(|(_, counts)| std::cmp::Reverse(sums(counts)));
    Some(view!(
        generations = generations
            .iter()
            .map(|first| format!("{first}–{}", first + GENERATION - 1))
            .collect::<Vec<_>>(),
        rows = order
            .iter()
            .take(SHOWN)
            .map(|(federation, counts)| federation_row(federation, counts, &generations))
            .collect::<Vec<_>>(),
        // All federations together.
        sum = federation_row("All", &all, &generations),
        others = order.len().saturating_sub(SHOWN)
    ))
}

/// Births by month, with the numbers expected from the days of the months, and the test in words.
pub(super) fn months(site: &Site) -> (Vec<[String; 3]>, String) {
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
        [month.to_owned(), thousands(*count), fixed(expected, 0)]
    });
    let of_titled: usize = titled.iter().sum();
    let titled_text = chi_squared(&titled)
        .filter(|_| of_titled >= BIRTHS)
        .map(|statistic| {
            format!(
                " For the {} with a title it is {}, {}.",
                thousands(of_titled),
                fixed(statistic, 1),
                compared_with_chance(statistic)
            )
        })
        .unwrap_or_default();
    let text = format!(
        "The full date of birth is known for {} players. Compared with the numbers expected from the lengths of the months, χ² \
         is {} with eleven degrees of freedom \
         (5% limit {CRITICAL}), {}.{titled_text}",
        thousands(all),
        fixed(statistic, 1),
        compared_with_chance(statistic)
    );
    (rows.collect(), text)
}

fn compared_with_chance(statistic: f64) -> &'static str {
    if statistic > CRITICAL { "which exceeds chance" } else { "which does not exceed chance" }
}
