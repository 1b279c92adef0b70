//! Joins groups that contain copies of the same games: the same games under other tags are the same
//! event.
//!
//! In overlapping collections most games occur several times, each copy with the tags of its
//! source. Every copy is first grouped by its own tags. Groups that share most of their games are
//! then one event. A part of a larger group that is a separate event is removed from that group.
//! Examples are a match of a cycle, and a tournament in a collection with a vague tag.

use rustc_hash::{FxHashMap, FxHashSet};

use super::event_format::recognise_pairs;
use super::group::{GameGroup, GroupedGame, adds_number, counted_games, in_common};
use super::repeated::similar_length;
use super::tag::{SegmentKind, stage};
use super::thresholds::EventThresholds;
use crate::disjoint_sets::DisjointSets;
use crate::games::{Duplicate, GameTable};
use crate::players::PlayerId;
use crate::tournament::Kind;

/// The most groups with which a group that shares a game is compared.
///
/// Judged: more than the collections in which a game usually occurs. The comparisons of a game grow
/// with its groups times this limit; half of it could separate the tags of often copied games.
const MOST_TAGS: usize = 32;

/// Two events of one collection share at most one in `ONE_SHARED_IN` of the players of the smaller.
///
/// Judged: with 6, the events of one country or class would not show that a group is a collection;
/// with 2, two stages or editions of one event would.
const ONE_SHARED_IN: usize = 3;

/// Joins groups that share their games, and leaves each game in one group only.
///
/// Returns the games of one source that are games of another source with other moves.
pub(super) fn join_copies(
    table: &GameTable,
    mains: &mut Vec<GameGroup>,
    segments: &mut [GameGroup],
    thresholds: EventThresholds,
) -> Vec<Duplicate> {
    move_marked_games(mains, segments);
    let mut pairs: Vec<((usize, usize), usize)> = count_shared_games(mains).into_iter().collect();
    // The pairs that share most come first. The result does not depend on the order of hashing.
    pairs.sort_unstable_by(|a, b| b.1.cmp(&a.1).then(a.0.cmp(&b.0)));
    let mut copies = OverlappingGroups::new(table, mains);
    let collections = collections(copies.groups, &copies.rows, &pairs, thresholds);
    let mut homes = DisjointSets::new(copies.groups.len());
    for ((a, b), _) in pairs {
        let (a, b) = (homes.find(a), homes.find(b));
        if a == b {
            continue;
        }
        let [rows_a, rows_b] = [a, b].map(|group| copies.rows[group].len());
        let (large, small) = if (rows_a, b) >= (rows_b, a) { (a, b) } else { (b, a) };
        let both = copies.rows[small].intersection(&copies.rows[large]).count();
        if both == 0 || both * 2 < copies.rows[small].len() {
            continue;
        }
        let groups = &copies.groups;
        if collections.contains(&large) || is_own_event(&groups[small], &groups[large], thresholds)
        {
            // A separate event: its games leave the larger group.
            let part = copies.rows[small].clone();
            copies.groups[large].members.retain(|member| !part.contains(&member.row));
            copies.rows[large].retain(|row| !part.contains(row));
        } else {
            copies.merge(large, small, both);
            homes.join_to(small, large);
        }
    }
    let OverlappingGroups { removed, repeated, .. } = copies;
    for group in mains.iter_mut().chain(segments) {
        group.members.retain(|member| !removed.contains(&member.row));
    }
    assign_shared_games(mains, thresholds);
    mains.retain(|group| !group.members.is_empty());
    repeated
}

/// Groups that share games.
struct OverlappingGroups<'a> {
    table: &'a GameTable,
    groups: &'a mut [GameGroup],
    /// The rows of each group; those of a merged group are empty.
    rows: Vec<FxHashSet<usize>>,
    /// Rows of games that repeat another game with other moves.
    removed: FxHashSet<usize>,
    /// The same games, each with the game that it repeats.
    repeated: Vec<Duplicate>,
}

