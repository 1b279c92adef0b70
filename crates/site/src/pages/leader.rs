//! The leaders of a ranking, and the path of its page.

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
