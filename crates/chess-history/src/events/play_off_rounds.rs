//! Finds play-offs of Swiss tournaments whose games are numbered like further rounds.

use std::collections::{BTreeMap, BTreeSet};

use super::event_format::{LEAVERS, ROUND_ROBIN_PAIRS};
use super::group::{GameGroup, GroupedGame};
use super::tag::SegmentKind;
use crate::games::GameTable;
use crate::players::PlayerId;

/// The least number of players of a Swiss.
const FIELD: usize = 8;

/// Marks the games after the last round of a Swiss as its play-off.
///
/// At most one in [`LEAVERS`] players takes part in these rounds, and each of their pairs meets
/// twice. In a round of which a source has only the first boards no pair meets again.
pub(super) fn mark_play_off_rounds(table: &GameTable, group: &mut GameGroup) {
    let Some(last) = last_round(table, &group.members) else { return };
    let is_after = |member: &GroupedGame| member.game(table).round.number() > Some(last);
    let after: Vec<&GroupedGame> = group.members.iter().filter(|member| is_after(member)).collect();
    let playing: BTreeSet<PlayerId> =
        after.iter().flat_map(|member| [member.white, member.black]).collect();
    let mut games_of_pair: BTreeMap<(PlayerId, PlayerId), usize> = BTreeMap::new();
    for member in &group.members {
        *games_of_pair.entry(pair(member)).or_default() += 1;
    }
    let meet_again = after.iter().all(|member| games_of_pair[&pair(member)] > 1);
    if after.is_empty() || !meet_again || playing.len() * LEAVERS > group.players().len() {
        return;
    }
    for member in &mut group.members {
        if member.game(table).round.number() > Some(last) {
            member.segment = SegmentKind::PlayOff;
        }
    }
}

/// Returns the last round in which most of the players of a Swiss have a game; `None` if the games
/// are not those of a Swiss, or lack their rounds.
fn last_round(table: &GameTable, members: &[GroupedGame]) -> Option<u16> {
    let mut rounds: BTreeMap<u16, BTreeSet<PlayerId>> = BTreeMap::new();
    let mut pairs: BTreeSet<(PlayerId, PlayerId)> = BTreeSet::new();
    for member in members {
        if member.segment != SegmentKind::Main || member.stage > 0 {
            return None;
        }
        let round = member.game(table).round.number()?;
        rounds.entry(round).or_default().extend([member.white, member.black]);
        pairs.insert(pair(member));
    }
    let field = rounds.values().flatten().collect::<BTreeSet<_>>().len();
    let all_pairs = (field * field.saturating_sub(1) / 2) as f64;
    if field < FIELD || pairs.len() as f64 >= ROUND_ROBIN_PAIRS * all_pairs {
        return None;
    }
    rounds.iter().rev().find(|(_, playing)| 2 * playing.len() > field).map(|(round, _)| *round)
}

fn pair(member: &GroupedGame) -> (PlayerId, PlayerId) {
    (member.white.min(member.black), member.white.max(member.black))
}
