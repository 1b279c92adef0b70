//! Who took how many points off whom.

use petgraph::algo::kosaraju_scc;
use petgraph::graph::{DiGraph, NodeIndex};

use crate::event::{Event, EventPart};

/// What a player scored against one opponent.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PairScore {
    /// Number of the opponent.
    pub opponent: u32,
    /// Points taken off him.
    pub won: f64,
    /// Points lost to him.
    pub lost: f64,
}

impl PairScore {
    /// Games against him.
    pub fn games(&self) -> f64 {
        self.won + self.lost
    }
}

/// A pairing table: of each player the opponents, each once, with the points of both.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PairingTable {
    /// Where the opponents of each player begin.
    starts: Vec<usize>,
    /// In the order of the opponents' numbers.
    pairs: Vec<PairScore>,
    /// Points won and lost, by player.
    sums: Vec<(f64, f64)>,
}

impl PairingTable {
    /// From games (player, opponent, player's score in `[0, 1]`) of players numbered from 0.
    pub fn of(players: usize, games: impl IntoIterator<Item = (u32, u32, f64)>) -> PairingTable {
        let mut sides: Vec<(u32, PairScore)> = Vec::new();
        for (one, other, score) in games {
            sides.push((one, PairScore { opponent: other, won: score, lost: 1.0 - score }));
            sides.push((other, PairScore { opponent: one, won: 1.0 - score, lost: score }));
        }
        PairingTable::of_sides(players, sides)
    }

    fn of_sides(players: usize, mut sides: Vec<(u32, PairScore)>) -> PairingTable {
        // Stable, so that sums come out the same each time.
        sides.sort_by_key(|(player, pair)| (*player, pair.opponent));
        let mut table = PairingTable {
            starts: Vec::with_capacity(players + 1),
            pairs: Vec::with_capacity(sides.len()),
            sums: vec![(0.0, 0.0); players],
        };
        table.starts.push(0);
        for (player, pair) in sides {
            while table.starts.len() <= player as usize {
                table.starts.push(table.pairs.len());
            }
            let sum = &mut table.sums[player as usize];
            *sum = (sum.0 + pair.won, sum.1 + pair.lost);
            let first = table.starts[player as usize];
            match table.pairs[first..].last_mut().filter(|last| last.opponent == pair.opponent) {
                Some(last) => (last.won, last.lost) = (last.won + pair.won, last.lost + pair.lost),
                None => table.pairs.push(pair),
            }
        }
        table.starts.resize(players + 1, table.pairs.len());
        table
    }

    /// The played games of an event proper.
    pub fn of_event(event: &Event) -> PairingTable {
        let games = event.games.iter().filter(|game| game.played && game.part == EventPart::Main);
        PairingTable::of(
            event.players.len(),
            games.map(|game| (game.white as u32, game.black as u32, game.white_score)),
        )
    }

    /// How many players there are.
    pub fn len(&self) -> usize {
        self.sums.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.sums.is_empty()
    }

    /// A player's opponents, in the order of their numbers.
    pub fn opponents(&self, player: usize) -> &[PairScore] {
        &self.pairs[self.starts[player]..self.starts[player + 1]]
    }

    /// Where his opponents stand in [`PairingTable::pairs`].
    pub(super) fn range(&self, player: usize) -> std::ops::Range<usize> {
        self.starts[player]..self.starts[player + 1]
    }

    /// All players' opponents, player after player.
    pub(super) fn pairs(&self) -> &[PairScore] {
        &self.pairs
    }

    /// Points that he won.
    pub fn won(&self, player: usize) -> f64 {
        self.sums[player].0
    }

    /// Points that he lost.
    pub fn lost(&self, player: usize) -> f64 {
        self.sums[player].1
    }

    /// Games that he played.
    pub fn games(&self, player: usize) -> f64 {
        self.won(player) + self.lost(player)
    }

    /// The same with so many drawn games more of everybody against one more player, whose number is the last.
    pub fn with_drawn_games(&self, games: f64) -> PairingTable {
        let last = self.len() as u32;
        let half = games / 2.0;
        let phantom = |opponent| PairScore { opponent, won: half, lost: half };
        let mut table = PairingTable {
            starts: Vec::with_capacity(self.starts.len() + 1),
            pairs: Vec::with_capacity(self.pairs.len() + 2 * self.len()),
            sums: self.sums.iter().map(|(won, lost)| (won + half, lost + half)).collect(),
        };
        table.starts.push(0);
        // The phantom's number is the largest, and so the last of each row.
        for player in 0..self.len() {
            table.pairs.extend_from_slice(self.opponents(player));
            table.pairs.push(phantom(last));
            table.starts.push(table.pairs.len());
        }
        table.pairs.extend((0..last).map(phantom));
        table.starts.push(table.pairs.len());
        let of_phantom = half * f64::from(last);
        table.sums.push((of_phantom, of_phantom));
        table
    }

