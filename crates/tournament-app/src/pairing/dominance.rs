//! Computes dominances (Copeland scores), the order that they give, and the violations of an order.

use serde::Serialize;

use super::table::PairingTable;

/// The dominances of a player.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Dominance {
    /// Number of opponents who scored less than half of the points against the player.
    pub over: usize,
    /// Number of opponents against whom the player scored less than half.
    pub under: usize,
    /// `(W_d + D_d / 2) / n` (4), where D_d counts all others of n possible opponents; `None`
    /// without possible opponents.
    pub part: Option<f64>,
}

impl Dominance {
    /// Number dominated minus number dominating.
    pub fn balance(&self) -> i64 {
        self.over as i64 - self.under as i64
    }
}

/// Computes the dominances of all players.
pub fn dominances(table: &PairingTable) -> Vec<Dominance> {
    let possible = table.len().saturating_sub(1);
    (0..table.len())
        .map(|player| {
            let pairs = table.opponents(player);
            let over = pairs.iter().filter(|pair| pair.won > pair.lost).count();
            let under = pairs.iter().filter(|pair| pair.won < pair.lost).count();
            let even = (possible as f64 - over as f64 - under as f64) / 2.0;
            let part = (possible > 0).then(|| (over as f64 + even) / possible as f64);
            Dominance { over, under, part }
        })
        .collect()
}

/// Ranks players, from 1, by the balance of their dominances.
///
/// A tie is broken by the dominances within the tied group alone, repeatedly, until no group can be
/// divided further. Players still tied share a rank.
pub fn places_by_dominance(table: &PairingTable) -> Vec<usize> {
    let mut groups = TieGroups::new(table);
    groups.divide((0..table.len() as u32).collect());
    places(table.len(), &groups.order)
}

/// Ranks players, from 1, by points. Direct encounter breaks ties, applied like the dominances
/// above.
pub fn places_by_direct_encounter(table: &PairingTable) -> Vec<usize> {
    let mut players: Vec<u32> = (0..table.len() as u32).collect();
    players
        .sort_by(|a, b| table.won(*b as usize).total_cmp(&table.won(*a as usize)).then(a.cmp(b)));
    let mut groups = TieGroups::new(table);
    for equal in players.chunk_by(|a, b| table.won(*a as usize) == table.won(*b as usize)) {
        groups.divide(equal.to_vec());
    }
    places(table.len(), &groups.order)
}

/// The state of dividing groups of tied players.
struct TieGroups<'a> {
    table: &'a PairingTable,
    /// Number of the group that each player was in last.
    group_of: Vec<u32>,
    groups: u32,
    /// The groups that cannot be divided further, from the best.
    order: Vec<Vec<u32>>,
}

impl TieGroups<'_> {
    fn new(table: &PairingTable) -> TieGroups<'_> {
        TieGroups { table, group_of: vec![0; table.len()], groups: 0, order: Vec::new() }
    }

    /// Divides a group by the dominances within it, and then each part. The effort depends on the
    /// games of the group, not on the number of all players.
    fn divide(&mut self, group: Vec<u32>) {
        // The best part is divided first.
        let mut waiting = vec![group];
        while let Some(group) = waiting.pop() {
            if group.len() < 2 {
                self.order.extend((!group.is_empty()).then_some(group));
                continue;
            }
            self.groups += 1;
            for player in &group {
                self.group_of[*player as usize] = self.groups;
            }
            let mut balanced: Vec<(i64, u32)> =
                group.iter().map(|player| (self.balance(*player), *player)).collect();
            balanced.sort_by_key(|(balance, _)| -balance);
            let parts: Vec<Vec<u32>> = balanced
                .chunk_by(|a, b| a.0 == b.0)
                .map(|part| part.iter().map(|(_, player)| *player).collect())
                .collect();
            if parts.len() == 1 {
                self.order.push(group);
            } else {
                waiting.extend(parts.into_iter().rev());
            }
        }
    }

    /// Number of members of the player's group that the player dominates, minus the number of those
    /// that dominate the player.
    fn balance(&self, player: u32) -> i64 {
        let pairs = self.table.opponents(player as usize).iter();
        let inside = pairs.filter(|pair| self.group_of[pair.opponent as usize] == self.groups);
        inside.map(|pair| i64::from(pair.won > pair.lost) - i64::from(pair.won < pair.lost)).sum()
    }
}

