//! Cycles of matches (candidates' matches, each with its own tag) and knock-outs (all with one
//! tag).
//!
//! Both are an event as a whole and a set of matches. The matches of a cycle are groups, and the
//! cycle is put together from them. A knock-out is one group, and its matches with enough games are
//! copied from it.

use std::collections::{BTreeMap, BTreeSet};

use super::group::{GameGroup, GroupedGame, in_common};
use super::tag::{EventTag, SegmentKind, order_of_stage, stage};
use super::thresholds::EventThresholds;
use crate::games::GameTable;
use crate::players::PlayerId;

/// The least number of matches of a cycle.
///
/// Judged: two semifinals and a final. With two, a match and the match for the reserve would be a
/// cycle; with six, a cycle of which a source lacks the first stage would not be one.
const CYCLE_MATCHES: usize = 3;

/// The least number of players of a cycle.
///
/// Judged: those of two semifinals. With two, matches of the same players would be a cycle; with
/// eight, a cycle without its quarterfinals would not be one.
const CYCLE_PLAYERS: usize = 4;

/// A group of two players whose tag names a stage.
struct StageMatch {
    group: usize,
    /// The tag without its stage.
    base: String,
    stage: String,
    /// Both players, in the order of their ids.
    players: Vec<PlayerId>,
    year: i16,
}

impl StageMatch {
    /// Returns whether a player of an earlier match plays this one in the same cycle.
    fn continues(&self, earlier: &StageMatch) -> bool {
        // A yearly cup begins anew; so in the next year only a later stage continues a cycle.
        let is_in_time = match self.year - earlier.year {
            0 => true,
            1 => order_of_stage(&self.stage) > order_of_stage(&earlier.stage),
            _ => false,
        };
        is_in_time && in_common(&self.players, &earlier.players) > 0
    }

    /// Returns whether the players of an earlier match meet again in the same stage.
    fn repeats(&self, earlier: &StageMatch) -> bool {
        self.players == earlier.players && self.stage == earlier.stage
    }
}

/// Finds the groups that are matches of one cycle. Returns each cycle as a group, with the numbers
/// of its matches.
pub(super) fn cycles(table: &GameTable, groups: &[GameGroup]) -> Vec<(GameGroup, Vec<usize>)> {
    let mut by_base: BTreeMap<String, Vec<StageMatch>> = BTreeMap::new();
    for (number, group) in groups.iter().enumerate() {
        let Some((base, stage)) = stage(&group.base) else { continue };
        let Some(year) = group.first_year(table) else { continue };
        let players = group.players();
        if players.len() == 2 {
            let key = EventTag::parse(&base).key;
            by_base.entry(key).or_default().push(StageMatch {
                group: number,
                base,
                stage,
                players,
                year,
            });
        }
    }
    let mut found = Vec::new();
    for mut matches in by_base.into_values().filter(|matches| matches.len() >= CYCLE_MATCHES) {
        matches.sort_by_key(|one| (one.year, one.group));
        for cycle in connected(matches) {
            let stages: BTreeSet<&str> = cycle.iter().map(|one| one.stage.as_str()).collect();
            let players: BTreeSet<PlayerId> =
                cycle.iter().flat_map(|one| one.players.iter().copied()).collect();
            if cycle.len() < CYCLE_MATCHES || players.len() < CYCLE_PLAYERS || stages.len() < 2 {
                continue;
            }
            found.push((as_group(groups, &cycle), cycle.iter().map(|one| one.group).collect()));
        }
    }
    found
}

/// Splits matches into sets that are connected: the winner of one plays another, in the same year
/// or the next.
fn connected(matches: Vec<StageMatch>) -> Vec<Vec<StageMatch>> {
    let mut sets: Vec<Vec<StageMatch>> = Vec::new();
    for one in matches {
        let (continued, others): (Vec<Vec<StageMatch>>, Vec<Vec<StageMatch>>) =
            sets.into_iter().partition(|set| {
                !set.iter().any(|other| one.repeats(other))
                    && set.iter().any(|other| one.continues(other))
            });
        let mut set: Vec<StageMatch> = continued.into_iter().flatten().collect();
        set.push(one);
        sets = others;
        sets.push(set);
    }
    sets
}

/// Puts the matches of a cycle together as one group.
fn as_group(groups: &[GameGroup], matches: &[StageMatch]) -> GameGroup {
    let cities: BTreeSet<&str> =
        matches.iter().map(|one| groups[one.group].city.as_str()).collect();
    let first = &groups[matches[0].group];
    let (city, site_key) = match cities.len() {
        1 => (first.city.clone(), first.site_key.clone()),
        _ => (String::new(), String::new()),
    };
    let members = matches.iter().flat_map(|one| {
        let stage = order_of_stage(&one.stage).unwrap_or_default();
        groups[one.group].members.iter().map(move |member| GroupedGame { stage, ..*member })
    });
    GameGroup {
        base: matches[0].base.clone(),
        key: EventTag::parse(&matches[0].base).key,
        city,
        site_key,
        teams: false,
        with_team_tags: false,
        has_pairs_of_teams: false,
        members: members.collect(),
        may_continue: Vec::new(),
        reasons: vec![format!(
            "assembled from {} matches of a cycle, by their stages",
            matches.len()
        )],
    }
}

/// Copies the matches of a knock-out that have enough games.
pub(super) fn matches_of(group: &GameGroup, thresholds: EventThresholds) -> Vec<GameGroup> {
    let mut pairs: BTreeMap<(PlayerId, PlayerId), Vec<GroupedGame>> = BTreeMap::new();
    for member in &group.members {
        let pair = (member.white.min(member.black), member.white.max(member.black));
        pairs.entry(pair).or_default().push(*member);
    }
    pairs
        .into_values()
        .filter(|members| {
            let main = members.iter().filter(|member| member.segment == SegmentKind::Main);
            main.count() >= thresholds.match_games
        })
        .map(|members| GameGroup { members, reasons: Vec::new(), ..group.clone() })
        .collect()
}
