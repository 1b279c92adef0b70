//! Joins the stages of a knock-out whose tags name them: `Testville Cup Quarterfinal`, `Testville
//! Cup Final`.

use std::collections::BTreeMap;

use rustc_hash::FxHashMap;

use super::group::{GameGroup, counted_games, in_common};
use super::tag::{EventTag, order_of_stage, stage};
use super::thresholds::EventThresholds;
use crate::games::GameTable;
use crate::players::PlayerId;

/// The key of an event without its stage, the key of its place, and the year.
type StageKey = (String, String, i16);

/// Joins groups of one name, place and year, each of which has another stage of a knock-out.
///
/// In each stage a player has one opponent, the first stage has several matches, and all players
/// of a later stage played in it. If its matches have enough games for events of their own, they
/// are a cycle instead (see [`cycles`](super::cycle::cycles)).
pub(super) fn join_stages(
    table: &GameTable,
    groups: &mut Vec<GameGroup>,
    thresholds: EventThresholds,
) {
    let mut by_key: BTreeMap<StageKey, Vec<(u8, usize)>> = BTreeMap::new();
    for (number, group) in groups.iter().enumerate() {
        let Some((base, stage)) = stage(&group.base).filter(|_| !group.teams) else { continue };
        let found = order_of_stage(&stage).zip(group.first_year(table));
        let Some((order, year)) = found.filter(|_| matches(group).is_some()) else { continue };
        let key = (EventTag::parse(&base).key, group.site_key.clone(), year);
        by_key.entry(key).or_default().push((order, number));
    }
    let mut absorbed = vec![false; groups.len()];
    for mut stages in by_key.into_values().filter(|stages| stages.len() > 1) {
        stages.sort_unstable();
        let (first, later) = stages.split_first().expect("there are several stages");
        let players = groups[first.1].players();
        let matches = matches(&groups[first.1]).unwrap_or(0);
        let are_events = groups[first.1].members.len() >= thresholds.match_games * matches;
        if matches < 2 || are_events {
            continue;
        }
        let is_later = |(order, number): &&(u8, usize)| {
            let own = groups[*number].players();
            *order > first.0 && own.len() < players.len() && in_common(&own, &players) == own.len()
        };
        let later: Vec<(u8, usize)> = later.iter().filter(is_later).copied().collect();
        if later.is_empty() {
            continue;
        }
        let mut whole = groups[first.1].clone();
        let (base, _) = stage(&whole.base).expect("the group has a stage");
        whole.key = EventTag::parse(&base).key;
        whole.base = base;
        whole.members.iter_mut().for_each(|member| member.stage = first.0);
        for (order, number) in later {
            let mut part = groups[number].clone();
            part.members.iter_mut().for_each(|member| member.stage = order);
            let reason = format!(
                "{} of a later stage joined, by its tag",
                counted_games(part.members.len())
            );
            whole.absorb(part, reason);
            absorbed[number] = true;
        }
        groups[first.1] = whole;
    }
    let mut absorbed = absorbed.into_iter();
    groups.retain(|_| absorbed.next() != Some(true));
}

/// Counts the matches of a group in which each player has one opponent. Returns `None` for other
/// groups.
fn matches(group: &GameGroup) -> Option<usize> {
    let mut opponents: FxHashMap<PlayerId, PlayerId> = FxHashMap::default();
    for member in &group.members {
        for (player, opponent) in [(member.white, member.black), (member.black, member.white)] {
            if *opponents.entry(player).or_insert(opponent) != opponent {
                return None;
            }
        }
    }
    Some(opponents.len() / 2)
}
