//! The leaders of a ranking, and the path of its page.

use std::collections::BTreeMap;

use serde::Serialize;

use super::{Link, Site};
use crate::figures::{fixed, fixed_or_empty, percent};
use archive::{RankedLine, Ranking};
use chess_history::players::PlayerId;

/// The path of the ranking of a system and year.
pub(super) fn path(site: &Site, ranking: &Ranking) -> String {
    let slug = site.system_slugs.get(ranking.system.as_str());
    format!("ratings/{}-{}.html", slug.map_or("list", String::as_str), ranking.year)
}

/// The players that a list must have so that a leader whom it does not have is an error.
///
/// Judged: a shorter one may be that of a country.
const LONG_LIST: usize = 50;

/// The leader of a ranking, unless the first source of ratings has a long list of the year without
/// this player: then it is an isolated pool, a namesake, or a player who was no longer active.
pub(super) fn leader_of<'r>(
    first_of_year: Option<&Ranking>,
    ranking: &'r Ranking,
) -> Option<&'r RankedLine> {
    let leader = ranking.lines.first()?;
    let is_leader = |line: &RankedLine| {
        line.name == leader.name || line.player.is_some() && line.player == leader.player
    };
    let known = first_of_year.filter(|first| first.lines.len() >= LONG_LIST);
    known.is_none_or(|first| first.lines.iter().any(is_leader)).then_some(leader)
}

/// The rankings of the first source of ratings that has one, by year.
pub(super) fn first_rankings<'a>(site: &Site<'a>) -> BTreeMap<i16, &'a Ranking> {
    let mut years = BTreeMap::new();
    for ranking in &site.archive.lists.rankings {
        years.entry(ranking.year).or_insert(ranking);
    }
    years
}

/// A player on a ranking.
#[derive(Debug, Serialize)]
pub(super) struct Leader {
    pub rank: usize,
    pub name: String,
    pub rating: String,
    pub player: Option<Link>,
    /// Change in rank since the year before: empty without a change, `new` for a new player.
    pub movement: String,
    /// Standard deviation of the rating.
    pub deviation: String,
    /// The chance that the player was the best of the year, and the range of the player's rank.
    pub chance: String,
    pub range: String,
}

/// The player if there are games, and so a page, of the player.
fn with_page(site: &Site, player: Option<PlayerId>) -> Option<PlayerId> {
    player.filter(|player| !site.records.get(player.index()).is_none_or(Vec::is_empty))
}

/// The name of a player on a list, as the archive writes it; as the list does if the player has no
/// page.
pub(super) fn name_here(site: &Site, player: Option<PlayerId>, listed: &str) -> String {
    match with_page(site, player) {
        Some(player) => site.archive.players.get(player).name.clone(),
        None => listed.to_owned(),
    }
}

impl Leader {
    pub fn new(site: &Site, ranking: &Ranking, line: &RankedLine) -> Leader {
        let known = with_page(site, line.player);
        let movement = match line.before {
            None if ranking.is_compared => "new".into(),
            None => String::new(),
            Some(before) if before > line.rank => format!("▲ {}", before - line.rank),
            Some(before) if before < line.rank => format!("▼ {}", line.rank - before),
            Some(_) => String::new(),
        };
        Leader {
            rank: line.rank,
            name: name_here(site, line.player, &line.name),
            rating: fixed(line.rating, 0),
            player: known.map(|player| Link::to_player(site.archive, player)),
            movement,
            deviation: fixed_or_empty(line.deviation, 0),
            chance: line
                .odds
                .filter(|(first, _)| *first >= 0.01)
                .map(|(first, _)| percent(first))
                .unwrap_or_default(),
            range: line
                .odds
                .map(
                    |(_, (best, worst))| {
                        if best == worst { best.to_string() } else { format!("{best}–{worst}") }
                    },
                )
                .unwrap_or_default(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ranking(names: &[&str]) -> Ranking {
        let lines = names.iter().zip(1..).map(|(name, rank)| RankedLine {
            rank,
            name: (*name).to_owned(),
            rating: 2800.0 - rank as f64,
            player: None,
            before: None,
            deviation: None,
            odds: None,
        });
        Ranking {
            system: "Elo".to_owned(),
            year: 1999,
            edition: jiff::civil::date(1999, 1, 1),
            is_from_tags: false,
            is_compared: false,
            lines: lines.collect(),
        }
    }

    #[test]
    fn a_leader_whom_the_long_list_of_the_year_does_not_have_is_none() {
        let names: Vec<String> = (1..=LONG_LIST).map(|number| format!("Player {number}")).collect();
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        let (long, short) = (ranking(&names), ranking(&names[..10]));
        let (known, other) = (ranking(&["Player 30"]), ranking(&["Somebody"]));
        assert!(leader_of(Some(&long), &known).is_some());
        assert!(leader_of(Some(&long), &other).is_none());
        assert!(leader_of(Some(&short), &other).is_some() && leader_of(None, &other).is_some());
    }
}