impl<'a> OverlappingGroups<'a> {
    fn new(table: &'a GameTable, groups: &'a mut [GameGroup]) -> OverlappingGroups<'a> {
        let rows = groups.iter().map(rows_of).collect();
        let (removed, repeated) = (FxHashSet::default(), Vec::new());
        OverlappingGroups { table, groups, rows, removed, repeated }
    }

    /// Merges a small group into a large one, with which it shares `both` games.
    fn merge(&mut self, large: usize, small: usize, both: usize) {
        let mut other = self.groups[small].clone();
        let games_of_other = other.members.len();
        self.groups[small].members.clear();
        self.groups[small].reasons.clear();
        let group = &mut self.groups[large];
        let have_the_same_place = other.site_key == group.site_key;
        if !group.city.is_empty() {
            group.take_fuller_place(&other);
        }
        // Each game is kept once.
        let rows = &self.rows[large];
        other.members.retain(|member| !rows.contains(&member.row));
        let of_small = std::mem::take(&mut self.rows[small]);
        let missing: Vec<GroupedGame> = self.groups[large]
            .members
            .iter()
            .filter(|member| !of_small.contains(&member.row) && !self.removed.contains(&member.row))
            .copied()
            .collect();
        other.members.retain(|member| !self.removed.contains(&member.row));
        let same = by_elimination(self.table, &missing, &other.members, both);
        self.removed.extend(same.iter().map(|copy| copy.game));
        other.members.retain(|member| !self.removed.contains(&member.row));
        self.repeated.extend(same);
        let group = &mut self.groups[large];
        // `2.f` is not a name. Of two names for a stage, the longer one names the cycle.
        let are_stages = stage(&other.base).is_some() && stage(&group.base).is_some();
        let (mine, theirs) = (letters(&group.base), letters(&other.base));
        // Several numbered matches may be under one name in the other source.
        let is_numbered =
            adds_number(&group.base, &other.base) && 2 * games_of_other >= group.members.len();
        if (theirs > 2 && mine <= 2) || (are_stages && theirs > mine) || is_numbered {
            group.base.clone_from(&other.base);
            group.key.clone_from(&other.key);
        }
        let reason =
            format!("joined with \"{}\": {} under both tags", other.base, counted_games(both));
        if have_the_same_place && other.key == group.key {
            group.members.extend(other.members);
        } else {
            group.absorb(other, reason);
        }
        self.rows[large].extend(rows_of(group));
    }
}

/// Identifies games by elimination, given two sources of one event that share most of its games.
///
/// Of the few games that only one source has, two are the same game with other moves if neither has
/// another counterpart.
fn by_elimination(
    table: &GameTable,
    missing: &[GroupedGame],
    left: &[GroupedGame],
    in_common: usize,
) -> Vec<Duplicate> {
    // With more games than a few, both must have a round.
    let are_few = left.len() * 3 <= in_common;
    let mut found = Vec::new();
    for one in left {
        let mut candidates =
            missing.iter().filter(|other| may_be_same_game(table, one, other, are_few));
        let (Some(only), None) = (candidates.next(), candidates.next()) else { continue };
        let fitting = left.iter().filter(|other| may_be_same_game(table, other, only, are_few));
        if fitting.count() == 1 {
            found.push(Duplicate { game: one.row, kept: only.row });
        }
    }
    found
}

/// Returns whether two games of different sources agree in all tags that identify a game.
///
/// If a round is unknown, `by_moves` decides whether similar moves suffice.
fn may_be_same_game(table: &GameTable, a: &GroupedGame, b: &GroupedGame, by_moves: bool) -> bool {
    let (x, y) = (a.game(table), b.game(table));
    if (a.white, a.black) != (b.white, b.black)
        || x.result != y.result
        || !x.date.compatible(y.date)
    {
        return false;
    }
    if x.round.is_known() && y.round.is_known() {
        x.round.agrees(y.round)
    } else {
        by_moves && similar_length(x, y) && x.has_similar_moves(y)
    }
}

fn letters(text: &str) -> usize {
    text.chars().filter(|letter| letter.is_alphabetic()).count()
}

fn rows_of(group: &GameGroup) -> FxHashSet<usize> {
    group.members.iter().map(|member| member.row).collect()
}

/// Moves games that a source marks as a play-off, or as against a withdrawn player, out of the main
/// groups.
///
/// The mark counts although another source has the game among the others, if both name the same
/// event or place. A tag such as `Best of 2600+` marks nothing.
fn move_marked_games(mains: &mut [GameGroup], segments: &mut [GameGroup]) {
    let mut seen: FxHashSet<usize> = FxHashSet::default();
    for kind in [SegmentKind::PlayOff, SegmentKind::Extra] {
        for segment in segments.iter_mut() {
            segment.members.retain(|member| member.segment != kind || seen.insert(member.row));
        }
    }
    let mut in_mains: FxHashMap<usize, Vec<usize>> = FxHashMap::default();
    for (number, group) in mains.iter().enumerate() {
        for member in group.members.iter().filter(|member| seen.contains(&member.row)) {
            in_mains.entry(member.row).or_default().push(number);
        }
    }
    let mut marked: FxHashSet<usize> = FxHashSet::default();
    for segment in segments {
        let agreed: Vec<GroupedGame> = segment
            .members
            .iter()
            .filter(|member| {
                in_mains.get(&member.row).is_none_or(|groups| {
                    groups.iter().map(|group| &mains[*group]).any(|main| {
                        segment.key == main.key
                            || (segment.site_key == main.site_key && !main.site_key.is_empty())
                    })
                })
            })
            .copied()
            .collect();
        // If most games are agreed, the segment keeps those too that a collection has under another
        // tag.
        if 2 * agreed.len() <= segment.members.len() {
            segment.members = agreed;
        }
        marked.extend(segment.members.iter().map(|member| member.row));
    }
    for group in mains {
        group.members.retain(|member| !marked.contains(&member.row));
    }
}

