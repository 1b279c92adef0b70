//! Who was number one, by most of the rating systems.

use std::collections::BTreeMap;

use serde::Serialize;

use super::leader::{first_rankings, leader_of, name_here};
use super::{Link, Site};
use crate::charts::{Holder, reigns};
use crate::figures::{counted, spoken};
use archive::RankedLine;
use chess_history::players::PlayerId;

/// The years of any system in which a player must have been number one for a row, if never by most
/// systems. Judged: a single system is often wrong about a single year.
const FEWEST: usize = 5;

/// The years in which a player was number one.
#[derive(Debug, Default)]
struct Leadership {
    name: String,
    player: Option<PlayerId>,
    /// The years by most of the systems with a list.
    most: Vec<i16>,
    /// The years by any system.
    any: Vec<i16>,
}

/// Players by the first year as number one.
fn leaderships(site: &Site) -> Vec<Leadership> {
    let mut by_year: BTreeMap<i16, Vec<&RankedLine>> = BTreeMap::new();
    let first_of_year = first_rankings(site);
    for ranking in &site.archive.lists.rankings {
        let first = first_of_year.get(&ranking.year).copied();
        if let Some(leader) = leader_of(first, ranking) {
            by_year.entry(ranking.year).or_default().push(leader);
        }
    }
    let mut found: BTreeMap<String, Leadership> = BTreeMap::new();
    for (year, leaders) in by_year {
        let mut votes: BTreeMap<String, (usize, Option<PlayerId>)> = BTreeMap::new();
        for line in &leaders {
            let vote = votes.entry(name_here(site, line.player, &line.name)).or_default();
            *vote = (vote.0 + 1, vote.1.or(line.player));
        }
        for (name, (count, player)) in votes {
            let own = found.entry(name.clone()).or_default();
            (own.name, own.player) = (name, own.player.or(player));
            own.any.push(year);
            if 2 * count > leaders.len() {
                own.most.push(year);
            }
        }
    }
    let mut found: Vec<Leadership> =
        found.into_values().filter(|own| !own.most.is_empty() || own.any.len() >= FEWEST).collect();
    found.sort_by_key(|own| {
        (own.most.first().or(own.any.first()).copied(), own.any.first().copied())
    });
    found
}

/// Spans of consecutive years.
fn spans(years: &[i16], is_sure: bool) -> Vec<(f64, f64, bool)> {
    let parts = years.chunk_by(|one, next| *next == one + 1);
    parts
        .filter_map(|part| {
            let (first, last) = (part.first()?, part.last()?);
            Some((f64::from(*first), f64::from(*last) + 1.0, is_sure))
        })
        .collect()
}

/// The chart and the table of number ones; `None` without rankings.
pub(super) fn number_ones(site: &Site) -> Option<impl Serialize + use<>> {
    let found = leaderships(site);
    let holders: Vec<Holder> = found
        .iter()
        .map(|own| Holder {
            name: own.name.clone(),
            spans: spans(&own.any, false).into_iter().chain(spans(&own.most, true)).collect(),
            events: Vec::new(),
        })
        .collect();
    let chart =
        reigns("number-ones", "Years as number one of the world, by all rating systems", &holders)?;
    let mut by_years: Vec<&Leadership> = found.iter().collect();
    by_years.sort_by_key(|own| std::cmp::Reverse((own.most.len(), own.any.len())));
    let best = by_years.first()?;
    let finding = format!(
        "{} was number one for longest: in {} by most of the systems.",
        spoken(&best.name),
        counted(best.most.len(), "year", "years")
    );
    let rows = by_years.iter().map(|own| {
        view!(
            player = own.player.map(|player| Link::to_player(site.archive, player)),
            name = own.name.clone(),
            most = own.most.len(),
            any = own.any.len(),
            years = super::span(own.any.first().copied().zip(own.any.last().copied()))
        )
    });
    Some(view!(finding, chart, rows = rows.collect::<Vec<_>>()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn consecutive_years_are_one_span() {
        assert_eq!(
            spans(&[1899, 1900, 1901, 1905], true),
            [(1899.0, 1902.0, true), (1905.0, 1906.0, true)]
        );
        assert_eq!(spans(&[], false), []);
    }
}
