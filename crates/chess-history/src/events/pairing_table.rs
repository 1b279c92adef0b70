//! The pairing table: which players met, how often, and in which round.

use std::collections::BTreeMap;

/// One game of a table.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pairing {
    /// White, by index in the field.
    pub white: usize,
    /// Black, by index in the field.
    pub black: usize,
    /// The round, if known, without its part.
    pub round: Option<u16>,
    /// The part of the round, if known: the board in a table, the game in a match of a knock-out.
    pub part: Option<u16>,
    /// White's score, if known.
    pub white_score: Option<f64>,
    /// The rating tags of White and Black (points); 0 where they have none.
    pub ratings: [u16; 2],
}

impl Pairing {
    /// Creates a pairing of which only the players are known.
    pub fn new(white: usize, black: usize) -> Pairing {
        Pairing { white, black, round: None, part: None, white_score: None, ratings: [0; 2] }
    }

    /// Returns both players, the lower index first.
    pub fn pair(&self) -> (usize, usize) {
        (self.white.min(self.black), self.white.max(self.black))
    }
}

/// How often each pair met.
#[derive(Clone, Debug)]
pub(super) struct PairCounts {
    /// The players who have games, in order.
    pub active: Vec<usize>,
    /// Games of each pair, as (lower index, higher index), in that order.
    pub met: Vec<((usize, usize), usize)>,
    /// Games of each player.
    pub games: Vec<usize>,
}

impl PairCounts {
    pub fn new(players: usize, pairings: &[Pairing]) -> PairCounts {
        let mut pairs: Vec<(usize, usize)> = pairings.iter().map(Pairing::pair).collect();
        pairs.sort_unstable();
        let met = pairs.chunk_by(|a, b| a == b).map(|pair| (pair[0], pair.len())).collect();
        PairCounts::from(players, met)
    }

    fn from(players: usize, met: Vec<((usize, usize), usize)>) -> PairCounts {
        let mut games = vec![0; players];
        for &((a, b), count) in &met {
            games[a] += count;
            games[b] += count;
        }
        let active = (0..players).filter(|&player| games[player] > 0).collect();
        PairCounts { active, met, games }
    }

    /// Returns the table without some players, who are given in order.
    pub fn without_players(&self, left: &[usize]) -> PairCounts {
        let mut met = self.met.clone();
        met.retain(|((a, b), _)| left.binary_search(a).is_err() && left.binary_search(b).is_err());
        PairCounts::from(self.games.len(), met)
    }

    /// Returns the number of possible pairs of active players.
    pub fn pairs(&self) -> usize {
        self.active.len() * self.active.len().saturating_sub(1) / 2
    }

    pub fn total(&self) -> usize {
        self.met.iter().map(|(_, games)| games).sum()
    }

    pub fn count(&self, a: usize, b: usize) -> usize {
        let place = self.met.binary_search_by_key(&(a.min(b), a.max(b)), |(pair, _)| *pair);
        place.map_or(0, |place| self.met[place].1)
    }

    /// Returns the number of games that most pairs played; among equals the smaller.
    pub fn usual_games_of_pair(&self) -> usize {
        let mut frequency: BTreeMap<usize, usize> = BTreeMap::new();
        for (_, games) in &self.met {
            *frequency.entry(*games).or_default() += 1;
        }
        frequency
            .into_iter()
            .max_by(|a, b| a.1.cmp(&b.1).then(b.0.cmp(&a.0)))
            .map_or(1, |(games, _)| games)
    }

    /// Counts the pairs that met at least `games` times.
    pub fn pairs_with(&self, games: usize) -> usize {
        self.met.iter().filter(|(_, found)| *found >= games).count()
    }

    /// Counts the opponents of each player.
    pub fn opponents(&self) -> Vec<usize> {
        let mut opponents = vec![0; self.games.len()];
        for &((a, b), _) in &self.met {
            opponents[a] += 1;
            opponents[b] += 1;
        }
        opponents
    }
}

/// The rounds of a table with reliable round tags.
///
/// Nearly all games must have one, few players may have one twice, and they must not merely number
/// the games.
#[derive(Clone, Debug)]
pub(super) struct TableRounds {
    /// The last round with games.
    pub last: u16,
    /// The last round in which more than half of the players have a game. Play-offs have fewer.
    pub last_full: u16,
    /// First and last round of each player.
    pub spans: Vec<Option<(u16, u16)>>,
}

/// The share of games whose round must be known.
///
/// Judged: one game in ten may have lost its round. With half of them unknown, the last round and
/// the span of a player would be those of the games that happen to have one.
const KNOWN: f64 = 0.9;

/// The share of the games, from both sides, that must have different rounds. Two games of a player
/// in one round happen by mistake.
///
/// Judged: mistakes are rarer than one game in seven, and numbers of the games of a pair or of a
/// day repeat far more often.
const DISTINCT: f64 = 0.85;

