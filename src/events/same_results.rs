//! One event under two names, of which one source has the moves and the other only the results, or both
//! have other moves: the same players with the same colours and results in the same days.

use rayon::prelude::*;
use rustc_hash::{FxHashMap, FxHashSet};

use super::group::{Group, Member};
use crate::games::{Duplicate, Game, GameResult, GameTable, REAL_MOVES};
use crate::players::PlayerId;
use crate::repeated_keys::keep_repeated;

/// Days by which two sources differ on one game.
const NEAR_DAYS: i32 = 3;

/// Games that two sources have in common at least; so many more where no day tells that it is one time.
const FEW: usize = 3;
const FEW_OF_A_YEAR: usize = 6;

/// Groups with one pairing of one result beyond which they are not compared.
const MOST: usize = 64;

/// Joins groups most of whose games are those of another group by their results; the games that are there twice.
pub(super) fn join_same_results(table: &GameTable, groups: &mut Vec<Group>) -> Vec<Duplicate> {
    type Key = (PlayerId, PlayerId, GameResult);
    let key =
        |member: &Member| -> Key { (member.white, member.black, table.games()[member.row].result) };
    let mut games: Vec<(PlayerId, PlayerId, u8, u32, u32)> = groups
        .par_iter()
        .enumerate()
        .flat_map_iter(|(number, group)| {
            group.members.iter().map(move |member| {
                let (white, black, result) = key(member);
                (white, black, result as u8, number as u32, member.row as u32)
            })
        })
        .collect();
    keep_repeated(&mut games, |game| {
        ((game.0.index() as u64) << 34) ^ ((game.1.index() as u64) << 2) ^ u64::from(game.2)
    });
    games.par_sort_unstable();
    let same_key = |a: &(PlayerId, PlayerId, u8, u32, u32), b: &_| {
        let (a, b): (_, &(PlayerId, PlayerId, u8, u32, u32)) = (a, b);
        (a.0, a.1, a.2) == (b.0, b.1, b.2)
    };
    let pairs_of = |alike: &[(PlayerId, PlayerId, u8, u32, u32)]| {
        let mut pairs: FxHashSet<(usize, usize)> = FxHashSet::default();
        for (place, a) in alike.iter().enumerate() {
            let later = alike[place + 1..].iter().filter(|b| b.3 != a.3);
            for b in later {
                let (x, y) = (&table.games()[a.4 as usize], &table.games()[b.4 as usize]);
                if is_same(x, y) {
                    pairs.insert((a.3 as usize, b.3 as usize));
                }
            }
        }
        pairs
    };
    let alike = games.par_chunk_by(same_key).filter(|alike| (2..=MOST).contains(&alike.len()));
    let pairs: Vec<(usize, usize)> = alike.flat_map_iter(pairs_of).collect();
    let mut shared: FxHashMap<(usize, usize), usize> = FxHashMap::default();
    for pair in pairs {
        *shared.entry(pair).or_default() += 1;
    }
    let mut shared: Vec<((usize, usize), usize)> =
        shared.into_iter().filter(|(_, games)| *games >= FEW).collect();
    shared.sort_unstable_by(|a, b| b.1.cmp(&a.1).then(a.0.cmp(&b.0)));
    let mut repeated = Vec::new();
    let mut gone: FxHashSet<usize> = FxHashSet::default();
    let mut indices: FxHashMap<usize, ByPairing> = FxHashMap::default();
    for ((a, b), _) in shared {
        if gone.contains(&a) || gone.contains(&b) {
            continue;
        }
        let size = |number: usize| groups[number].members.len();
        let (large, small) = if size(a) >= size(b) { (a, b) } else { (b, a) };
        let index = indices.entry(large).or_insert_with(|| by_pairing(&groups[large]));
        let found = matched(table, index, &groups[small]);
        let games = || found.iter().map(|copy| (copy.game, copy.kept));
        let tells_days = games().all(|(game, kept)| {
            let [one, other] = [game, kept].map(|row| table.games()[row].date.day_exact());
            one.is_some() && other.is_some()
        });
        let least = if tells_days { FEW } else { FEW_OF_A_YEAR };
        if found.len() < least || 5 * found.len() < 4 * groups[small].members.len() {
            continue;
        }
        gone.insert(small);
        let empty = Group { members: Vec::new(), reasons: Vec::new(), ..groups[small].clone() };
        let mut other = std::mem::replace(&mut groups[small], empty);
        let taken: FxHashSet<usize> = games().map(|(game, _)| game).collect();
        other.members.retain(|member| !taken.contains(&member.row));
        indices.remove(&large);
        let reason = format!(
            "the same event as \"{}\": {} games with the same results are there under both names",
            other.base,
            found.len()
        );
        groups[large].absorb(other, reason);
        repeated.extend(found);
    }
    groups.retain(|group| !group.members.is_empty());
    repeated
}

/// Rows by (White, Black).
type ByPairing = FxHashMap<(PlayerId, PlayerId), Vec<usize>>;

fn by_pairing(group: &Group) -> ByPairing {
    let mut rows: ByPairing = FxHashMap::default();
    for member in &group.members {
        rows.entry((member.white, member.black)).or_default().push(member.row);
    }
    rows
}

/// The games of a group that are those of another, each with one of its own.
fn matched(table: &GameTable, large: &ByPairing, small: &Group) -> Vec<Duplicate> {
    let mut taken: FxHashSet<usize> = FxHashSet::default();
    let mut found = Vec::new();
    for member in &small.members {
        let game = &table.games()[member.row];
        let others = large.get(&(member.white, member.black)).into_iter().flatten();
        let same = others.copied().take(MOST).find(|row| {
            let theirs = &table.games()[*row];
            !taken.contains(row) && theirs.result == game.result && is_same(game, theirs)
        });
        if let Some(kept) = same {
            taken.insert(kept);
            found.push(Duplicate { game: member.row, kept });
        }
    }
    found
}

/// Whether two games of one pairing and result may be one: of one time, with similar moves or from two files of
/// which one has none.
fn is_same(a: &Game, b: &Game) -> bool {
    let has_moves = |game: &Game| game.plies >= REAL_MOVES && game.trace != 0;
    if has_moves(a) && has_moves(b) {
        if !a.has_similar_moves(b) {
            return false;
        }
    } else if a.member == b.member {
        // A file without moves does not tell an event twice.
        return false;
    }
    match (a.date.day_exact(), b.date.day_exact()) {
        (Some(one), Some(other)) => (one - other).get_days().abs() <= NEAR_DAYS,
        // Two matches of one pair in years that follow each other often have the same results.
        _ => a.date.year().is_some() && a.date.year() == b.date.year() && a.date.compatible(b.date),
    }
}