/// Counts the games that each pair of groups shares.
fn count_shared_games(groups: &[GameGroup]) -> FxHashMap<(usize, usize), usize> {
    let rows = groups.iter().flat_map(|group| &group.members).map(|member| member.row);
    // Nearly all games are in one group, and need no list of groups.
    let mut times = vec![0_u8; rows.clone().max().map_or(0, |last| last + 1)];
    rows.for_each(|row| times[row] = times[row].saturating_add(1));
    let mut of_row: FxHashMap<usize, Vec<usize>> = FxHashMap::default();
    for (number, group) in groups.iter().enumerate() {
        for member in group.members.iter().filter(|member| times[member.row] > 1) {
            of_row.entry(member.row).or_default().push(number);
        }
    }
    let mut shared: FxHashMap<(usize, usize), usize> = FxHashMap::default();
    for groups in of_row.into_values() {
        for (place, &a) in groups.iter().enumerate() {
            // A game under dozens of tags is compared only with the next few.
            let others = &groups[place + 1..];
            for &b in &others[..others.len().min(MOST_TAGS)] {
                if a != b {
                    *shared.entry((a.min(b), a.max(b))).or_default() += 1;
                }
            }
        }
    }
    shared
}

/// Returns whether a part of a larger group is a separate event.
///
/// It is one if it is a match or a complete round robin, and the larger group is neither. A
/// knock-out keeps its matches; they are copied from it later.
fn is_own_event(small: &GameGroup, large: &GameGroup, thresholds: EventThresholds) -> bool {
    let (part, all) = (numbered_pairings(small), numbered_pairings(large));
    if part.1 >= all.1 {
        return false;
    }
    let outside = recognise_pairs(all.1, &all.0).kind;
    is_match_or_round_robin(&part, thresholds)
        && !is_match_or_round_robin(&all, thresholds)
        && !matches!(outside, Kind::KnockOut | Kind::Team)
}

/// Returns whether pairings are those of a match, or of a round robin with at least 90% of its
/// games.
fn is_match_or_round_robin(
    (pairings, players): &(Vec<(usize, usize)>, usize),
    thresholds: EventThresholds,
) -> bool {
    let found = recognise_pairs(*players, pairings);
    match found.kind {
        Kind::Match => pairings.len() >= thresholds.match_games,
        kind => {
            kind.is_round_robin()
                && found.coverage() >= 0.9
                && pairings.len() >= thresholds.event_games
        }
    }
}

/// Finds groups that are collections (of a year, of a magazine, of best games) and not events.
///
/// They contain at least half of two other groups that share few players.
fn collections(
    groups: &[GameGroup],
    rows: &[FxHashSet<usize>],
    pairs: &[((usize, usize), usize)],
    thresholds: EventThresholds,
) -> FxHashSet<usize> {
    let mut parts: FxHashMap<usize, Vec<usize>> = FxHashMap::default();
    for &((a, b), both) in pairs {
        for (large, small) in [(a, b), (b, a)] {
            if rows[large].len() > rows[small].len()
                && both * 2 >= rows[small].len()
                && rows[small].len() >= thresholds.event_games
            {
                parts.entry(large).or_default().push(small);
            }
        }
    }
    let mut collections = FxHashSet::default();
    for (large, small) in parts.into_iter().filter(|(_, small)| small.len() > 1) {
        let fields: Vec<Vec<PlayerId>> =
            small.iter().take(MOST_TAGS).map(|&part| groups[part].players()).collect();
        let has_separate_fields = fields.iter().enumerate().any(|(place, one)| {
            fields[place + 1..]
                .iter()
                .any(|other| in_common(one, other) * ONE_SHARED_IN <= one.len().min(other.len()))
        });
        if !has_separate_fields {
            continue;
        }
        let pairings = numbered_pairings(&groups[large]);
        let is_knock_out = recognise_pairs(pairings.1, &pairings.0).kind == Kind::KnockOut;
        if !is_knock_out && !is_match_or_round_robin(&pairings, thresholds) {
            collections.insert(large);
        }
    }
    collections
}

/// Returns the pairings of a group with numbers for the players, and the number of players.
fn numbered_pairings(group: &GameGroup) -> (Vec<(usize, usize)>, usize) {
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

/// Leaves each game in one of the groups that still share it.
///
/// Complete matches and round robins come first, then groups in which most of the possible pairs
/// met.
fn assign_shared_games(groups: &mut [GameGroup], thresholds: EventThresholds) {
    let concerned: FxHashSet<usize> =
        count_shared_games(groups).into_keys().flat_map(|(a, b)| [a, b]).collect();
    let mut order: Vec<(bool, u64, usize, usize)> = concerned
        .into_iter()
        .map(|number| {
            let table = numbered_pairings(&groups[number]);
            let (games, players) = (table.0.len() as u64, table.1 as u64);
            let density = games * 1_000_000 / (players * players.saturating_sub(1) / 2).max(1);
            let is_mixed = !is_match_or_round_robin(&table, thresholds);
            (is_mixed, u64::MAX - density, usize::MAX - table.0.len(), number)
        })
        .collect();
    order.sort_unstable();
    let mut seen: FxHashSet<usize> = FxHashSet::default();
    for (.., group) in order {
        groups[group].members.retain(|member| seen.insert(member.row));
    }
}
