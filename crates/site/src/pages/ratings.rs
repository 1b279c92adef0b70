//! Rating lists by year, and the world number ones of all systems.

use rustc_hash::FxHashMap;
use serde::Serialize;

use super::leader::{Leader, first_rankings, leader_of, path};
use super::number_ones::number_ones;
use super::page::Page;
use super::{Link, Section, Site};
use crate::figures::{day, fixed, thousands};
use archive::Ranking;
use rating_systems::systems::System;

/// The date of a list in words, or the years that it covers.
pub(super) fn of_list(site: &Site, ranking: &Ranking) -> String {
    let first = ranking.edition.year();
    let last = System::of_list(&ranking.system)
        .and_then(|system| site.archive.settings.systems.system(system).last_year(first));
    match last {
        Some(last) if last == first => format!("of the year {first}"),
        Some(last) => format!("of the years {first}–{last}"),
        None if ranking.is_from_tags => {
            format!("of the list of {}, collected from rating tags", day(ranking.edition))
        }
        None => format!("of the list of {}", day(ranking.edition)),
    }
}

/// The systems in their order, each with its rankings.
fn systems<'a>(site: &Site<'a>) -> Vec<(&'a str, Vec<&'a Ranking>)> {
    let mut systems: Vec<(&str, Vec<&Ranking>)> = Vec::new();
    for ranking in &site.archive.lists.rankings {
        match systems.last_mut() {
            Some((name, rankings)) if *name == ranking.system => rankings.push(ranking),
            _ => systems.push((&ranking.system, vec![ranking])),
        }
    }
    systems
}

/// The page of all systems.
pub fn ratings(site: &Site, page: &Page, present: Vec<&'static str>) -> impl Serialize {
    let systems = systems(site);
    let first_of_year = first_rankings(site);
    let mut by_year: std::collections::BTreeMap<i16, Vec<Option<_>>> = Default::default();
    for (place, (_, rankings)) in systems.iter().enumerate() {
        for ranking in rankings {
            let cells = by_year
                .entry(ranking.year)
                .or_insert_with(|| systems.iter().map(|_| None).collect());
            let first = first_of_year.get(&ranking.year).copied();
            cells[place] = leader_of(first, ranking).map(|line| {
                let leader = Leader::new(site, ranking, line);
                view!(
                    href = path(site, ranking),
                    name = leader.name,
                    rating = leader.rating,
                    // The chance that this player was the best.
                    chance = leader.chance
                )
            });
        }
    }
    view!(
        frame = page.frame(
            site,
            "The world number one by every rating system, year by year, with the lists.",
        ),
        systems = systems
            .iter()
            .filter_map(|(name, rankings)| {
                let [first, last] = [rankings.first()?, rankings.last()?].map(|ranking| Link {
                    href: path(site, ranking),
                    text: ranking.year.to_string(),
                });
                Some(view!(
                    name = (*name).to_owned(),
                    // Its first and its last ranking.
                    first,
                    last
                ))
            })
            .collect::<Vec<_>>(),
        rows = by_year
            .into_iter()
            .rev()
            .map(|(year, cells)| view!(
                year, // The number one of each system that has a list.
                cells
            ))
            .collect::<Vec<_>>(),
        ones = number_ones(site),
        best_years = site
            .archive
            .lists
            .best_years
            .chunk_by(|a, b| a.system == b.system)
            .map(|best| view!(
                system = best[0].system,
                rows = (1..)
                    .zip(best)
                    .map(|(rank, best)| view!(
                        rank,
                        name = best.name.clone(),
                        rating = fixed(best.rating, 0),
                        deviation = fixed(best.deviation, 0),
                        year = best.year
                    ))
                    .collect::<Vec<_>>()
            ))
            .collect::<Vec<_>>(),
        // Paths of the pages of the registry that the archive has.
        present
    )
}

pub fn ranking_paths<'a>(site: &'a Site) -> impl Iterator<Item = String> + 'a {
    site.archive.lists.rankings.iter().map(|ranking| path(site, ranking))
}

/// The page of the list of a system and year.
pub fn ranking(site: &Site, place: usize) -> (String, impl Serialize) {
    let rankings = &site.archive.lists.rankings;
    let ranking = &rankings[place];
    let others: Vec<&Ranking> = rankings
        .iter()
        .filter(|other| other.year == ranking.year && other.system != ranking.system)
        .collect();
    let ranks: Vec<FxHashMap<_, usize>> = others
        .iter()
        .map(|other| {
            let lines = other.lines.iter();
            lines.filter_map(|line| Some((line.player?, line.rank))).collect()
        })
        .collect();
    let [previous, next] = [place.checked_sub(1), Some(place + 1)].map(|neighbour| {
        let other = rankings.get(neighbour?)?;
        (other.system == ranking.system)
            .then(|| Link { href: path(site, other), text: other.year.to_string() })
    });
    let title = format!("{}, {}", ranking.system, ranking.year);
    let path_of_page = path(site, ranking);
    let page = view!(
        frame = site.cited_frame(
            &path_of_page,
            Section::Ratings,
            title.clone(),
            format!("The top {} {}.", ranking.lines.len(), of_list(site, ranking)),
        ),
        title,
        // How a computed system works: how long results count, and where ratings start.
        explained = System::of_list(&ranking.system)
            .map(|system| {
                let explained = site.archive.settings.systems.system(system).explained();
                format!("{}: {explained}", system.about.name)
            })
            .unwrap_or_default(),
        others = others.iter().map(|other| other.system.clone()).collect::<Vec<_>>(),
        rows = ranking
            .lines
            .iter()
            .map(|line| view!(
                leader = Leader::new(site, ranking, line),
                // Rank by the other systems in the same year.
                others = ranks
                    .iter()
                    .map(|ranks| {
                        let rank = line.player.and_then(|player| ranks.get(&player));
                        rank.map(usize::to_string).unwrap_or_default()
                    })
                    .collect::<Vec<_>>()
            ))
            .collect::<Vec<_>>(),
        // How the list agrees with games, in sentences.
        consistency = consistency(site, ranking),
        has_movement = ranking.is_compared,
        has_odds = ranking.lines.iter().any(|line| line.odds.is_some()),
        previous,
        next,
        // The same year by the other systems.
        other_systems = others
            .iter()
            .map(|other| Link { href: path(site, other), text: other.system.clone() })
            .collect::<Vec<_>>(),
        year = site
            .years
            .iter()
            .any(|(year, _)| *year == ranking.year)
            .then(|| Link::to_year(ranking.year))
    );
    (path_of_page, page)
}

/// How a list agrees with games of its year and of the year before, in sentences.
fn consistency(site: &Site, ranking: &Ranking) -> String {
    let rows = site.archive.studies.consistency.iter();
    let of_list = rows.filter(|row| row.year == ranking.year && row.system == ranking.system);
    let sentences: Vec<String> = of_list
        .map(|row| {
            format!(
                "In {} games of {} between players on the list, performance ratings differ from list ratings by {} points. \
                 Scores differ from the scores that ratings predict by {}. (Root mean squares, 400 points per game.)",
                thousands(row.found.games),
                row.games_of,
                fixed(row.found.of_ratings, 0),
                fixed(row.found.of_scores, 3)
            )
        })
        .collect();
    sentences.join(" ")
}
