//! Holds the points that players scored against each other.

use petgraph::algo::kosaraju_scc;
use petgraph::graph::{DiGraph, NodeIndex};

use crate::event::{Event, EventPart};

/// A player's score against one opponent.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PairScore {
    /// Number of the opponent.
    pub opponent: u32,
    /// Points scored against the opponent.
    pub won: f64,
    /// Points lost to the opponent.
    pub lost: f64,
}

impl PairScore {
    /// Number of games against the opponent.
    pub fn games(&self) -> f64 {
        self.won + self.lost
    }
}

/// A pairing table: for each player, the opponents, each once, with the points of both.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PairingTable {
    /// Index of each player's first opponent.
    starts: Vec<usize>,
    /// By player, in the order of the opponents' numbers.
    pairs: Vec<PairScore>,
    /// Points won and lost, by player.
    sums: Vec<(f64, f64)>,
}

impl PairingTable {
    /// Makes a table from games (player, opponent, player's score in `[0, 1]`). Players are
    /// numbered from 0.
    pub fn new(players: usize, games: impl IntoIterator<Item = (u32, u32, f64)>) -> PairingTable {
        let mut sides: Vec<(u32, PairScore)> = Vec::new();
        for (one, other, score) in games {
            sides.push((one, PairScore { opponent: other, won: score, lost: 1.0 - score }));
            sides.push((other, PairScore { opponent: one, won: 1.0 - score, lost: score }));
        }
        PairingTable::of_sides(players, sides)
    }

    fn of_sides(players: usize, mut sides: Vec<(u32, PairScore)>) -> PairingTable {
        // A stable sort gives the same sums each time.
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

    /// Makes a table of the played games of an event's main part.
    pub fn of_event(event: &Event) -> PairingTable {
        let games = event.games.iter().filter(|game| game.played && game.part == EventPart::Main);
        PairingTable::new(
            event.players.len(),
            games.map(|game| (game.white as u32, game.black as u32, game.white_score)),
        )
    }

    /// Number of players, with or without games.
    pub fn len(&self) -> usize {
        self.sums.len()
    }

    /// Whether the table has no players.
    pub fn is_empty(&self) -> bool {
        self.sums.is_empty()
    }

    /// Returns a player's opponents, in the order of their numbers.
    pub fn opponents(&self, player: usize) -> &[PairScore] {
        &self.pairs[self.starts[player]..self.starts[player + 1]]
    }

    /// Index range of the player's opponents in [`PairingTable::pairs`].
    pub(super) fn range(&self, player: usize) -> std::ops::Range<usize> {
        self.starts[player]..self.starts[player + 1]
    }

    /// Returns all players' opponents, player by player.
    pub(super) fn pairs(&self) -> &[PairScore] {
        &self.pairs
    }

    /// Points that the player won.
    pub fn won(&self, player: usize) -> f64 {
        self.sums[player].0
    }

    /// Points that the player lost.
    pub fn lost(&self, player: usize) -> f64 {
        self.sums[player].1
    }

    /// Number of games that the player played.
    pub fn games(&self, player: usize) -> f64 {
        self.won(player) + self.lost(player)
    }

    /// Adds one more player, with the last number, who draws `games` games with each of the others.
    pub fn with_drawn_games(&self, games: f64) -> PairingTable {
        let last = self.len() as u32;
        let half = games / 2.0;
        let mut table = PairingTable {
            starts: Vec::with_capacity(self.starts.len() + 1),
            pairs: Vec::with_capacity(self.pairs.len() + 2 * self.len()),
            sums: self.sums.iter().map(|(won, lost)| (won + half, lost + half)).collect(),
        };
        table.starts.push(0);
        // The additional player has the largest number, and is therefore last in each row.
        for player in 0..self.len() {
            table.pairs.extend_from_slice(self.opponents(player));
            table.pairs.push(PairScore { opponent: last, won: half, lost: half });
            table.starts.push(table.pairs.len());
        }
        table.pairs.extend((0..last).map(|opponent| PairScore { opponent, won: half, lost: half }));
        table.starts.push(table.pairs.len());
        let of_phantom = half * f64::from(last);
        table.sums.push((of_phantom, of_phantom));
        table
    }

    /// Selects the games of these players against each other. The players are renumbered in this
    /// order.
    pub fn part(&self, members: &[u32]) -> PairingTable {
        let mut place = vec![u32::MAX; self.len()];
        for (new, old) in (0..).zip(members) {
            place[*old as usize] = new;
        }
        let mut sides = Vec::new();
        for old in members {
            for pair in self.opponents(*old as usize) {
                let opponent = place[pair.opponent as usize];
                if opponent != u32::MAX {
                    sides.push((place[*old as usize], PairScore { opponent, ..*pair }));
                }
            }
        }
        PairingTable::of_sides(members.len(), sides)
    }

    /// Finds the sets of players connected by games, each in the order of their numbers. The
    /// largest set comes first, then the one with more games, then the one with the smaller number.
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

    /// Finds the strongly connected sets of players: each player took points off each of the
    /// others, directly or through other players. The order is that of [`PairingTable::joined`].
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
        sets.sort_by(|a, b| {
            b.len()
                .cmp(&a.len())
                .then_with(|| self.games_of(b).total_cmp(&self.games_of(a)))
                .then(a[0].cmp(&b[0]))
        });
        sets
    }

    /// Number of games of these players; a game between two of them counts twice.
    fn games_of(&self, players: &[u32]) -> f64 {
        players.iter().map(|player| self.games(*player as usize)).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn games_of_a_pair_are_combined_and_idle_players_have_none() {
        let table = PairingTable::new(4, [(2, 0, 1.0), (0, 2, 0.5), (0, 1, 0.0)]);
        assert_eq!(
            table.opponents(0),
            [
                PairScore { opponent: 1, won: 0.0, lost: 1.0 },
                PairScore { opponent: 2, won: 0.5, lost: 1.5 }
            ]
        );
        assert_eq!((table.won(2), table.lost(2), table.games(3)), (1.5, 0.5, 0.0));
        assert_eq!(table.opponents(3), []);
        assert_eq!(PairingTable::new(0, []).joined(), Vec::<Vec<u32>>::new());
    }

    #[test]
    fn sets_of_equal_size_are_ordered_by_games_and_then_by_number() {
        let games = [(4, 5, 0.5), (0, 1, 0.5), (2, 3, 0.5), (3, 2, 0.5)];
        let table = PairingTable::new(6, games);
        assert_eq!(table.joined(), [vec![2, 3], vec![0, 1], vec![4, 5]]);
        assert_eq!(table.strongly_joined(), table.joined());
    }

    #[test]
    fn sets_are_connected_by_games_or_strongly_by_points() {
        // 0, 1 and 2 form a cycle; 3 beat 0; 4 and 5 drew.
        let games = [(0, 1, 1.0), (1, 2, 1.0), (2, 0, 1.0), (3, 0, 1.0), (4, 5, 0.5)];
        let table = PairingTable::new(7, games);
        assert_eq!(table.joined(), [vec![0, 1, 2, 3], vec![4, 5], vec![6]]);
        assert_eq!(table.strongly_joined(), [vec![0, 1, 2], vec![4, 5], vec![3], vec![6]]);
        let part = table.part(&[5, 4]);
        assert_eq!(part.opponents(0), [PairScore { opponent: 1, won: 0.5, lost: 0.5 }]);
        let with = table.with_drawn_games(2.0);
        assert_eq!((with.len(), with.games(6), with.games(7)), (8, 2.0, 14.0));
    }
}
