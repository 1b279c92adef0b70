//! What copies of games tell about groups: the same games under other tags are the same event.
//!
//! In a heap of collections most games are there several times, each copy under the tags of its source.
//! So every copy is grouped by its own tags first; groups that share most of their games are one event.
//! A part that is an event of its own inside of something larger (a match of a cycle, a tournament under
//! the vague tag of somebody's collection) is taken out of it.

use rustc_hash::{FxHashMap, FxHashSet};

use super::group::{Group, Member};
use super::kind::{Kind, recognise};
use super::tag::SegmentKind;
use super::thresholds::EventThresholds;
use crate::games::{Duplicate, GameTable};
use crate::players::PlayerId;

/// Joins groups that share their games, and leaves each game in one group only. Games of the one source
/// that are those of the other, though their moves differ, are given back.
pub(super) fn join_copies(
    table: &GameTable,
    mains: &mut Vec<Group>,
    segments: &mut [Group],
    thresholds: EventThresholds,
) -> Vec<Duplicate> {
    let mut repeated = Vec::new();
    leave_marked_ones(mains, segments);
    let mut rows: Vec<FxHashSet<usize>> = mains.iter().map(rows_of).collect();
    let mut pairs: Vec<((usize, usize), usize)> = shared(mains).into_iter().collect();
    // Those that share most first; what comes of it does not depend on the order of hashing.
    pairs.sort_unstable_by(|a, b| b.1.cmp(&a.1).then(a.0.cmp(&b.0)));
    let mut home: Vec<usize> = (0..mains.len()).collect();
    for ((a, b), _) in pairs {
        let (a, b) = (find(&home, a), find(&home, b));
        if a == b {
            continue;
        }
        let (large, small) = if (rows[a].len(), b) >= (rows[b].len(), a) { (a, b) } else { (b, a) };
        let both = rows[small].intersection(&rows[large]).count();
        if both == 0 {
            continue;
        }
        if both * 2 < rows[small].len() {
            continue;
        }
        if is_own_event(&mains[small], &mains[large], thresholds) {
            let own = rows[small].clone();
            mains[large].members.retain(|member| !own.contains(&member.row));
            rows[large].retain(|row| !own.contains(row));
            continue;
        }
        // Each game once.
        let known = rows[large].clone();
        let mut other = Group { members: Vec::new(), reasons: Vec::new(), ..mains[small].clone() };
        std::mem::swap(&mut other, &mut mains[small]);
        other.members.retain(|member| !known.contains(&member.row));
        let of_small = std::mem::take(&mut rows[small]);
        let missing: Vec<Member> = mains[large]
            .members
            .iter()
            .filter(|member| !of_small.contains(&member.row))
            .copied()
            .collect();
        let same = by_elimination(table, &missing, &other.members, both);
        other.members.retain(|member| !same.iter().any(|copy| copy.game == member.row));
        repeated.extend(same);
        // `2.f` is no name.
        if letters(&other.base) > 2 && letters(&mains[large].base) <= 2 {
            mains[large].base.clone_from(&other.base);
            mains[large].key.clone_from(&other.key);
        }
        let reason =
            format!("the same event as \"{}\": {both} games are there under both tags", other.base);
        if other.key == mains[large].key && other.site_key == mains[large].site_key {
            mains[large].members.extend(other.members);
        } else {
            mains[large].absorb(other, reason);
        }
        rows[large].extend(rows_of(&mains[large]));
        home[small] = large;
    }
    settle(mains);
    mains.retain(|group| !group.members.is_empty());
    repeated
}

/// Of two sources of one event that have most games in common, the few that only one has, pair by pair:
/// where just one of each side fits, the two are one game with other moves.
fn by_elimination(
    table: &GameTable,
    missing: &[Member],
    left: &[Member],
    in_common: usize,
) -> Vec<Duplicate> {
    // Few of many; otherwise only those of which both tell the round.
    let are_few = left.len() * 3 <= in_common;
    let game = |member: &Member| &table.games()[member.row];
    let fits = |a: &Member, b: &Member| {
        let (x, y) = (game(a), game(b));
        (a.white, a.black) == (b.white, b.black)
            && x.result == y.result
            && x.date.compatible(y.date)
            && match x.round.is_known() && y.round.is_known() {
                true => x.round.agrees(y.round),
                false => are_few,
            }
    };
    let mut found = Vec::new();
    for one in left {
        let mut candidates = missing.iter().filter(|other| fits(one, other));
        let (Some(only), None) = (candidates.next(), candidates.next()) else { continue };
        if left.iter().filter(|other| fits(other, only)).count() == 1 {
            found.push(Duplicate { game: one.row, kept: only.row });
        }
    }
    found
}