/// The share of games that must have a number of their own if the numbers count games.
///
/// Judged: a misprint or a copy repeats one number in ten. In rounds of a table of which half is
/// lost, half of the games share their round with another.
const OWN_NUMBER: f64 = 0.9;

/// Returns whether the numbers of a table count games instead of rounds. `numbers` are those that
/// occur, in order, and `games` is the number of games that have one.
///
/// A missing game lowers the number of games, but not the numbers. So the last number is at least
/// the number of games, and hardly any number occurs twice.
fn number_games(numbers: &[u16], games: usize) -> bool {
    numbers.last().is_some_and(|last| usize::from(*last) >= games)
        && numbers.len() as f64 >= OWN_NUMBER * games as f64
}

impl TableRounds {
    pub fn from_pairings(players: usize, pairings: &[Pairing]) -> Option<TableRounds> {
        let mut seen: Vec<(usize, u16)> = Vec::with_capacity(2 * pairings.len());
        let mut known = 0;
        for pairing in pairings {
            let Some(round) = pairing.round else { continue };
            known += 1;
            seen.extend([(pairing.white, round), (pairing.black, round)]);
        }
        if (known as f64) < KNOWN * pairings.len() as f64 || pairings.is_empty() {
            return None;
        }
        let all = seen.len();
        seen.sort_unstable();
        seen.dedup();
        if (seen.len() as f64) < DISTINCT * all as f64 {
            return None;
        }
        let mut rounds: Vec<u16> = seen.iter().map(|(_, round)| *round).collect();
        rounds.sort_unstable();
        // A round with very few games after a gap is a misprint.
        let counts: Vec<(u16, usize)> =
            rounds.chunk_by(|a, b| a == b).map(|round| (round[0], round.len())).collect();
        let fullest = counts.iter().map(|(_, games)| *games).max().unwrap_or(0);
        let mut end = counts.len();
        while end > 1
            && 10 * counts[end - 1].1 < fullest
            && counts[end - 1].0 > counts[end - 2].0 + 1
        {
            end -= 1;
        }
        let last = counts.get(end.checked_sub(1)?)?.0;
        seen.retain(|(_, round)| *round <= last);
        let rounds: Vec<u16> = counts[..end].iter().map(|(round, _)| *round).collect();
        let active = seen.chunk_by(|a, b| a.0 == b.0).count();
        if active >= 6 && number_games(&rounds, known) {
            return None;
        }
        let full = counts[..end].iter().rev().find(|(_, playing)| 2 * playing > active);
        let last_full = full.map_or(0, |(round, _)| *round);
        let mut spans = vec![None; players];
        for of_player in seen.chunk_by(|a, b| a.0 == b.0) {
            let player = of_player[0].0;
            spans[player] = Some((of_player[0].1, of_player[of_player.len() - 1].1));
        }
        Some(TableRounds { last: *rounds.last()?, last_full, spans })
    }

    /// Returns the number of cycles if most players go on after `usual` cycles of `of_a_cycle`
    /// rounds.
    ///
    /// A play-off has few players, and a round for postponed games is a single one.
    pub fn begun_cycles(&self, usual: usize, of_a_cycle: usize) -> Option<usize> {
        let end = usual * of_a_cycle;
        let lasts: Vec<usize> =
            self.spans.iter().flatten().map(|(_, last)| usize::from(*last)).collect();
        let go_on = lasts.iter().filter(|last| **last > end).count();
        let has_begun = usize::from(self.last) >= end + 2 && go_on >= 3;
        (has_begun && 2 * go_on > lasts.len()).then(|| usize::from(self.last).div_ceil(of_a_cycle))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rounds_of(numbers: impl Iterator<Item = u16>) -> Option<TableRounds> {
        let pairs = [(0, 1), (2, 3), (4, 5), (0, 2), (1, 4), (3, 5), (0, 3), (1, 5), (2, 4)];
        let games: Vec<Pairing> = numbers
            .zip(pairs.iter().cycle())
            .map(|(round, (white, black))| Pairing {
                round: Some(round),
                ..Pairing::new(*white, *black)
            })
            .collect();
        TableRounds::from_pairings(6, &games)
    }

    #[test]
    fn rounds_with_few_known_games_are_rounds() {
        // 17 of 30 games of six players who met twice.
        let rounds = rounds_of((1..=10).chain([2, 4, 5, 6, 8, 9, 10]));
        assert_eq!(rounds.map(|rounds| rounds.last), Some(10));
    }

    #[test]
    fn numbers_of_games_are_no_rounds_even_if_games_are_missing() {
        assert!(rounds_of(1..=15).is_none());
        assert!(rounds_of((1..=15).filter(|number| number % 3 > 0)).is_none());
    }
}
