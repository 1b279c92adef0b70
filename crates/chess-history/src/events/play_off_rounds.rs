//! Finds play-offs of Swiss tournaments whose games are numbered like further rounds.

use std::collections::{BTreeMap, BTreeSet};

use super::event_format::{LEAVERS, ROUND_ROBIN_PAIRS};
use super::field_size::rounds_of_cycle;
use super::group::{GameGroup, GroupedGame};
use super::tag::SegmentKind;
use crate::games::GameTable;
use crate::players::PlayerId;

/// The least number of players of a Swiss.
const FIELD: usize = 8;

/// Marks the games after the last round of a Swiss as its play-off.
///
/// In a Swiss no pair meets twice. So if each pair after the last round has met before, and at
/// most one in [`LEAVERS`] players takes part, these are a play-off. So are matches of two games
/// among up to half of the players. In a round of which a source has only the first boards no
/// pair meets again.
pub(super) fn mark_play_off_rounds(table: &GameTable, group: &mut GameGroup) {
    let Some(last) = last_round(table, &group.members) else { return };
    let is_after = |member: &&GroupedGame| member.game(table).round.number() > Some(last);
    let after: Vec<&GroupedGame> = group.members.iter().filter(is_after).collect();
    let playing: BTreeSet<PlayerId> =
        after.iter().flat_map(|member| [member.white, member.black]).collect();
    let field = group.players().len();
    let games_of_pair = count_pairs(group.members.iter());
    let games_after = count_pairs(after.iter().copied());
    let met_before = after.iter().all(|member| games_of_pair[&pair(member)] > 1);
    let are_matches = after.iter().all(|member| games_after[&pair(member)] > 1);
    let is_play_off =
        met_before && playing.len() * LEAVERS <= field || are_matches && playing.len() * 2 <= field;
    if after.is_empty() || !is_play_off {
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
    for member in members {
        if member.segment != SegmentKind::Main || member.stage > 0 {
            return None;
        }
        let round = member.game(table).round.number()?;
        rounds.entry(round).or_default().extend([member.white, member.black]);
    }
    let field = rounds.values().flatten().collect::<BTreeSet<_>>().len();
    if field < FIELD {
        return None;
    }
    let last = *rounds.iter().rev().find(|(_, playing)| 2 * playing.len() > field)?.0;
    let before = members.iter().filter(|member| member.game(table).round.number() <= Some(last));
    let games_of_pair = count_pairs(before);
    // In a round robin a pair meets again only after all others have met.
    let all_pairs = (field * (field - 1) / 2) as f64;
    let highest = rounds.keys().next_back().copied().map_or(0, usize::from);
    let may_be_round_robin = games_of_pair.len() as f64 >= ROUND_ROBIN_PAIRS * all_pairs
        && highest > rounds_of_cycle(field);
    let repeated = games_of_pair.values().filter(|games| **games > 1).count();
    (!may_be_round_robin && 2 * repeated <= games_of_pair.len()).then_some(last)
}

/// Counts the games of each pair.
fn count_pairs<'a>(
    members: impl Iterator<Item = &'a GroupedGame>,
) -> BTreeMap<(PlayerId, PlayerId), usize> {
    let mut games: BTreeMap<(PlayerId, PlayerId), usize> = BTreeMap::new();
    for member in members {
        *games.entry(pair(member)).or_default() += 1;
    }
    games
}

fn pair(member: &GroupedGame) -> (PlayerId, PlayerId) {
    (member.white.min(member.black), member.white.max(member.black))
}

#[cfg(test)]
mod tests {
    use super::super::test_events::{TestResult, circle, events_of};
    use super::*;

    /// The first rounds of a circle of players, then the given pairs, each in a separate round.
    fn open(players: usize, rounds: usize, after: &[(usize, usize)]) -> Vec<TestResult> {
        let mut results = Vec::new();
        for (round, pairs) in (1..).zip(circle(players).into_iter().take(rounds)) {
            for (white, black) in pairs {
                results.push((round, white, black, "1/2-1/2"));
            }
        }
        for (round, (white, black)) in (rounds as u16 + 1..).zip(after) {
            results.push((round, *white, *black, "1-0"));
        }
        results
    }

    /// The number of games of the play-off.
    fn games_of_play_off(results: &[TestResult]) -> usize {
        let found = events_of(results);
        let games = found.iter().flat_map(|event| &event.games);
        games.filter(|game| game.segment == SegmentKind::PlayOff).count()
    }

    #[test]
    fn rounds_of_one_pair_after_the_last_one_are_a_play_off() {
        let pair = circle(16)[0][0];
        assert_eq!(games_of_play_off(&open(16, 5, &[pair, (pair.1, pair.0), pair])), 3);
        // More than half of all pairs met, but no round robin of sixteen has a pair twice so soon.
        assert_eq!(games_of_play_off(&open(16, 9, &[pair, (pair.1, pair.0)])), 2);
    }

    #[test]
    fn matches_of_four_players_after_the_last_round_are_a_play_off() {
        let matches = [(0, 8), (1, 9), (8, 0), (9, 1), (0, 1), (1, 0)];
        assert_eq!(games_of_play_off(&open(16, 5, &matches)), 6);
    }

    #[test]
    fn pairs_that_meet_for_the_first_time_are_those_of_a_round() {
        let rest = circle(16)[5][..2].to_vec();
        assert_eq!(games_of_play_off(&open(16, 5, &rest)), 0);
    }

    #[test]
    fn the_second_cycle_of_a_round_robin_is_no_play_off() {
        let again = circle(10)[0][0];
        assert_eq!(games_of_play_off(&open(10, 9, &[again, (again.1, again.0)])), 0);
    }
}
