//! Parses the distinct tags of some games.

use rayon::prelude::*;
use rustc_hash::{FxHashMap, FxHashSet};

use super::context::EventContext;
use super::group::sorted_unique;
use super::numbered_tags::rounds_of_tags;
use super::pairing_tags::events_of_pairings;
use super::same_tags::SameTags;
use super::tag::{EventTag, SiteTag, is_country_code};
use crate::games::{GameFlags, GameTable, NameId, Round};

/// The distinct tags of some games, each parsed once.
pub(super) struct ParsedTags {
    /// The Event tags, each with the Site tag of its games.
    pub events: FxHashMap<(NameId, NameId), EventTag>,
    pub sites: FxHashMap<NameId, SiteTag>,
    /// The number of the round that an Event tag states, by both tags.
    rounds: FxHashMap<(NameId, NameId), u16>,
}

impl ParsedTags {
    /// Parses the tags, in parallel. `is_copy` tells rows of copies.
    pub fn parse(
        EventContext { table, players, places, .. }: EventContext<'_>,
        tagged: &[SameTags],
        is_copy: impl Fn(usize) -> bool,
    ) -> ParsedTags {
        let sites: Vec<NameId> = sorted_unique(tagged.iter().map(|same| same.site).collect());
        let whole = whole_sites(sites.iter().map(|site| table.text(*site)));
        let sites: FxHashMap<NameId, SiteTag> = sites
            .into_par_iter()
            .map(|tag| {
                let text = table.text(tag);
                let whole = whole.get(text).copied().unwrap_or(text);
                (tag, SiteTag::parse(whole).with_place(places))
            })
            .collect();
        let events = sorted_unique(tagged.iter().map(|same| (same.event, same.site)).collect());
        let mut events: FxHashMap<(NameId, NameId), EventTag> = events
            .into_par_iter()
            .map(|(tag, site)| ((tag, site), EventTag::at(table.text(tag), &sites[&site], places)))
            .collect();
        let single = tags_of_one_game(tagged);
        let mut pairings: Vec<(&str, &str, [&str; 2])> = Vec::with_capacity(single.len());
        for &(tags, row) in &single {
            let game = &table.games()[row];
            let players = [game.white, game.black].map(|player| table.text(player));
            if events[&tags].is_pairing(players) {
                events.insert(tags, EventTag::parse(""));
            }
            pairings.push((table.text(tags.0), sites[&tags.1].key.as_str(), players));
        }
        for (place, name) in events_of_pairings(&pairings) {
            let tags = single[place].0;
            if !events[&tags].base.is_empty() {
                events.insert(tags, EventTag::parse(&name));
            }
        }
        let mut rounds: FxHashMap<(NameId, NameId), u16> = FxHashMap::default();
        for (tags, found) in rounds_of_tags(table, players, tagged, (&events, &sites), is_copy) {
            events.insert(tags, EventTag::parse(&found.name));
            rounds.insert(tags, found.round);
        }
        ParsedTags { events, sites, rounds }
    }

    /// Returns the round that an Event tag states, for games without one.
    pub fn round(&self, tags: (NameId, NameId)) -> Round {
        self.rounds.get(&tags).map_or(Round::UNKNOWN, |round| Round::of_number(*round))
    }

    /// Returns the keys of events in which more than half of the games have team tags. The games in
    /// all towns are counted together.
    pub fn keys_of_teams(&self, table: &GameTable, tagged: &[SameTags]) -> FxHashSet<&str> {
        let mut counts: FxHashMap<&str, (usize, usize)> = FxHashMap::default();
        for same in tagged {
            let (teams, games) =
                counts.entry(&self.events[&(same.event, same.site)].key).or_default();
            *games += same.rows.len();
            for &row in &same.rows {
                let has_teams = table.games()[row as usize].flags.contains(GameFlags::TEAMS);
                *teams += usize::from(has_teams);
            }
        }
        let of_teams = counts.into_iter().filter(|(_, (teams, games))| 2 * teams > *games);
        of_teams.map(|(key, _)| key).filter(|key| !key.is_empty()).collect()
    }
}

/// Returns the Event and Site tags that a single game has, with its row.
///
/// A tag that names a pairing is no event unless several games have it. Those are a match.
fn tags_of_one_game(tagged: &[SameTags]) -> Vec<((NameId, NameId), usize)> {
    let mut games: FxHashMap<NameId, usize> = FxHashMap::default();
    for same in tagged {
        *games.entry(same.event).or_default() += same.rows.len();
    }
    let single = tagged.iter().filter(|same| games[&same.event] == 1);
    single.map(|same| ((same.event, same.site), same.rows[0] as usize)).collect()
}

/// Returns the sites with a country code, by the texts that lack one or two letters of it.
///
/// Some sources cut tags at a number of letters (`Stavanger NO` for `Stavanger NOR`).
fn whole_sites<'a>(sites: impl Iterator<Item = &'a str>) -> FxHashMap<&'a str, &'a str> {
    sites
        .filter(|site| {
            let (place, code) = site.rsplit_once(' ').unwrap_or_default();
            !place.is_empty() && is_country_code(code)
        })
        .flat_map(|site| [1, 2].map(|letters| (&site[..site.len() - letters], site)))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::whole_sites;

    #[test]
    fn a_country_code_that_a_source_has_cut_is_completed() {
        let whole = whole_sites(["New Delhi IND", "Stavanger NOR", "Dallas TX", "OSS"].into_iter());
        assert_eq!(whole.get("New Delhi IN"), Some(&"New Delhi IND"));
        assert_eq!(whole.get("Stavanger N"), Some(&"Stavanger NOR"));
        assert_eq!(whole.len(), 4, "{whole:?}");
    }
}
