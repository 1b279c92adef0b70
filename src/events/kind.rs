//! What sort of competition a pairing table shows, and how many games it should have.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

/// The sorts of competition.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Kind {
    /// Two players.
    Match,
    /// Each met each once.
    RoundRobin,
    /// Each met each twice.
    DoubleRoundRobin,
    /// Each met each three times or more.
    MultipleRoundRobin,
    /// Two teams, each player against all of the other team.
    Scheveningen,
    /// Many players, few rounds, nobody met twice (opens too).
    Swiss,
    /// Losers leave; pairs play several games.
    KnockOut,
    /// Teams (olympiads, leagues).
    Team,
    /// Anything else.
    Other,
}

impl Kind {
    /// The word used in exports.
    pub fn word(self) -> &'static str {
        match self {
            Kind::Match => "match",
            Kind::RoundRobin => "round_robin",
            Kind::DoubleRoundRobin => "double_round_robin",
            Kind::MultipleRoundRobin => "multiple_round_robin",
            Kind::Scheveningen => "scheveningen",
            Kind::Swiss => "swiss",
            Kind::KnockOut => "knock_out",
            Kind::Team => "team",
            Kind::Other => "other",
        }
    }

    /// All kinds.
    pub const ALL: [Kind; 9] = [
        Kind::Match,
        Kind::RoundRobin,
        Kind::DoubleRoundRobin,
        Kind::MultipleRoundRobin,
        Kind::Scheveningen,
        Kind::Swiss,
        Kind::KnockOut,
        Kind::Team,
        Kind::Other,
    ];

    /// The kind that exports call by this word.
    pub fn of_word(word: &str) -> Option<Kind> {
        Kind::ALL.into_iter().find(|kind| kind.word() == word)
    }

    /// The words that people use.
    pub fn words(self) -> &'static str {
        match self {
            Kind::Match => "match",
            Kind::RoundRobin => "round robin",
            Kind::DoubleRoundRobin => "double round robin",
            Kind::MultipleRoundRobin => "multiple round robin",
            Kind::Scheveningen => "Scheveningen tournament",
            Kind::Swiss => "Swiss tournament",
            Kind::KnockOut => "knock-out",
            Kind::Team => "team event",
            Kind::Other => "tournament",
        }
    }

    /// Whether every player meets every other.
    pub fn is_round_robin(self) -> bool {
        matches!(self, Kind::RoundRobin | Kind::DoubleRoundRobin | Kind::MultipleRoundRobin)
    }
}

/// What the pairing table shows.
#[derive(Clone, Debug, PartialEq)]
pub struct Recognised {
    /// The sort of competition.
    pub kind: Kind,
    /// Games that a complete table would hold; `None` where the kind does not tell.
    pub expected_games: Option<usize>,
    /// Of the games found, how many that table has a place for (a replay or a play-off game
    /// beyond it does not make up for a missing one).
    pub placed_games: usize,
    /// Games of each pair in a complete table (round robins).
    pub cycles: usize,
    /// Players who left the competition early; their games are outside the complete table.
    pub withdrawn: Vec<usize>,
}

impl Recognised {
    /// Counts games beside the table (replays, games of withdrawn players) into its free places.
    pub(super) fn fill_places(&mut self, players: usize, pairings: &[(usize, usize)]) {
        if self.kind.is_round_robin() {
            let placed = Table::of(players, pairings).without(&self.withdrawn).placed(self.cycles);
            let expected = self.expected_games.unwrap_or(placed);
            self.placed_games = placed.clamp(self.placed_games, expected);
        }
    }

    /// Games found over games expected, in `[0, 1]`; `None` where the kind does not tell.
    pub fn coverage(&self) -> Option<f64> {
        let expected = self.expected_games?;
        (expected > 0).then(|| self.placed_games as f64 / expected as f64)
    }
}

/// Part of all pairs that must have met before a table counts as a round robin with gaps.
const ROUND_ROBIN_PAIRS: f64 = 0.6;

/// A player with at most this part of the full number of games has withdrawn.
const WITHDRAWAL: f64 = 0.5;

