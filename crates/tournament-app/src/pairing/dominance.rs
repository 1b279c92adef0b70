//! Who got the better of whom: dominances (Copeland), the order that they make, and what it violates.

use serde::Serialize;

use super::table::PairingTable;

/// Whom somebody dominated.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Dominance {
    /// Opponents who took less than half of their points against him.
    pub over: usize,
    /// Opponents against whom he took less than half.
    pub under: usize,
    /// `(W_d + D_d / 2) / n` (4), D_d being all others of n possible opponents; `None` where there is none.
    pub part: Option<f64>,
}

impl Dominance {
    /// Those over whom he stands less those under whom.
    pub fn balance(&self) -> i64 {
        self.over as i64 - self.under as i64
    }
}

/// Everybody's dominances.
pub fn dominances(table: &PairingTable) -> Vec<Dominance> {
    let possible = table.len().saturating_sub(1);
    let of = |player: usize| {
        let pairs = table.opponents(player);
        let over = pairs.iter().filter(|pair| pair.won > pair.lost).count();
        let under = pairs.iter().filter(|pair| pair.won < pair.lost).count();
        let even = (possible as f64 - over as f64 - under as f64) / 2.0;
        let part = (possible > 0).then(|| (over as f64 + even) / possible as f64);
        Dominance { over, under, part }
    };
    (0..table.len()).map(of).collect()
}

/// Places from 1 by the balance of dominances; equal ones are parted by the dominances inside of their group alone, and so on in each part until
/// nothing parts them: then they share a place.
pub fn places_by_dominance(table: &PairingTable) -> Vec<usize> {
    let mut parting = Parting::of(table);
    parting.part((0..table.len() as u32).collect());
    places(table.len(), &parting.order)
}

/// Places from 1 by points; equal ones are parted by direct encounter likewise.
pub fn places_by_direct_encounter(table: &PairingTable) -> Vec<usize> {
    let mut players: Vec<u32> = (0..table.len() as u32).collect();
    let points = |player: u32| table.won(player as usize);
    players.sort_by(|a, b| points(*b).total_cmp(&points(*a)).then(a.cmp(b)));
    let mut parting = Parting::of(table);
    for equal in players.chunk_by(|a, b| points(*a) == points(*b)) {
        parting.part(equal.to_vec());
    }
    places(table.len(), &parting.order)
}

/// Groups that are parted.
struct Parting<'a> {
    table: &'a PairingTable,
    /// By player, the number of the group in which he was last.
    group_of: Vec<u32>,
    groups: u32,
    /// What could not be parted further, the best first.
    order: Vec<Vec<u32>>,
}

impl Parting<'_> {
    fn of(table: &PairingTable) -> Parting<'_> {
        Parting { table, group_of: vec![0; table.len()], groups: 0, order: Vec::new() }
    }

    /// Parts a group by the dominances inside of it, and its parts likewise, as far as these go. Work goes with the group's games, not with all players.
    fn part(&mut self, group: Vec<u32>) {
        // The best are parted before the others.
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

    /// Those of his group over whom somebody stands less those under whom.
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

/// How many dominances an order breaks: those of somebody with a worse place over one with a better. The smaller `place` is, the better.
pub fn violations(table: &PairingTable, place: &[usize]) -> usize {
    let of = |player: usize| {
        let pairs = table.opponents(player).iter();
        pairs
            .filter(|pair| pair.won > pair.lost && place[player] > place[pair.opponent as usize])
            .count()
    };
    (0..table.len()).map(of).sum()
}

/// Players up to whom the fewest violations are sought: work and memory double with each.
const MOST_PLAYERS: usize = 20;

/// The fewest dominances that any order breaks (a minimum feedback arc set), by dynamic programming over all subsets of those who dominate each
/// other in circles; `None` of more than twenty players.
pub fn fewest_violations(table: &PairingTable) -> Option<usize> {
    let count = table.len();
    if count > MOST_PLAYERS {
        return None;
    }
    // Bits of those whom each dominates.
    let over: Vec<u32> = (0..count)
        .map(|player| {
            let pairs = table.opponents(player).iter();
            pairs
                .filter(|pair| pair.won > pair.lost)
                .fold(0, |bits, pair| bits | 1 << pair.opponent)
        })
        .collect();
    // The same by way of others.
    let mut reached = over.clone();
    for by in 0..count {
        for player in 0..count {
            if reached[player] & 1 << by != 0 {
                reached[player] |= reached[by];
            }
        }
    }
    // Only those who reach each other can break anything.
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

/// The fewest of one group.
fn fewest_of(group: &[usize], over: &[u32]) -> usize {
    let dominated: Vec<usize> = group
        .iter()
        .map(|player| {
            let inside =
                group.iter().enumerate().filter(|(_, other)| over[*player] & 1 << **other != 0);
            inside.fold(0, |bits, (place, _)| bits | 1 << place)
        })
        .collect();
    // Of the players of a subset, placed before all others: the fewest violations among them.
    let mut fewest = vec![u16::MAX; 1 << group.len()];
    fewest[0] = 0;
    for set in 0..(1usize << group.len()) {
        for (player, dominated) in dominated.iter().enumerate() {
            if set & (1 << player) == 0 {
                // He comes last of the set with him: those before him whom he dominates are violations.
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
    fn who_won_the_game_between_them_is_before_the_other_and_a_circle_shares_its_place() {
        // 0 and 1 have two points each, and 1 beat 0; 2, 3 and 4 in a circle with one each.
        let games = [
            (1, 0, 1.0),
            (0, 2, 1.0),
            (0, 3, 1.0),
            (2, 3, 1.0),
            (3, 4, 1.0),
            (4, 2, 1.0),
            (1, 5, 1.0),
        ];
        let table = PairingTable::of(6, games);
        assert_eq!(places_by_direct_encounter(&table), [2, 1, 3, 3, 3, 6]);
    }

    #[test]
    fn the_fewest_violations_of_a_circle_are_one() {
        let table = PairingTable::of(3, [(0, 1, 1.0), (1, 2, 1.0), (2, 0, 1.0)]);
        assert_eq!(fewest_violations(&table), Some(1));
        assert_eq!(violations(&table, &[1, 2, 3]), 1);
        assert_eq!(violations(&table, &[1, 1, 1]), 0);
        assert_eq!(fewest_violations(&PairingTable::of(21, [])), None);
    }
}