fn letters(text: &str) -> usize {
    text.chars().filter(|letter| letter.is_alphabetic()).count()
}

fn find(home: &[usize], mut group: usize) -> usize {
    while home[group] != group {
        group = home[group];
    }
    group
}

fn rows_of(group: &Group) -> FxHashSet<usize> {
    group.members.iter().map(|member| member.row).collect()
}

/// A game that one source marks as of a play-off, or against somebody who withdrew, is that, though
/// another source has it among the rest.
fn leave_marked_ones(mains: &mut [Group], segments: &mut [Group]) {
    let mut seen: FxHashSet<usize> = FxHashSet::default();
    for kind in [SegmentKind::PlayOff, SegmentKind::Extra] {
        for segment in segments.iter_mut() {
            segment.members.retain(|member| member.segment != kind || seen.insert(member.row));
        }
    }
    if !seen.is_empty() {
        for group in mains {
            group.members.retain(|member| !seen.contains(&member.row));
        }
    }
}

/// How many games each pair of groups shares.
fn shared(groups: &[Group]) -> FxHashMap<(usize, usize), usize> {
    let mut of_row: FxHashMap<usize, Vec<usize>> = FxHashMap::default();
    for (number, group) in groups.iter().enumerate() {
        for member in &group.members {
            of_row.entry(member.row).or_default().push(number);
        }
    }
    let mut shared: FxHashMap<(usize, usize), usize> = FxHashMap::default();
    for groups in of_row.into_values().filter(|groups| groups.len() > 1) {
        for (place, &a) in groups.iter().enumerate() {
            for &b in &groups[place + 1..] {
                if a != b {
                    *shared.entry((a.min(b), a.max(b))).or_default() += 1;
                }
            }
        }
    }
    shared
}

/// Whether a part of something larger is an event of its own: a match, or a whole round robin, inside of
/// what is no round robin itself.
fn is_own_event(small: &Group, large: &Group, thresholds: EventThresholds) -> bool {
    let (part, whole) = (table(small), table(large));
    if part.1 >= whole.1 {
        return false;
    }
    let inside = recognise(part.1, &part.0);
    let outside = recognise(whole.1, &whole.0);
    let is_whole_round_robin = |kind: Kind, coverage: Option<f64>| {
        kind.is_round_robin() && coverage.is_some_and(|coverage| coverage >= 0.9)
    };
    let part_is_event = match inside.kind {
        Kind::Match => part.0.len() >= thresholds.match_games,
        kind => {
            is_whole_round_robin(kind, inside.coverage()) && part.0.len() >= thresholds.event_games
        }
    };
    part_is_event && !is_whole_round_robin(outside.kind, outside.coverage())
}

/// The pairings of a group with numbers for the players, and how many there are.
fn table(group: &Group) -> (Vec<(usize, usize)>, usize) {
    let mut numbers: FxHashMap<PlayerId, usize> = FxHashMap::default();
    let pairings = group
        .members
        .iter()
        .map(|member| {
            let [white, black] = [member.white, member.black].map(|player| {
                let next = numbers.len();
                *numbers.entry(player).or_insert(next)
            });
            (white, black)
        })
        .collect();
    (pairings, numbers.len())
}

/// Leaves each game in the largest of the groups that still share it.
fn settle(groups: &mut [Group]) {
    let mut order: Vec<usize> = (0..groups.len()).collect();
    order.sort_by_key(|&group| (std::cmp::Reverse(groups[group].members.len()), group));
    let mut seen: FxHashSet<usize> = FxHashSet::default();
    for group in order {
        groups[group].members.retain(|member| seen.insert(member.row));
    }
}