/// Recognises the kind from the pairings (pairs of player indices, one a game).
pub fn recognise(players: usize, pairings: &[(usize, usize)]) -> Recognised {
    let table = Table::of(players, pairings);
    if table.active.len() <= 2 {
        return Recognised {
            kind: Kind::Match,
            expected_games: Some(pairings.len()),
            placed_games: pairings.len(),
            cycles: pairings.len(),
            withdrawn: Vec::new(),
        };
    }
    if let Some(round_robin) = table.round_robin() {
        return round_robin;
    }
    let kind = if table.is_scheveningen() {
        Kind::Scheveningen
    } else if table.is_knock_out() {
        Kind::KnockOut
    } else if table.is_swiss() {
        Kind::Swiss
    } else {
        Kind::Other
    };
    let expected_games = match kind {
        Kind::Scheveningen => Some(pairings.len()),
        Kind::Swiss => Some(table.swiss_games()),
        _ => None,
    };
    Recognised {
        kind,
        expected_games,
        placed_games: pairings.len().min(expected_games.unwrap_or(pairings.len())),
        cycles: 1,
        withdrawn: Vec::new(),
    }
}

/// How often each pair met.
struct Table {
    /// Players with games.
    active: Vec<usize>,
    /// Games by (lower index, higher index), in that order.
    met: Vec<((usize, usize), usize)>,
    /// Games by player.
    games: Vec<usize>,
}

impl Table {
    fn of(players: usize, pairings: &[(usize, usize)]) -> Table {
        let mut table = Table { active: Vec::new(), met: Vec::new(), games: vec![0; players] };
        let mut pairs: Vec<(usize, usize)> =
            pairings.iter().map(|&(white, black)| (white.min(black), white.max(black))).collect();
        pairs.sort_unstable();
        for pair in pairs.chunk_by(|a, b| a == b) {
            let (a, b) = pair[0];
            table.met.push(((a, b), pair.len()));
            table.games[a] += pair.len();
            table.games[b] += pair.len();
        }
        table.active = (0..players).filter(|&player| table.games[player] > 0).collect();
        table
    }

    /// The table without some players.
    fn without(&self, left: &[usize]) -> Table {
        let mut met = self.met.clone();
        met.retain(|((a, b), _)| !left.contains(a) && !left.contains(b));
        let mut games = vec![0; self.games.len()];
        for &((a, b), count) in &met {
            games[a] += count;
            games[b] += count;
        }
        let active = (0..games.len()).filter(|&player| games[player] > 0).collect();
        Table { active, met, games }
    }

    fn pairs(&self) -> usize {
        self.active.len() * (self.active.len() - 1) / 2
    }

    /// A round robin, gaps and withdrawals allowed.
    ///
    /// Withdrawals are tried only where the rest is complete without them: a player who happens to
    /// lack games in a table with other gaps has lost game scores, not left.
    fn round_robin(&self) -> Option<Recognised> {
        if self.active.len() < 3 {
            return None;
        }
        let cycles = self.cycles();
        let full = cycles * (self.active.len() - 1);
        let left: Vec<usize> = self
            .active
            .iter()
            .copied()
            .filter(|&player| self.games[player] as f64 <= WITHDRAWAL * full as f64)
            .collect();
        if !left.is_empty() && self.active.len() - left.len() >= 3 {
            let rest = self.without(&left);
            if rest.active.len() == self.active.len() - left.len()
                && rest.met.len() == rest.pairs()
                && rest.placed(rest.cycles()) == rest.pairs() * rest.cycles()
            {
                return Some(rest.as_round_robin(left));
            }
        }
        (self.met.len() as f64 >= ROUND_ROBIN_PAIRS * self.pairs() as f64)
            .then(|| self.as_round_robin(Vec::new()))
    }

    fn as_round_robin(&self, withdrawn: Vec<usize>) -> Recognised {
        let cycles = self.cycles();
        Recognised {
            kind: match cycles {
                1 => Kind::RoundRobin,
                2 => Kind::DoubleRoundRobin,
                _ => Kind::MultipleRoundRobin,
            },
            expected_games: Some(self.pairs() * cycles),
            placed_games: self.placed(cycles),
            cycles,
            withdrawn,
        }
    }

    /// The number of games that most pairs played; of equals the smaller.
    fn cycles(&self) -> usize {
        let mut frequency: BTreeMap<usize, usize> = BTreeMap::new();
        for (_, games) in &self.met {
            *frequency.entry(*games).or_default() += 1;
        }
        frequency
            .into_iter()
            .max_by(|a, b| a.1.cmp(&b.1).then(b.0.cmp(&a.0)))
            .map_or(1, |(games, _)| games)
    }

    fn placed(&self, cycles: usize) -> usize {
        self.met.iter().map(|(_, games)| games.min(&cycles)).sum()
    }