    /// The games of these players against each other, who are numbered anew in this order.
    pub fn part(&self, members: &[u32]) -> PairingTable {
        let mut place = vec![u32::MAX; self.len()];
        for (new, old) in (0..).zip(members) {
            place[*old as usize] = new;
        }
        let sides = members.iter().flat_map(|old| {
            let own = place[*old as usize];
            let inside = |pair: &&PairScore| place[pair.opponent as usize] != u32::MAX;
            let renumbered = self.opponents(*old as usize).iter().filter(inside);
            let place = &place;
            renumbered.map(move |pair| {
                (own, PairScore { opponent: place[pair.opponent as usize], ..*pair })
            })
        });
        PairingTable::of_sides(members.len(), sides.collect())
    }

    /// Sets of players who are joined by games, each in the order of their numbers: the largest first, of equals that with more games, then that
    /// with the smaller number.
    pub fn joined(&self) -> Vec<Vec<u32>> {
        let mut seen = vec![false; self.len()];
        let mut found = Vec::new();
        for first in 0..self.len() {
            if std::mem::replace(&mut seen[first], true) {
                continue;
            }
            let mut set = vec![first as u32];
            let mut at = 0;
            while let Some(player) = set.get(at).copied() {
                at += 1;
                for pair in self.opponents(player as usize) {
                    if !std::mem::replace(&mut seen[pair.opponent as usize], true) {
                        set.push(pair.opponent);
                    }
                }
            }
            found.push(set);
        }
        self.ordered(found)
    }

    /// Sets of players each of whom took points off somebody who took points off somebody, and so on, off each of the others; ordered likewise.
    pub fn strongly_joined(&self) -> Vec<Vec<u32>> {
        let pairs: usize = self.pairs.len();
        let mut graph: DiGraph<(), ()> = DiGraph::with_capacity(self.len(), pairs);
        for _ in 0..self.len() {
            graph.add_node(());
        }
        for player in 0..self.len() {
            for pair in self.opponents(player).iter().filter(|pair| pair.won > 0.0) {
                graph.add_edge(NodeIndex::new(player), NodeIndex::new(pair.opponent as usize), ());
            }
        }
        let sets = kosaraju_scc(&graph).into_iter();
        self.ordered(
            sets.map(|set| set.into_iter().map(|node| node.index() as u32).collect()).collect(),
        )
    }

    fn ordered(&self, mut sets: Vec<Vec<u32>>) -> Vec<Vec<u32>> {
        for set in &mut sets {
            set.sort_unstable();
        }
        let games =
            |set: &[u32]| set.iter().map(|player| self.games(*player as usize)).sum::<f64>();
        sets.sort_by(|a, b| {
            b.len().cmp(&a.len()).then(games(b).total_cmp(&games(a))).then(a[0].cmp(&b[0]))
        });
        sets
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn games_of_a_pair_are_one_line_and_players_without_games_have_none() {
        let table = PairingTable::of(4, [(2, 0, 1.0), (0, 2, 0.5), (0, 1, 0.0)]);
        assert_eq!(
            table.opponents(0),
            [
                PairScore { opponent: 1, won: 0.0, lost: 1.0 },
                PairScore { opponent: 2, won: 0.5, lost: 1.5 }
            ]
        );
        assert_eq!((table.won(2), table.lost(2), table.games(3)), (1.5, 0.5, 0.0));
        assert_eq!(table.opponents(3), []);
        assert_eq!(PairingTable::of(0, []).joined(), Vec::<Vec<u32>>::new());
    }

    #[test]
    fn of_sets_of_the_same_size_that_with_more_games_is_first_and_then_that_with_the_smaller_number()
     {
        let games = [(4, 5, 0.5), (0, 1, 0.5), (2, 3, 0.5), (3, 2, 0.5)];
        let table = PairingTable::of(6, games);
        assert_eq!(table.joined(), [vec![2, 3], vec![0, 1], vec![4, 5]]);
        assert_eq!(table.strongly_joined(), table.joined());
    }

    #[test]
    fn sets_are_told_by_games_and_by_points_taken() {
        // 0, 1 and 2 in a circle; 3 beat 0; 4 and 5 drew.
        let games = [(0, 1, 1.0), (1, 2, 1.0), (2, 0, 1.0), (3, 0, 1.0), (4, 5, 0.5)];
        let table = PairingTable::of(7, games);
        assert_eq!(table.joined(), [vec![0, 1, 2, 3], vec![4, 5], vec![6]]);
        assert_eq!(table.strongly_joined(), [vec![0, 1, 2], vec![4, 5], vec![3], vec![6]]);
        let part = table.part(&[5, 4]);
        assert_eq!(part.opponents(0), [PairScore { opponent: 1, won: 0.5, lost: 0.5 }]);
        let with = table.with_drawn_games(2.0);
        assert_eq!((with.len(), with.games(6), with.games(7)), (8, 2.0, 14.0));
    }
}