fn places(players: usize, order: &[Vec<u32>]) -> Vec<usize> {
    let mut places = vec![0; players];
    let mut next = 1;
    for group in order {
        for player in group {
            places[*player as usize] = next;
        }
        next += group.len();
    }
    places
}

/// Counts the dominances that an order violates: the dominating player has a worse place than the
/// dominated one. Smaller values of `place` are better.
pub fn violations(table: &PairingTable, place: &[usize]) -> usize {
    (0..table.len())
        .map(|player| {
            table
                .opponents(player)
                .iter()
                .filter(|pair| {
                    pair.won > pair.lost && place[player] > place[pair.opponent as usize]
                })
                .count()
        })
        .sum()
}

/// Largest number of players for which the fewest violations are computed. Time and memory double
/// with each player. Judged: twenty players take about two megabytes.
const MOST_PLAYERS: usize = 20;

/// Computes the fewest violations of any order (a minimum feedback arc set), by dynamic programming
/// over all subsets of each cycle of dominances. Returns `None` for more than twenty players.
pub fn fewest_violations(table: &PairingTable) -> Option<usize> {
    let count = table.len();
    if count > MOST_PLAYERS {
        return None;
    }
    // Bit set of the players that each player dominates.
    let over: Vec<u32> = (0..count)
        .map(|player| {
            let pairs = table.opponents(player).iter();
            pairs
                .filter(|pair| pair.won > pair.lost)
                .fold(0, |bits, pair| bits | 1 << pair.opponent)
        })
        .collect();
    // Bit set of the players that each player dominates directly or through others.
    let mut reached = over.clone();
    for by in 0..count {
        for player in 0..count {
            if reached[player] & 1 << by != 0 {
                reached[player] |= reached[by];
            }
        }
    }
    // Only players who reach each other can cause violations.
    let mut done: u32 = 0;
    let mut fewest = 0;
    for player in 0..count {
        if done & 1 << player != 0 {
            continue;
        }
        let group: Vec<usize> = (player..count)
            .filter(|other| {
                *other == player
                    || reached[player] & 1 << other != 0 && reached[*other] & 1 << player != 0
            })
            .collect();
        done |= group.iter().fold(0, |bits, member| bits | 1 << member);
        fewest += fewest_of(&group, &over);
    }
    Some(fewest)
}

/// Computes the fewest violations within one group.
fn fewest_of(group: &[usize], over: &[u32]) -> usize {
    let dominated: Vec<usize> = group
        .iter()
        .map(|player| {
            let inside =
                group.iter().enumerate().filter(|(_, other)| over[*player] & 1 << **other != 0);
            inside.fold(0, |bits, (place, _)| bits | 1 << place)
        })
        .collect();
    // For each subset placed before all other players: the fewest violations within it.
    let mut fewest = vec![u16::MAX; 1 << group.len()];
    fewest[0] = 0;
    for set in 0..(1usize << group.len()) {
        for (player, dominated) in dominated.iter().enumerate() {
            if set & (1 << player) == 0 {
                // The player is placed last in the set: each earlier player whom this one
                // dominates is a violation.
                let broken = (dominated & set).count_ones() as u16;
                let with = set | 1 << player;
                fewest[with] = fewest[with].min(fewest[set] + broken);
            }
        }
    }
    fewest.last().map_or(0, |fewest| usize::from(*fewest))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn direct_encounter_breaks_ties_and_a_cycle_shares_its_rank() {
        // 0 and 1 have two points each, and 1 beat 0. 2, 3 and 4 have one each and form a cycle.
        let games = [
            (1, 0, 1.0),
            (0, 2, 1.0),
            (0, 3, 1.0),
            (2, 3, 1.0),
            (3, 4, 1.0),
            (4, 2, 1.0),
            (1, 5, 1.0),
        ];
        let table = PairingTable::new(6, games);
        assert_eq!(places_by_direct_encounter(&table), [2, 1, 3, 3, 3, 6]);
    }

    #[test]
    fn a_cycle_has_at_least_one_violation() {
        let table = PairingTable::new(3, [(0, 1, 1.0), (1, 2, 1.0), (2, 0, 1.0)]);
        assert_eq!(fewest_violations(&table), Some(1));
        assert_eq!(violations(&table, &[1, 2, 3]), 1);
        assert_eq!(violations(&table, &[1, 1, 1]), 0);
        assert_eq!(fewest_violations(&PairingTable::new(21, [])), None);
    }
}