    /// Two teams of three or more, everybody against all of the other team and nobody of his own.
    fn is_scheveningen(&self) -> bool {
        let Some(&first) = self.active.first() else { return false };
        let others: Vec<usize> =
            self.active.iter().copied().filter(|&player| self.has_met(first, player)).collect();
        let own: Vec<usize> =
            self.active.iter().copied().filter(|player| !others.contains(player)).collect();
        let inside = |team: &[usize]| {
            team.iter().enumerate().any(|(i, &a)| team[i + 1..].iter().any(|&b| self.has_met(a, b)))
        };
        own.len() >= 3
            && others.len() >= 3
            && self.met.len() == own.len() * others.len()
            && !inside(&own)
            && !inside(&others)
    }

    fn has_met(&self, a: usize, b: usize) -> bool {
        self.met.binary_search_by_key(&(a.min(b), a.max(b)), |(pair, _)| *pair).is_ok()
    }

    /// Several games to the pair, and about as many pairs as losers.
    fn is_knock_out(&self) -> bool {
        let games: usize = self.met.iter().map(|(_, games)| games).sum();
        let losers = self.active.len() - 1;
        // Matches for the lower places and a second life for some losers add pairs.
        games as f64 >= 1.8 * self.met.len() as f64 && self.met.len() <= losers + losers / 2 + 1
    }

    /// Nearly nobody met twice, and everybody met only a part of the field.
    fn is_swiss(&self) -> bool {
        let games: usize = self.met.iter().map(|(_, games)| games).sum();
        let rounds = self.rounds();
        self.active.len() >= 8
            && games as f64 <= 1.05 * self.met.len() as f64
            && rounds < self.active.len() - 1
    }

    /// Rounds of a Swiss: the number of games that a full-time player has.
    fn rounds(&self) -> usize {
        self.active.iter().map(|&player| self.games[player]).max().unwrap_or(0)
    }

    /// Games of a full Swiss: rounds by pairs.
    fn swiss_games(&self) -> usize {
        self.rounds() * (self.active.len() / 2)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all_against_all(players: usize, cycles: usize) -> Vec<(usize, usize)> {
        let mut games = Vec::new();
        for cycle in 0..cycles {
            for a in 0..players {
                for b in 0..a {
                    games.push(if (a + b + cycle) % 2 == 0 { (a, b) } else { (b, a) });
                }
            }
        }
        games
    }

    #[test]
    fn round_robins_are_told_by_their_cycles() {
        for (cycles, kind) in
            [(1, Kind::RoundRobin), (2, Kind::DoubleRoundRobin), (4, Kind::MultipleRoundRobin)]
        {
            let found = recognise(6, &all_against_all(6, cycles));
            assert_eq!(found.kind, kind);
            assert_eq!(found.expected_games, Some(15 * cycles));
            assert_eq!(found.coverage(), Some(1.0));
        }
    }

    #[test]
    fn a_missing_game_is_not_made_up_for_by_a_replay() {
        let mut games = all_against_all(6, 1);
        games.pop();
        games.push(games[0]);
        let found = recognise(6, &games);
        assert_eq!((found.placed_games, found.expected_games), (14, Some(15)));
    }

    #[test]
    fn a_withdrawn_player_leaves_a_complete_table() {
        let mut games = all_against_all(8, 2);
        games.extend([(8, 0), (1, 8), (8, 2)]);
        let found = recognise(9, &games);
        assert_eq!(found.kind, Kind::DoubleRoundRobin);
        assert_eq!(found.withdrawn, [8]);
        assert_eq!(found.expected_games, Some(56));
        assert_eq!(found.coverage(), Some(1.0));
    }

    #[test]
    fn two_teams_make_a_scheveningen() {
        let games: Vec<_> = (0..4).flat_map(|a| (4..8).map(move |b| (a, b))).collect();
        assert_eq!(recognise(8, &games).kind, Kind::Scheveningen);
    }

    #[test]
    fn losers_leave_a_knock_out() {
        let pairs = [(0, 1), (2, 3), (4, 5), (6, 7), (0, 2), (4, 6), (0, 4)];
        let games: Vec<_> = pairs.iter().flat_map(|&(a, b)| [(a, b), (b, a)]).collect();
        assert_eq!(recognise(8, &games).kind, Kind::KnockOut);
    }

    #[test]
    fn few_rounds_among_many_make_a_swiss() {
        let games: Vec<_> =
            (1..=5).flat_map(|round| (0..10).map(move |a| (a, 10 + (a + round) % 10))).collect();
        // Halves that meet only each other look like teams, unless the table is far from full.
        let found = recognise(20, &games);
        assert_eq!(found.kind, Kind::Swiss);
        assert_eq!(found.expected_games, Some(50));
    }

    #[test]
    fn two_players_make_a_match() {
        assert_eq!(recognise(2, &[(0, 1), (1, 0), (0, 1)]).kind, Kind::Match);
    }
}
